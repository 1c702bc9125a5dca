"""`Beginner`: which steps may begin while the rest of a plan is still being written.

A step begins early where nothing that is still to come can forbid it: its tool changes nothing and runs no others, its
arguments are values and no references, it takes part in no race, waits for nobody and has no condition. Of steps
without ids, all before it must be so too: one that changes something would have to be done before it.
"""

from collections.abc import Mapping

from pegboard.catalog.allowed import wrong
from pegboard.catalog.tool import Tool, Toolset
from pegboard.llm.shapes import steps
from pegboard.planner.planned import Begin
from pegboard.planner.reading.naming import Names
from pegboard.planner.reading.pieces import StepReader
from pegboard.planner.reading.placeholders import looks_like_reference
from pegboard.text import Json

_ALONE = frozenset({"id", "step_id", "type", "tool", "arguments"})
"""Keys of a step that keep nothing from beginning."""
_REMARKS = frozenset({"description", "reason", "thought", "title", "name", "on_failure"})


class Beginner:
    """Begins the steps of one plan; `begin` is called at most once for each."""

    def __init__(self, toolset: Toolset, begin: Begin) -> None:
        self._names = Names(toolset.tools)
        self._begin = begin
        self._reader = StepReader()
        self._only_reads = True
        """No step so far may change something, or wait for another."""

    def feed(self, piece: str) -> None:
        """Begin what may begin now that `piece` has come."""
        for row in self._reader.feed(piece):
            for step in steps([row]):
                self._take(step)

    def _take(self, step: Mapping[str, Json]) -> None:
        name, arguments = step.get("tool"), step.get("arguments")
        tool = self._names.found(name) if isinstance(name, str) else None
        may = tool is not None and isinstance(arguments, dict) and _is_alone(step) and _is_harmless(tool)
        has_id = bool(step.get("id")) and step.get("type") != "function"
        if may and (has_id or self._only_reads):
            assert tool is not None
            assert isinstance(arguments, dict)
            if not looks_like_reference(arguments) and not wrong(tool, arguments):
                self._begin(tool, arguments)
        self._only_reads = self._only_reads and tool is not None and tool.read_only


def _is_harmless(tool: Tool) -> bool:
    return tool.read_only and not tool.runs_others and tool.limits.on_unknown != "fail"


def _is_alone(step: Mapping[str, Json]) -> bool:
    return not any(value for key, value in step.items() if key not in _ALONE | _REMARKS) and step.get("type") in {
        None,
        "",
        "tool",
        "function",
    }
