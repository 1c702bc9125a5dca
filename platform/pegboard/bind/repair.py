"""Deterministic repair of arguments: what is plainly meant is made so; nothing is invented.

`coerce` changes the types of values (`"3"` -> 3, `"5 minutes"` -> 5); `repair` also mends what models get wrong: names
in another spelling, wrappers and remarks around the arguments, descriptions echoed as values, nulls and empty texts
for what may be left out. Both go into nested objects and lists, and follow references.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TypeAlias

from pegboard.bind.roles import role as role_of
from pegboard.bind.scalars import as_boolean, as_choice, as_integer, as_number, as_string, plain
from pegboard.catalog.schema.faults import excess, faults
from pegboard.catalog.schema.returns import REMARKS, SCORE
from pegboard.catalog.tool import Schema
from pegboard.llm.references import alternatives, kinds, parts
from pegboard.llm.restore import restored
from pegboard.llm.together import choices, together
from pegboard.text import Json, words_of_name

_REMARKS = REMARKS | {SCORE, "reasoning"}
_WRAPPERS = frozenset({"arguments", "args", "parameters", "params", "input", "inputs", "kwargs"})
_NOTHING = frozenset(
    {"", "null", "none", "n/a", "na", "unknown", "not specified", "unspecified", "无", "未知", "未指定"}
)
_NUMERIC = frozenset({"integer", "number"})
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+")
_LONGEST_JSON = 100_000
_SAME_NAME = 0.8
"""Likeness of two spellings of one name."""


def repair(arguments: Mapping[str, Json], schema: Schema) -> dict[str, Json]:
    """Return `arguments` mended and coerced; what cannot be mended stays as it is, for the check to name."""
    given = dict(arguments)
    if excess(given) is not None:
        return given
    undone = restored(_unwrapped(given, schema), schema)
    return _Mending(schema, is_free=False).of_object(undone, schema) if isinstance(undone, dict) else given


def coerce(arguments: Mapping[str, Json], schema: Schema) -> dict[str, Json]:
    """Return `arguments` with values of the declared types where they can be read so; names stay."""
    declared = _properties(schema)
    mending = _Mending(schema, is_free=True)
    return {
        name: mending.of(value, declared[name], name) if name in declared else value
        for name, value in arguments.items()
    }


def coerced(value: Json, wanted: Schema) -> Json:
    """Return `value` as the schema wants it where it can be read so, else as it is."""
    return _Mending(wanted, is_free=True).of(value, wanted)


def _unwrapped(arguments: dict[str, Json], schema: Schema) -> dict[str, Json]:
    """Return what stands in a wrapper such as `{"arguments": {…}}`, beside nothing but remarks."""
    names = [name for name in arguments if name not in _REMARKS]
    if len(names) == 1 and names[0].lower() in _WRAPPERS and names[0] not in _properties(schema):
        inner = arguments[names[0]]
        return inner if isinstance(inner, dict) else arguments
    return arguments


def _properties(schema: Schema) -> dict[str, Schema]:
    declared = schema.get("properties")
    known = declared if isinstance(declared, Mapping) else {}
    return {name: part for name, part in known.items() if isinstance(part, Mapping)}


@dataclass(frozen=True, slots=True)
class _Mending:
    """The mending of one value and what it holds."""

    root: Schema
    """What references lead into."""
    is_free: bool
    """Names stay as they are, and so do texts for nothing."""

    def of(self, value: Json, wanted: Schema, name: str = "") -> Json:
        found = parts(wanted, self.root)
        schema = wanted if len(found) == 1 else together(found)
        holds_more = "properties" in schema or "items" in schema
        if not holds_more and not _is_to_be_read(schema) and self._fits(value, schema):
            return value
        if options := alternatives(schema):
            return self._first_that_fits(value, options, name)
        if (listed := choices(schema)) is not None:
            return as_choice(value, listed)
        for kind in kinds(schema) or (["object"] if "properties" in schema else []):
            made = self._read(kind, value, schema, name)
            if made is not value or self._fits(value, schema):
                return made
        return value

    def _fits(self, value: Json, schema: Schema) -> bool:
        shared = {key: self.root[key] for key in ("$defs", "definitions") if key in self.root and key not in schema}
        return not faults(value, {**schema, **shared} if shared else schema)

    def _first_that_fits(self, value: Json, options: list[Json], name: str) -> Json:
        schemas = [option for option in options if isinstance(option, Mapping)]
        for option in schemas:
            if self._fits(value, option):
                return self.of(value, option, name)
        for option in schemas:
            made = self.of(value, option, name)
            if self._fits(made, option):
                return made
        return value

    def _read(self, kind: str, value: Json, schema: Schema, name: str) -> Json:
        if kind == "array":
            return self._array(value, schema, name)
        if kind == "object":
            read = _from_json(value, dict)
            return self.of_object(read, schema) if isinstance(read, dict) else value
        reader = _READERS.get(kind)
        return value if reader is None else reader(value, schema, name)

    def _array(self, value: Json, schema: Schema, name: str) -> Json:
        value = _from_json(value, list)
        below = schema.get("items")
        inner: Schema = below if isinstance(below, Mapping) else {}
        entries = value if isinstance(value, list) else _entries(value, is_numeric=bool(_NUMERIC & set(kinds(inner))))
        return [self.of(entry, inner, name) for entry in entries]

    def of_object(self, value: Mapping[str, Json], schema: Schema) -> dict[str, Json]:
        declared = _properties(schema)
        if not self.is_free:
            is_root = schema is self.root
            is_open = bool(schema.get("additionalProperties", not is_root))
            value = _renamed(value, declared, keep=is_open)
        made: dict[str, Json] = {}
        for name, inner in value.items():
            wanted = declared.get(name)
            if wanted is None:
                made[name] = inner
            elif self.is_free or not _says_nothing(inner, wanted, self.root):
                made[name] = self.of(inner, wanted, name)
        return made


def _is_to_be_read(schema: Schema) -> bool:
    """Tell whether a value that fits may still be one that another spelling is meant by."""
    return schema.get("format") == "date"


def _renamed(arguments: Mapping[str, Json], declared: Mapping[str, Schema], *, keep: bool) -> dict[str, Json]:
    """Return the arguments under their declared names, without remarks; with `keep`, others than the declared too."""
    renamed: dict[str, Json] = {name: value for name, value in arguments.items() if name in declared}
    for name, value in arguments.items():
        if name in declared or name in _REMARKS:
            continue
        free = [each for each in declared if each not in renamed and each not in arguments]
        meant = _meant(name, value, {each: declared[each] for each in free})
        if meant or keep:
            renamed[meant or name] = value
    return renamed


def _meant(name: str, value: Json, free: Mapping[str, Schema]) -> str:
    """Return the one of the `free` names that another spelling means: a slip, fewer words, or the same role."""
    by_plain = {plain(each): each for each in free}
    if near := get_close_matches(plain(name), by_plain, n=1, cutoff=_SAME_NAME):
        return by_plain[near[0]]
    words = set(words_of_name(name).split())
    sharing = [each for each in free if words <= (own := set(words_of_name(each).split())) or own <= words]
    if len(sharing) != 1:
        role = role_of(name, {"type": "string"})
        sharing = [each for each in free if role != "other" and role == role_of(each, {"type": "string"})]
    return sharing[0] if len(sharing) == 1 and _may_be(value, free[sharing[0]]) else ""


def _may_be(value: Json, wanted: Schema) -> bool:
    """Tell whether a value can be what a parameter of another name takes."""
    return not faults(coerced(value, wanted), wanted)


def _says_nothing(value: Json, wanted: Schema, root: Schema) -> bool:
    """Tell whether a value stands for no value: empty, a word for nothing, or the description itself."""
    schema = together(parts(wanted, root))
    if value is None:
        return bool(faults(None, schema)) and not alternatives(schema)
    if not isinstance(value, str):
        return value == [] and "minItems" not in schema and "default" not in schema
    said = value.strip().strip("<>{}[]").lower()
    if said in _NOTHING:
        return value not in (choices(schema) or ())
    return said == str(schema.get("description", "")).strip().lower()


def _entries(value: Json, *, is_numeric: bool) -> list[Json]:
    """Return a single value as a list; a text with lines or commas is one entry each."""
    if not isinstance(value, str):
        return [value]
    comma = r"[,，、]" if is_numeric and not _THOUSANDS.fullmatch(value.strip()) else r"[,，、](?!\d)"
    parts_of = [part.strip(" -*•") for part in re.split(rf"[\n;；]|{comma}", value)]
    return [part for part in parts_of if part]


def _from_json(value: Json, kind: type) -> Json:
    """Return what a JSON text holds if that is of `kind`, else the value itself."""
    if not isinstance(value, str) or len(value) > _LONGEST_JSON or value.lstrip()[:1] not in {"[", "{"}:
        return value
    try:
        read: Json = json.loads(value)
    except (ValueError, RecursionError):
        return value
    return read if isinstance(read, kind) and excess(read) is None else value


_Reader: TypeAlias = Callable[[Json, Schema, str], Json]
_READERS: dict[str, _Reader] = {
    "integer": as_integer,
    "number": as_number,
    "boolean": lambda value, wanted, name: as_boolean(value),
    "string": lambda value, wanted, name: as_string(value, wanted),
}
