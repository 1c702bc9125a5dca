"""What is known of our own rooms without importing them: which change something, and what is to be minded of that.

Of a handler of anybody else's only its declaration says so. Not here: kinds (`http`, `sql` ...), which know it of
themselves.
"""

from collections.abc import Mapping

from pegboard.catalog.kind import Effect
from pegboard.catalog.tool import RUNNING_OTHERS

ROOMS = "pegboard.handlers"
"""The package that they lie in."""

WRITING: Mapping[str, frozenset[Effect]] = {
    f"{ROOMS}.documents:write_document": frozenset({"external"}),
    f"{ROOMS}.documents:remove_document": frozenset({"destructive"}),
}
"""Those that change something themselves, with their effects. What is written outlives its run and is read by people
and by other runs, so it is out of the house as far as that run is concerned; nothing is lost by it, for earlier
versions stay. What is removed cannot be had back."""


def spelled(handler: str) -> str:
    """Return the path of one of our rooms as `package.module:attribute`, and any other as it is."""
    is_room = handler.startswith(f"{ROOMS}.")
    return ":".join(handler.rsplit(".", 1)) if is_room and ":" not in handler else handler


def only_reads(handler: str) -> bool:
    """Tell whether a handler is a room of ours that changes nothing, and calls nothing that might."""
    return handler.startswith(f"{ROOMS}.") and handler not in WRITING and not handler.startswith(RUNNING_OTHERS)
