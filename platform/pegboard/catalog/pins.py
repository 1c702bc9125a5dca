"""Pins: the definitions of a service's tools as somebody approved them, each with its hash; what has changed since.

A definition is what its service tells of a tool, a JSON object. The hash is the SHA-256 of its canonical JSON
(RFC 8785), so that neither the order of keys nor white space matters. Not here: where definitions come from
(`handlers`), nor who approves them (`app/pinning`).
"""

import hashlib
import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal

from pegboard.catalog.invisible import hidden_in
from pegboard.text import Json

Definition = Mapping[str, Json]
"""What a service tells of one tool; `name` is among it."""

_VERSION = 1
_LARGEST_EXACT = 2**53
_PARTS = {"inputSchema": "input schema", "outputSchema": "output schema"}


class NoPins(ValueError):
    """A text that holds no pins; says why."""


@dataclass(frozen=True, slots=True)
class Pin:
    """The approved definition of one tool."""

    sha256: str
    definition: Definition


Pins = Mapping[str, Pin]
"""By the name that the service has for the tool."""


@dataclass(frozen=True, slots=True)
class Change:
    """What has become of one tool since its definition was approved."""

    name: str
    before: Definition | None
    """None: it is new."""
    after: Definition | None
    """None: it is gone."""

    @property
    def what(self) -> str:
        """`new`, `gone` or `changed`."""
        return "new" if self.before is None else "gone" if self.after is None else "changed"

    @property
    def parts(self) -> tuple[str, ...]:
        """What differs, in words: `description`, `input schema`."""
        before, after = self.before or {}, self.after or {}
        keys = dict.fromkeys([*before, *after])
        return tuple(_PARTS.get(key, key) for key in keys if not _same(before.get(key), after.get(key)))

    @property
    def lines_before(self) -> list[str]:
        """The definition that was approved, in lines for people to compare."""
        return lines_of(self.before)

    @property
    def lines_after(self) -> list[str]:
        """The definition as it is now, in lines for people to compare."""
        return lines_of(self.after)

    def to_json(self) -> dict[str, Json]:
        before = None if self.before is None else dict(self.before)
        after = None if self.after is None else dict(self.after)
        parts: list[Json] = list(self.parts) if self.what == "changed" else []
        return {"tool": self.name, "change": self.what, "parts": parts, "before": before, "after": after}


def sha256_of(definition: Definition) -> str:
    """Return the hash that a definition is known by."""
    return hashlib.sha256(canonical(dict(definition)).encode("utf-8", "surrogatepass")).hexdigest()


def pinned(definitions: Mapping[str, Definition]) -> dict[str, Pin]:
    """Return pins of these definitions."""
    return {name: Pin(sha256_of(definition), definition) for name, definition in definitions.items()}


def changes(pins: Pins, definitions: Mapping[str, Definition]) -> list[Change]:
    """Return what differs, by name."""
    names = sorted({*pins, *definitions})
    told = [Change(name, pins[name].definition if name in pins else None, definitions.get(name)) for name in names]
    return [each for each in told if each.after is None or each.before is None or _differ(pins[each.name], each.after)]


def _differ(pin: Pin, definition: Definition) -> bool:
    return pin.sha256 != sha256_of(definition)


def _same(one: Json, other: Json) -> bool:
    return canonical(one) == canonical(other)


# The file


def read_pins(data: bytes) -> dict[str, Pin]:
    """Read a file of pins.

    Raises:
        NoPins: it is none, or a definition is another than its hash says.
    """
    try:
        told = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise NoPins("is no JSON") from error
    if not isinstance(told, dict) or told.get("version") != _VERSION or not isinstance(told.get("tools"), dict):
        raise NoPins(f"holds no pins of version {_VERSION}")
    return {name: _pin(name, value) for name, value in told["tools"].items()}


def _pin(name: str, value: Json) -> Pin:
    definition = value.get("definition") if isinstance(value, dict) else None
    if not isinstance(value, dict) or not isinstance(definition, dict) or definition.get("name") != name:
        raise NoPins(f"holds no definition of {name!r}")
    if value.get("sha256") != sha256_of(definition):
        raise NoPins(f"has another definition of {name!r} than its sha256 says: it was edited")
    return Pin(str(value["sha256"]), definition)


def write_pins(pins: Pins) -> bytes:
    """Return the file that holds `pins`; characters that nobody sees are written as escapes."""
    tools = {name: {"sha256": pin.sha256, "definition": dict(pin.definition)} for name, pin in sorted(pins.items())}
    text = json.dumps({"version": _VERSION, "tools": tools}, ensure_ascii=False, indent=2)
    return f"{_escaped(text)}\n".encode()


def lines_of(definition: Definition | None) -> list[str]:
    """Return a definition in lines, for people to compare; what nobody sees is written as escapes."""
    if definition is None:
        return []
    return _escaped(json.dumps(dict(definition), ensure_ascii=False, indent=2)).splitlines()


def _escaped(text: str) -> str:
    """Write characters that nobody sees, and halves of pairs, as escapes of JSON."""
    if text.isascii():
        return text
    return "".join(json.dumps(each)[1:-1] if "\ud800" <= each <= "\udfff" or hidden_in(each) else each for each in text)


# Canonical JSON


def canonical(value: Json) -> str:
    """Return the canonical JSON of `value` (RFC 8785)."""
    return "".join(_pieces(value))


def _pieces(value: Json) -> Iterator[str]:
    match value:
        case dict():
            yield "{"
            for position, key in enumerate(sorted(value, key=_in_utf16)):
                yield f"{',' if position else ''}{_text(key)}:"
                yield from _pieces(value[key])
            yield "}"
        case list():
            yield "["
            for position, item in enumerate(value):
                yield "," if position else ""
                yield from _pieces(item)
            yield "]"
        case str():
            yield _text(value)
        case bool() | None:
            yield json.dumps(value)
        case _:
            yield _number(value)


def _in_utf16(key: str) -> bytes:
    return key.encode("utf-16-be", "surrogatepass")


def _text(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)


def _number(value: float) -> str:
    """Write a number as ECMAScript does (section 3.2.2.3): 1e21 and above, and below 1e-6, with an exponent."""
    if isinstance(value, int) and abs(value) <= _LARGEST_EXACT:
        return str(value)
    try:
        number = float(value)
    except OverflowError:
        return str(value)  # no double holds it; then it stands for itself
    if not math.isfinite(number):
        return json.dumps(str(value))
    if number == 0:
        return "0"
    size = abs(number)
    if 1e-6 <= size < 1e21:
        text = format(Decimal(repr(number)), "f")
        return text.rstrip("0").rstrip(".") if "." in text else text
    digits, _, exponent = repr(number).partition("e")
    return f"{digits.removesuffix('.0')}e{'-' if exponent[0] == '-' else '+'}{exponent.lstrip('+-').lstrip('0')}"
