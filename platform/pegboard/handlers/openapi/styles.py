"""Values as texts in paths, queries, headers and cookies: OpenAPI's styles (3.1, 4.8.12.4), after RFC 6570.

What the specification leaves open: an object or a list inside a value of `deepObject` is written on with brackets
(`a[b][0]=1`), in every other style as JSON. A value that is null, and an empty list, is not there.
"""

from collections.abc import Callable, Iterator
from typing import TypeAlias
from urllib.parse import quote

from pegboard.handlers.openapi.api import Form
from pegboard.text import Json, to_json

Pair: TypeAlias = tuple[str, str]

_RESERVED = ":/?@!$'()*,;="
"""What stays where reserved characters are allowed; `&`, `+`, `#` and brackets would mean another thing in a query."""
_DELIMITERS = {"form": ",", "spaceDelimited": "%20", "pipeDelimited": "%7C", "deepObject": ","}


def text_of(value: Json) -> str:
    """Return a value as a text, not yet encoded."""
    return value if isinstance(value, str) else to_json(value)


def encoded(text: str) -> str:
    """Return `text` as part of a URL."""
    return quote(text.encode("utf-8", "replace"), safe="")


def in_path(name: str, value: Json, form: Form) -> str:
    """Return what stands for a parameter of the path."""
    if form.is_json:
        return encoded(to_json(value))
    if form.style == "label":
        return f".{_joined(value, form, '.' if form.explode else ',', encoded)}"
    if form.style == "matrix":
        return _matrix(encoded(name), value, form)
    return _joined(value, form, ",", encoded)


def _matrix(name: str, value: Json, form: Form) -> str:
    if form.explode and isinstance(value, list):
        return "".join(_named(name, encoded(text_of(each))) for each in value)
    if form.explode and isinstance(value, dict):
        return "".join(_named(encoded(key), encoded(text_of(each))) for key, each in value.items())
    return _named(name, _joined(value, form, ",", encoded))


def _named(name: str, text: str) -> str:
    return f";{name}={text}" if text else f";{name}"


def in_header(value: Json, form: Form) -> str:
    """Return the value of a header, not encoded."""
    return to_json(value) if form.is_json else _joined(value, form, ",", str)


def pairs(name: str, value: Json, form: Form, encode: Callable[[str], str] = encoded) -> Iterator[Pair]:
    """Yield the encoded names and values of a parameter of the query, a field of a form, or a cookie."""
    if form.reserved:
        encode = _reserved
    if value is None:
        return
    if form.is_json:
        yield encoded(name), encode(to_json(value))
    elif form.style == "deepObject" and isinstance(value, dict | list):
        yield from _deep(encoded(name), value, encode)
    elif isinstance(value, list) and form.explode:
        yield from ((encoded(name), encode(text_of(each))) for each in value)
    elif isinstance(value, dict) and form.explode:
        yield from ((encoded(key), encode(text_of(each))) for key, each in value.items() if each is not None)
    elif not isinstance(value, dict | list) or value:
        yield encoded(name), _joined(value, form, _DELIMITERS.get(form.style, ","), encode)


def _reserved(text: str) -> str:
    return quote(text.encode("utf-8", "replace"), safe=_RESERVED)


def _deep(name: str, value: Json, encode: Callable[[str], str]) -> Iterator[Pair]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _deep(f"{name}%5B{encoded(key)}%5D", inner, encode)
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from _deep(f"{name}%5B{number}%5D", inner, encode)
    elif value is not None:
        yield name, encode(text_of(value))


def _joined(value: Json, form: Form, delimiter: str, encode: Callable[[str], str]) -> str:
    """Return a value in one text; an object is its keys and values in turn, or `key=value` where it explodes."""
    if isinstance(value, list):
        return delimiter.join(encode(text_of(each)) for each in value)
    if isinstance(value, dict):
        between = "=" if form.explode else delimiter
        return delimiter.join(f"{encode(key)}{between}{encode(text_of(each))}" for key, each in value.items())
    return encode(text_of(value))
