"""A flow: a plan that is written by hand, and a tool like any other."""

from typing import Annotated, Any, Literal

from pydantic import Field

from pegboard.config.calling import CallDeclaration
from pegboard.config.declaration import TAKES_REFERENCES, Declaration, Matched, Name
from pegboard.config.duration import Seconds

_Values = Annotated[dict[str, Any], TAKES_REFERENCES]
_Text = Annotated[str, TAKES_REFERENCES]


class FlowNodeDeclaration(Declaration):
    """A step of a flow: a call of a tool, or of an agent."""

    id: Name
    """Unique within the flow: a small letter, then small letters, digits, `_` and `-`."""
    tool: Name | None = None
    """The tool of the site that it calls."""
    agent: Name | None = None
    """Instead of a tool, the agent that it asks."""
    goal: _Text = ""
    """What the agent shall reach."""
    arguments: _Values = Field(default_factory=dict)
    """What the tool is given; `${inputs.name}` stands for an input, `${node.path}` for what another step gave."""
    depends_on: list[Name] = Field(default_factory=list)
    """Steps and races that it waits for; those that it refers to need not be named."""
    race_group: Name | None = None
    """The race that it takes part in: the first step of it that succeeds stands for all."""
    when: str = ""
    """JMESPath over `inputs` and `nodes`; where it finds nothing that counts as true, the step is left out."""
    needs: Literal["all", "any"] = "all"
    """Whether all that it waits for must have come to something, or one of it."""
    on_failure: Literal["skip_dependents", "continue", "fail"] = "skip_dependents"
    """What its failure does to others."""
    fallback: Name | None = None
    """The step that runs if this one has failed, and stands in for it."""


class FlowRaceDeclaration(Declaration):
    """How the steps of one race run, where that is not all at once."""

    name: Name
    """What its steps name as their `race_group`."""
    in_turn: bool = False
    """`true`: one after the other, the next only when the one before has failed."""
    favourite: Name | None = None
    """The step that starts before the others."""
    head_start: Seconds = 0.0
    """How long the others wait for the favourite."""
    timeout: Seconds | None = None
    """When nobody has won by then, all have lost."""


class FlowOutputsDeclaration(Declaration):
    """What the flow gives; `${node.path}` stands for what a step gave."""

    text: _Text = ""
    """The answer in words; without it, what its last steps say."""
    data: _Values = Field(default_factory=dict)
    """The result for machines; without it, how each step ended and what it gave."""


_OUTPUTS = FlowOutputsDeclaration()
"""Shared by all flows that say nothing of it."""


class FlowBlockDeclaration(Declaration):
    """What a flow does; its inputs are the tool's arguments."""

    nodes: Annotated[list[FlowNodeDeclaration], Field(min_length=1)]
    """The steps; each starts when those are done that it waits for or refers to."""
    races: list[FlowRaceDeclaration] = Field(default_factory=list)
    """Races whose steps do not all start at once."""
    outputs: FlowOutputsDeclaration = Field(default_factory=lambda: _OUTPUTS)
    """What it gives."""


_CALL = CallDeclaration()
"""Shared by all flows that say nothing of it."""


class FlowDeclaration(FlowBlockDeclaration, Matched):
    """A flow, declared by itself: the tool of its name."""

    parameters: dict[str, Any] | None = None
    """The inputs: a JSON Schema, or each with a text; without it, the inputs that it refers to, as texts."""
    output: dict[str, Any] | None = None
    """JSON Schema of `outputs.data`, or each of its keys with a text."""
    read_only: bool = False
    """The flow has no side effects; without it, it has none where none of its tools has."""
    call: CallDeclaration = Field(default_factory=lambda: _CALL)
    """Limits of one call."""
    pinned: bool = False
    """Of many tools only the likeliest are scored by a model; this one always is."""
    override: Literal["merge", "replace"] = "merge"
    """Whether an override gives only its own fields, or replaces the inherited tool whole."""
