"""What is made of a result before anybody gets it: it fits the tool's output schema, or there is none.

The schema is for results, never for failures: those do not come here.
"""

import logging
from dataclasses import replace

from pegboard.catalog.calling.values import NoJson, as_json
from pegboard.catalog.contract import Context, Evidence, File, Hit, Result
from pegboard.catalog.tool import Tool
from pegboard.errors import CallFailed
from pegboard.events import Noticed, ResultGiven
from pegboard.run.results.judge import judged

_log = logging.getLogger(__name__)


class Unfit(CallFailed):
    """A result that its tool's output schema refuses, or that is no JSON."""


async def received(tool: Tool, given: Result, context: Context) -> Result:
    """Return `given` as it is used; the trace has it as it came.

    Raises:
        Unfit: it is none, or the tool's output schema refuses it, and the policy does not pass it on.
    """
    if wrong := _misshapen(given):
        raise Unfit(f"Tool {tool.name!r} gave a result whose {wrong}.", hint="Its handler builds a `Result` wrongly.")
    try:
        result = given if given.data is None else replace(given, data=as_json(given.data))
    except NoJson as error:
        _log.error("tool %s (%s) gave no JSON: %s", tool.name, tool.handler, error)
        raise Unfit(f"Tool {tool.name!r} gave a result that cannot be written as JSON.") from error
    judgement = judged(tool, result)
    told = tuple(fault.message for fault in judgement.faults)
    context.emit(ResultGiven(tool.name, result.text, result.data, judgement.is_repaired, told))
    if told and not judgement.is_repaired:
        message = f"Tool {tool.name!r} gave a result that its output schema refuses: {told[0]}"
        if judgement.is_refused:
            raise Unfit(message)
        _log.warning("%s", message)
        context.emit(Noticed(message))
    return judgement.result


def _misshapen(given: Result) -> str:
    """Say which field of a result holds something else than it may: whoever wrote the handler may have no types."""
    if not isinstance(given.text, str):
        return f"`text` is no text, but {type(given.text).__name__}"
    parts = (("items", given.items, Hit), ("evidence", given.evidence, Evidence), ("files", given.files, File))
    for name, held, kind in parts:
        for each in held or ():
            if not isinstance(each, kind):
                return f"`{name}` holds {type(each).__name__}, and not only {kind.__name__}"
    return ""
