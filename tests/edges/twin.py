"""An application in memory, behind the seam of `pegboard.edges.served`: fixed sites, fixed answers."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

import anyio

import pegboard.app
from pegboard.app import SettingsReport, diff_configurations, open_runs, settings_report
from pegboard.app.doctoring import Diagnosis, Finding
from pegboard.app.documents import AllDocuments
from pegboard.app.pinning import Comparison as PinsComparison
from pegboard.app.pinning import Pinned
from pegboard.app.state import Refused, Reload, State
from pegboard.catalog.calling.threads import Threads
from pegboard.catalog.contract import Context, Mode, Part, Question, Result, Strategy
from pegboard.catalog.diff import CatalogDiff, SiteDiff, compare_sites
from pegboard.catalog.snapshot import Catalog
from pegboard.catalog.tool import Routing, Tool, Toolset
from pegboard.config.explanations import Explanation, explanations
from pegboard.config.problems import Problem
from pegboard.config.server.settings import Settings
from pegboard.config.span import Span
from pegboard.config.starter.wanted import Draft, NewSite, NewSource, NewTool
from pegboard.edges.documents import Documents
from pegboard.edges.evaluable import Progress
from pegboard.edges.rewritten import Converted, Formatted
from pegboard.edges.running import Runs
from pegboard.errors import (
    CallFailed,
    DeadlineExceeded,
    InvalidArguments,
    PegboardError,
    UsageError,
)
from pegboard.events import (
    AnswerEnded,
    AnswerPiece,
    ArgumentsBound,
    Emit,
    FollowUpCompleted,
    ItemsFound,
    Noticed,
    QuestionAsked,
    ToolChosen,
    silent,
)
from pegboard.memory.documents.held import MemoryDocuments
from pegboard.pacing.holding import Holding
from pegboard.route.evaluation import Case, Evaluation, Judged, evenly, examples_of
from pegboard.route.health import SiteHealth, ToolHealth
from pegboard.route.question_file import Questions, read_questions
from pegboard.route.replay import Replayed, replayed
from pegboard.run.results.keep import part_of, read_part
from pegboard.run.results.store import MemoryResults
from pegboard.text import Json, language


async def _run(context: Context, arguments: Mapping[str, Json]) -> Result:
    return Result(text="")


def tool(name: str, *, read_only: bool = True, **fields: Any) -> Tool:
    """Return a tool that does nothing."""
    given: dict[str, Any] = {
        "type": "Item",
        "description": f"The {name} of things.",
        "examples": {"en": (f"please {name}",), "zh": (f"请 {name}",)},
        "prompt": "",
        "reply": {},
        "parameters": {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]},
        "output": None,
        "handler": f"pegboard.handlers.{name}:{name}",
        "run": _run,
        "read_only": read_only,
        "origin": {"name": Span("tools.xml", 3, 11), "description": Span("tools.xml", 4, 18)},
    }
    return Tool(name=name, **(given | fields))


def toolset(site: str, *tools: Tool, **fields: Any) -> Toolset:
    """Return a site with these tools."""
    given: dict[str, Any] = {
        "description": f"All about {site}.",
        "domains": (f"{site}.example", f"*.{site}.example"),
        "types": ("Item",),
        "routing": Routing(),
        "knowledge": (site,),
        "origin": {"description": Span("tools.d/sites.yaml", 4, 5)},
    }
    return Toolset(site=site, tools=tools, **(given | fields))


@dataclass(frozen=True)
class Given:
    """JSON that is shown as it is."""

    json: Mapping[str, Json]
    text: str = ""
    kept: str = ""
    degraded: str = ""

    def to_json(self) -> Mapping[str, Json]:
        return self.json


def item(number: int, site: str) -> dict[str, Json]:
    """Return a result."""
    return {
        "url": f"https://{site}.example/{number}",
        "name": f"Thing {number} 事",
        "site": site,
        "score": 90 - number,
        "description": f"The thing of number {number}.",
        "schema_object": {"@type": "Recipe", "name": f"Thing {number}", "totalTime": "PT1H10M"},
    }


@dataclass
class TwinApp:
    """Answers every question with its own words; questions that begin with a word below go another way.

    `wait` waits until the request's time is over, `boom` is a defect, `fail` a tool that fails, `nothing` finds nothing.
    """

    catalog: Catalog
    settings: Settings
    model_name: str = "none"
    usage: Mapping[str, Json] = field(default_factory=dict)
    """What every answer says that it used; empty: it says nothing."""
    asked: list[Question] = field(default_factory=list)
    waiting: anyio.Event = field(default_factory=anyio.Event)
    cancelled: anyio.Event = field(default_factory=anyio.Event)
    results: MemoryResults = field(default_factory=MemoryResults)
    store: MemoryDocuments = field(default_factory=MemoryDocuments)

    def site_for(self, site: str | None, host: str | None) -> str:
        if site is not None:
            return self.catalog.toolset(site).site
        found = self.catalog.site_of_host(host or "") or self.catalog.default_site()
        assert found is not None
        return found

    def question(  # noqa: PLR0913 (what a request may say)
        self,
        text: str,
        *,
        site: str,
        tools: Sequence[str] = (),
        previous: Sequence[str] = (),
        form: Literal["answer", "list"] = "answer",
        mode: Mode = "tool",
        strategy: Strategy | None = None,
    ) -> Question:
        if not text.strip():
            raise UsageError("The question is empty.")
        if len(text) > self.settings.query_characters:
            raise UsageError(f"The question has {len(text)} characters.")
        named = tuple(self.catalog.toolset(site).tool(name).name for name in tools)
        return Question(text, site, named, tuple(previous), form, mode, strategy)

    async def route(self, question: Question, *, strategy: str | None = None) -> Given:
        self.asked.append(question)
        await self._stray(question)
        decision = self._decision(question)
        return Given(
            decision | {"model": "scripted", "model_calls": 2} if "score" in (strategy, question.strategy) else decision
        )

    def questions(self, data: bytes, *, site: str | None = None) -> Questions:
        wanted = site or "kitchen"
        return read_questions(data, lambda named: self.catalog.toolset(named or wanted), 100)

    def examples(self, *, site: str | None = None, most: int | None = None) -> list[Case]:
        toolsets = self.catalog.sites.values() if site is None else [self.catalog.toolset(site)]
        return evenly([case for toolset in toolsets for case in examples_of(toolset)], most)

    async def evaluate(
        self, cases: Sequence[Case], *, strategies: Sequence[str] = (), progress: Progress | None = None
    ) -> list[Evaluation]:
        """Take the tool that the question names; none where it names none."""
        judged = [
            Judged(case, next((each for each in ("search", "details", "order") if each in case.question), None), "twin")
            for case in cases
        ]
        return [Evaluation(strategy, tuple(judged)) for strategy in strategies or (None,)]

    def _decision(self, question: Question) -> dict[str, Json]:
        tools = self.catalog.sites[question.site].tools
        named = question.tools
        return {
            "query": question.text,
            "site": question.site,
            "type": "Item",
            "tool": named[0] if named else tools[0].name,
            "score": None if len(named) == 1 else 93.0,
            "decided_by": "explicit" if len(named) == 1 else "early_stop",
            "candidates": [
                {
                    "tool": each.name,
                    "score": 93.0 - 31 * number,
                    "scored": True,
                    "reason": "close to an example",
                }
                for number, each in enumerate(tools)
            ],
            "model": "none",
            "model_calls": 0,
            "milliseconds": 4.2,
        }

    async def ask(self, question: Question, *, emit: Emit = silent) -> Given:
        self.asked.append(question)
        emit(QuestionAsked(question.text, question.site))
        decision = self._decision(question)
        tool_name = str(decision["tool"])
        emit(ToolChosen(tool_name, 93.0, str(decision["decided_by"]), decision))
        await self._stray(question)
        if question.text.startswith("and "):
            emit(FollowUpCompleted(question.text, f"eggs {question.text}"))
        if question.previous:
            emit(Noticed("prev is ignored without a model"))
        emit(ArgumentsBound(tool_name, {"query": question.text}))
        items = [] if question.text.startswith("nothing") else [item(n, question.site) for n in (1, 2)]
        emit(ItemsFound(items))
        pieces = _pieces(question.text)
        for piece in pieces:
            emit(AnswerPiece(piece))
            await anyio.lowlevel.checkpoint()
        answer: dict[str, Json] = {
            "answer": "".join(pieces),
            "tool": tool_name,
            "score": 93.0,
            "arguments": {"query": question.text},
            "results": list(items),
            "citations": [{"number": 1, "url": f"https://{question.site}.example/1", "name": "Thing 1 事"}],
            "model": self.model_name,
        }
        if self.usage:
            answer["usage"] = dict(self.usage)
        emit(AnswerEnded(answer))
        return Given(answer)

    async def _stray(self, question: Question) -> None:
        match question.text.split()[0]:
            case "wait":
                self.waiting.set()
                try:
                    await anyio.sleep(self.settings.request_seconds)
                finally:
                    self.cancelled.set()
                raise DeadlineExceeded("The request took too long.")
            case "boom":
                raise RuntimeError("a secret of the inside")
            case "fail":
                raise CallFailed("Tool 'search' failed.", hint="Try again.")

    async def plan(self, question: Question) -> Given:
        """Plan the first tool of the site, or the one that is named."""
        await self._stray(question)
        tool_name = (question.tools or [self.catalog.sites[question.site].tools[0].name])[0]
        node: Json = {"id": "n1", "tool": tool_name, "arguments": {"query": question.text}}
        return Given({"plan": {"nodes": [node]}, "by": "single", "degraded": "no model plans here"})

    @property
    def runs(self) -> Runs:
        raise UsageError("Nothing is run here.")

    @property
    def documents(self) -> AllDocuments:
        return AllDocuments(self.store)

    async def call(
        self, site: str, tool: str, arguments: Mapping[str, Json], *, approved: bool = False, by_model: bool = True
    ) -> Given:
        if "query" not in arguments:
            raise InvalidArguments("Argument 'query' is missing.", missing=["query"])
        if arguments["query"] == "fail":
            raise CallFailed(f"Tool {tool!r} failed.")
        kept = self.results.put(b"all of it", "text/plain") if arguments["query"] == "large" else ""
        return Given({"tool": tool, "arguments": dict(arguments)}, text=f"{tool} did {arguments['query']}", kept=kept)

    async def result_part(self, ref: str, offset: int = 0) -> Part:
        return await part_of(self.results, ref, offset)


def _pieces(text: str) -> list[str]:
    if language(text) == "zh":
        return ["关于", f"“{text}”：", "请看第一条 [1]。"]
    return ["As to ", f"{text!r}: ", "see the **first** thing [1]."]


@dataclass
class TwinServing:
    """Serves one application; a reload comes to what it was given."""

    current: TwinApp
    state: State = field(default_factory=lambda: State("d1", 0.0))
    threads: Threads = field(default_factory=Threads)
    holding: Holding = field(default_factory=Holding)
    refuses: Refused | None = None
    """Why the next reload is refused."""
    reloads: int = 0

    @property
    def settings(self) -> Settings:
        return self.current.settings

    async def reload(self) -> Reload:
        self.reloads += 1
        self.state = replace(self.state, refused=self.refuses)
        return Reload("d1", is_new=False, milliseconds=1.0, refused=self.refuses)

    async def changed(self) -> None:
        await anyio.sleep_forever()

    async def prepare(self) -> None:
        """Be ready as it is."""

    async def watch(self) -> None:
        await anyio.sleep_forever()


@dataclass
class TwinBackend:
    """`pegboard.app` in memory."""

    app: TwinApp
    problems: Sequence[Problem] = ()
    digest: str = "d1"
    raises: PegboardError | None = None
    indexed: int = 0
    state: State | None = None
    """What a server says of its configuration; None: that it is current."""
    imported: list[NewSource] = field(default_factory=list)
    """What was asked to be imported."""

    def settings_from(
        self,
        *,
        config: Path | None,
        data: Path | None = None,
        environ: Mapping[str, str],
        assigned: Mapping[str, str] | None = None,
        **overrides: object,
    ) -> Settings:
        changes: dict[str, Any] = {**overrides}
        changes |= {"config": config} if config else {}
        changes |= {"data": data} if data else {}
        self.app.settings = replace(self.app.settings, **changes)
        return self.app.settings

    @asynccontextmanager
    async def open_app(self, settings: Settings, *, progress: Progress | None = None) -> AsyncIterator[TwinApp]:
        if self.raises is not None:
            raise self.raises
        for done in range(self.indexed):
            if progress is not None:
                progress(done + 1, self.indexed)
        yield self.app

    @asynccontextmanager
    async def open_serving(self, settings: Settings, *, progress: Progress | None = None) -> AsyncIterator[TwinServing]:
        async with self.open_app(settings, progress=progress) as app:
            yield TwinServing(app, self.state or State("d1", 0.0))

    def catalog_of(self, settings: Settings) -> Catalog:
        if self.raises is not None:
            raise self.raises
        return self.app.catalog

    def diff_sites(self, settings: Settings, a: str, b: str) -> SiteDiff:
        return compare_sites(self.app.catalog.toolset(a), self.app.catalog.toolset(b))

    def diff_configurations(self, a: Settings, b: Settings, *, site: str | None = None) -> CatalogDiff:
        return diff_configurations(a, b, site=site)

    def replay(self, settings: Settings, told: Mapping[str, Json]) -> Replayed:
        return replayed(told, self.app.catalog)

    def digest_of(self, settings: Settings) -> str:
        return self.digest

    def open_runs(self, settings: Settings) -> AbstractAsyncContextManager[Runs]:
        return open_runs(settings)

    @asynccontextmanager
    async def open_documents(self, settings: Settings) -> AsyncIterator[Documents]:
        yield self.app.documents

    def settings_report(
        self,
        *,
        config: Path | None,
        data: Path | None = None,
        environ: Mapping[str, str],
        assigned: Mapping[str, str] | None = None,
    ) -> SettingsReport:
        return settings_report(config=config, data=data, environ=environ, assigned=assigned)

    def check(
        self,
        *,
        config: Path | None,
        environ: Mapping[str, str],
        assigned: Mapping[str, str] | None = None,
        imports: bool = True,
    ) -> "TwinReport":
        return TwinReport(self.problems, self.app.catalog)

    def health(
        self,
        *,
        config: Path | None,
        environ: Mapping[str, str],
        assigned: Mapping[str, str] | None = None,
        imports: bool = True,
    ) -> list[SiteHealth]:
        tools = (ToolHealth("search", 8, 6, "details", "show me the 千层面"), ToolHealth("details", 0, 0))
        return [SiteHealth("kitchen", tools, ("search and details overlap: 'show me the 千层面'",))]

    def explanations(self) -> Mapping[str, Explanation]:
        return explanations()

    def schema_files(self) -> dict[str, str]:
        return {"document.json": '{"title": "Document 文"}\n', "reply.json": "{}\n"}

    def starter_files(self, *, xml: bool = False) -> dict[str, str]:
        return {f"tools.d/tools.{'xml' if xml else 'yaml'}": "工具\n", "README.md": "# Read\n"}

    def draft_tool(self, settings: Settings, tool: NewTool) -> Draft:
        return Draft({settings.root / "tools.d" / f"{tool.name}.yaml": f"{tool.description}\n"}, ("it is new",))

    def draft_site(self, settings: Settings, site: NewSite) -> Draft:
        return Draft({settings.root / "tools.d" / f"{site.name}.yaml": "sites\n"})

    async def draft_source(self, settings: Settings, source: NewSource) -> Draft:
        self.imported.append(source)
        folder = source.folder or settings.root / "tools.d"
        name = source.name or "shop"
        files = {folder / f"{name}.yaml": f"{source.place}\n", folder / "openapi" / f"{name}.json": "{}\n"}
        return Draft(files, ("2 of 3 operations.",))

    async def diagnose(self, settings: Settings, site: str | None = None) -> Diagnosis:
        return Diagnosis((Finding("index", True, "is sound"),))

    def pinned_sources(self, settings: Settings) -> list[Pinned]:
        return [Pinned("files", settings.root / "pins" / "files.json", 2)]

    async def compare_pins(self, settings: Settings, name: str) -> PinsComparison:
        return PinsComparison(name, settings.root / "pins" / f"{name}.json", {}, {})

    def convert_documents(
        self, settings: Settings, to: Literal["xml", "yaml", "json"]
    ) -> Sequence[tuple[Path, Converted]]:
        return pegboard.app.convert_documents(settings, to)

    def format_documents(self, settings: Settings) -> Sequence[tuple[Path, Formatted]]:
        return pegboard.app.format_documents(settings)

    def preview(self, tool: Tool, arguments: Mapping[str, Json]) -> Mapping[str, Json]:
        return pegboard.app.preview(tool, arguments)

    def kept_part(self, settings: Settings, ref: str, offset: int = 0) -> Part:
        return read_part(self.app.results, ref, offset)

    def write_document(self, path: Path, text: str) -> None:
        pegboard.app.write_document(path, text)


@dataclass
class TwinReport:
    """What a check found."""

    problems: Sequence[Problem]
    catalog: Catalog

    @property
    def ok(self) -> bool:
        return all(problem.severity != "error" for problem in self.problems)

    def to_json(self) -> dict[str, Json]:
        return {
            "problems": [problem.to_json() for problem in self.problems],
            "files": list(self.catalog.files),
            "tools": self.catalog.tools,
            "disabled": 0,
            "sites": list(self.catalog.sites),
        }


def twin_app(folder: Path, **settings: Any) -> TwinApp:
    """Return an application of two sites: `kitchen`, the default, and `shop` with a tool that writes."""
    sites = (
        toolset("kitchen", tool("search"), tool("details", type="Recipe"), default=True),
        toolset("shop", tool("search"), tool("order", read_only=False)),
    )
    return TwinApp(
        Catalog({each.site: each for each in sites}, knowledge={}, digest="d1", tools=4, disabled=0, files=("a.yaml",)),
        Settings(root=folder, config=folder, data=folder / ".pegboard", **settings),
    )


if __name__ == "__main__":
    # python -m tests.edges.twin serve --port 0: the command on the application in memory
    import os
    import sys

    from pegboard.edges.cli.command import run

    app = twin_app(Path.cwd())
    app.model_name = os.environ.get("TWIN_MODEL", "none")
    refused = Problem(Span("tools.d/shop.yaml", 3, 5), "PB103", "error", "must be a number")
    stale = State("d1", 0.0, Refused(0.0, "1 error", (refused,))) if "TWIN_STALE" in os.environ else None
    sys.exit(run(sys.argv[1:], backend=TwinBackend(app, state=stale)))
