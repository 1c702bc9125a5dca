"""`Tool`: a declaration that is ready to be scored, bound and called; `Toolset`: those of a site."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from pegboard.catalog.contract import Context, Result
from pegboard.catalog.exported_name import exported_name
from pegboard.catalog.types import ROOT
from pegboard.config.span import Span
from pegboard.errors import UnknownTool
from pegboard.llm.usage import Budget
from pegboard.text import Json, did_you_mean

Schema: TypeAlias = Mapping[str, Json]
"""A JSON Schema, 2020-12."""

Run: TypeAlias = Callable[[Context, Mapping[str, Json]], Awaitable[Result]]
"""A loaded handler behind one form; arguments have passed the tool's schema, exceptions are the handler's own."""


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
    timeout_seconds: float = 10.0
    origin: Mapping[str, Span] = field(repr=False, default_factory=dict)
    """Where each field that a document gives stands, by its name in documents, and what lies in one by its path:
    `call.timeout`, `examples.zh`."""
    tags: tuple[str, ...] = ()
    overridden: tuple[Overridden, ...] = field(repr=False, default=())
    """What does not count here, the most specific first."""

    @property
    def questions(self) -> tuple[str, ...]:
        """All examples, whatever their language."""
        return tuple(question for questions in self.examples.values() for question in questions)


@dataclass(frozen=True, slots=True)
class Routing:
    """How a site chooses; scores are 0 to 100."""

    strategy: Literal["score", "embedded"] = "score"
    early_stop: float = 90.0
    cutoff: float = 70.0
    single_score: float = 100.0
    fallback: str = "search"
    """Name of a tool, or empty."""
    grace_seconds: float = 0.15
    timeout_seconds: float = 10.0
    budget: Budget | None = None
    """How much of models a request may use; None: no limit."""


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
            raise UnknownTool(f"Site {self.site!r} has no tool {name!r}.", hint=hint)
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
