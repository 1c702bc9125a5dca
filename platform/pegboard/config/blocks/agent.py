"""An agent: a model that reaches a goal with tools of its own choice, out of a list; and a tool like any other."""

from typing import Annotated, Literal

from pydantic import Field

from pegboard.config.calling import CallDeclaration
from pegboard.config.declaration import Declaration, Matched, Name
from pegboard.config.duration import Seconds

_Tokens = Annotated[int, Field(ge=500)]


class AgentBlockDeclaration(Declaration):
    """What an agent is told, what it may use, and when it ends; it is given a `goal`, and perhaps `material`."""

    system: Annotated[str, Field(min_length=1)]
    """What it is told it is for: the system prompt."""
    tools: list[Name]
    """The tools and agents of the site that it may use, and no others; `[]`: none."""
    model: Name | None = None
    """The model profile that it asks; without it, the site's planner, or its writer where it has no tools."""
    max_iterations: Annotated[int, Field(ge=1, le=50)] = 5
    """How often its model is asked at most."""
    max_tokens: _Tokens = 50_000
    """Tokens that its model may read and write, all turns together; the turn that exceeds them is the last one."""
    max_context_tokens: _Tokens = 12_000
    """Tokens of one turn's prompt, estimated; what does not fit is shortened, the oldest results of tools first."""
    timeout: Seconds = 120.0
    """How long its model may think, all turns together; the calls of its tools have limits of their own."""
    temperature: Annotated[float, Field(ge=0, le=2)] = 0.0
    """How freely its model writes; at 0, the likeliest."""
    max_depth: Annotated[int, Field(ge=1, le=4)] = 2
    """How many agents may be within each other, this one counted; at 1 it may ask no other."""


_CALL = CallDeclaration()
"""Shared by all agents that say nothing of it."""


class AgentDeclaration(AgentBlockDeclaration, Matched):
    """An agent, declared by itself: the tool of its name."""

    type: str = "Item"
    """A schema.org class, `Item` (all types), or a type of your own; a site that has another type names it in its
    `agents`."""
    read_only: bool = False
    """The agent has no side effects; without it, it has none where none of its tools has."""
    call: CallDeclaration = Field(default_factory=lambda: _CALL)
    """Limits of one call."""
    pinned: bool = False
    """Of many tools only the likeliest are scored by a model; this one always is."""
    override: Literal["merge", "replace"] = "merge"
    """Whether an override gives only its own fields, or replaces the inherited tool whole."""
