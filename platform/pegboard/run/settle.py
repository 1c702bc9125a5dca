"""From what a handler has given to an outcome: the output schema, the trace, what a model sees.

The schema is for results, never for failures: those do not come here.
"""

import logging
from dataclasses import replace

from pegboard.catalog.calling.values import NoJson, as_json
from pegboard.catalog.contract import Context, Result
from pegboard.catalog.tool import Tool
from pegboard.events import Noticed, ResultGiven
from pegboard.run.outcome import Failed, Outcome, Succeeded
from pegboard.run.results.judge import judged
from pegboard.run.results.seen import cut, whole

_log = logging.getLogger(__name__)


async def settled(tool: Tool, given: Result, context: Context, seconds: float) -> Outcome:
    """Return the outcome of a call that has given a result."""
    try:
        made = given if given.data is None else replace(given, data=as_json(given.data))
    except NoJson as error:
        _log.error("tool %s (%s) gave no JSON: %s", tool.name, tool.handler, error)
        return Failed("output", f"Tool {tool.name!r} gave a result that cannot be written as JSON.", seconds)
    judgement = judged(tool, made)
    told = tuple(fault.message for fault in judgement.faults)
    context.emit(ResultGiven(tool.name, made.text, made.data, judgement.is_repaired, told))
    if told and not judgement.is_repaired:
        message = f"Tool {tool.name!r} gave a result that its output schema refuses: {told[0]}"
        if judgement.is_refused:
            return Failed("output", message, seconds)
        _log.warning("%s", message)
        context.emit(Noticed(message))
    result = judgement.result
    return Succeeded(result, seconds, whole(result) or await cut(tool, result, context))
