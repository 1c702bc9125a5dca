"""`HeldEvents`: what is told of work of which nobody knows yet whether it is wanted."""

from pegboard.events import Emit, Event


class HeldEvents:
    """Keeps events until they may be told, then passes them on."""

    def __init__(self) -> None:
        self._emit: Emit | None = None
        self._kept: list[Event] = []

    def __call__(self, event: Event) -> None:
        if self._emit is not None:
            self._emit(event)
        else:
            self._kept.append(event)

    def release(self, emit: Emit) -> None:
        """Tell `emit` what was kept, in its order, and all that comes from now on."""
        kept, self._kept, self._emit = self._kept, [], emit
        for event in kept:
            emit(event)
