"""Run the application under uvicorn: take the port, say that it is ready, stop when told."""

import errno
import gc
import ipaddress
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec

import anyio
import uvicorn
from anyio.abc import TaskStatus

from pegboard.edges.served import Serving
from pegboard.edges.web.application import web_app
from pegboard.errors import PegboardError, UsageError

GRACE_SECONDS = 5
"""How long requests in flight may still take when the server is told to stop."""

_HEADER_BYTES = 128 * 1024
"""8,000 Chinese characters are 72,000 bytes in an address."""


class PortTaken(PegboardError):
    """Another process has the port."""


def take_port(host: str, port: int, *, allow_unauthenticated: bool = False) -> socket.socket:
    """Return a socket that listens on `host` and `port`; port 0 takes a free one.

    It listens at once, so that no other process can take the port while the index is built.

    Raises:
        UsageError: the host cannot be found, or can be reached from outside and that was not allowed.
        PortTaken: another process has the port.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except (OSError, UnicodeError) as error:
        raise UsageError(f"The host {host!r} cannot be found.", hint="Try --host 127.0.0.1.") from error
    if not (allow_unauthenticated or ipaddress.ip_address(str(address[0])).is_loopback):
        raise UsageError(
            f"The host {host!r} can be reached from other machines, where anyone could ask without a login.",
            hint="Use 127.0.0.1, or add --allow-unauthenticated if that is meant.",
        )
    taken = socket.socket(family, kind, protocol)
    try:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        taken.bind(address)
        taken.listen(2048)
    except OSError as error:
        taken.close()
        raise _not_taken(host, port, error) from error
    return taken


def _not_taken(host: str, port: int, error: OSError) -> PegboardError:
    if error.errno == errno.EADDRINUSE:
        return PortTaken(
            f"Port {port} of {host} is in use by another process.",
            hint=f"Choose another with --port {port + 1}, or let a free one be found with --port 0.",
        )
    if error.errno == errno.EACCES:
        return PortTaken(f"Port {port} is not ours to take.", hint="Choose one above 1023 with --port.")
    return UsageError(f"{host}:{port} cannot be listened on: {error.strerror}.", hint="Try --host 127.0.0.1.")


def url_of(taken: socket.socket) -> str:
    """Return the address at which this machine reaches what listens on `taken`."""
    host, port = taken.getsockname()[:2]
    address = ipaddress.ip_address(host)
    if address.is_unspecified:
        host = "127.0.0.1" if address.version == 4 else "::1"
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


async def serve(
    serving: Serving,
    taken: socket.socket,
    *,
    ready: Callable[[str], None],
    is_watching: bool = False,
    admin_token: str = "",
) -> int:
    """Serve until a signal says stop, and return that signal's number; `ready` is called with the URL.

    SIGHUP reloads the configuration, and so does a change of its documents if `is_watching`.
    """
    server = _Server(
        uvicorn.Config(
            web_app(serving, admin_token=admin_token),
            access_log=False,
            log_config=None,
            log_level="warning",
            lifespan="off",
            ws="none",
            server_header=False,
            proxy_headers=False,
            h11_max_incomplete_event_size=_HEADER_BYTES,
            timeout_graceful_shutdown=GRACE_SECONDS,
        ),
        ready=lambda: ready(url_of(taken)),
    )
    stopped_by = 0

    async def stop_at_a_signal(*, task_status: TaskStatus[None]) -> None:
        nonlocal stopped_by
        with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
            task_status.started()
            async for number in signals:
                server.force_exit = server.should_exit
                server.should_exit = True
                stopped_by = stopped_by or int(number)

    try:
        async with anyio.create_task_group() as group:
            await group.start(stop_at_a_signal)
            await group.start(_reload_at_a_signal, serving)
            group.start_soon(_prepare, serving)
            if is_watching:
                group.start_soon(serving.watch)
            await server.serve(sockets=[taken])
            group.cancel_scope.cancel()
    finally:
        gc.unfreeze()
    return stopped_by


async def _prepare(serving: Serving) -> None:
    """Make the first answers quick, and leave what is there then out of the collector's rounds.

    It holds the event loop while it looks at every object: the catalog and all modules, again and again. What the
    first snapshot leaves behind after a reload stays, if it refers to itself; later snapshots are not left out.
    """
    await serving.prepare()
    gc.collect()
    gc.freeze()


async def _reload_at_a_signal(serving: Serving, *, task_status: TaskStatus[None]) -> None:
    with anyio.open_signal_receiver(signal.SIGHUP) as signals:
        task_status.started()
        async for _ in signals:
            await serving.reload()


def has_uvloop() -> bool:
    """Tell whether the extra `fast` is installed."""
    return find_spec("uvloop") is not None


class _Server(uvicorn.Server):
    """uvicorn without its own handling of signals, which ends the process before anything can be closed."""

    def __init__(self, config: uvicorn.Config, *, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._ready()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield
