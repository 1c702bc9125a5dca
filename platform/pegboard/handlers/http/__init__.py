"""`request`: a tool that is an HTTP request, by the block `http` of its declaration.

What a call sends is made by `address` and `content` from the declaration's templates; `reading` says what the reply
holds, `paging` which page comes next. All of these are pure. What is sent goes through `net`, which guards addresses.
"""

from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from functools import partial
from itertools import count
from typing import TypeVar
from urllib.parse import urlsplit

import anyio
import anyio.to_thread

from pegboard.catalog.contract import Context, Result
from pegboard.catalog.kind import READING, About, Effect, Kind, Misdeclared, Schema, effects_of_request
from pegboard.config.blocks.http import HttpDeclaration, HttpSourceDeclaration
from pegboard.config.declaration import Declaration
from pegboard.errors import CallFailed, PegboardError, UpstreamFailed
from pegboard.events import Noticed
from pegboard.handlers.http.checked import check, parameters_of
from pegboard.handlers.http.content import content_of, encoded, headers_of, query_of
from pegboard.handlers.http.paging import Paging
from pegboard.handlers.http.reading import Nothing, Reading
from pegboard.net.auth import secrets_of, with_auth
from pegboard.net.client import Client, client
from pegboard.net.exchange import Request, Response
from pegboard.net.policy import Policy
from pegboard.net.secrets import masked, masked_text
from pegboard.text import Json

_LONGEST_SECONDS = 300.0
"""Of a call that has no deadline."""
_REACHED_BYTES = 64 << 10
_SHOWN_BODY = 20_000
_READ_AT_ONCE = 64 << 10
"""Bytes of a reply that is read so soon that a thread would not pay."""
T = TypeVar("T")


class request(Kind):  # noqa: N801 (declarations name it so)
    """Sends what its templates say, and returns what is picked from the reply."""

    def __init__(self, block: Declaration, about: About) -> None:
        """Read the block."""
        assert isinstance(block, HttpDeclaration)
        checked = check(block, about)
        if checked.misfits:
            raise Misdeclared(*checked.misfits)
        source = about.source.http if about.source else None
        self._block = block
        self._source = source or HttpSourceDeclaration(base_url="declared by the tool itself")
        self._address = checked.address
        self._auth = block.auth or self._source.auth
        self._parameters: Schema = about.parameters or parameters_of(block)
        self._reading = Reading(block, dict(checked.expressions), is_paged=block.paging is not None)
        self._policy = Policy.of(about.settings)
        self._effects = effects_of_request(block.method, is_trusted=about.is_trusted)
        self._paging: Paging | None = None
        if block.paging is not None:
            place = checked.places.get("next") or checked.places.get("cursor")
            self._paging = Paging(block.paging, checked.places["items"], place, checked.address.base)

    @property
    def parameters(self) -> Schema:
        return self._parameters

    @property
    def is_read_only(self) -> bool:
        return self._block.method in READING

    @property
    def effects(self) -> frozenset[Effect]:
        """What a service answers is its text; what is sent to it leaves the house."""
        return self._effects

    def preview(self, arguments: Mapping[str, Json]) -> Json:
        """Return the request as it would be sent, its secrets masked; one that is not set is said to be missing."""
        made, missing = self._made(arguments), ""
        try:
            made = with_auth(made, self._auth)
        except CallFailed as error:
            missing = str(error)
        shown: dict[str, Json] = {
            "method": made.method,
            "url": made.url,
            "headers": {name: value for name, value in made.headers},  # noqa: C416 (pairs of texts to JSON)
        }
        if made.body is not None:
            shown["body"] = made.body[:_SHOWN_BODY].decode("utf-8", "replace")
        if missing:
            shown["missing"] = missing
        return masked(shown, (*made.secrets, *self._secrets()))

    async def reach(self, context: Context) -> str:
        """Ask for the base of the service; whatever it answers but a refusal of our secret says that it is there."""
        self._refuse_off()
        if self._address.is_open:
            return ""
        asked = with_auth(Request("GET", self._address.base, tuple(self._source.headers.items())), self._auth)
        async with self._client(context) as http:
            response = await http.send(asked, timeout_seconds=_left(context), max_bytes=_REACHED_BYTES)
        if response.status in {401, 403}:
            raise CallFailed(f"The service does not let us in (status {response.status}).", hint="Look at its `auth`.")
        if response.status >= 500:
            raise CallFailed(f"The service is there and does not work (status {response.status}).")
        return f"answers at {urlsplit(self._address.base).netloc} (status {response.status})"

    async def call(self, context: Context, arguments: Mapping[str, Json]) -> Result:
        made = self._made(arguments)
        secrets = with_auth(made, self._auth).secrets
        try:
            async with self._client(context) as http:
                if self._paging is not None:
                    found = await self._pages(http, context, made, self._paging)
                    return await anyio.to_thread.run_sync(self._reading.result, found, abandon_on_cancel=True)
                response = await self._sent(http, context, made)
                return await _aside(response, lambda: self._reading.result(self._reading.value(response, secrets)))
        except PegboardError as error:
            error.message = masked_text(error.message, secrets)
            error.args = (error.message,)
            raise

    async def _pages(self, http: Client, context: Context, made: Request, paging: Paging) -> Json | Nothing:
        """Return the items of all pages that are wanted."""
        items: list[Json] = []
        for page in count(1):
            response = await self._sent(http, context, made)
            read = partial(self._page, made, response, paging, len(items))
            found, following = await _aside(response, read)
            if isinstance(found, Nothing):
                return items or found
            items += found
            is_enough = page >= paging.declared.max_pages or len(items) >= paging.declared.max_items
            if is_enough and (following is not None or len(items) > paging.declared.max_items):
                context.emit(Noticed(_there_is_more(page, min(len(items), paging.declared.max_items))))
            if is_enough or following is None:
                break
            if isinstance(following, UpstreamFailed):
                raise following
            made = following
        return items[: paging.declared.max_items]

    def _page(
        self, made: Request, response: Response, paging: Paging, seen: int
    ) -> tuple[list[Json] | Nothing, Request | UpstreamFailed | None]:
        """Return the items of one page, and what asks for the next; or why that cannot be asked for."""
        value = self._reading.value(response, with_auth(made, self._auth).secrets)
        if isinstance(value, Nothing):
            return value, None
        items = paging.items_of(value)
        try:
            return items, paging.following(made, response, value, seen + len(items))
        except UpstreamFailed as error:
            return items, error

    async def _sent(self, http: Client, context: Context, made: Request) -> Response:
        return await http.send(
            with_auth(made, self._auth),
            timeout_seconds=_left(context),
            max_bytes=self._block.max_size,
            network_timeout_seconds=context.network_seconds,
            redirects=self._block.redirects,
        )

    def _made(self, arguments: Mapping[str, Json]) -> Request:
        """Return what is sent, without who asks.

        Raises:
            CallFailed: the service is off.
            InvalidArguments: the arguments cannot be sent.
        """
        self._refuse_off()
        block = self._block
        url = self._address.url(arguments)
        if pairs := query_of(block.query, arguments, block.lists):
            url = f"{url}{'&' if '?' in url else '?'}{encoded(pairs)}"
        headers = headers_of({**self._source.headers, **block.headers}, arguments)
        content = content_of(block.body, arguments, block.body_as)
        if content is not None and not any(name.lower() == "content-type" for name, _ in headers):
            headers.append(("Content-Type", content.type))
        body = content.data if content else None if block.method in {"GET", "HEAD", "DELETE"} else b""
        return Request(block.method, url, tuple(headers), body, is_foreign=self._address.is_open)

    def _client(self, context: Context) -> AbstractAsyncContextManager[Client]:
        """Return the client of this service: one for all its tools, so that no other can use up its connections."""
        key = ("http", self._policy, urlsplit(self._address.base).netloc)
        return context.using(key, lambda: client(self._policy))

    def _refuse_off(self) -> None:
        if not self._source.base_url:
            hint = self._source.missing or "Set the `base_url` of its source."
            raise CallFailed("The service of this tool is off: its address is not set.", hint=hint)

    def _secrets(self) -> list[str]:
        return secrets_of(self._auth) if self._auth else []


async def _aside(response: Response, read: Callable[[], T]) -> T:
    """Return what `read` makes of `response`; of a large one in a thread, so that other calls go on meanwhile."""
    if len(response.body) <= _READ_AT_ONCE:
        return read()
    return await anyio.to_thread.run_sync(read, abandon_on_cancel=True)


def _there_is_more(pages: int, items: int) -> str:
    asked = "One page was" if pages == 1 else f"{pages} pages were"
    return f"{asked} read, for {items} items; the service may have more. `max_pages` and `max_items` end the reading."


def _left(context: Context) -> float:
    return min(_LONGEST_SECONDS, max(0.0, context.deadline - anyio.current_time()))
