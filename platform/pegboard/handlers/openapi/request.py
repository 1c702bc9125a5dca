"""From arguments to the request that a call sends."""

import json
import re
from collections.abc import Iterator, Mapping
from urllib.parse import quote, unquote, urlsplit

from pegboard.errors import InvalidArguments
from pegboard.handlers.openapi.api import Body, Operation, Parameter
from pegboard.handlers.openapi.arguments import FORM, MULTIPART, Arguments
from pegboard.handlers.openapi.bodies import file_of, form_body, json_body, multipart_body
from pegboard.handlers.openapi.parse import is_json
from pegboard.handlers.openapi.security import Security, with_cookie
from pegboard.handlers.openapi.styles import in_header, in_path, pairs, text_of
from pegboard.net.exchange import Request
from pegboard.text import Json

_ACCEPT = "application/json, */*;q=0.5"
_VARIABLE = re.compile(r"\{([^{}]+)\}")
FRAMING = frozenset(
    {"connection", "content-length", "cookie", "expect", "forwarded", "host", "keep-alive", "te", "trailer"}
    | {"transfer-encoding", "upgrade", "proxy-authorization", "proxy-connection", "x-forwarded-for", "x-forwarded-host"}
)
"""Headers that say where a request begins, ends and goes, or whose it is: no caller's business."""
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
_MISLEADING = re.compile(r"[\x00-\x1f\x7f]|(?:^|[/\\])\.{1,2}(?:[/\\;]|$)")
"""What a server may take for the end of a path, or for a step up."""
_DECODINGS = 3
"""How often a server and what stands before it may decode a path."""
_COOKIE = "!#$&'()*+-./:<=>?@[]^_`{|}~"
"""What a cookie may hold besides letters and digits (RFC 6265, 4.1.1)."""


def request_of(  # noqa: PLR0913 (what a request is made of)
    operation: Operation,
    arguments: Arguments,
    given: Mapping[str, Json],
    *,
    base_url: str,
    headers: Mapping[str, str],
    security: Security,
    is_foreign: bool = False,
) -> Request:
    """Return the request of a call with the arguments that were `given`; `is_foreign` of a host that is not declared.

    Raises:
        InvalidArguments: they cannot be sent.
        CallFailed: a secret cannot.
    """
    _check(given)
    values = [(each, given[name]) for name, each in arguments.parameters if given.get(name) is not None]
    path = _path(operation.path, [each for each in values if each[0].place == "path"])
    query = [pair for each, value in values if each.place == "query" for pair in pairs(each.name, value, each.form)]
    url = f"{base_url.rstrip('/')}{path}"
    if query:
        url += ("&" if "?" in url else "?") + "&".join(f"{name}={value}" for name, value in query)
    content_type, body = _body(operation.body, arguments, given)
    sent = [("Accept", _ACCEPT)] if "accept" not in {name.lower() for name in headers} else []
    sent += [(name, value) for name, value in headers.items() if not (content_type and name.lower() == "content-type")]
    sent += [(each.name, _header(each, value)) for each, value in values if each.place == "header"]
    sent += [("Content-Type", content_type)] if content_type else []
    request = Request(operation.method, url, tuple(sent), body, is_foreign=is_foreign)
    for each, value in values:
        if each.place == "cookie":
            for name, text in pairs(each.name, value, each.form, _cookie):
                request = with_cookie(request, name, text)
    return security.sent(request)


def _path(template: str, values: list[tuple[Parameter, Json]]) -> str:
    texts = {each.name: in_path(each.name, value, each.form) for each, value in values}
    for each, value in values:
        if value == "" or texts[each.name] == "":
            message = f"Argument {each.name!r} is empty, and is a part of the path."
            raise InvalidArguments(message, hint="Give it a value.")
        if _misleads(texts[each.name]) or any(map(_misleads, _texts(value))):
            message = f"Argument {each.name!r} would lead to another path."
            raise InvalidArguments(message, hint="Give a plain value.")
    path = _VARIABLE.sub(lambda match: texts.get(match[1], ""), template.partition("#")[0])
    for segment in urlsplit(path).path.split("/"):
        if _misleads(segment):
            raise InvalidArguments(f"The arguments would lead to another path: {segment!r} is no part of one.")
    return quote(path, safe="/:;=,@!$&'()*+~%?-._")


def _texts(value: Json) -> Iterator[str]:
    """Yield the texts that a value of the path is made of."""
    match value:
        case str():
            yield value
        case list():
            yield from map(text_of, value)
        case dict():
            yield from (text_of(each) for pair in value.items() for each in pair)
        case _:
            pass


def _misleads(text: str) -> bool:
    """Tell whether a server could read another path out of `text`, however often it decodes."""
    for _ in range(_DECODINGS):
        if _MISLEADING.search(text):
            return True
        text = unquote(text)
    return _MISLEADING.search(text) is not None


def _check(given: Mapping[str, Json]) -> None:
    """Refuse half of a character, which nothing can be sent in."""
    for name, value in given.items():
        try:
            json.dumps(value, ensure_ascii=False).encode()
        except UnicodeEncodeError as error:
            message = f"Argument {name!r} holds half of a character (a lone surrogate), which cannot be sent."
            raise InvalidArguments(message) from error


def _header(parameter: Parameter, value: Json) -> str:
    text = in_header(value, parameter.form).strip()
    if _UNPRINTABLE.search(text):
        raise InvalidArguments(f"Argument {parameter.name!r} has several lines, and is sent in a header.")
    return quote(text, safe=_PRINTABLE) if not text.isascii() else text


_PRINTABLE = "".join(map(chr, range(0x20, 0x7F)))


def _cookie(text: str) -> str:
    return quote(text, safe=_COOKIE)


def _body(body: Body | None, arguments: Arguments, given: Mapping[str, Json]) -> tuple[str, bytes | None]:
    """Return the body and its type; both empty where there is none."""
    if body is None:
        return "", None
    if arguments.whole:
        value = given.get(arguments.whole)
        if arguments.whole not in given:
            return "", None
    else:
        value = {name: given[argument] for argument, name in arguments.fields if argument in given}
        if not value and not body.required:
            return "", None
    return _written(body, value, arguments)


def _written(body: Body, value: Json, arguments: Arguments) -> tuple[str, bytes]:
    kind = body.content_type.partition(";")[0].strip().lower()
    if is_json(kind):
        return body.content_type, json_body(value)
    if kind in (FORM, MULTIPART) and not isinstance(value, dict):
        raise InvalidArguments("The body of this request is a form.", hint="Give an object.")
    if kind == FORM and isinstance(value, dict):
        return body.content_type, form_body(value, body.encoding)
    if kind == MULTIPART and isinstance(value, dict):
        content, boundary = multipart_body(value, body.encoding, arguments.files)
        return f"{MULTIPART}; boundary={boundary}", content
    if kind.startswith("text/") and isinstance(value, str):
        return body.content_type, value.encode("utf-8", "replace")
    file = file_of(value, "body") if isinstance(value, str | dict) else None
    if file is None:
        return body.content_type, text_of(value).encode()
    exact = "*" not in kind
    return (body.content_type if exact else file.content_type or "application/octet-stream"), file.content


def shown_request(request: Request, *, most: int = 2_000) -> Json:
    """Return a request for people to read; its secrets are masked."""

    def masked(text: str) -> str:
        for secret in sorted(filter(None, request.secrets), key=len, reverse=True):
            text = text.replace(secret, "***")
        return text

    headers: list[Json] = [masked(f"{name}: {value}") for name, value in request.headers]
    shown: dict[str, Json] = {"method": request.method, "url": masked(request.url), "headers": headers}
    if request.body is not None:
        shown["body"] = masked(request.body[:most].decode("utf-8", "replace"))
        shown |= {"body_bytes": len(request.body)} if len(request.body) > most else {}
    return shown
