"""The address that a request goes to: a declared base, and below it what arguments make of a template. Pure.

An argument is one segment, whatever it holds: what would make more of it is encoded or refused, and the address that
comes out is held against its base once more.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote, unquote

from pegboard.errors import CallRefused, InvalidArguments
from pegboard.handlers.http.template import PLACEHOLDER, scalar
from pegboard.net.target import target_of
from pegboard.text import Json

_KEPT = "-._~!$&'()*+,;=:@"
"""What stands in a path as it is (RFC 3986)."""
_LITERAL = "/%" + _KEPT
_ENCODED_TRICK = re.compile(r"%(?:2e|2f|5c|00|25)", re.IGNORECASE)
_CONTROL = re.compile(r"[\x00-\x1f\x7f\\]")


class Unusable(ValueError):
    """A template that makes no address."""


@dataclass(frozen=True, slots=True)
class Address:
    """A template of addresses."""

    base: str
    """What every address begins with, `/` at its end; empty: an argument is the whole address."""
    path: str
    """The template of the rest."""

    @classmethod
    def of(cls, url: str, base_url: str | None) -> "Address":
        """Read the template `url`, which is a path below `base_url` where there is one.

        Raises:
            Unusable: no address can come of it; with a clause that says why.
        """
        if base_url is None and PLACEHOLDER.fullmatch(url):
            return cls("", url)
        if "{" in PLACEHOLDER.sub("", url) or "}" in PLACEHOLDER.sub("", url):
            raise Unusable("has a brace that belongs to no `{argument}`")
        if "?" in url or "#" in url:
            raise Unusable("has a query or a fragment, which belongs to `query`")
        if base_url is None:
            base, path = _split(url)
        elif "://" in url or url.startswith("//"):
            raise Unusable("is a whole address, and its source has a base")
        else:
            base, path = checked_base(base_url), url.lstrip("/")
        if any(_is_dots(segment) for segment in path.split("/")):
            raise Unusable("has a `..` or `.` in its path")
        return cls(base, path)

    @property
    def is_open(self) -> bool:
        """An argument says where the request goes."""
        return not self.base

    def url(self, arguments: Mapping[str, Json]) -> str:
        """Return the address for these arguments.

        Raises:
            InvalidArguments: one cannot be a segment.
            CallRefused: the address would leave its base.
        """
        if self.is_open:
            return _whole(self.path[1:-1], arguments)
        path = PLACEHOLDER.sub(lambda match: _segment(match[1], arguments), _encoded_literals(self.path))
        url = self.base + path if path else self.base.removesuffix("/")
        if not is_below(url, self.base):
            raise CallRefused("These arguments would lead out of the address that is declared.")
        return url


def checked_base(base_url: str) -> str:
    """Return a base with `/` at its end.

    Raises:
        Unusable: it is none.
    """
    if "?" in base_url or "#" in base_url:
        raise Unusable("has a query or a fragment")
    if PLACEHOLDER.search(base_url):
        raise Unusable("has an argument, and a base is always the same")
    base = f"{base_url.rstrip('/')}/"
    try:
        target = target_of(base)
    except ValueError as error:
        raise Unusable(f"cannot be asked: {error}") from error
    if any(_is_dots(segment) for segment in target.path.split("/")):
        raise Unusable("has a `..` or `.` in its path")
    return f"{target.scheme}://{target.authority}{target.path}"


def is_below(url: str, base: str) -> bool:
    """Tell whether `url` is `base`, whose end is `/`, or lies below it, however its path is decoded."""
    try:
        target, root = target_of(url), target_of(base)
    except ValueError:
        return False
    path = target.path.partition("?")[0]
    if any(_is_dots(segment) for segment in path.split("/")):
        return False
    return target.origin == root.origin and f"{path.rstrip('/')}/".startswith(root.path)


def _split(url: str) -> tuple[str, str]:
    """Cut a whole address behind the last `/` before its first argument."""
    before = PLACEHOLDER.split(url)[0]
    _, separator, rest = before.partition("://")
    if not separator or "/" not in rest:
        if before != url:
            raise Unusable("has an argument in its host: it has to be in the path, or all of the address")
        return checked_base(url), ""
    at = before.rindex("/") + 1
    return checked_base(url[:at]), url[at:]


def _encoded_literals(path: str) -> str:
    """Encode what stands in the template itself, not its placeholders."""
    return "".join(
        f"{{{part}}}" if index % 2 else quote(part, safe=_LITERAL) for index, part in enumerate(PLACEHOLDER.split(path))
    )


def _segment(name: str, arguments: Mapping[str, Json]) -> str:
    value = arguments.get(name)
    if value is None:
        raise InvalidArguments(f"The argument {name!r} is missing.", missing=[name])
    values = value if isinstance(value, list) else [value]
    text = ",".join(scalar(each, name) for each in values)
    if not text:
        raise InvalidArguments(f"The argument {name!r} is empty, and the address needs it.")
    if _CONTROL.search(text) or _ENCODED_TRICK.search(text) or any(map(_is_dots, re.split(r"[/\\]", text))):
        raise InvalidArguments(f"The argument {name!r} cannot be a part of an address.", hint="Give it as plain text.")
    return quote(text.encode("utf-8", "replace"), safe=_KEPT)


def _is_dots(segment: str) -> bool:
    for _ in range(3):
        if segment in {".", ".."}:
            return True
        segment = unquote(segment)
    return segment in {".", ".."}


def _whole(name: str, arguments: Mapping[str, Json]) -> str:
    value = arguments.get(name)
    if not isinstance(value, str) or not value.strip():
        raise InvalidArguments(f"The argument {name!r} is no address.", missing=[name] if value is None else ())
    head, separator, rest = value.strip().partition("://")
    host, slash, path = rest.partition("/")
    url = f"{head}{separator}{host}{slash}{quote(path.partition('#')[0], safe='?' + _LITERAL)}"
    try:
        target_of(url)
    except ValueError as error:
        raise InvalidArguments(f"The argument {name!r} is no address that can be asked: {error}.") from error
    return url
