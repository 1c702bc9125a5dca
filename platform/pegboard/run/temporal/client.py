"""`Service`: how runs are reached in Temporal; what it cannot do is one of our errors."""

from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import timedelta
from typing import Any, TypeVar

import anyio
from temporalio.api.enums.v1 import TaskQueueType
from temporalio.api.taskqueue.v1 import TaskQueue
from temporalio.api.workflowservice.v1 import DescribeTaskQueueRequest
from temporalio.client import (
    Client,
    WorkflowExecution,
    WorkflowExecutionStatus,
    WorkflowFailureError,
    WorkflowHandle,
    WorkflowQueryFailedError,
)
from temporalio.common import WorkflowIDReusePolicy
from temporalio.exceptions import WorkflowAlreadyStartedError
from temporalio.service import RPCError, RPCStatusCode

from pegboard.errors import Unreachable
from pegboard.run.journal.row import UnknownRun
from pegboard.run.temporal.names import ASK, HEAR, KEPT, PAGE, RESUME, RUN, STANDING
from pegboard.run.temporal.wire import Asked, Begin, Page, Resumed, Standing, Told

T = TypeVar("T")


class TemporalAway(Unreachable):
    """Temporal does not answer."""


_RPC = timedelta(seconds=10)
_QUERY = timedelta(seconds=5)
_QUERY_TRIES = 6
_AGAIN_SECONDS = 1.0
_WORKFLOW_TASK = timedelta(seconds=5)
"""How long a worker may take to decide what follows; one that has just ended is waited for so long."""


class Service:
    """The runs of one task queue."""

    def __init__(self, client: Client, queue: str) -> None:
        self.client = client
        self.queue = queue

    async def start(self, run: str, begin: Begin, memo: dict[str, object]) -> bool:
        """Begin a run; False where it has been begun before."""
        try:
            await self.client.start_workflow(
                RUN,
                begin,
                id=run,
                task_queue=self.queue,
                memo=memo,
                id_reuse_policy=WorkflowIDReusePolicy.REJECT_DUPLICATE,
                task_timeout=_WORKFLOW_TASK,
                rpc_timeout=_RPC,
            )
        except WorkflowAlreadyStartedError:
            return False
        except RPCError as error:
            raise _error_of(run, error) from error
        return True

    async def standing(self, run: str) -> Standing:
        """Return how a run stands."""
        return await self._asked(run, STANDING, result_type=Standing)

    async def page(self, run: str, after: int) -> Page:
        """Return the next entries of a run after the number `after`; none: there are no more yet."""
        page: Page = await self._asked(run, PAGE, after, result_type=Page)
        while page.before:
            page = await self._asked(run, PAGE, after, execution=page.before, result_type=Page)
        return page

    async def kept(self, run: str, key: str, execution: str = "") -> str:
        """Return what a node gave or recorded, or what the run was given."""
        return await self._asked(run, KEPT, key, execution=execution, result_type=str)

    async def hear(self, run: str, told: Told) -> None:
        """Let a run know of what goes on inside of a node."""
        await self._signalled(run, HEAR, told)

    async def ask(self, run: str, asked: Asked) -> None:
        """Let a run know what somebody wishes; one that has ended is left as it is."""
        await self._signalled(run, ASK, asked)

    async def resume(self, run: str, resumed: Resumed) -> None:
        """Let a run go on."""
        await self._signalled(run, RESUME, resumed)

    async def ended(self, run: str, seconds: float) -> bool:
        """Wait until a run has ended, at most so long; whether it has."""
        with anyio.move_on_after(seconds):
            try:
                await self._handle(run).result()
            except WorkflowFailureError:
                return True
            except RPCError as error:
                raise _error_of(run, error) from error
            return True
        return False

    async def status(self, run: str) -> WorkflowExecutionStatus | None:
        """Return how Temporal itself sees a run."""
        try:
            return (await self._handle(run).describe(rpc_timeout=_RPC)).status
        except RPCError as error:
            raise _error_of(run, error) from error

    async def listed(self) -> AsyncIterator[WorkflowExecution]:
        """Yield the runs, the latest first; of one whose history was long, each execution."""
        query = f"WorkflowType = '{RUN}' AND TaskQueue = '{self.queue}'"
        try:
            async for each in self.client.list_workflows(query):
                yield each
        except RPCError as error:
            raise _error_of("", error) from error

    async def workers(self) -> int:
        """Return how many workers have lately asked for nodes to do."""
        queue = TaskQueue(name=self.queue)
        asked = DescribeTaskQueueRequest(
            namespace=self.client.namespace, task_queue=queue, task_queue_type=TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY
        )
        try:
            return len((await self.client.workflow_service.describe_task_queue(asked, timeout=_RPC)).pollers)
        except RPCError as error:
            raise _error_of("", error) from error

    async def _asked(self, run: str, query: str, *arguments: Any, result_type: type[T], execution: str = "") -> T:
        handle = self._handle(run, execution)
        tries = _QUERY_TRIES
        while True:
            tries -= 1
            try:
                found: T = await handle.query(query, args=arguments, result_type=result_type, rpc_timeout=_QUERY)
            except (RPCError, WorkflowQueryFailedError) as error:
                if tries and _is_timeout(error):
                    continue  # it may have been given to a worker that had just ended
                raise _error_of(run, error) from error
            return found

    async def _signalled(self, run: str, signal: str, argument: Any) -> None:
        try:
            await self._handle(run).signal(signal, argument, rpc_timeout=_RPC)
        except RPCError as error:
            raise _error_of(run, error) from error

    def _handle(self, run: str, execution: str = "") -> WorkflowHandle[Any, Any]:
        return self.client.get_workflow_handle(run, run_id=execution or None)


async def patiently(work: Callable[[], Awaitable[T]]) -> T:
    """Do `work` until Temporal can be reached: what a node does is not lost because that is away for a while."""
    while True:
        try:
            return await work()
        except TemporalAway:
            await anyio.sleep(_AGAIN_SECONDS)


def _is_timeout(error: Exception) -> bool:
    return isinstance(error, RPCError) and error.status in {RPCStatusCode.CANCELLED, RPCStatusCode.DEADLINE_EXCEEDED}


def _error_of(run: str, error: RPCError | WorkflowQueryFailedError) -> Exception:
    if isinstance(error, RPCError) and error.status == RPCStatusCode.NOT_FOUND:
        return UnknownRun(f"There is no run {run[:80]!r}.", hint="`platform runs list` shows those that are kept.")
    return TemporalAway(
        f"Temporal does not answer about run {run[:80]!r}: {error}.", hint="`platform doctor` looks at it."
    )
