"""What is made of a result before anybody gets it: it fits the tool's output schema, or there is none."""

from pegboard.catalog.contract import Context, Result
from pegboard.catalog.schema.faults import faults
from pegboard.catalog.tool import Tool
from pegboard.errors import CallFailed


class Unfit(CallFailed):
    """A result that its tool's output schema refuses."""


async def received(tool: Tool, result: Result, context: Context) -> Result:
    """Return `result` as it is used.

    Raises:
        Unfit: the tool's output schema refuses it.
    """
    if tool.output is not None and (found := faults(result.data, tool.output, noun="result")):
        raise Unfit(f"Tool {tool.name!r} gave a result that its output schema refuses: {found[0].message}")
    return result
