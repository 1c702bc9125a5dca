"""Deterministic repair of arguments: what is plainly meant is made so; nothing is invented.

`coerce` changes the types of values (`"3"` -> 3); `repair` also mends what models get wrong: names in another
spelling, remarks among the arguments, descriptions echoed as values, empty texts for what may be left out.
"""

import json
import re
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import TypeAlias

from pegboard.catalog.schema.faults import faults
from pegboard.catalog.schema.returns import REMARKS, SCORE
from pegboard.catalog.tool import Schema
from pegboard.text import TRUTHS, Json

_REMARKS = REMARKS | {SCORE, "reasoning"}
_NOTHING = frozenset(
    {"", "null", "none", "n/a", "na", "unknown", "not specified", "unspecified", "无", "未知", "未指定"}
)
_TRUTHS = {**TRUTHS, "是": True, "对": True, "否": False, "不": False}
_ANYTHING: Schema = {}
_INTEGER = re.compile(r"[+-]?\d{1,3}(?:,\d{3})+(?:\.0+)?|[+-]?\d{1,18}(?:\.0+)?")
_NUMBER = re.compile(r"[+-]?(?:\d{1,3}(?:,\d{3})+|\d{1,18})?(?:\.\d{1,18})?(?:[eE][+-]?\d{1,2})?")
_LONGEST_JSON = 100_000
_SAME_NAME = 0.8
"""Likeness of two spellings of one name."""


def repair(arguments: Mapping[str, Json], schema: Schema) -> dict[str, Json]:
    """Return `arguments` mended and coerced; what cannot be mended stays as it is, for the check to name."""
    properties = _properties(schema)
    mended: dict[str, Json] = {}
    for name, value in _renamed(arguments, properties, keep=bool(schema.get("additionalProperties"))).items():
        wanted = properties.get(name)
        if wanted is not None and _says_nothing(value, wanted):
            continue
        mended[name] = coerced(value, wanted) if wanted is not None else value
    return mended


def coerce(arguments: Mapping[str, Json], schema: Schema) -> dict[str, Json]:
    """Return `arguments` with values of the declared types where they can be read so; names stay."""
    properties = _properties(schema)
    return {
        name: coerced(value, properties[name]) if name in properties else value for name, value in arguments.items()
    }


def _properties(schema: Schema) -> dict[str, Mapping[str, Json]]:
    declared = schema.get("properties")
    known = declared if isinstance(declared, Mapping) else {}
    return {name: part for name, part in known.items() if isinstance(part, Mapping)}


def _renamed(arguments: Mapping[str, Json], properties: Mapping[str, object], *, keep: bool) -> dict[str, Json]:
    """Return the arguments under their declared names, without remarks; with `keep`, others than the declared too."""
    by_folded = {_folded(name): name for name in properties}
    renamed: dict[str, Json] = {name: value for name, value in arguments.items() if name in properties}
    for name, value in arguments.items():
        if name in properties or name in _REMARKS:
            continue
        near = get_close_matches(_folded(name), by_folded, n=1, cutoff=_SAME_NAME)
        meant = by_folded[near[0]] if near else name
        if meant not in renamed and (near or keep):
            renamed[meant] = value
    return renamed


def _folded(name: str) -> str:
    return re.sub(r"[\W_]", "", name).lower()


def _says_nothing(value: Json, wanted: Mapping[str, Json]) -> bool:
    """Tell whether a value stands for no value: empty, a word for nothing, or the description itself."""
    if value is None:
        return "null" not in _kinds(wanted)
    if not isinstance(value, str):
        return value == [] and "minItems" not in wanted and "default" not in wanted
    plain = value.strip().strip("<>{}[]").lower()
    if plain in _NOTHING:
        return not (isinstance(choices := wanted.get("enum"), list) and value in choices)
    return plain == str(wanted.get("description", "")).strip().lower()


def _kinds(wanted: Mapping[str, Json]) -> list[str]:
    kind = wanted.get("type")
    if isinstance(kind, str):
        return [kind]
    return [str(one) for one in kind] if isinstance(kind, list) else []


def coerced(value: Json, wanted: Mapping[str, Json]) -> Json:
    """Return `value` as the schema wants it where it can be read so, else as it is."""
    if not faults(value, wanted) and not _holds_more(wanted):
        return value
    for alternatives in (wanted.get("anyOf"), wanted.get("oneOf")):
        if isinstance(alternatives, list):
            return _first_that_fits(value, alternatives)
    if isinstance(choices := wanted.get("enum"), list):
        return _choice(value, choices)
    for kind in _kinds(wanted):
        made = _READERS[kind](value, wanted) if kind in _READERS else value
        if made is not value or not faults(value, wanted):
            return made
    return value


def _holds_more(wanted: Mapping[str, Json]) -> bool:
    return "properties" in wanted or "items" in wanted


def _first_that_fits(value: Json, alternatives: list[Json]) -> Json:
    for alternative in alternatives:
        if isinstance(alternative, Mapping):
            made = coerced(value, alternative)
            if not faults(made, alternative):
                return made
    return value


def _choice(value: Json, choices: list[Json]) -> Json:
    """Return the choice that differs from `value` only in spelling: case, spaces, number as text."""
    if value in choices:
        return value
    plain = _folded(str(value))
    return next((choice for choice in choices if _folded(str(choice)) == plain), value)


def _integer(value: Json, wanted: Mapping[str, Json]) -> Json:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    text = value.strip() if isinstance(value, str) else ""
    return int(text.partition(".")[0].replace(",", "")) if _INTEGER.fullmatch(text) else value


def _number(value: Json, wanted: Mapping[str, Json]) -> Json:
    text = value.strip() if isinstance(value, str) else ""
    if not text or not _NUMBER.fullmatch(text) or not any(map(str.isdigit, text)):
        return value
    return int(text) if re.fullmatch(r"[+-]?\d+", text) else float(text.replace(",", ""))


def _boolean(value: Json, wanted: Mapping[str, Json]) -> Json:
    text = str(value).strip().lower() if isinstance(value, str | int) else ""
    return _TRUTHS.get(text, value)


def _string(value: Json, wanted: Mapping[str, Json]) -> Json:
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], str):
        return value[0]
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, int | float) else value


def _array(value: Json, wanted: Mapping[str, Json]) -> Json:
    value = _from_json(value, list)
    below = wanted.get("items")
    inner = below if isinstance(below, Mapping) else _ANYTHING
    entries = value if isinstance(value, list) else _entries(value)
    return [coerced(entry, inner) for entry in entries]


def _entries(value: Json) -> list[Json]:
    """Return a single value as a list; a text with lines or commas is one entry each."""
    if not isinstance(value, str):
        return [value]
    parts = [part.strip(" -*•") for part in re.split(r"[\n;；]|[,，、](?!\d)", value)]
    return [part for part in parts if part]


def _object(value: Json, wanted: Mapping[str, Json]) -> Json:
    value = _from_json(value, dict)
    return coerce(value, wanted) if isinstance(value, dict) else value


def _from_json(value: Json, kind: type) -> Json:
    """Return what a JSON text holds if that is of `kind`, else the value itself."""
    if not isinstance(value, str) or len(value) > _LONGEST_JSON or value.lstrip()[:1] not in {"[", "{"}:
        return value
    try:
        read: Json = json.loads(value)
    except (ValueError, RecursionError):
        return value
    return read if isinstance(read, kind) else value


_Reader: TypeAlias = Callable[[Json, Mapping[str, Json]], Json]
_READERS: dict[str, _Reader] = {
    "integer": _integer,
    "number": _number,
    "boolean": _boolean,
    "string": _string,
    "array": _array,
    "object": _object,
}
