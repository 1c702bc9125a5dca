"""The server's settings: apart from the documents and above them.

They come from the command line, then the environment (`PEGBOARD_*`), then `pegboard.toml` beside `tools.xml`
(`sources`); `keys` says what each means. Only they say what documents may do: which handlers may be
loaded, which variables may be read, where secrets and content lie.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from ipaddress import IPv4Network, IPv6Network
from pathlib import Path
from typing import Any, Literal, TypeAlias

from pegboard.config.problems import Problems
from pegboard.config.secret.files import PREFIX as FILE_PREFIX
from pegboard.config.secret.files import SecretFiles
from pegboard.config.secret.value import Secret
from pegboard.config.server.keys import KEYS, Value
from pegboard.config.server.sources import PREFIX, By, Raw, from_command_line, from_environ, from_file, stand_ins
from pegboard.config.syntax.source import quoted

Durability: TypeAlias = Literal["none", "process", "power"]
RunsEngine: TypeAlias = Literal["local", "temporal"]
FOLDER = "tools.d"
"""Where the documents lie that are read after `tools.xml`."""
DEFAULT_PREFIXES = ("pegboard.handlers",)


@dataclass(frozen=True, slots=True)
class Given:
    """A value that a setting has, or would have if nothing above gave another."""

    value: Value
    by: By
    place: str
    """`--port`, `$PEGBOARD_PORT`, `pegboard.toml:3:1`, `default`."""


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """The model that `OPENAI_BASE_URL`, `OPENAI_API_KEY` and `OPENAI_MODEL` name."""

    name: str
    """`OPENAI_MODEL`; empty: the only one that the endpoint lists."""
    base_url: str = ""
    """`OPENAI_BASE_URL`; empty: the provider's own."""
    api_key: Secret = field(default_factory=lambda: Secret(""))
    """The setting `model_key`, else `OPENAI_API_KEY`."""
    scoring: str = "auto"
    """`number`, `yes_no`, or `auto`: by the size that the model's name tells."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What one server runs with."""

    root: Path
    """The folder of the configuration: handlers of one's own are imported from here, data lies below it."""
    config: Path
    """What `-c` named: a folder with `tools.xml` and `tools.d/`, or one file."""
    data: Path
    """Where the index and all other state lies; `.pegboard` in `root` unless `--data` names another."""
    host: str = "127.0.0.1"
    port: int = 8000
    allowed_hosts: tuple[str, ...] = ()
    """Host headers that are answered besides loopback and the sites' domains."""
    allowed_origins: tuple[str, ...] = ()
    """Origins of pages that may ask, besides the server's own."""
    handler_prefixes: tuple[str, ...] = DEFAULT_PREFIXES
    """Packages and modules from which handlers may be loaded."""
    nlweb_handlers: tuple[str, ...] = ()
    """Classes of NLWeb's contract that may be handlers; they lie below an allowed prefix too."""
    commands: tuple[str, ...] = ()
    """Programs that declarations may run, by absolute path or by name; `interpreter:PATH` for a shell or the like."""
    env_allow: tuple[str, ...] = ("*",)
    """Patterns of variables that documents may read; the server's own are never among them."""
    model: ModelSettings | None = None
    """None: the embedded scorer, and answers that are extracts."""
    query_characters: int = 8000
    """A longer question is refused."""
    file_bytes: int = 1 << 20
    """A larger document is refused unread."""
    total_bytes: int = 64 << 20
    """All documents together."""
    request_seconds: float = 60.0
    """How long one request may take."""
    index: str = "auto"
    """`sqlite`, `lancedb`, or `auto`: SQLite until the content is large, then LanceDB where it is installed."""
    allow_networks: tuple[IPv4Network | IPv6Network, ...] = ()
    """Networks that tools may reach by HTTP besides public addresses."""
    content_dirs: tuple[Path, ...] = ()
    """Folders that knowledge may lie in, besides `root`."""
    secrets_dir: Path | None = None
    """Where the files of `file:NAME` lie."""
    admin_token: Secret | None = None
    """What a client of `/admin` must know; None: one is made at each start."""
    mcp_commands: tuple[str, ...] = ()
    """Programs that sources may start as MCP servers: names on the search path, or paths relative to `root`."""
    runs_durability: Durability = "process"
    """What a run survives: nothing (`none`), the end of the process, the loss of power."""
    runs_parallel: int = 64
    """Nodes that work at once in this process, over all runs; each run has a limit of its own besides."""
    runs_calls: int = 1000
    """Model calls that one run may make; its site's budget and whoever begins it may let it make fewer."""
    runs_tokens: int = 2_000_000
    """Tokens that one run may use, in the same way."""
    runs_kept: int = 1000
    """Runs that have ended and are kept, the latest."""
    runs_age_seconds: float = 30 * 86_400.0
    """How long a run is kept that has ended."""
    store_url: Secret | None = None
    """The Postgres database where documents are kept; None: a file in `data`."""
    document_bytes: int = 1 << 20
    """Of the text of one document."""
    documents_kept: int = 1000
    """Of one site."""
    documents_bytes: int = 256 << 20
    """Of all versions of all documents of one site."""
    runs_engine: RunsEngine = "local"
    """What drives runs: this process, or a Temporal service with the workers of all servers."""
    temporal_address: str = "127.0.0.1:7233"
    temporal_namespace: str = "default"
    temporal_task_queue: str = "pegboard"
    """Servers of one configuration share it."""
    temporal_tls: str = "auto"
    """`on`, `off`, or `auto`: where there is an API key."""
    temporal_api_key: Secret | None = None
    origins: Mapping[str, tuple[Given, ...]] = field(default_factory=dict, compare=False, repr=False)
    """By key, the value that counts and then those that it overrides; the default comes last."""


def read_settings(
    *,
    environ: Mapping[str, str],
    config: Path | None = None,
    data: Path | None = None,
    assigned: Mapping[str, str] | None = None,
    **options: object,
) -> tuple[Settings, Problems]:
    """Read the settings: command line, then `PEGBOARD_*` in `environ`, then `pegboard.toml`, then defaults.

    `config`, `data`, `options` and `assigned` (`--set`) are those of the command line; `options` are named like the
    keys of the file (`host`, `port`, `index` ...), and None means not given. Without `config` and `PEGBOARD_CONFIG`,
    it is the working folder. `handler_prefixes` are added to the default. A value that cannot be used is a problem,
    and that of the next source counts.
    """
    problems = Problems()
    where = _absolute(config or environ.get(f"{PREFIX}CONFIG") or Path())
    root = _root_of(where)
    of_file, source = from_file(root, problems)
    of_environ = from_environ(environ, problems)
    of_command = from_command_line({"data": data and str(data), **options}, assigned or {}, problems)
    reader = _Reader(root, problems)
    for raw in (*stand_ins(environ), *of_file, *of_environ, *of_command):
        reader.take(raw)
    settings = _settings(reader, where, environ)
    found = quoted(problems, {source.name: source} if source else {})
    return settings, Problems(sorted(found, key=lambda problem: (_rank(problem.span.file), problem)))


def _rank(place: str) -> int:
    """Problems of the file come first, then those of variables, then those of the command line."""
    return 2 if place.startswith("--") else 1 if place.startswith("$") else 0


def _settings(reader: "_Reader", where: Path, environ: Mapping[str, str]) -> Settings:
    """Put together what was read."""
    values = reader.resolved()
    prefixes = (*DEFAULT_PREFIXES, *values.pop("handler_prefixes", ()))
    model = _model(environ, values.pop("scoring", "auto"), values.pop("model_key", Secret("")))
    base = Settings(root=reader.root, config=where, data=reader.root / ".pegboard", model=model)
    settings = replace(base, handler_prefixes=tuple(dict.fromkeys(prefixes)), **values)
    return replace(settings, origins=reader.origins(base))


class _Reader:
    """Reads values in the order of their sources, the least one first."""

    def __init__(self, root: Path, problems: Problems) -> None:
        self.root = root
        self._problems = problems
        self._given: dict[str, list[Given]] = {}
        """By key, the value that counts first."""
        self._raw: dict[str, Raw] = {}
        """By key, what was given for the value that counts."""

    def take(self, raw: Raw) -> None:
        """Read one value; one that cannot be used is a problem, and leaves the one before it in force."""
        key = KEYS[raw.key]
        try:
            value = key.read(raw.value)
        except ValueError as error:
            found = "that" if key.kind == "secret" else repr(raw.value)[:200]
            self._problems.add("PB104", raw.span, f"{raw.key} cannot be {found}: {error}")
            return
        if key.kind == "path":
            value = _path(value, raw.base)
        elif key.kind == "secret":
            value = Secret(str(value))
        self._given.setdefault(raw.key, []).insert(0, Given(value, raw.by, raw.place))
        self._raw[raw.key] = raw

    def resolved(self) -> dict[str, Any]:
        """Return the values that count by the fields of `Settings`, `file:NAME` of secrets put in."""
        values = {KEYS[key].field: given[0].value for key, given in self._given.items()}
        folder = values.get("secrets_dir")
        files = SecretFiles(folder if isinstance(folder, Path) else None)
        for key, raw in self._raw.items():
            if KEYS[key].kind == "secret":
                values[KEYS[key].field] = self._secret(raw, files)
        return {name: value for name, value in values.items() if value is not None}

    def _secret(self, raw: Raw, files: SecretFiles) -> Secret | None:
        text = str(raw.value).strip()
        if not text.startswith(FILE_PREFIX):
            if raw.by != "environment":
                hint = f"Set ${PREFIX}{raw.key.upper()}, or write file:NAME for a file below secrets_dir."
                self._problems.add("PB108", raw.span, f"{raw.key} stands here in the clear", hint=hint)
            return Secret(text)
        found, faults = files.read(text)
        for fault in faults:
            self._problems.add(fault.code, raw.span, f"{raw.key}: {fault.message}", hint=fault.hint)
        return found

    def origins(self, base: Settings) -> dict[str, tuple[Given, ...]]:
        """Return every key's values: what counts, what it overrides, and the default, which is that of `base`."""
        return {key: (*self._given.get(key, ()), Given(_default(key, base), "default", "default")) for key in KEYS}


def _default(key: str, base: Settings) -> Value:
    if key == "handler_prefixes":
        return ()
    return getattr(base, KEYS[key].field, "auto" if key == "scoring" else None)


def _path(value: Value, base: Path) -> Path | tuple[Path, ...]:
    if isinstance(value, Sequence) and not isinstance(value, str):
        return tuple(_absolute(base / str(each)) for each in value)
    return _absolute(base / str(value))


def _root_of(config: Path) -> Path:
    """Return the folder of a configuration; a document in `tools.d` belongs to the folder above that."""
    if os.path.isdir(config):  # noqa: PTH112 (false, where pathlib raises, if a folder above may not be entered)
        return config
    return config.parent.parent if config.parent.name == FOLDER else config.parent


def _absolute(path: Path | str) -> Path:
    return Path(os.path.abspath(path))  # noqa: PTH100 (links are kept as the user sees them)


def _model(environ: Mapping[str, str], scoring: str, api_key: Secret) -> ModelSettings | None:
    """Return the model that the environment names; a bare key names none."""
    name, url = environ.get("OPENAI_MODEL", "").strip(), environ.get("OPENAI_BASE_URL", "").strip()
    if not name and not url:
        return None
    return ModelSettings(name=name, base_url=url, api_key=api_key, scoring=scoring)
