"""An agent: a model that reaches a goal with tools of its own choice, out of a list; and a tool like any other."""

from typing import Annotated, Literal

from pydantic import Field

from pegboard.config.calling import CallDeclaration
from pegboard.config.declaration import Declaration, Examples, Name, Tag
from pegboard.config.duration import Seconds

_System = Annotated[str, Field(min_length=1)]
_Tools = list[Name]
_Iterations = Annotated[int, Field(ge=1, le=50)]
_Tokens = Annotated[int, Field(ge=500)]
_Temperature = Annotated[float, Field(ge=0, le=2)]
_Depth = Annotated[int, Field(ge=1, le=4)]


class AgentBlockDeclaration(Declaration):
    """What an agent is told, what it may use, and when it ends; it is given a `goal`, and perhaps `material`."""

    system: _System
    """What it is told it is for: the system prompt."""
    tools: _Tools
    """The tools and agents of the site that it may use, and no others; `[]`: none."""
    model: Name | None = None
    """The model profile that it asks; without it, the site's planner, or its writer where it has no tools."""
    max_iterations: _Iterations = 5
    """How often its model is asked at most."""
    max_tokens: _Tokens = 50_000
    """Tokens that its model may read and write, all turns together; the turn that exceeds them is the last one."""
    max_context_tokens: _Tokens = 12_000
    """Tokens of one turn's prompt, estimated; what does not fit is shortened, the oldest results of tools first."""
    timeout: Seconds = 120.0
    """How long its model may think, all turns together; the calls of its tools have limits of their own."""
    temperature: _Temperature = 0.0
    """How freely its model writes; at 0, the likeliest."""
    max_depth: _Depth = 2
    """How many agents may be within each other, this one counted; at 1 it may ask no other."""


_CALL = CallDeclaration()
"""Shared by all agents that say nothing of it."""


class AgentDeclaration(AgentBlockDeclaration, Matched):
    """An agent, declared by itself: the tool of its name."""

    read_only: bool = False
    """The agent has no side effects; without it, it has none where none of its tools has."""
    call: CallDeclaration = Field(default_factory=lambda: _CALL)
    """Limits of one call."""
    pinned: bool = False
    """Of many tools only the likeliest are scored by a model; this one always is."""
    override: Literal["merge", "replace"] = "merge"
    """Whether an override gives only its own fields, or replaces the inherited tool whole."""
