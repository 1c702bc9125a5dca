"""Each test of the contract runs on every engine."""

import uuid
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from pegboard.catalog.tool import Tool
from pegboard.run.context import Solving
from pegboard.run.engine import Engine
from pegboard.run.temporal.opening import Address, opened_temporal
from tests.run.opening import Opening
from tests.run.running import engine as local_engine
from tests.run.running import world


@pytest.fixture(params=["local", pytest.param("temporal", marks=pytest.mark.temporal)])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Opening:
    """Return what opens an engine on a folder; None: one that nobody opens again."""
    if request.param == "local":
        return local_engine
    address: str = request.getfixturevalue("temporal_address")
    queue = f"test-{uuid.uuid4().hex}"

    def opening(folder: Path | None, made: Sequence[Tool], **more: Any) -> AbstractAsyncContextManager[Engine]:
        return _temporal(folder or tmp_path / "once", made, Address(address, queue=queue), **more)

    return opening


@asynccontextmanager
async def _temporal(
    folder: Path,
    made: Sequence[Tool],
    address: Address,
    *,
    is_recovering: bool = True,
    solving: Solving | None = None,
    **more: Any,
) -> AsyncIterator[Engine]:
    """Open the engine; a run goes on with it whether it is meant to recover or not."""
    settings = {"heartbeat_seconds": 2.0, **more}
    async with opened_temporal(folder, lambda request: world(made, solving=solving), address, **settings) as opened:
        yield opened
