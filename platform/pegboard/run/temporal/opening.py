"""Open the engine `temporal`: the connection, and the worker of this process."""

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import anyio
from temporalio.client import Client
from temporalio.service import RPCError
from temporalio.worker import Worker
from temporalio.worker.workflow_sandbox import SandboxedWorkflowRunner, SandboxRestrictions

from pegboard.errors import Unreachable
from pegboard.run.contexts import Contexts, During, unheld
from pegboard.run.journal.blobs import Blobs
from pegboard.run.node.durations import Durations
from pegboard.run.node.slots import MAX_PARALLEL, Slots
from pegboard.run.temporal.client import Service
from pegboard.run.temporal.engine import TemporalEngine
from pegboard.run.temporal.keep import Keep
from pegboard.run.temporal.nodes import Nodes
from pegboard.run.temporal.workflow import RunWorkflow

_log = logging.getLogger(__name__)

HEARTBEAT_SECONDS = 15.0
_CONNECT_SECONDS = 10.0
_STICKY = timedelta(seconds=2)
"""How long a worker that has a run in memory is waited for, before another takes the run up."""
_MOST_ACTIVITIES = 1000
"""Nodes that a worker has at once; how many of them work is our own limit's (`Slots`), which those that wait lend."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where a Temporal service is, and which part of it is ours."""

    host: str = "127.0.0.1:7233"
    namespace: str = "default"
    queue: str = "pegboard"
    api_key: str = ""
    is_tls: bool = False


async def connected(address: Address) -> Client:
    """Connect.

    Raises:
        Unreachable: nothing answers there, or the namespace is not there.
    """
    client: Client | None = None
    why = f"no answer within {_CONNECT_SECONDS:g} s"
    with anyio.move_on_after(_CONNECT_SECONDS):
        try:
            client = await Client.connect(
                address.host,
                namespace=address.namespace,
                api_key=address.api_key or None,
                tls=address.is_tls or bool(address.api_key),
            )
            await client.count_workflows("TaskQueue = ''")
        except (RPCError, RuntimeError, ValueError) as error:
            client, why = None, str(error)
    if client is None:
        message = f"Temporal does not answer at {address.host!r} (namespace {address.namespace!r}): {why[:300]}."
        raise Unreachable(message, hint="Is it running? Are temporal_address and temporal_namespace right?")
    return client


async def found_at(address: Address) -> str:
    """Say whether Temporal answers, and how many servers do nodes for our task queue.

    Raises:
        Unreachable: it does not.
    """
    workers = await Service(await connected(address), address.queue).workers()
    doing = f"{workers} servers do nodes" if workers != 1 else "one server does nodes"
    return f"Temporal answers at {address.host}; {doing} of task queue {address.queue!r}"


@asynccontextmanager
async def opened_temporal(  # noqa: PLR0913 (what a server sets)
    folder: Path,
    contexts: Contexts,
    address: Address,
    *,
    is_working: bool = True,
    max_parallel: int = MAX_PARALLEL,
    heartbeat_seconds: float = HEARTBEAT_SECONDS,
    turn_after: int = 0,
    during: During = unheld,
) -> AsyncIterator[TemporalEngine]:
    """Open the engine; large results lie below `folder`, which all workers share.

    With `is_working` nodes are done here; without, runs are only answered for, begun and ended.

    Raises:
        Unreachable: there is no service.
    """
    service = Service(await connected(address), address.queue)
    keep, durations = Keep(Blobs(folder / "runs" / "temporal")), Durations()
    engine = TemporalEngine(
        service,
        contexts,
        keep,
        durations,
        heartbeat_seconds=heartbeat_seconds,
        turn_after=turn_after,
        is_working=is_working,
    )
    nodes = Nodes(
        service,
        contexts,
        during,
        keep,
        slots=Slots(anyio.CapacityLimiter(max_parallel)),
        durations=durations,
        beat_seconds=min(1.0, heartbeat_seconds / 4),
    )
    worker = Worker(
        service.client,
        task_queue=address.queue,
        workflows=[RunWorkflow],
        activities=[nodes.do, nodes.look, nodes.further] if is_working else [],
        workflow_runner=SandboxedWorkflowRunner(
            restrictions=SandboxRestrictions.default.with_passthrough_modules("pegboard")
        ),
        max_concurrent_activities=_MOST_ACTIVITIES if is_working else None,
        max_cached_workflows=1000 if is_working else 0,
        max_heartbeat_throttle_interval=timedelta(seconds=min(1.0, heartbeat_seconds / 4)),
        sticky_queue_schedule_to_start_timeout=_STICKY,
    )
    async with worker:
        yield engine
