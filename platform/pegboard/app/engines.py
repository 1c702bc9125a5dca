"""Which engine drives the runs of a configuration, by its settings; each is imported only where it is used."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TYPE_CHECKING

from pegboard.config.server.settings import Settings
from pegboard.errors import UsageError
from pegboard.run.contexts import Contexts, During

if TYPE_CHECKING:
    from pegboard.run.engine import Engine
    from pegboard.run.local.engine import LocalEngine
    from pegboard.run.temporal.opening import Address

EXTRA = "pip install 'pegboard[temporal]', or set runs_engine to \"local\"."


@asynccontextmanager
async def opened_runs(
    settings: Settings, contexts: Contexts, during: During, *, is_staying: bool
) -> AsyncIterator["Engine"]:
    """Open the engine of `settings`; in a process that stays it drives on what others have left.

    Raises:
        JournalBroken: the journal cannot be used.
        Unreachable: Temporal does not answer.
        UsageError: the extra `temporal` is not installed.
    """
    if settings.runs_engine == "local":
        from pegboard.run.local.opening import opened_engine  # noqa: PLC0415 (only where there are runs)

        async with opened_engine(
            settings.data,
            contexts,
            durability=settings.runs_durability,
            max_parallel=settings.runs_parallel,
            is_recovering=is_staying,
            during=during,
        ) as engine:
            yield engine
        return
    address = temporal_of(settings)
    from pegboard.run.temporal.opening import opened_temporal  # noqa: PLC0415 (the extra)

    async with opened_temporal(
        settings.data,
        contexts,
        address,
        is_working=is_staying,
        max_parallel=settings.runs_parallel,
        during=during,
    ) as temporal:
        yield temporal


def opened_passing(
    settings: Settings, contexts: Contexts, during: During
) -> AbstractAsyncContextManager["LocalEngine"]:
    """Open an engine for runs that end with their request: they are in this process, and nothing of them is kept."""
    from pegboard.run.local.opening import opened_engine  # noqa: PLC0415 (only where there are runs)

    return opened_engine(None, contexts, durability="none", max_parallel=settings.runs_parallel, during=during)


def temporal_of(settings: Settings) -> "Address":
    """Return where Temporal is.

    Raises:
        UsageError: the extra `temporal` is not installed.
    """
    try:
        from pegboard.run.temporal.opening import Address  # noqa: PLC0415 (the extra)
    except ModuleNotFoundError as error:
        message = 'runs_engine is "temporal", and the extra `temporal` is not installed.'
        raise UsageError(message, hint=EXTRA) from error
    key = settings.temporal_api_key
    return Address(
        settings.temporal_address,
        settings.temporal_namespace,
        settings.temporal_task_queue,
        api_key="" if key is None else key.reveal(),
        is_tls=settings.temporal_tls == "on" or (settings.temporal_tls == "auto" and key is not None),
    )
