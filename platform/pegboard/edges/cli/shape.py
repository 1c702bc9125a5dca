"""What the schema of a tool wants at one place, and a text as a value of it.

The schema itself is the judge, later; here is only read what a text may mean. References within the schema are
followed, `allOf` is put together, `anyOf` and `oneOf` are tried in their order.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias
from urllib.parse import unquote

from pegboard.errors import InvalidArguments
from pegboard.text import TRUTHS, Json, did_you_mean, to_json

Schema: TypeAlias = Mapping[str, Json]
ReadJson: TypeAlias = Callable[[str], Json]
"""From a text to JSON; raises `ValueError`."""

_INTEGER = re.compile(r"[+-]?[0-9]{1,4000}")
_WHOLE = re.compile(r"([+-]?[0-9]{1,300})\.0+")
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,4})?")
_MOST_FOLLOWED = 32
_FORMS = ("anyOf", "oneOf")


class Shape:
    """The schema of a tool's arguments, looked at from the outside in."""

    def __init__(self, root: Schema, read_json: ReadJson) -> None:
        self._root = root
        self._read_json = read_json

    def at(self, path: tuple[str, ...]) -> Json:
        """Return the schema of the value at `path`; empty where there is none for it.

        Raises:
            InvalidArguments: an object on the way has no such key, and takes no others.
        """
        found: Json = dict(self._root)
        for depth, key in enumerate(path):
            found = self._below(found, path, depth, key)
        return found

    def _below(self, schema: Json, path: tuple[str, ...], depth: int, key: str) -> Json:
        forms = [*self._forms(schema)]
        if key.isdigit() and any("array" in types_of(form) for form in forms):
            return next((form["items"] for form in forms if "items" in form), {})
        properties = self._properties(forms)
        if key in properties:
            return properties[key]
        others = next((form["additionalProperties"] for form in forms if form.get("additionalProperties")), None)
        if others is not None or not any("properties" in form for form in forms):
            return others if isinstance(others, dict) else {}
        if any("patternProperties" in form for form in forms):
            return {}
        name, above = ".".join(path[: depth + 1]), ".".join(path[:depth])
        whose = f"Argument {above!r}" if above else "The tool"
        raise InvalidArguments(
            f"{whose} takes no argument {name!r}." if not above else f"{whose} has no {key!r}.",
            hint=did_you_mean(key, properties, noun="arguments"),
        )

    def path_of(self, name: str) -> tuple[str, ...]:
        """Return where the value of `name=…` belongs: `address.city` lies in `address`, if that is declared."""
        properties = self._properties([*self._forms(dict(self._root))])
        if name in properties or "." not in name:
            return (name,)
        first = max((each for each in properties if name.startswith(f"{each}.")), key=len, default="")
        if not first and properties:
            first = name.partition(".")[0]
        return (first, *name[len(first) + 1 :].split(".")) if first else (name,)

    def _properties(self, forms: list[Schema]) -> dict[str, Json]:
        return {
            name: inner
            for form in reversed(forms)
            if isinstance(held := form.get("properties"), Mapping)
            for name, inner in held.items()
        }

    def _forms(self, schema: Json) -> Iterator[Schema]:
        """Yield every schema that may hold at the place of `schema`."""
        waiting: list[Json] = [schema]
        for _ in range(_MOST_FOLLOWED):
            if not waiting:
                return
            form = waiting.pop(0)
            if not isinstance(form, Mapping):
                continue
            yield form
            waiting += [self._target(form.get("$ref"))]
            for keyword in ("allOf", *_FORMS):
                waiting += each if isinstance(each := form.get(keyword), list) else []

    def _target(self, reference: Json) -> Json:
        if not isinstance(reference, str) or not reference.startswith("#"):
            return None
        found: Json = dict(self._root)
        for step in reference.removeprefix("#").split("/")[1:]:
            key = unquote(step).replace("~1", "/").replace("~0", "~")
            found = found.get(key) if isinstance(found, dict) else None
        return found

    # Values

    def value(self, name: str, text: str, schema: Json) -> Json:
        """Return `text` as the first type of `schema` that it fits.

        Raises:
            InvalidArguments: it fits none.
        """
        forms = [*self._forms(schema)]
        for form in forms:
            choices = [form["const"]] if "const" in form else form.get("enum")
            for choice in choices if isinstance(choices, list) else []:
                if text in (choice, to_json(choice)):
                    return choice
        types = _ordered([each for form in forms for each in types_of(form)])
        for type_ in sorted(types, key=lambda each: each != "null") if text == "null" else types:
            try:
                return self._as_type(type_, text, forms)
            except (ValueError, RecursionError):
                continue
        raise InvalidArguments(f"Argument {name!r} is {text[:60]!r}.", hint=f"It must be of type {' or '.join(types)}.")

    def takes_list(self, schema: Json) -> bool:
        """Tell whether a list is what is wanted, so that a word which is repeated adds to it."""
        return any("array" in types_of(form) for form in self._forms(schema))

    def _as_type(self, type_: str, text: str, forms: list[Schema]) -> Json:
        match type_:
            case "string":
                return text
            case "integer":
                return _integer(text)
            case "number":
                return int(text) if _INTEGER.fullmatch(text) else _finite(text)
            case "boolean":
                return _truth(text)
            case "null" if text in ("", "null"):
                return None
            case "array":
                return self._array(text, forms)
            case _:
                return self._parsed(text, dict)

    def _parsed(self, text: str, kind: type) -> Json:
        value = self._read_json(text)
        if not isinstance(value, kind):
            raise ValueError(text)
        return value

    def _array(self, text: str, forms: list[Schema]) -> Json:
        if text.lstrip().startswith("["):
            return self._parsed(text, list)
        items = next((form["items"] for form in forms if "items" in form), None)
        if text.lstrip().startswith("{"):
            return [self.value("items", text, items)]
        parts = [part for each in text.split(",") if (part := each.strip())]
        if not parts and not _takes_none(forms):
            raise ValueError(text)
        return [self.value("items", part, items) for part in parts]


def types_of(schema: Schema) -> list[str]:
    """Return the JSON types that `schema` itself names."""
    held = schema.get("type")
    if held is None and "properties" in schema:
        return ["object"]
    return [each for each in (held if isinstance(held, list) else [held]) if isinstance(each, str)]


def _takes_none(forms: Sequence[Schema]) -> bool:
    """Tell whether a list of nothing may fit: no form asks for more, or one of several for lists does not."""
    asking = [form for form in forms if _asks_for_items(form)]
    lists = [form for form in forms if "array" in types_of(form)]
    return all(form in lists for form in asking) and (not lists or any(form not in asking for form in lists))


def _asks_for_items(form: Schema) -> bool:
    least = form.get("minItems")
    return (isinstance(least, int | float) and least > 0) or ("contains" in form and form.get("minContains") != 0)


def _ordered(types: list[str]) -> list[str]:
    """Return each type once, `string` last because every text fits it."""
    return sorted(dict.fromkeys(types), key=lambda each: each == "string") or ["string"]


def _integer(text: str) -> int:
    if (whole := _WHOLE.fullmatch(text)) is not None:
        return int(whole[1])
    if not _INTEGER.fullmatch(text):
        raise ValueError(text)
    return int(text)


def _finite(text: str) -> float:
    number = float(text) if _NUMBER.fullmatch(text) else float("nan")
    if number - number != 0:
        raise ValueError(text)
    return number


def _truth(text: str) -> bool:
    if text.lower() not in TRUTHS:
        raise ValueError(text)
    return TRUTHS[text.lower()]
