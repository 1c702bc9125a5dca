"""`operation`: a tool that is one operation of an OpenAPI document, by the block `openapi` of its declaration."""

import math
from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from functools import partial
from urllib.parse import urlsplit

import anyio

from pegboard.catalog.contract import Context, Result
from pegboard.catalog.kind import (
    READING,
    About,
    Effect,
    Imported,
    Kind,
    Misdeclared,
    Misfit,
    Offered,
    Schema,
    effects_of_request,
)
from pegboard.config.blocks.openapi import OpenapiDeclaration
from pegboard.config.declaration import Declaration
from pegboard.errors import CallFailed
from pegboard.handlers.openapi.address import address_of, is_absolute, same_origin
from pegboard.handlers.openapi.arguments import arguments_of
from pegboard.handlers.openapi.importing import imported
from pegboard.handlers.openapi.offering import offered
from pegboard.handlers.openapi.replies import result_of
from pegboard.handlers.openapi.request import FRAMING, request_of, shown_request
from pegboard.handlers.openapi.security import carried, security_of
from pegboard.handlers.openapi.shown import shown
from pegboard.handlers.openapi.store import loaded, source_of
from pegboard.net.aside import aside
from pegboard.net.client import Client, client
from pegboard.net.exchange import Request
from pegboard.net.policy import Policy
from pegboard.text import Json, did_you_mean, named

_LONGEST_WAIT_SECONDS = 600.0


class operation(Kind):  # noqa: N801 (declarations name it so)
    """Sends the request that the document describes, and gives what the service answers."""

    def __init__(self, block: Declaration, about: About) -> None:
        """Find the operation in the source's document, and make its arguments' schema."""
        assert isinstance(block, OpenapiDeclaration)
        declared, document = source_of(about), loaded(about)
        found = document.api.operation(block.operation)
        if found is None:
            hint = did_you_mean(block.operation, document.api.operations, noun="operations")
            message = f"is the operation {block.operation!r}, which the document of {block.source!r} does not have"
            raise Misdeclared(Misfit(("operation",), message, hint))
        address = address_of(declared.base_url, document.api.server)
        own = found.server if is_absolute(found.server) and not declared.base_url else ""
        if address.misfits and not own:
            raise Misdeclared(*(Misfit(("source",), f"has a source that {each.message}") for each in address.misfits))
        self._operation = found
        self._base_url = own or address.url
        self._is_foreign = bool(own) and not same_origin(own, address.url)
        self._headers = {} if self._is_foreign else dict(declared.headers)
        secrets, auth = ((), None) if self._is_foreign else (declared.security, declared.auth)
        self._security = security_of(found, document.api.schemes, secrets, auth)
        given = {("header", name.lower()) for name in declared.headers}
        given |= set(carried(found, document.api.schemes, declared.auth))
        given |= {("header", name) for name in FRAMING}
        self._arguments = arguments_of(found, document.schemas, given)
        self._shown = shown(self._arguments.schema)
        self._policy = Policy.of(about.settings)
        self._effects = effects_of_request(found.method, is_trusted=about.is_trusted)

    @property
    def parameters(self) -> Schema:
        return self._arguments.schema

    @property
    def shown(self) -> Schema:
        return self._shown

    @property
    def is_read_only(self) -> bool:
        return self._operation.method in READING

    @property
    def effects(self) -> frozenset[Effect]:
        """What a service answers is its text; what is sent to it leaves the house."""
        return self._effects

    def preview(self, arguments: Mapping[str, Json]) -> Json:
        return shown_request(self._request(arguments))

    async def call(self, context: Context, arguments: Mapping[str, Json]) -> Result:
        request = self._request(arguments)
        async with self._client(context) as http:
            response = await http.send(
                request, timeout_seconds=_left(context), network_timeout_seconds=context.network_seconds
            )
        work = partial(result_of, response, request, place=self._operation.place, wanted=self._wanted())
        return await aside(work, size=len(response.body))

    async def reach(self, context: Context) -> str:
        request = Request("GET", self._base_url, is_foreign=self._is_foreign)
        async with self._client(context) as http:
            response = await http.send(
                request, timeout_seconds=_left(context), network_timeout_seconds=context.network_seconds
            )
        if response.status >= 500:
            raise CallFailed(f"{self._base_url} answers {response.status}.")
        return f"{self._base_url} answers"

    @classmethod
    async def imported(cls, place: str, about: About) -> Imported:
        return await imported(place, about)

    @classmethod
    def offered(cls, about: About) -> Sequence[Offered]:
        return offered(about)

    def _client(self, context: Context) -> AbstractAsyncContextManager[Client]:
        """Return the client that calls to this service share."""
        key = ("http", self._policy, urlsplit(self._base_url).netloc)
        return context.using(key, lambda: client(self._policy))

    def _request(self, arguments: Mapping[str, Json]) -> Request:
        return request_of(
            self._operation,
            self._arguments,
            arguments,
            base_url=self._base_url,
            headers=self._headers,
            security=self._security,
            is_foreign=self._is_foreign,
        )

    def _wanted(self) -> str:
        """Say what to declare, where the service does not let us in."""
        if self._security.wanted:
            return f"It asks for {named(self._security.wanted)}: declare its secret under `security` of the source."
        return ""


def _left(context: Context) -> float:
    left = context.deadline - anyio.current_time()
    return min(max(left, 0.001), _LONGEST_WAIT_SECONDS) if math.isfinite(left) else _LONGEST_WAIT_SECONDS
