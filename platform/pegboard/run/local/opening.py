"""Open a local engine: its journal, its blobs, its name among those that drive runs, and the task that keeps it so."""

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio

from pegboard.run.contexts import Contexts, During, unheld
from pegboard.run.journal.blobs import Blobs
from pegboard.run.journal.journal import Journal
from pegboard.run.journal.row import Durability
from pegboard.run.local.engine import LEASE_SECONDS, LocalEngine
from pegboard.run.local.owner import Owner
from pegboard.run.node.slots import MAX_PARALLEL

_log = logging.getLogger(__name__)
_BEAT_SECONDS = 1.0
"""How often it is looked at what others wish of the runs that are driven here."""


@asynccontextmanager
async def opened_engine(  # noqa: PLR0913 (what a server sets)
    folder: Path | None,
    contexts: Contexts,
    *,
    durability: Durability = "process",
    max_parallel: int = MAX_PARALLEL,
    lease_seconds: float = LEASE_SECONDS,
    is_recovering: bool = False,
    during: During = unheld,
) -> AsyncIterator[LocalEngine]:
    """Open an engine with its journal below `folder`; with the durability `none`, in memory.

    With `is_recovering` it drives on what nobody drives, now and whenever a process has ended.

    Raises:
        JournalBroken: the journal cannot be used; it is left as it is.
    """
    where = None if durability == "none" else folder
    journal = Journal(where and where / "runs.db", durability)
    owner: Owner | None = None
    blobs = None if where is None else Blobs(where / "runs" / "blobs", is_synced=durability == "power")
    try:
        owner = Owner(where and where / "runs" / "owners")
        async with anyio.create_task_group() as group:
            engine = LocalEngine(
                group,
                journal,
                blobs,
                owner,
                contexts,
                max_parallel=max_parallel,
                lease_seconds=lease_seconds,
                during=during,
            )
            group.start_soon(_keep, engine, min(lease_seconds / 3, _BEAT_SECONDS), is_recovering)
            try:
                yield engine
            finally:
                group.cancel_scope.cancel()
    finally:
        journal.close()
        if owner is not None:
            owner.close()


async def _keep(engine: LocalEngine, seconds: float, is_recovering: bool) -> None:
    """Renew leases, hear wishes, and take up what others have left, until it is cancelled."""
    told = ""
    while True:
        try:
            if is_recovering:
                await engine.recover()
            await anyio.sleep(seconds)
            await engine.beat()
            told = ""
        except Exception as error:  # noqa: BLE001 (a disk that is full for a moment; a lost lease shows at the next entry)
            if str(error) != told:  # once, and not each second
                told = str(error)
                _log.error("the journal of runs cannot be kept up", exc_info=error)
            await anyio.sleep(seconds)
