"""What is left of a toolset: for a question of one part, for a part of one, for a plan that may only read.

A toolset that loses nothing stays the same; else what is left of it is kept, for the heads of the embedded scorer
hang on it.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from weakref import WeakKeyDictionary

from pegboard.catalog.tool import Tool, Toolset
from pegboard.text import folded

LEFT_OUT = "the question is of one part"

_PLAIN: WeakKeyDictionary[Toolset, Toolset] = WeakKeyDictionary()
_STEPS: WeakKeyDictionary[Toolset, Toolset] = WeakKeyDictionary()
_READING: WeakKeyDictionary[Toolset, Toolset] = WeakKeyDictionary()
_OWNERS: WeakKeyDictionary[Toolset, Mapping[str, str]] = WeakKeyDictionary()


def plain(toolset: Toolset) -> Toolset:
    """Return what a question of one part may go to: the same toolset where it has nothing else."""
    return kept(toolset, _PLAIN, lambda tool: not tool.is_for_parts)


def steps(toolset: Toolset) -> Toolset:
    """Return what a part of a question may go to: agents too, but nothing that plans."""
    return kept(toolset, _STEPS, lambda tool: not tool.is_planning)


def reading(toolset: Toolset) -> Toolset:
    """Return what may be planned with where nothing may be changed."""
    return kept(toolset, _READING, lambda tool: tool.read_only)


def owner(question: str, toolset: Toolset) -> str | None:
    """Return the name of the tool of which `question` is an example, however many parts it has; not one that plans."""
    if toolset not in _OWNERS:
        _OWNERS[toolset] = {
            folded(example): tool.name
            for tool in reversed(toolset.tools)
            if not tool.is_planning
            for example in tool.questions
        }
    return _OWNERS[toolset].get(folded(question))


def kept(toolset: Toolset, known: WeakKeyDictionary[Toolset, Toolset], fits: Callable[[Tool], bool]) -> Toolset:
    """Return what `fits` of a toolset; `known` holds what was returned before."""
    tools = tuple(tool for tool in toolset.tools if fits(tool))
    if len(tools) == len(toolset.tools):
        return toolset
    if toolset not in known:
        known[toolset] = replace(toolset, tools=tools)
    return known[toolset]
