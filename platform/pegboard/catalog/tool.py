"""`Tool`: a declaration that is ready to be scored, bound and called; `Toolset`: those of a site."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from pegboard.catalog.contract import Context, Result, Strategy
from pegboard.catalog.exported_name import exported_name
from pegboard.catalog.kind import Effect, Kind
from pegboard.catalog.limits import UNLIMITED, Limits
from pegboard.catalog.types import ROOT
from pegboard.config.declaration import Declaration
from pegboard.config.span import Span
from pegboard.errors import UnknownTool
from pegboard.llm.usage import Budget
from pegboard.text import Json, did_you_mean, quoted

Schema: TypeAlias = Mapping[str, Json]
"""A JSON Schema, 2020-12."""

Run: TypeAlias = Callable[[Context, Mapping[str, Json]], Awaitable[Result]]
"""A loaded handler behind one form; arguments have passed the tool's schema, exceptions are the handler's own."""

_PLANNING = "pegboard.handlers.plan:"
FOR_PARTS = (_PLANNING, "pegboard.handlers.agent:")
"""Handlers of tools that are for questions of several parts."""
RUNNING_OTHERS = (*FOR_PARTS, "pegboard.handlers.flow:")
"""How the handlers begin whose tools run others."""


@dataclass(frozen=True, slots=True)
class Overridden:
    """A value that a more specific declaration of the same tool has taken the place of."""

    field: str
    """As in `Tool.origin`: `description`, `call.timeout`, `examples.zh`."""
    value: Json
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Tool:
    """One tool of one site's toolset, with everything that it inherited."""

    name: str
    type: str
    """The type that owns it: where it was declared first, or overridden last by a type."""
    description: str
    examples: Mapping[str, tuple[str, ...]]
    """By language code; `""` holds those of no declared language."""
    prompt: str
    """The author's scoring prompt with its placeholders; empty: a standard prompt is made."""
    reply: Schema = field(repr=False)
    """What a scoring reply holds: `score`, and perhaps `reason` and arguments."""
    parameters: Schema = field(repr=False)
    """What the handler takes: an object schema."""
    output: Schema | None = field(repr=False)
    handler: str
    """Dotted path."""
    run: Run = field(repr=False)
    read_only: bool = False
    effects: frozenset[Effect] = frozenset()
    """What is to be minded of its calls, besides that they may change something."""
    block: Declaration | None = field(repr=False, default=None)
    """What its declaration says under `http`, `sql` and the like; None: it has no such block."""
    kind: Kind | None = field(repr=False, default=None)
    """What runs it, where it is made of a block of its declaration."""
    limits: Limits = UNLIMITED
    """How it is called."""
    identity: str = field(repr=False, default="")
    """What its limits are kept by: the same in a later catalog, and on another site, where what runs is declared the
    same. Empty where nothing of them is kept from one call to the next."""
    spec: str = field(repr=False, default="")
    """A hash of all that says what runs, its block and its source among it; secrets do not count."""
    origin: Mapping[str, Span] = field(repr=False, default_factory=dict)
    """Where each field that a document gives stands, by its name in documents, and what lies in one by its path:
    `call.timeout`, `examples.zh`."""
    tags: tuple[str, ...] = ()
    pinned: bool = False
    """It is scored whatever the local ranking says of it."""
    place: Literal["last", "inline"] = "last"
    """Where a scoring prompt holds the question: `last`, below all else, or `inline`, where the author put it."""
    speculate: Mapping[str, Json] | None = None
    """The arguments with which it may start while candidates are scored, with placeholders; None: it may not."""
    keep: Literal["equal", "always"] = "equal"
    """What was speculated is used if the bound arguments are `equal`, or `always`."""
    overridden: tuple[Overridden, ...] = field(repr=False, default=())
    """What does not count here, the most specific first."""
    smaller: Schema | None = field(repr=False, default=None)
    """Of `parameters` that are too large for a model, what it is shown; None: all of it."""

    @property
    def shown(self) -> Schema:
        """What a model is shown of `parameters`, which stay the judge."""
        return self.parameters if self.smaller is None else self.smaller

    @property
    def runs_others(self) -> bool:
        """What it does are calls of other tools: it plans them, or a model chooses them, or they are declared."""
        return self.handler.startswith(RUNNING_OTHERS)

    @property
    def is_for_parts(self) -> bool:
        """It is scored only where a question is found to be of several parts, or a request asks for it."""
        return self.handler.startswith(FOR_PARTS)

    @property
    def is_planning(self) -> bool:
        """What it does is planned anew for each question; it is no step of a plan."""
        return self.handler.startswith(_PLANNING)

    @property
    def timeout_seconds(self) -> float:
        """How long one call may take, with its repetitions."""
        return self.limits.timeout_seconds

    @property
    def questions(self) -> tuple[str, ...]:
        """All examples, whatever their language."""
        return tuple(question for questions in self.examples.values() for question in questions)


@dataclass(frozen=True, slots=True)
class Rule:
    """What sends a question to a tool before anything is scored."""

    tool: str
    keywords: tuple[str, ...] = ()
    """Whole words; one that occurs is enough."""
    pattern: str = ""
    """For google-re2; a match anywhere in the question is enough. Empty: none."""
    place: Span | None = field(default=None, compare=False)
    """Where it is declared."""

    def to_json(self) -> dict[str, Json]:
        """Return it as a document has it."""
        keywords: dict[str, Json] = {"keywords": [*self.keywords]} if self.keywords else {}
        return {"tool": self.tool, **keywords, **({"pattern": self.pattern} if self.pattern else {})}


@dataclass(frozen=True, slots=True)
class Cascade:
    """When the embedded scorer is sure, and whom a model scores when it is not; scores are 0 to 100."""

    sure: float = 90.0
    """The best candidate is taken without a model from this score on,"""
    margin: float = 15.0
    """if the next one is so much worse."""
    floor: float = 20.0
    """A candidate below it is not scored by the model; when all are, none is asked about."""
    most: int = 3
    """How many candidates a model scores."""


@dataclass(frozen=True, slots=True)
class Routing:
    """How a site chooses; scores are 0 to 100."""

    strategy: Strategy = "score"
    early_stop: float = 90.0
    cutoff: float = 70.0
    single_score: float = 100.0
    fallback: str = "search"
    """Name of a tool, or empty."""
    grace_seconds: float = 0.15
    timeout_seconds: float = 10.0
    plan_timeout_seconds: float = 30.0
    """How long a model may take to write a plan, with its second try."""
    budget: Budget | None = None
    """How much of models a request may use; None: no limit."""
    shortlist: int = 12
    """How many candidates a model is asked about; of more, the local ranking picks the best."""
    rules: tuple[Rule, ...] = ()
    """In declared order: the first that applies decides."""
    cascade: Cascade = Cascade()


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Toolset:
    """A site and its tools, in the order of their first declaration: ties are decided by it."""

    site: str
    description: str
    domains: tuple[str, ...]
    types: tuple[str, ...]
    tools: tuple[Tool, ...]
    routing: Routing
    knowledge: tuple[str, ...]
    """Names of the knowledge that the site answers from; may be empty."""
    written: str = ""
    """That of them which its documents become part of; empty: none does."""
    default: bool = False
    models: Mapping[str, str] = field(default_factory=dict)
    """Names of model profiles by role (`scorer`, `writer`, `planner`), where the site names one."""
    origin: Mapping[str, Span] = field(repr=False, default_factory=dict)
    """Where each field that a document gives stands, `route.cutoff` and the like among them."""

    @property
    def type(self) -> str:
        """The site's first type."""
        return self.types[0] if self.types else ROOT

    def get(self, name: str) -> Tool | None:
        """Return the tool of that name, or None."""
        return next((tool for tool in self.tools if tool.name == name), None)

    def tool(self, name: str) -> Tool:
        """Return the tool of that name.

        Raises:
            UnknownTool: the site does not have it.
        """
        if (tool := self.get(name)) is None:
            hint = did_you_mean(name, [other.name for other in self.tools], noun="tools")
            raise UnknownTool(f"Site {self.site!r} has no tool {quoted(name)}.", hint=hint)
        return tool

    def exported_name(self, tool: str) -> str:
        """Return what a tool of this site is called in a list of all sites' tools; see `exported_name`."""
        return exported_name(self.site, tool)

    @property
    def fallback(self) -> Tool | None:
        """The tool that runs when no candidate is good enough."""
        return self.get(self.routing.fallback) if self.routing.fallback else None

    def to_json(self) -> dict[str, Json]:
        """Return the site as `platform list --json` and `/sites` show it."""
        return {
            "name": self.site,
            "description": self.description,
            "domains": list(self.domains),
            "types": list(self.types),
            "tools": [tool.name for tool in self.tools],
            "default": self.default,
        }
