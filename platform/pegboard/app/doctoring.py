"""What `platform doctor` asks: is everything there that a configuration needs? Each thing is looked at once, at once.

It changes nothing: the index is read and not brought up to date, tools are not called, models complete nothing.
"""

import os
import tempfile
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from sqlite3 import Error as SqliteError
from sqlite3 import connect

import anyio
import anyio.to_thread

from pegboard.app.engines import temporal_of
from pegboard.app.models import Connections
from pegboard.app.opening import environment_profile
from pegboard.catalog.contract import Found, Hit, Passage
from pegboard.catalog.load import catalog_of
from pegboard.catalog.snapshot import Catalog
from pegboard.catalog.tool import Tool, Toolset
from pegboard.config.server.settings import Settings
from pegboard.errors import ModelError, PegboardError, Unreachable
from pegboard.events import silent
from pegboard.llm.endpoint import Endpoint
from pegboard.llm.profile import Profile
from pegboard.llm.wire import read_models
from pegboard.run.context import CallContext
from pegboard.run.keeping import Keeper
from pegboard.text import Json

LONGEST_SECONDS = 20.0
"""For one of them; all are looked at at the same time."""
_MOST_AT_ONCE = 16
_UNLISTED = (" answered 404", " answered 405")
"""What an endpoint says that serves models and lists none."""

Look = Callable[[], Awaitable[str]]
"""Returns what was found; raises what is wrong."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found of one thing."""

    what: str
    """`source files`, `model fast`, `data folder`."""
    ok: bool
    found: str
    """In a line; of what is wrong, why."""
    hint: str = ""
    """The next move."""
    seconds: float = 0.0

    def to_json(self) -> dict[str, Json]:
        seconds = round(self.seconds, 3)
        return {"what": self.what, "ok": self.ok, "found": self.found, "hint": self.hint or None, "seconds": seconds}


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What was found of everything."""

    findings: tuple[Finding, ...]

    @property
    def ok(self) -> bool:
        """Nothing is wrong."""
        return all(finding.ok for finding in self.findings)

    @property
    def exit_code(self) -> int:
        return 0 if self.ok else Unreachable.exit_code

    def to_json(self) -> dict[str, Json]:
        return {"ok": self.ok, "checks": [finding.to_json() for finding in self.findings]}


class _Nothing:
    """A site without content: whoever looks whether a service is there searches nothing."""

    is_empty = True

    async def items(self, query: str, *, limit: int = 10) -> Found:
        return Found(())

    async def named(self, name: str, *, limit: int = 3) -> list[Hit]:
        return []

    async def passages(self, query: str, *, limit: int = 6) -> list[Passage]:
        return []


async def diagnose(
    settings: Settings, *, site: str | None = None, longest_seconds: float = LONGEST_SECONDS
) -> Diagnosis:
    """Look at everything that the configuration needs, or that one of its sites needs.

    Raises:
        InvalidDeclarations: with every problem.
        UnknownSite: no document declares `site`.
    """
    catalog = await anyio.to_thread.run_sync(catalog_of, settings)
    toolsets = [catalog.toolset(site)] if site else [*catalog.sites.values()]
    async with anyio.create_task_group() as group:
        keeper, connections = Keeper(group), Connections(group)
        make = partial(connections.models, catalog, environment_profile(settings))
        models = await anyio.to_thread.run_sync(make)
        looks = _at_home(settings) | _at_models(_profiles(settings, catalog, toolsets))
        for toolset in toolsets:
            given = CallContext(
                question="",
                toolset=toolset,
                language="en",
                search=_Nothing(),
                model=models.writer(toolset.site),
                emit=silent,
                deadline=anyio.current_time() + longest_seconds,
                keeper=keeper,
            )
            looks = _at_services(toolset, given) | looks
        findings = await _looked(looks, longest_seconds)
        await connections.aclose()
        group.cancel_scope.cancel()
    return Diagnosis(tuple(findings))


async def _looked(looks: Mapping[str, Look], longest_seconds: float) -> list[Finding]:
    slots: list[Finding | None] = [None] * len(looks)
    limiter = anyio.CapacityLimiter(_MOST_AT_ONCE)

    async def one(place: int, what: str, look: Look) -> None:
        async with limiter:
            slots[place] = await _found(what, look, longest_seconds)

    async with anyio.create_task_group() as group:
        for place, (what, look) in enumerate(looks.items()):
            group.start_soon(one, place, what, look)
    return [finding for finding in slots if finding is not None]


async def _found(what: str, look: Look, longest_seconds: float) -> Finding:
    started = time.monotonic()
    finding = Finding(
        what, False, f"does not answer within {longest_seconds:g} s", "Is it running? Is its address right?"
    )
    with anyio.move_on_after(longest_seconds):
        try:
            finding = Finding(what, True, await look())
        except PegboardError as error:
            finding = Finding(what, False, error.message, error.hint)
        except Exception as error:  # noqa: BLE001 (one thing that cannot be looked at hides no other)
            finding = Finding(what, False, f"cannot be looked at: {type(error).__name__}")
    return replace(finding, seconds=time.monotonic() - started)


# What tools reach


def _at_services(toolset: Toolset, given: CallContext) -> dict[str, Look]:
    """Return a look at each source of the tools, and at each tool that reaches something by itself."""
    looks: dict[str, Look] = {}
    for tool in toolset.tools:
        if tool.kind is not None:
            what = f"source {tool.kind.source}" if tool.kind.source else f"tool {tool.name}"
            looks.setdefault(what, partial(_reached, tool, given))
    return looks


async def _reached(tool: Tool, given: CallContext) -> str:
    assert tool.kind is not None
    return await tool.kind.reach(given) or "nothing to reach"


# Models


def _profiles(settings: Settings, catalog: Catalog, toolsets: list[Toolset]) -> list[Profile]:
    """Return the profiles that these sites may ask, and that of the environment where no other is the default."""
    named = [profile for toolset in toolsets for profile in toolset.models.values()]
    names = [*named, catalog.default_profile] if len(toolsets) < len(catalog.sites) else [*catalog.profiles]
    found = [catalog.profiles[name] for name in dict.fromkeys(names) if name in catalog.profiles]
    others = environment_profile(settings) if not catalog.default_profile else None
    return [*found, others] if others is not None else found


def _at_models(profiles: list[Profile]) -> dict[str, Look]:
    return {f"model {profile.name}": partial(_listed, profile) for profile in profiles}


async def _listed(profile: Profile) -> str:
    """Say whether the endpoint of a model answers and knows the model; nothing is completed."""
    endpoint = Endpoint(base_url=profile.base_url, api_key=profile.key.reveal())
    try:
        names = read_models(await endpoint.models(timeout_seconds=LONGEST_SECONDS))
    except ModelError as error:
        if not any(each in error.message for each in _UNLISTED):
            raise
        return f"{endpoint.where} answers, and lists no models"
    finally:
        await endpoint.aclose()
    if profile.model and names and profile.model not in names:
        return f"{endpoint.where} answers, and does not list {profile.model!r}: it may not serve it"
    return f"{endpoint.where} answers"


# At home


def _at_home(settings: Settings) -> dict[str, Look]:
    async def in_thread(look: Callable[[], str]) -> str:
        return await anyio.to_thread.run_sync(look, abandon_on_cancel=True)

    looks: dict[str, Look] = {
        "data folder": partial(in_thread, partial(_writable, settings.data)),
        "index": partial(in_thread, partial(_readable, settings.data / "index")),
    }
    if settings.runs_engine == "temporal":
        return looks | {"runs": partial(_temporal, settings)}
    runs = settings.data / "runs.db"
    return looks | ({"runs": partial(in_thread, partial(_sound_runs, runs))} if runs.exists() else {})


def _writable(folder: Path) -> str:
    there = next(each for each in (folder, *folder.parents) if each.exists())
    try:
        with tempfile.TemporaryFile(dir=there) as file:
            file.write(b"x")
    except OSError as error:
        message = f"{folder} cannot be written: {error.strerror}"
        raise PegboardError(message, hint="Make room there, or name another folder with --data.") from error
    return f"{folder} can be written" if there == folder else f"{folder} will be made"


def _readable(folder: Path) -> str:
    files = sorted(folder.glob("*.sqlite")) if folder.is_dir() else []
    if not files:
        return "will be built by the first start" if not folder.is_dir() or not os.listdir(folder) else "is there"  # noqa: PTH208
    for file in files:
        _check_sound(file, f"Remove {folder}: it is built anew.")
    return "is sound"


async def _temporal(settings: Settings) -> str:
    address = temporal_of(settings)
    from pegboard.run.temporal.opening import found_at  # noqa: PLC0415 (the extra)

    return await found_at(address)


def _sound_runs(file: Path) -> str:
    _check_sound(file, "Put a copy of it back, or move it away: runs begin anew without it.")
    return "their journal is sound"


def _check_sound(file: Path, hint: str) -> None:
    """Look through a database.

    Raises:
        PegboardError: it cannot be read, or is damaged.
    """
    try:
        with closing(connect(f"{file.as_uri()}?mode=ro", uri=True, timeout=5)) as database:
            (answer,) = database.execute("PRAGMA quick_check(1)").fetchone()
    except SqliteError as error:
        raise PegboardError(f"{file} cannot be read: {error}", hint=hint) from error
    if answer != "ok":
        raise PegboardError(f"{file} is damaged: {answer}", hint=hint)
