"""Bodies of requests: JSON, forms, forms with files, texts and bytes."""

import base64
import binascii
import hashlib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import quote_plus, unquote_to_bytes

from pegboard.errors import InvalidArguments
from pegboard.handlers.openapi.api import Encoding, Form
from pegboard.handlers.openapi.styles import pairs, text_of
from pegboard.text import Json, to_json

_PLAIN = Encoding()
_BYTES = "application/octet-stream"


@dataclass(frozen=True, slots=True)
class File:
    """A file that is sent."""

    content: bytes
    name: str = "file"
    content_type: str = ""


def file_of(value: Json, name: str) -> File:
    """Return the file that an argument is: a text, a data URL, or an object.

    Raises:
        InvalidArguments: it is none.
    """
    if isinstance(value, Mapping):
        title, kind = value.get("name"), value.get("type")
        return File(_content(value, name), str(title or name), _kind(str(kind or ""), name))
    text = text_of(value)
    if text.startswith("data:") and "," in text:
        kind, _, data = text.removeprefix("data:").partition(",")
        is_base64 = kind.endswith(";base64")
        content = _decoded(data, name) if is_base64 else unquote_to_bytes(data)
        return File(content, name, _kind(kind.removesuffix(";base64"), name))
    return File(text.encode("utf-8", "replace"), name)


def _kind(text: str, name: str) -> str:
    if not (text.isascii() and text.isprintable()):
        raise InvalidArguments(f"The media type of the file {name!r} is none.", hint="Give one such as image/png.")
    return text


def _content(value: Mapping[str, Json], name: str) -> bytes:
    if "base64" in value:
        return _decoded(text_of(value["base64"]), name)
    if "text" in value:
        return text_of(value["text"]).encode("utf-8", "replace")
    raise InvalidArguments(f"The file {name!r} has no content.", hint="Give its `text`, or its bytes as `base64`.")


def _decoded(data: str, name: str) -> bytes:
    try:
        return base64.b64decode("".join(data.split()), validate=True)
    except (binascii.Error, ValueError) as error:
        raise InvalidArguments(f"The file {name!r} is not base64.", hint="Give a text as `text`.") from error


def json_body(value: Json) -> bytes:
    """Return a body that is JSON."""
    return to_json(value).encode()


def form_body(fields: Mapping[str, Json], encoding: Mapping[str, Encoding]) -> bytes:
    """Return a body that is `application/x-www-form-urlencoded`."""
    found = [pair for name, value in fields.items() for pair in _form_pairs(name, value, encoding.get(name, _PLAIN))]
    return "&".join(f"{name}={value}" for name, value in found).encode()


def _form_pairs(name: str, value: Json, encoding: Encoding) -> Iterator[tuple[str, str]]:
    form = encoding.form
    if form is None:
        is_json = isinstance(value, dict) or encoding.content_type.startswith("application/json")
        form = Form(is_json=is_json)
    return pairs(name, value, form, quote_plus)


def multipart_body(
    fields: Mapping[str, Json], encoding: Mapping[str, Encoding], files: Collection[str]
) -> tuple[bytes, str]:
    """Return a body that is `multipart/form-data` (RFC 7578), and its boundary, which is made of what it holds."""
    parts: list[bytes] = []
    for name, value in fields.items():
        told = encoding.get(name, _PLAIN)
        every = value if isinstance(value, list) and (told.form is None or told.form.explode) else [value]
        for each in every:
            if each is not None:
                parts.append(_file_part(name, each, told) if name in files else _part(name, each, told))
    boundary = _boundary(parts)
    opened = f"--{boundary}\r\n".encode()
    body = b"".join(opened + part + b"\r\n" for part in parts)
    return body + f"--{boundary}--\r\n".encode(), boundary


def _boundary(parts: Collection[bytes]) -> str:
    held = b"\r\n".join(parts)
    made = hashlib.sha256(held).hexdigest()[:32]
    while made.encode() in held:
        made = hashlib.sha256(made.encode()).hexdigest()[:32]
    return made


def _file_part(name: str, value: Json, encoding: Encoding) -> bytes:
    file = file_of(value, name)
    kind = file.content_type or encoding.content_type or _BYTES
    head = f'; filename="{_quoted(file.name)}"\r\nContent-Type: {_one_line(kind)}'
    return _head(name, head) + file.content


def _part(name: str, value: Json, encoding: Encoding) -> bytes:
    kind = encoding.content_type or ("application/json" if isinstance(value, dict | list) else "")
    if encoding.form is not None and isinstance(value, list):
        text, kind = ",".join(text_of(each) for each in value), encoding.content_type
    else:
        text = to_json(value) if kind.startswith("application/json") else text_of(value)
    head = f"\r\nContent-Type: {_one_line(kind)}" if kind else ""
    return _head(name, head) + text.encode("utf-8", "replace")


def _head(name: str, more: str) -> bytes:
    return f'Content-Disposition: form-data; name="{_quoted(name)}"{more}\r\n\r\n'.encode("utf-8", "replace")


def _quoted(text: str) -> str:
    """Return a name as browsers write it (WHATWG, multipart/form-data encoding)."""
    return text.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A").replace("\0", "")


def _one_line(text: str) -> str:
    return "".join(character for character in text if character.isprintable())
