"""Which request asks for the next page. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from urllib.parse import parse_qsl, urljoin, urlsplit, urlunsplit

from pegboard.config.blocks.http import PagingDeclaration
from pegboard.errors import UpstreamFailed
from pegboard.handlers.http.address import is_below
from pegboard.handlers.http.content import encoded
from pegboard.handlers.http.expression import Expression
from pegboard.net.exchange import Request, Response
from pegboard.text import Json

WAYS = ("link", "next", "cursor", "page", "offset")
_LINK = re.compile(r"""<([^<>]*)>((?:\s*;\s*[\w*!-]+\s*=\s*(?:"[^"]*"|[^",;\s]*))*)""")
_NEXT = re.compile(r""";\s*rel\s*=\s*(?:"(?:[^"]*\s)?next(?:\s[^"]*)?"|next(?![\w-]))""", re.IGNORECASE)


def ways_of(declared: PagingDeclaration) -> list[str]:
    """Return the ways that are declared; it has to be one."""
    given = {way: getattr(declared, way) for way in WAYS}
    return [way for way, value in given.items() if value is not None and value is not False and value != ""]


@dataclass(frozen=True, slots=True)
class Paging:
    """Finds the next page."""

    declared: PagingDeclaration
    items: Expression
    place: Expression | None
    """Where the reply holds the next page's address or cursor."""
    base: str
    """What the address of every page begins with."""

    def items_of(self, value: Json) -> list[Json]:
        """Return the items of one page.

        Raises:
            UpstreamFailed: they are no list.
        """
        found = self.items.read(value)
        if found is not None and not isinstance(found, list):
            raise UpstreamFailed("A page of the reply is no list of items.", hint="Say in `paging.items` where it is.")
        return found or []

    def following(self, request: Request, response: Response, value: Json, seen: int) -> Request | None:
        """Return what asks for the page behind `response`; `seen` is how many items have come. None: it is the last.

        Raises:
            UpstreamFailed: the next page is said to lie elsewhere.
        """
        match ways_of(self.declared)[0]:
            case "link":
                return self._at(request, _linked(response))
            case "next":
                return self._at(request, self._read(value))
            case "cursor":
                cursor = self._read(value)
                return self._with(request, cursor) if cursor else None
            case way:
                first: int = getattr(self.declared, way)
                step = seen if way == "offset" else 1
                current = first if way == "offset" else _number(request.url, self.declared.parameter, first)
                return self._with(request, str(current + step)) if self.items_of(value) else None

    def _read(self, value: Json) -> str:
        found = self.place.read(value) if self.place else None
        return "" if found is None or isinstance(found, bool | list | dict) else str(found)

    def _at(self, request: Request, place: str) -> Request | None:
        if not place:
            return None
        try:
            url = urljoin(request.url, place).partition("#")[0]
        except ValueError as error:
            raise UpstreamFailed("The service names a next page by what is no address.") from error
        if not is_below(url, self.base):
            raise UpstreamFailed("The service names a next page that lies outside of its own address.")
        return replace(request, url=url) if url != request.url else None

    def _with(self, request: Request, value: str) -> Request:
        parts = urlsplit(request.url)
        kept = [pair for pair in parse_qsl(parts.query, keep_blank_values=True) if pair[0] != self.declared.parameter]
        return replace(
            request, url=urlunsplit(parts._replace(query=encoded([*kept, (self.declared.parameter, value)])))
        )


def _linked(response: Response) -> str:
    headers: Sequence[str] = [value for name, value in response.headers if name == "link"]
    return next((target for header in headers for target, more in _LINK.findall(header) if _NEXT.search(more)), "")


def _number(url: str, parameter: str, default: int) -> int:
    written = dict(parse_qsl(urlsplit(url).query)).get(parameter, "")
    return int(written) if re.fullmatch(r"[0-9]{1,12}", written) else default
