"""What is sent besides the address: query, headers, body, each from its template. Pure, but for a random mark."""

import base64
import binascii
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias
from urllib.parse import quote

from pegboard.errors import InvalidArguments
from pegboard.handlers.http.template import Absent, filled, scalar
from pegboard.text import Json, to_json

Lists: TypeAlias = Literal["repeat", "comma", "space", "pipe"]
BodyAs: TypeAlias = Literal["json", "form", "multipart", "text"]

_BETWEEN = {"comma": ",", "space": " ", "pipe": "|"}
_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_VALUE = re.compile(r"[\t\x20-\x7e\x80-\xff]*")
FILE_KEYS = frozenset({"file", "name", "type", "encoding"})


@dataclass(frozen=True, slots=True)
class Content:
    """A body, as it is sent."""

    data: bytes
    type: str


def query_of(template: Mapping[str, object], arguments: Mapping[str, Json], lists: Lists) -> list[tuple[str, str]]:
    """Return the parameters of the query in declared order; what has no value is left out.

    Raises:
        InvalidArguments: a value is an object.
    """
    pairs: list[tuple[str, str]] = []
    for name, value in _given(template, arguments).items():
        pairs += [(name, text) for text in _texts(value, name, lists)]
    return pairs


def encoded(pairs: list[tuple[str, str]]) -> str:
    """Write parameters as they stand in an address: `a=b&c=d%20e`."""
    return "&".join(f"{_quoted(name)}={_quoted(value)}" for name, value in pairs)


def headers_of(template: Mapping[str, str], arguments: Mapping[str, Json]) -> list[tuple[str, str]]:
    """Return headers in declared order.

    Raises:
        InvalidArguments: a value holds what no header may, such as the end of a line.
    """
    headers: list[tuple[str, str]] = []
    for name, value in _given(template, arguments).items():
        text = ", ".join(_texts(value, name, "comma"))
        if not _VALUE.fullmatch(text):
            raise InvalidArguments(f"The header {name} cannot hold this: a line ends in it, or it is no Latin text.")
        headers.append((name, text.strip()))
    return headers


def is_header_name(name: str) -> bool:
    """Tell whether `name` may be that of a header."""
    return _TOKEN.fullmatch(name) is not None


def content_of(template: object, arguments: Mapping[str, Json], written_as: BodyAs) -> Content | None:
    """Return the body; None where there is none.

    Raises:
        InvalidArguments: it cannot be written so.
    """
    if template is None:
        return None
    if written_as == "multipart" and isinstance(template, Mapping):
        return _multipart(template, arguments)
    value = filled(template, arguments)
    if isinstance(value, Absent):
        return None
    if written_as == "form" and isinstance(value, Mapping):
        pairs = [(name, text) for name, each in value.items() for text in _texts(each, name, "repeat")]
        return Content(encoded(pairs).replace("%20", "+").encode(), "application/x-www-form-urlencoded")
    if written_as == "text":
        return Content(scalar(value, "body").encode("utf-8", "replace"), "text/plain; charset=utf-8")
    return Content(to_json(value).encode(), "application/json")


def _given(template: Mapping[str, object], arguments: Mapping[str, Json]) -> dict[str, Json]:
    values = {name: filled(value, arguments) for name, value in template.items()}
    return {name: value for name, value in values.items() if not isinstance(value, Absent) and value is not None}


def _texts(value: Json, name: str, lists: Lists) -> list[str]:
    if not isinstance(value, list):
        return [] if value is None else [scalar(value, name)]
    texts = [scalar(each, name) for each in value]
    return texts if lists == "repeat" or not texts else [_BETWEEN[lists].join(texts)]


def _quoted(text: str) -> str:
    return quote(text.encode("utf-8", "replace"), safe="")


def _multipart(template: Mapping[str, object], arguments: Mapping[str, Json]) -> Content:
    mark = secrets.token_hex(16)
    parts: list[bytes] = []
    for name, each in template.items():
        if isinstance(each, Mapping) and "file" in each:
            parts += _file(name, each, arguments)
            continue
        value = filled(each, arguments)
        texts = [] if isinstance(value, Absent) else _texts(value, name, "repeat")
        parts += [_part(name, text.encode("utf-8", "replace")) for text in texts]
    body = b"".join(b"--%s\r\n%s\r\n" % (mark.encode(), part) for part in parts)
    return Content(body + b"--%s--\r\n" % mark.encode(), f"multipart/form-data; boundary={mark}")


def _part(name: str, data: bytes, more: str = "") -> bytes:
    return f'Content-Disposition: form-data; name="{_named(name)}"{more}\r\n\r\n'.encode("utf-8", "replace") + data


def _file(name: str, template: Mapping[str, object], arguments: Mapping[str, Json]) -> list[bytes]:
    value = filled(template, arguments)
    assert isinstance(value, dict)
    if (content := value.get("file")) is None:
        return []
    text = scalar(content, name)
    data = _decoded(text, name) if value.get("encoding") == "base64" else text.encode("utf-8", "replace")
    filename = _named(str(value.get("name", name)))
    kind = str(value.get("type", "application/octet-stream"))
    if not re.fullmatch(r"[\x20-\x7e]+", kind):
        raise InvalidArguments(f"The type of the file {name!r} is none.")
    return [_part(name, data, f'; filename="{filename}"\r\nContent-Type: {kind}')]


def _named(name: str) -> str:
    """Write a name within quotes, as browsers do."""
    return name.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")


def _decoded(text: str, name: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise InvalidArguments(
            f"The file {name!r} is not in base64.", hint="On the command line, write @FILE."
        ) from error
