"""The shape of documents: what may be declared, in every syntax alike.

These types, with the `samples` beside them, are the source of `schemas/`. Their values are read from outside, so
they are pydantic; where each value stands in its file is kept beside them (`Declared.spans`). Meaning (does the type
exist, can the handler be imported) is `catalog`'s business.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path as FilePath
from typing import Annotated, Any, Generic, Literal, TypeVar

from pydantic import Field

from pegboard.config.blocks.agent import AgentBlockDeclaration, AgentDeclaration
from pegboard.config.blocks.command import CommandDeclaration
from pegboard.config.blocks.flow import FlowBlockDeclaration, FlowDeclaration
from pegboard.config.blocks.http import HttpDeclaration
from pegboard.config.blocks.mcp import McpDeclaration
from pegboard.config.blocks.openapi import OpenapiDeclaration
from pegboard.config.blocks.prompt import PromptDeclaration
from pegboard.config.blocks.python import PythonDeclaration
from pegboard.config.blocks.source import SourceDeclaration
from pegboard.config.blocks.sql import SqlDeclaration
from pegboard.config.calling import CallDeclaration
from pegboard.config.declaration import Declaration, Matched, Name, SiteName, Tag
from pegboard.config.duration import Seconds
from pegboard.config.secret.value import Secret, SecretText
from pegboard.config.span import Span
from pegboard.config.syntax.node import Path
from pegboard.config.syntax.source import Source

_CALL = CallDeclaration()
"""Shared by all tools that say nothing of it."""


class ToolDeclaration(Matched):
    """A tool. A more specific type, then a site, overrides one of the same name."""

    returns: dict[str, Any] = Field(default_factory=dict)
    """What the scoring reply holds: `score` and arguments; each key with a text that describes it, or a JSON Schema."""
    parameters: dict[str, Any] | None = None
    """JSON Schema of the handler's arguments, or each with a text; without it, made from `returns`."""
    output: dict[str, Any] | None = None
    """JSON Schema of the handler's result, or each of its keys with a text."""
    handler: str = ""
    """Dotted path of the handler, `package.module:attribute`; without it, the room of the tool's name."""
    http: HttpDeclaration | None = None
    """The tool is an HTTP request."""
    openapi: OpenapiDeclaration | None = None
    """The tool is an operation of an OpenAPI document."""
    mcp: McpDeclaration | None = None
    """The tool is one of an MCP server."""
    sql: SqlDeclaration | None = None
    """The tool is a statement on a database."""
    ask: PromptDeclaration | None = None
    """The tool is a question to a model."""
    command: CommandDeclaration | None = None
    """The tool is a program on this machine."""
    flow: FlowBlockDeclaration | None = None
    """The tool is a flow: several steps with other tools."""
    agent: AgentBlockDeclaration | None = None
    """The tool is an agent: a model that reaches a goal with other tools."""
    read_only: bool = False
    """The tool has no side effects: it may be called by GET, started early and tried again."""
    call: CallDeclaration = Field(default_factory=lambda: _CALL)
    """Limits of one call."""
    allow_secrets: bool = False
    """Texts of this tool that look like credentials are none: they are not reported."""
    override: Literal["merge", "replace"] = "merge"
    """Whether an override gives only its own fields, or replaces the inherited tool whole."""
    pinned: bool = False
    """Of many tools only the likeliest are scored by a model; this one always is."""
    place: Literal["last", "inline"] = "last"
    """Where a scoring prompt holds the question: below all else, or where `{request.query}` stands."""
    speculate: dict[str, Any] | None = None
    """As a site's fallback, the tool may start while others are scored, with these arguments; it must be read_only."""
    keep: Literal["equal", "always"] = "equal"
    """Whether what was started early is used if the arguments turn out to be `equal`, or `always`."""
    python: PythonDeclaration | None = None
    """Where the handler's own Python code runs."""
    untrusted: bool = False
    """What the tool returns is the text of others, which may carry instructions: once a run has read it, tools that are
    destructive or external wait for an approval. True of `http`, `openapi` and `mcp` where nothing is said."""
    destructive: bool = False
    """What a call changes cannot be had back. Without it, as the tool's kind knows it."""
    external: bool = False
    """What a call does or says leaves the house: it sends, posts, pays. Without it, as its kind knows it."""


class RuleDeclaration(Declaration):
    """What sends a question to a tool before anything is scored."""

    tool: Name
    """The tool of this site that takes the question."""
    keywords: list[Annotated[str, Field(min_length=1)]] = Field(default_factory=list)
    """Whole words in any language; one of them in the question is enough."""
    pattern: str = ""
    """Regular expression, searched for in the question; without look-around and back-references."""


class CascadeDeclaration(Declaration):
    """When the strategy `cascade` asks a model, and about which candidates."""

    sure: Annotated[float, Field(ge=0, le=100)] = 90
    """From this local score on, the best candidate is taken without a model,"""
    margin: Annotated[float, Field(ge=0, le=100)] = 15
    """if the next one is so much worse."""
    floor: Annotated[float, Field(ge=0, le=100)] = 20
    """The lowest local score of a candidate that a model is asked about."""
    most: Annotated[int, Field(ge=1)] = 3
    """How many candidates a model is asked about."""


_CASCADE = CascadeDeclaration()
"""Shared by all sites that say nothing of it."""


class BudgetDeclaration(Declaration):
    """How much of models one request may use; then it goes on without one, and the answer says so."""

    calls: Annotated[int, Field(ge=0)] | None = None
    """Requests that may be sent to models; without it, as many as it takes."""
    tokens: Annotated[int, Field(ge=1)] | None = None
    """Tokens, read and written; the call that exceeds them is the last one."""
    time: Seconds | None = None
    """How long models may be asked, from the beginning of the request on."""


class RouteDeclaration(Declaration):
    """How a site chooses among its tools."""

    strategy: Literal["score", "batch", "functions", "embedded", "cascade"] = "score"
    """How the candidates are scored; without a model, by the embedded scorer. `embedded`: never by a model."""
    early_stop: Annotated[float, Field(ge=0, le=100)] = 90
    """A score that ends the scoring."""
    cutoff: Annotated[float, Field(ge=0, le=100)] = 70
    """The lowest score that is enough to be chosen."""
    single_score: Annotated[float, Field(ge=0, le=100)] = 100
    """The score of a candidate that is alone."""
    fallback: str = "search"
    """The tool that runs when no candidate is good enough; empty for none."""
    grace: Seconds = 0.15
    """How long an early stop waits for candidates that the local ranking places above it."""
    timeout: Seconds = 10.0
    """How long all scoring together may take."""
    plan_timeout: Seconds = 30.0
    """How long a model may take to write a plan, with a second try where the first has faults."""
    budget: BudgetDeclaration | None = None
    """How much of models one request may use, its arguments and its answer included; without it, no limit."""
    shortlist: Annotated[int, Field(ge=1)] = 12
    """How many candidates a model is asked about; of more tools, a local ranking picks the likeliest."""
    rules: list[RuleDeclaration] = Field(default_factory=list)
    """What decides before anything is scored; the first rule that applies."""
    cascade: CascadeDeclaration = Field(default_factory=lambda: _CASCADE)
    """When the strategy `cascade` asks a model."""


_ROUTE = RouteDeclaration()
"""Shared by all sites that say nothing of it."""


class RolesDeclaration(Declaration):
    """Which model profile does what for a site; a role that names none takes the default profile."""

    scorer: Name | None = None
    """Scores the tools: many small requests."""
    writer: Name | None = None
    """Writes answers, finds arguments, completes follow-up questions, and is what handlers are given."""
    planner: Name | None = None
    """Plans work of several steps."""


_ROLES = RolesDeclaration()
"""Shared by all sites that say nothing of it."""


class SiteDeclaration(Declaration):
    """A site: its own toolset, content and way of routing."""

    name: SiteName
    """Unique: 1 to 64 letters of any script, digits, `_`, `-` and `.`."""
    description: str = ""
    """What the site is for, in one line."""
    domains: list[str] = Field(default_factory=list)
    """Hosts that this site answers for; `*.example.org` stands for all below."""
    types: list[str] = Field(default_factory=lambda: ["Item"])
    """Schema types of its content; their tools are its toolset."""
    extends: list[SiteName] = Field(default_factory=list)
    """Other sites whose toolsets it takes as well."""
    inherit: bool = True
    """`false`: it takes no tools from its types, only those declared in it."""
    exclude: list[Name] = Field(default_factory=list)
    """Inherited tools that it does not want."""
    include_tags: list[Tag] = Field(default_factory=list)
    """Of the inherited tools it takes only those with one of these tags; without it, all."""
    exclude_tags: list[Tag] = Field(default_factory=list)
    """Inherited tools with one of these tags it does not take."""
    tools: list[ToolDeclaration] = Field(default_factory=list)
    """Its own tools, and its changes to inherited ones."""
    agents: list[Name] = Field(default_factory=list)
    """Agents that it is given by name: `researcher`, `writer` and `archivist`, which ship, and any that is declared."""
    knowledge: list[Name] = Field(default_factory=list)
    """The knowledge that it answers from; without it, the one of the site's own name."""
    allow_secrets: bool = False
    """Texts of this site and its tools that look like credentials are none: they are not reported."""
    default: bool = False
    """Asked when a request names no site."""
    route: RouteDeclaration = Field(default_factory=lambda: _ROUTE)
    """How it chooses."""
    models: RolesDeclaration = Field(default_factory=lambda: _ROLES)
    """Which model profile does what for it."""
    call: CallDeclaration = Field(default_factory=lambda: _CALL)
    """Limits of its tools' calls."""


class TypeDeclaration(Declaration):
    """A type of your own."""

    name: Name
    """Unique; in XML it is the element that holds the tools of this type."""
    parents: list[str] = Field(default_factory=lambda: ["Thing"])
    """Types that it is a kind of."""
    description: str = ""
    """What it is, in one line."""
    call: CallDeclaration = Field(default_factory=lambda: _CALL)
    """Limits of the calls of its tools, and of those of more specific types."""


class KnowledgeDeclaration(Declaration):
    """Content to answer from."""

    name: Name
    """Unique; a site of this name answers from it."""
    sources: Annotated[list[str], Field(min_length=1)] = Field(default_factory=list)
    """Files, folders or globs, relative to this document: schema.org JSON-LD (.json, .jsonld, .jsonl) and Markdown.

    They lie in the configuration's folder, or in one of the server's setting `content_dirs`."""
    documents: bool = False
    """Documents that sites of this knowledge write, and wish to be found, become part of it."""
    description: str = ""
    """What the content is, in one line."""
    on_error: Literal["disable", "fail"] = "disable"
    """What a source that is missing or cannot be read does: `disable` it and warn, or let the start `fail`."""


class ModelDeclaration(Declaration):
    """A model profile: which model, where, and within what limits."""

    name: Name
    """Unique; sites and other profiles name it so."""
    model: str = ""
    """The provider's name of the model; without it, the only one that the endpoint lists."""
    base_url: str = ""
    """Address of an endpoint with OpenAI's chat API, often ending in `/v1`; without it, OpenAI's own."""
    key: SecretText = Field(default_factory=lambda: Secret(""))
    """The endpoint's key, as `${VARIABLE}` or `file:NAME`."""
    scoring: Literal["auto", "number", "yes_no"] = "auto"
    """How it is asked to score a tool."""
    reply: Literal["auto", "json_schema", "json_object", "text"] = "auto"
    """How a reply in JSON is asked for, besides in words."""
    timeout: Seconds = 30.0
    """How long one call may take, its repetitions included."""
    retries: Annotated[int, Field(ge=0, le=10)] = 2
    """How often a request that was not taken is sent again."""
    max_parallel: Annotated[int, Field(ge=1, le=1000)] = 8
    """Requests that may be open at once; others wait for their turn."""
    requests_per_minute: Annotated[float, Field(gt=0)] | None = None
    """Requests that may be sent in a minute, those that are sent again included; without it, no limit."""
    tokens_per_minute: Annotated[float, Field(gt=0)] | None = None
    """Tokens that may be read and written in a minute; without it, no limit."""
    cache: Seconds | None = None
    """How long the answer to an identical request is used again; without it, never."""
    fallback: Name | None = None
    """The profile that is asked where this one gives nothing; at the end, it is done without a model."""
    default: bool = False
    """For every role that names no profile."""


class Document(Declaration):
    """One document. Keys that begin with `x-` are yours."""

    version: Literal["1"] = "1"
    """Of this shape."""
    dialect: Literal["own", "nlweb"] = "own"
    """Whose habits its tools and sites are judged by."""
    types: list[TypeDeclaration] = Field(default_factory=list)
    """Types of your own, besides schema.org's."""
    tools: list[ToolDeclaration] = Field(default_factory=list)
    """Tools of all sites that have their types."""
    sites: list[SiteDeclaration] = Field(default_factory=list)
    """Sites: each has its own toolset, content and way of routing."""
    knowledge: list[KnowledgeDeclaration] = Field(default_factory=list)
    """Content that sites answer from."""
    sources: list[SourceDeclaration] = Field(default_factory=list)
    """Services that tools reach; of some kinds, all that they offer are tools."""
    models: list[ModelDeclaration] = Field(default_factory=list)
    """Model profiles: which model, where, and within what limits."""
    flows: list[FlowDeclaration] = Field(default_factory=list)
    """Tools that are several steps with other tools."""
    agents: list[AgentDeclaration] = Field(default_factory=list)
    """Tools that are a model which reaches a goal with other tools."""
    call: CallDeclaration = Field(default_factory=lambda: _CALL)
    """Limits of all tools' calls, those of other documents too."""


Kind = TypeVar("Kind", bound=Declaration)


@dataclass(frozen=True, slots=True)
class Declared(Generic[Kind]):
    """A declaration and where it stands."""

    value: Kind
    span: Span
    """The start of the declaration."""
    dialect: Literal["own", "nlweb"]
    """Whose habits are judged: `nlweb` for what stands in NLWeb's XML."""
    spans: Mapping[Path, Span] = field(repr=False, default_factory=dict)
    """The start of each value below it, and of each key as `(…, key, "")`."""
    folder: FilePath = FilePath()
    """Where relative paths of the document start."""

    def at(self, *path: str | int) -> Span:
        """Return where the value at `path` starts; of a missing one, the nearest owner's start."""
        for length in range(len(path), 0, -1):
            if (span := self.spans.get(path[:length])) is not None:
                return span
        return self.span

    def at_key(self, *path: str | int) -> Span:
        """Return where the key at `path` stands."""
        return self.spans.get((*path, ""), self.at(*path))

    def gives(self, key: str) -> bool:
        """Tell whether the document itself names `key`."""
        return key in self.value.model_fields_set


@dataclass(frozen=True, slots=True)
class Declarations:
    """Everything that the documents of one configuration declare, in reading order."""

    tools: tuple[Declared[ToolDeclaration], ...] = ()
    sites: tuple[Declared[SiteDeclaration], ...] = ()
    types: tuple[Declared[TypeDeclaration], ...] = ()
    knowledge: tuple[Declared[KnowledgeDeclaration], ...] = ()
    models: tuple[Declared[ModelDeclaration], ...] = ()
    services: tuple[Declared[SourceDeclaration], ...] = ()
    """What documents declare under `sources`."""
    calls: tuple[Declared[CallDeclaration], ...] = ()
    """What documents say of all calls."""
    files: tuple[str, ...] = ()
    """The documents that were read."""
    digest: str = ""
    """Of the content of all documents."""
    sources: Mapping[str, Source] = field(repr=False, compare=False, default_factory=dict)
    """Their text, by the names in `files`, to quote from."""
    is_complete: bool = True
    """Every document could be read; if not, a name that is not there may stand in one that could not."""
