"""`projected`: a JSON Schema as a provider's structured output takes it.

The full schema stays the judge: a projection allows what a provider can be held to, tells the rest in words, and
`llm/restore.py` undoes in a reply what it changed. Whatever the schema, nothing is raised, and nothing grows without
end: a projection has at most `MOST_NODES` parts, `DEEPEST` levels, and is its own projection.

`strict` is the strict mode of OpenAI-like endpoints: every object is closed, every property required, an optional one
nullable; `$defs` and references stay, recursive ones too; no bounds, formats, patterns or defaults. `subset` is that
of Gemini-like ones: references are written out, `nullable` stands in for the type null, only texts are enumerated.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, TypeAlias

from pegboard.llm.references import Schema, alternatives, kinds, parts, target
from pegboard.llm.together import choices, joined, together
from pegboard.text import Json, clipped, to_json

Provider: TypeAlias = Literal["strict", "subset"]

DEEPEST = 10
"""Levels of objects and arrays; what lies deeper is asked for as JSON text."""
MOST_NODES = 2_000
"""Parts of a projection; properties that go beyond are left out."""
_MOST_WRITTEN_OUT = 2
"""How often one definition is written out inside itself."""
_MOST_NESTED = 16
"""Alternatives within alternatives."""
_MOST_LEVELS = 200
"""Levels of a schema that is looked at."""
_LONGEST_WORDS = 120

_SCALARS = ("string", "number", "boolean")
_ALL = ("string", "integer", "number", "boolean")
_KINDS = frozenset({*_ALL, "array", "object", "null"})
_KEPT: dict[Provider, tuple[str, ...]] = {"strict": (), "subset": ("minimum", "maximum", "minItems", "maxItems")}
_TOLD = (
    "format", "pattern", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength",
    "maxLength", "minItems", "maxItems", "uniqueItems", "default",
)  # fmt: skip
_BOUNDS = {"minimum": ("integer", "number"), "maximum": ("integer", "number"), "minItems": ("array",)}
_BOUNDS["maxItems"] = _BOUNDS["minItems"]
_HAS_SHAPE = frozenset({"type", "properties", "items", "enum", "const", "$ref", "allOf", "anyOf", "oneOf"})
_AS_TEXT: dict[str, Json] = {"type": "string", "description": "As JSON text."}

_Within: TypeAlias = tuple[str, ...]
"""The references that were written out on the way."""


def projected(schema: Schema, provider: Provider) -> dict[str, Json]:
    """Return `schema` as `provider` takes it; that of arguments stays an object."""
    return _Projection({} if _is_too_deep(schema) else schema, provider).of_root()


def _is_too_deep(schema: Schema) -> bool:
    level: list[object] = [schema]
    for _ in range(_MOST_LEVELS):
        level = [inner for one in level for inner in _held(one)]
    return bool(level)


def _held(value: object) -> Iterable[object]:
    if isinstance(value, Mapping):
        return value.values()
    return value if isinstance(value, list) else ()


class _Projection:
    """One schema on its way."""

    def __init__(self, root: Schema, provider: Provider) -> None:
        self._root = root
        self._provider: Provider = provider
        self._left = MOST_NODES
        self._names: dict[str, str] = {}
        """What a reference is called under `$defs`."""
        self._waiting: list[str] = []

    def of_root(self) -> dict[str, Json]:
        root = self._whole(self._root)
        if "object" in kinds(root) or "properties" in root or not _HAS_SHAPE & root.keys():
            merged = {**root, **joined([self._whole(one) for one in alternatives(root)], root)}
            made = self._object(merged, 0, ())
            made |= _described(_words(root, self._provider, "object"))
        elif alternatives(root):
            whole = [self._whole(one) for one in alternatives(root)]
            are_objects = all("object" in kinds(one) or "properties" in one for one in whole)
            made = self._object(joined(whole, {}), 0, ()) if are_objects else self._node(root, 0, ())
        else:
            made = self._node(root, 0, ())
        if "$ref" in made:  # it refers to itself, and says nothing else
            return self._object({}, 0, ())
        return made | self._definitions()

    def _definitions(self) -> dict[str, Json]:
        """Return what the references lead to, and what those lead to."""
        made: dict[str, dict[str, Json]] = {}
        while self._waiting:
            reference = self._waiting.pop(0)
            made[self._names[reference]] = self._node(target(reference, self._root) or {}, 0, ())
        endless = [name for name in made if _leads_round(name, made)]
        every: dict[str, Json] = {**made, **{name: dict(_AS_TEXT) for name in endless}}
        return {"$defs": every} if every else {}

    def _whole(self, schema: Json | Schema) -> Schema:
        """Return `schema` with all that holds at its place in one."""
        found = parts(schema, self._root)
        return together(found) if found else {}

    def _node(self, schema: Json | Schema, depth: int, within: _Within, *, optional: bool = False) -> dict[str, Json]:
        """Return the projection of one schema; an `optional` one may be null."""
        found = list(self._alternatives(schema, depth, within, 0))
        is_nullable = optional or None in found
        made = _distinct(one for one in found if one is not None)
        if not made:
            return {"type": "null"} if found else dict(_AS_TEXT)
        node = self._one_of(made)
        if is_nullable:
            node = self._nullable(node)
        return node | (_described(self._said_of(schema)) if "anyOf" in node else {})

    def _said_of(self, schema: Json | Schema) -> str:
        own = schema if isinstance(schema, Mapping) and _only_refers(schema) else self._whole(schema)
        return words if isinstance(words := own.get("description"), str) else ""

    def _one_of(self, made: list[dict[str, Json]]) -> dict[str, Json]:
        every: list[Json] = [*made]
        return made[0] if len(made) == 1 else {"anyOf": every}

    def _nullable(self, node: dict[str, Json]) -> dict[str, Json]:
        if self._provider == "subset":
            return {**node, "nullable": True}
        if isinstance(node.get("type"), str):
            values = node.get("enum")
            return {
                **node,
                "type": [node["type"], "null"],
                **({"enum": [*values, None]} if isinstance(values, list) else {}),
            }
        every = node.get("anyOf")
        return {"anyOf": [*(every if isinstance(every, list) else [node]), {"type": "null"}]}

    def _alternatives(
        self, schema: Json | Schema, depth: int, within: _Within, nested: int
    ) -> Iterator[dict[str, Json] | None]:
        """Yield each form that a value may take, projected; None for null."""
        if isinstance(schema, Mapping) and _only_refers(schema) and target(schema["$ref"], self._root) is not None:
            yield from self._referred(str(schema["$ref"]), depth, within, nested)
            return
        whole = self._whole(schema)
        if whole.get("nullable") is True:
            yield None
        inner = [one for one in alternatives(whole) if isinstance(one, Mapping) and _HAS_SHAPE & one.keys()]
        if inner and nested < _MOST_NESTED:
            outer = {key: value for key, value in whole.items() if key not in ("anyOf", "oneOf", "nullable")}
            for one in inner:
                both: Json | Schema = {"allOf": [one, outer]} if _HAS_SHAPE & outer.keys() else one
                yield from self._alternatives(both, depth, within, nested + 1)
            return
        for kind in _kinds_of(whole):
            if kind == "null":
                yield None
            elif self._left > 0:
                yield self._of_kind(kind, whole, depth, within)

    def _referred(self, reference: str, depth: int, within: _Within, nested: int) -> Iterator[dict[str, Json] | None]:
        if self._provider == "strict":
            self._left -= 1
            yield {"$ref": self._called(reference)}
        elif within.count(reference) > _MOST_WRITTEN_OUT or nested >= _MOST_NESTED:
            self._left -= 1
            yield dict(_AS_TEXT)
        elif self._left > 0:
            within = (*within, reference)
            yield from self._alternatives(target(reference, self._root), depth, within, nested + 1)

    def _called(self, reference: str) -> str:
        if reference == "#":
            return reference
        if reference not in self._names:
            last = reference.rsplit("/", 1)[-1]
            name = "".join(c if c.isalnum() or c in "_-" else "_" for c in last) or "part"
            while name in self._names.values():
                name += "_"
            self._names[reference] = name
            self._waiting.append(reference)
        return f"#/$defs/{self._names[reference]}"

    def _of_kind(self, kind: str, schema: Schema, depth: int, within: _Within) -> dict[str, Json]:
        self._left -= 1
        is_open = kind == "object" and not _is_closed(schema)
        if kind in ("object", "array") and (depth >= DEEPEST or is_open):
            return {**_AS_TEXT, **_described(_told_as_text(kind, schema))}
        made: dict[str, Json] = {"type": kind}
        if kind == "object":
            made = self._object(schema, depth, within)
            if self._provider == "subset" and not made["properties"]:
                return {**_AS_TEXT, **_described(_told_as_text(kind, schema))}
        elif kind == "array":
            made["items"] = self._items(schema, depth, within)
        elif (values := _values_of(kind, schema)) and (kind == "string" or self._provider == "strict"):
            made["enum"] = values
        bounds = {key: schema[key] for key in _KEPT[self._provider] if key in schema and kind in _BOUNDS[key]}
        return made | bounds | _described(_words(schema, self._provider, kind))

    def _items(self, schema: Schema, depth: int, within: _Within) -> Json:
        first = schema.get("prefixItems")
        items: Json = {"anyOf": first} if isinstance(first, list) and first else schema.get("items", {})
        if self._left <= 0:
            return dict(_AS_TEXT)
        return self._node(items, depth + 1, within)

    def _object(self, schema: Schema, depth: int, within: _Within) -> dict[str, Json]:
        declared = schema.get("properties")
        needed = schema.get("required")
        names = needed if isinstance(needed, list) else []
        made: dict[str, Json] = {}
        for name, below in declared.items() if isinstance(declared, Mapping) else ():
            if self._left > 0 and below is not False:
                is_left_out = self._provider == "strict" and name not in names
                made[name] = self._node(below, depth + 1, within, optional=is_left_out)
        if self._provider == "strict":
            return {"type": "object", "properties": made, "required": list(made), "additionalProperties": False}
        kept: list[Json] = [name for name in made if name in names]
        return {"type": "object", "properties": made, **({"required": kept} if kept else {})}


def _only_refers(schema: Schema) -> bool:
    """Tell whether a schema is a reference, with no word beside it that constrains."""
    return "$ref" in schema and not (_HAS_SHAPE - {"$ref"} | set(_TOLD[:-1])) & schema.keys()


def _leads_round(name: str, definitions: Mapping[str, Schema]) -> bool:
    """Tell whether a definition is a reference that leads to references only."""
    for _ in definitions:
        reference = definitions.get(name, {}).get("$ref")
        if not isinstance(reference, str):
            return False
        name = reference.removeprefix("#/$defs/")
    return True


def _is_closed(schema: Schema) -> bool:
    """Tell whether all keys of an object are known: a map with free ones is none."""
    declared = schema.get("properties")
    return bool(declared) or (declared is not None and schema.get("additionalProperties") is False)


def _kinds_of(schema: Schema) -> list[str]:
    """Return the types that a value may have: those that are named, or told by the other keywords."""
    named = [kind for kind in kinds(schema) if kind in _KINDS]
    values = choices(schema)
    if values is not None:
        said = [kind for kind in named or _ALL if _values_of(kind, schema)]
        said += ["null"] if None in values and (not named or "null" in named) else []
        return said or named or ["string"]
    if named:
        return named
    if "properties" in schema:
        return ["object"]
    return ["array"] if "items" in schema or "prefixItems" in schema else list(_SCALARS)


def _values_of(kind: str, schema: Schema) -> list[Json]:
    """Return the values of an enumeration that are of `kind`; an integer is not listed as a number again."""
    values = choices(schema) or []
    if kind == "string":
        return [value for value in values if isinstance(value, str)]
    if kind == "boolean":
        return [value for value in values if isinstance(value, bool)]
    wanted = {"integer": int, "number": int | float if "number" in kinds(schema) else float}.get(kind)
    return [value for value in values if wanted and isinstance(value, wanted) and not isinstance(value, bool)]


def _told_as_text(kind: str, schema: Schema) -> str:
    described = schema.get("description")
    words = clipped(described, 1_000) if isinstance(described, str) else ""
    note = f"JSON text of an {kind}."
    return words if words.endswith(note) else f"{words} {note}".strip()


def _words(schema: Schema, provider: Provider, kind: str) -> str:
    """Return the description with what the projection cannot say itself."""
    described = schema.get("description")
    words = described if isinstance(described, str) else ""
    said = [key for key in _TOLD if key in schema and key not in _KEPT[provider]]
    told = [f"{key} {clipped(to_json(schema[key]), _LONGEST_WORDS)}" for key in said]
    if provider == "subset" and kind not in ("string", "") and (values := _values_of(kind, schema)):
        told.append(f"one of {clipped(to_json(values), _LONGEST_WORDS)}")
    return f"{words} ({'; '.join(told)})".strip() if told else words


def _described(words: str) -> dict[str, Json]:
    return {"description": words} if words else {}


def _distinct(made: Iterable[dict[str, Json]]) -> list[dict[str, Json]]:
    return list({to_json(one): one for one in made}.values())
