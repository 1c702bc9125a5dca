"""What opens an engine, for tests of all of them."""

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any, Protocol

from pegboard.catalog.tool import Tool
from pegboard.run.engine import Engine


class Opening(Protocol):
    """Opens an engine for these tools."""

    def __call__(
        self, folder: Path | None, made: Sequence[Tool], **more: Any
    ) -> AbstractAsyncContextManager[Engine]: ...
