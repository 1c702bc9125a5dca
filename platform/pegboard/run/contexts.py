"""What an engine is given by whoever opens it: the contexts of its runs, and what keeps these usable."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import TypeAlias

from pegboard.run.context import CallContext
from pegboard.run.request import RunRequest

Contexts: TypeAlias = Callable[[RunRequest], CallContext]
"""Returns what the tools of a run are given.

Raises:
    UnknownSite: the site is there no longer.
"""

During: TypeAlias = Callable[[RunRequest], AbstractContextManager[None]]
"""Holds what the context of a run needs while the run is driven."""


def unheld(request: RunRequest) -> AbstractContextManager[None]:
    """Hold nothing."""
    return nullcontext()
