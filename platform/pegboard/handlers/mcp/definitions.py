"""The approved definitions of a source's tools: read from beside its declaration, chosen, named, made fit to show."""

import hashlib
import logging
import re
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path

from pegboard.catalog.invisible import hidden_in, name_of, visible
from pegboard.catalog.kind import About, Misdeclared, Misfit, Offered, Schema
from pegboard.catalog.pins import Definition, NoPins, Pin, Pins, read_pins
from pegboard.catalog.schema.faults import valid_schema
from pegboard.config.blocks.mcp import McpSourceDeclaration
from pegboard.config.sources import Fence, absolute
from pegboard.text import Json, did_you_mean

_log = logging.getLogger(__name__)

_LONGEST_NAME = 64
_MOST_BYTES = 32 << 20
_DEEPEST = 64
_SHOWN_KEYS = {"description", "title"}
"""Keys of a schema whose texts are for readers, and judge nothing."""


def source_of(about: About) -> McpSourceDeclaration:
    """Return the declaration of the server behind a tool, or of the source itself."""
    assert about.source is not None
    assert about.source.mcp is not None
    return about.source.mcp


def pins_file(about: About) -> str:
    """Return the file of the pins as the source declares it, relative to its document."""
    assert about.source is not None
    return source_of(about).pins or f"pins/{about.source.name}.json"


def pins_of(about: About) -> Pins:
    """Return the approved definitions of a source.

    Raises:
        Misdeclared: there are none.
    """
    assert about.source is not None
    approve = f"Run `platform pins approve {about.source.name}`."
    path = inside(about, pins_file(about), "pins")
    try:
        status = path.stat()
        if status.st_size > _MOST_BYTES:
            raise Misdeclared(Misfit(("pins",), f"has pins of more than {_MOST_BYTES >> 20} MiB in {path}"))
        return _read(path, status.st_mtime_ns, status.st_size)
    except FileNotFoundError as error:
        message = f"has no approved definitions of its tools: {path} does not exist"
        raise Misdeclared(Misfit(("pins",), message, approve)) from error
    except OSError as error:
        raise Misdeclared(Misfit(("pins",), f"has pins that cannot be read: {error}")) from error
    except NoPins as error:
        message = f"has no approved definitions of its tools: {path} {error}"
        raise Misdeclared(Misfit(("pins",), message, approve)) from error


@lru_cache(maxsize=64)
def _read(path: Path, changed: int, size: int) -> Mapping[str, Pin]:
    return read_pins(path.read_bytes())


def inside(about: About, text: str, key: str) -> Path:
    """Return a path of the source's declaration.

    Raises:
        Misdeclared: it lies outside the configuration.
    """
    fence = Fence.of(about.settings)
    found = absolute(text, about.source_folder)
    if not fence.holds(found):
        message = f"names {text!r} as `{key}`, which lies outside the configuration's folder"
        raise Misdeclared(Misfit((key,), message, fence.hint))
    return Path(found)


# What is offered


def offers(about: About) -> list[Offered]:
    """Return the chosen tools of a source under legal names, each its own.

    Raises:
        Misdeclared: there are no pins, or it chooses what the server does not have.
    """
    assert about.source is not None
    source, pins = source_of(about), pins_of(about)
    _refuse_unknown(source, pins)
    chosen = [name for name in pins if _is_chosen(name, source)]
    names = legal_names(chosen, longest=_LONGEST_NAME - len(about.source.prefix))
    found: list[Offered] = []
    for name in chosen:
        definition = pins[name].definition
        if faults := faults_of(definition):
            _log.warning("tool %r of source %r is left out: %s", name, about.source.name, faults[0])
            continue
        block: dict[str, Json] = {"source": about.source.name, "tool": name}
        found.append(Offered(names[name], description_of(definition), block))
    return found


def _is_chosen(name: str, source: McpSourceDeclaration) -> bool:
    is_wanted = not source.tools or any(fnmatchcase(name, pattern) for pattern in source.tools)
    return is_wanted and not any(fnmatchcase(name, pattern) for pattern in source.exclude)


def _refuse_unknown(source: McpSourceDeclaration, pins: Pins) -> None:
    misfits = [
        Misfit(
            ("tools", index), f"takes {wanted!r}, which is none of its tools", did_you_mean(wanted, pins, noun="tools")
        )
        for index, wanted in enumerate(source.tools)
        if not any(fnmatchcase(name, wanted) for name in pins)
    ]
    if misfits:
        raise Misdeclared(*misfits)


def legal_names(names: Sequence[str], *, longest: int = _LONGEST_NAME) -> dict[str, str]:
    """Return a legal name for each, unique among them; what is legal already stays, whatever else there is."""
    room = max(longest, 12)
    plain = {name: re.sub(r"[^A-Za-z0-9_-]+", "_", name).strip("_") for name in names}
    taken = {name for name in names if plain[name] == name and 0 < len(name) <= room}
    made: dict[str, str] = {}
    for name in names:
        if name in taken:
            made[name] = name
            continue
        short = plain[name][:room]
        if not short or short in taken or len(plain[name]) > room:
            digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:8]
            short = f"{(plain[name] or 'tool')[: room - 9]}_{digest}"
        taken.add(short)
        made[name] = short
    return made


# What is shown


def description_of(definition: Definition) -> str:
    """Return what the server says a tool is for, without characters that nobody sees."""
    for key in ("description", "title"):
        text = definition.get(key)
        if isinstance(text, str) and visible(text).strip():
            return visible(text).strip()
    return str(definition.get("name", ""))


def schema_of(definition: Definition, key: str) -> Schema | None:
    """Return a schema of a definition, its texts without characters that nobody sees; None where it has none."""
    schema = definition.get(key)
    if not isinstance(schema, dict):
        return None
    cleaned = _cleaned(schema)
    assert isinstance(cleaned, dict)
    return {"type": "object", **cleaned} if key == "inputSchema" else cleaned


def _cleaned(value: Json, key: str = "") -> Json:
    if isinstance(value, dict):
        return {name: _cleaned(inner, name) for name, inner in value.items()}
    if isinstance(value, list):
        return [_cleaned(item) for item in value]
    return visible(value) if isinstance(value, str) and key in _SHOWN_KEYS else value


def faults_of(definition: Definition) -> list[str]:
    """Return why a tool of this definition cannot be called, a sentence each; empty when it can."""
    found: list[str] = []
    for key in ("inputSchema", "outputSchema"):
        schema = definition.get(key)
        if isinstance(schema, dict):
            found += [f"{key}: {fault}" for fault in valid_schema(schema)]
        elif schema is not None or key == "inputSchema":
            found.append(f"{key} is no JSON object.")
    schema = definition.get("inputSchema")
    if isinstance(schema, dict) and schema.get("type", "object") != "object":
        found.append("inputSchema takes no object.")
    return found


def notices_of(definitions: Mapping[str, Definition]) -> list[str]:
    """Return what whoever approves these definitions should know, a sentence each."""
    found: list[str] = []
    for name, definition in definitions.items():
        tool = f"Tool {visible(name)!r}"
        if (hidden := _hidden(definition)) is not None:
            found.append(f"{tool} has texts with {name_of(hidden)}, which nobody sees: models get them without.")
        found += [f"{tool} cannot be called and is left out: {fault}" for fault in faults_of(definition)[:1]]
    return found


def _hidden(value: Json | Definition, depth: int = 0) -> str | None:
    if isinstance(value, str):
        return hidden_in(value)
    inner: Sequence[Json] = ()
    if isinstance(value, Mapping):
        inner = [*value, *value.values()]
    elif isinstance(value, list):
        inner = value
    if depth > _DEEPEST:
        return None
    return next((found for each in inner if (found := _hidden(each, depth + 1)) is not None), None)
