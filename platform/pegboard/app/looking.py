"""The runs of a configuration for whoever only looks at them: no catalog is built, no index opened."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio

from pegboard.app.running import Running
from pegboard.config.server.settings import Settings


@asynccontextmanager
async def runs_of(settings: Settings) -> AsyncIterator[Running]:
    """Open the journal of `settings`; an error of the block leaves it as it is, not in a group."""
    raised: Exception | None = None
    async with anyio.create_task_group() as group:
        try:
            yield Running(group, settings)
        except Exception as error:  # noqa: BLE001 (it is raised again below)
            raised = error
        group.cancel_scope.cancel()
    if raised is not None:
        raise raised
