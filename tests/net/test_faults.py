"""Every way in which a service goes wrong has its declared outcome, within its limits, and leaves nothing open."""

import gc
import socket
import threading
from dataclasses import replace
from itertools import cycle, islice
from pathlib import Path

import anyio
import pytest

from pegboard.errors import PegboardError, UpstreamFailed
from pegboard.handlers.http import request
from tests.handlers.http.making import a_request, called
from tests.net.faulty import FAULTS, Faulty, faulty
from tests.net.outcomes import OUTCOMES, Ending, ending_of
from tests.twins import context

OPEN = Path("/proc/self/fd")
SOON = 0.3
"""Seconds that these calls have; what is silent is given up after a third of it."""


def tool_of(server: Faulty, fault: str) -> request:
    return impatient(f"{server.url}/{fault}")


def impatient(url: str) -> request:
    return a_request({"url": url, "reply": "json", "redirects": 3, "max_size": "256KiB"})


async def ended(tool: request) -> Ending:
    try:
        given = replace(context(deadline=anyio.current_time() + SOON), network_seconds=SOON / 3)
        result = await tool.call(given, {})
    except PegboardError as error:
        return ending_of(error)
    return Ending(None, result.text)


def test_every_fault_has_a_declared_outcome_and_there_are_more_than_twenty() -> None:
    assert set(OUTCOMES) == set(FAULTS)
    assert len(FAULTS) >= 20


@pytest.mark.parametrize("fault", FAULTS)
async def test_a_fault_ends_as_declared(fault: str) -> None:
    with anyio.fail_after(20):
        async with faulty() as server:
            found = await ended(tool_of(server, fault))
            await server.until(lambda: not server.connections)
    wanted = OUTCOMES[fault]
    assert wanted.says in found.says
    assert replace(found, says=wanted.says) == wanted


async def test_a_port_that_nobody_listens_at_can_be_tried_again() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/"
    with anyio.fail_after(20):
        found = await ended(impatient(url))
    message = "127.0.0.1 cannot be reached: there is no connection."
    assert found == Ending(UpstreamFailed, message, is_retryable=True)


async def test_a_name_that_nobody_has_can_be_tried_again() -> None:
    with anyio.fail_after(20):
        found = await ended(impatient("http://no-such-host.invalid/"))
    assert found.kind is not None
    assert issubclass(found.kind, UpstreamFailed)
    assert found.is_retryable


async def test_a_server_that_keeps_silent_where_tls_begins_is_given_up() -> None:
    async def silent(stream: anyio.abc.SocketStream) -> None:
        async with stream:
            await anyio.sleep_forever()

    with anyio.fail_after(20):
        listener = await anyio.create_tcp_listener(local_host="127.0.0.1")
        async with listener, anyio.create_task_group() as group:
            group.start_soon(listener.serve, silent)
            port = listener.extra(anyio.abc.SocketAttribute.local_port)
            found = await ended(impatient(f"https://127.0.0.1:{port}/"))
            group.cancel_scope.cancel()
    assert found.says == "Nothing came from 127.0.0.1 for 0.1 s."


async def test_a_server_without_tls_where_https_is_declared_is_a_failure() -> None:
    with anyio.fail_after(20):
        async with faulty() as server:
            found = await ended(impatient(f"{server.url.replace('http:', 'https:')}/echo"))
    assert (found.kind, found.says) == (UpstreamFailed, "127.0.0.1 cannot be reached: there is no connection.")


async def test_cancelling_a_call_closes_its_connection() -> None:
    with anyio.fail_after(20):
        async with faulty() as server, anyio.create_task_group() as group:
            group.start_soon(called, tool_of(server, "hangs_after_headers"))
            await server.until(lambda: server.open_requests == 1)
            group.cancel_scope.cancel()
            with anyio.CancelScope(shield=True):
                await server.until(lambda: not server.connections)


def open_files() -> int:
    return len(list(OPEN.iterdir()))


@pytest.mark.skipif(not OPEN.is_dir(), reason="counts by /proc")
async def test_faults_at_once_leave_nothing_open() -> None:
    names = [name for name in FAULTS if name != "gzip_bomb"]
    async with faulty() as server:
        for name in names:  # what is made once and stays is made now
            await ended(tool_of(server, name))
        await server.until(lambda: not server.connections)
        before = (open_files(), threading.active_count())
        limiter = anyio.CapacityLimiter(20)

        async def one(name: str) -> None:
            async with limiter:
                await ended(tool_of(server, name))

        with anyio.fail_after(60):
            async with anyio.create_task_group() as group:
                for name in islice(cycle(names), 2 * len(names)):
                    group.start_soon(one, name)
            await server.until(lambda: not server.connections)
        gc.collect()
        assert (open_files(), threading.active_count()) == before
        assert server.open_requests == 0
