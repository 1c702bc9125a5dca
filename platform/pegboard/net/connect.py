"""`Guarded`: opens connections to addresses that it has looked up and judged itself.

The name is looked up once, every address that it has is judged, and the connection goes to one of these: so nobody can
answer the second look-up differently. TLS and the header `Host` still have the name.
"""

import logging
from collections.abc import Iterable
from socket import SOCK_STREAM
from typing import NoReturn

import anyio
import httpcore2

from pegboard.errors import CallRefused
from pegboard.net.addresses import Address, literal
from pegboard.net.policy import Policy

_log = logging.getLogger(__name__)

REFUSED = "The address is none that this server asks; its log says why."


class Guarded(httpcore2.AsyncNetworkBackend):
    """Connects as far as a policy allows."""

    def __init__(self, policy: Policy, *, is_foreign: bool) -> None:
        self._policy = policy
        self._is_foreign = is_foreign
        self._plain = httpcore2.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 (httpcore2's seam has it)
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        """Connect to the first address of `host` that answers, all together within `timeout` seconds.

        Raises:
            CallRefused: the policy forbids one of the addresses.
            httpcore2.ConnectError, httpcore2.ConnectTimeout
        """
        started = anyio.current_time()
        addresses = await _looked_up(host, port, timeout)
        if why := self._policy.refusal(host, port, addresses, is_foreign=self._is_foreign):
            refuse(host, why)
        for left, address in zip(range(len(addresses), 1, -1), addresses, strict=False):
            seconds = _share(timeout, started, left)
            try:
                return await self._plain.connect_tcp(str(address), port, seconds, local_address, socket_options)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout):
                continue
        last = str(addresses[-1])
        return await self._plain.connect_tcp(last, port, _share(timeout, started, 1), local_address, socket_options)

    async def sleep(self, seconds: float) -> None:
        await self._plain.sleep(seconds)


def refuse(host: str, why: str) -> NoReturn:
    """Tell the operator why `host` is not asked, and the caller that it is not.

    Raises:
        CallRefused
    """
    _log.warning("%s is not asked: %s", host, why)
    raise CallRefused(REFUSED)


def _share(timeout: float | None, started: float, attempts: int) -> float | None:
    return None if timeout is None else max(0.0, timeout - (anyio.current_time() - started)) / attempts


async def _looked_up(host: str, port: int, seconds: float | None) -> list[Address]:
    """Return every address of `host`, each once, in the order in which they should be tried."""
    address = literal(host)
    if address is not None:
        return [address]
    try:
        with anyio.fail_after(seconds):
            found = await anyio.getaddrinfo(host, port, type=SOCK_STREAM)
    except TimeoutError as error:
        raise httpcore2.ConnectTimeout("its name is not looked up in time") from error
    except (OSError, UnicodeError) as error:
        raise httpcore2.ConnectError("there is no host of that name") from error
    read = (literal(str(place[0])) for *_, place in found)
    return list(dict.fromkeys(each for each in read if each is not None))
