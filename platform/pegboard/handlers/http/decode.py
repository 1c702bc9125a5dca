"""From the bytes of a reply to JSON, text, or bytes as they are. Pure."""

import base64
import json
import re
from typing import Literal, NoReturn, TypeAlias

from pegboard.errors import UpstreamFailed
from pegboard.net.charsets import charset_in, codec_of
from pegboard.net.exchange import Response
from pegboard.text import Json

As: TypeAlias = Literal["auto", "json", "text", "bytes"]

MOST_VALUES = 200_000
"""Of one reply, inner ones included."""
_DEEPEST = 200
"""Levels of nesting, which what masks and picks goes down one call each."""

_JSON = re.compile(r"(?:application|text)/json|[\w.-]+/[\w.-]+\+json")
_TEXT = re.compile(r"text/.*|[\w.-]+/[\w.-]+\+xml|application/(?:xml|javascript|x-www-form-urlencoded|yaml)")


def decoded(response: Response, read_as: As) -> Json:
    """Return what `response` holds; None where it is empty.

    Raises:
        UpstreamFailed: it is not what it should be.
    """
    if not response.body:
        return None
    kind = response.header("content-type").partition(";")[0].strip().lower()
    if read_as == "json" or (read_as == "auto" and _JSON.fullmatch(kind)):
        return _json(response, kind)
    if read_as == "text" or (read_as == "auto" and _TEXT.fullmatch(kind)):
        return _text(response, errors="replace")
    content = base64.b64encode(response.body).decode()
    return {"type": kind or "application/octet-stream", "size": len(response.body), "base64": content}


def _json(response: Response, kind: str) -> Json:
    text = _text(response, errors="strict")
    try:
        value: Json = json.loads(text, parse_constant=_refuse_constant)
        beyond = _excess(value)
    except RecursionError:
        value, beyond = None, "its JSON is nested too deep"
    except ValueError as error:
        called = f"It calls itself {kind!r}." if kind else "It does not say what it is."
        raise UpstreamFailed(f"The reply is no JSON that can be read: {error}. {called}") from error
    if beyond:
        raise UpstreamFailed(f"The reply cannot be read: {beyond}.")
    return value


def _excess(value: Json) -> str:
    """Say by what a reply is more than can be worked on, without recursion; empty where it is not."""
    values, level = 1, [value]
    for _ in range(_DEEPEST):
        inner = [each.values() if isinstance(each, dict) else each for each in level if isinstance(each, dict | list)]
        values += sum(map(len, inner))
        if values > MOST_VALUES:
            return f"its JSON holds more than {MOST_VALUES:,} values"
        if not inner:
            return ""
        level = [each for part in inner for each in part]
    return "its JSON is nested too deep"


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")


def _text(response: Response, *, errors: Literal["strict", "replace"]) -> str:
    charset = charset_in(response.header("content-type"))
    try:
        text = response.body.decode(codec_of(charset), errors)
    except LookupError as error:
        raise UpstreamFailed(f"The reply is in {charset!r}, which is no charset that can be read.") from error
    except UnicodeError as error:
        raise UpstreamFailed(f"The reply is not in {charset}, as it should be.") from error
    return text.encode("utf-8", "replace").decode("utf-8")
