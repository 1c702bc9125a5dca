"""Hold a result to its tool's output schema, by the policy that the tool declares. Pure."""

from dataclasses import dataclass, replace

from pegboard.bind.repair import coerced
from pegboard.catalog.contract import Result
from pegboard.catalog.schema.faults import Fault, faults
from pegboard.catalog.tool import Tool


@dataclass(frozen=True, slots=True)
class Judged:
    """A result beside what its schema says."""

    result: Result
    faults: tuple[Fault, ...] = ()
    """What the schema refuses in what the handler gave."""
    is_refused: bool = False
    is_repaired: bool = False


def judged(tool: Tool, result: Result) -> Judged:
    """Hold `result` to the tool's output schema, by the policy that the tool declares."""
    if tool.output is None or (result.status != "ok" and result.data is None):
        return Judged(result)
    found = tuple(faults(result.data, tool.output, noun="result"))
    if not found or tool.limits.output_policy == "warn":
        return Judged(result, found)
    if tool.limits.output_policy == "repair" and not any(fault.keyword == "limits" for fault in found):
        mended = coerced(result.data, tool.output)
        if not faults(mended, tool.output, noun="result"):
            return Judged(replace(result, data=mended), found, is_repaired=True)
    return Judged(result, found, is_refused=True)
