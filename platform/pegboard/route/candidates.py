"""Which tools of a site a request may take: those that the client names, of those that its mode leaves."""

from collections.abc import Sequence

from pegboard.catalog.contract import Question
from pegboard.catalog.tool import Tool, Toolset

KNOWLEDGE_ROOMS = ("pegboard.handlers.knowledge:", "pegboard.handlers.search:")
"""Handlers that search a site's content, the one that answers from it first."""


def candidates(question: Question, toolset: Toolset) -> tuple[Tool, ...]:
    """Return the candidates, in declared order; what the client names is one only if the mode leaves it.

    Raises:
        UnknownTool: the question names a tool that the site does not have.
    """
    named = [toolset.tool(name) for name in question.tools]
    if question.mode == "plan":  # what the client names is then what may be planned with
        return tuple(tool for tool in toolset.tools if tool.is_planning)[:1]
    if question.mode == "chat":
        return ()
    allowed = tuple(tool for tool in toolset.tools if not named or tool in named)
    return _of_knowledge(allowed) if question.mode == "knowledge" else allowed


def _of_knowledge(tools: Sequence[Tool]) -> tuple[Tool, ...]:
    """Return the tools that answer from the site's content; where there is none, those that search it."""
    for room in KNOWLEDGE_ROOMS:
        if found := tuple(tool for tool in tools if tool.handler.startswith(room)):
            return found
    return ()
