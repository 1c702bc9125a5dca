"""What an edge may know of the threads that handlers work in: part of the seam of `served`."""

from typing import Protocol


class Held(Protocol):
    """How often handlers that block have held the event loop."""

    @property
    def times(self) -> int: ...

    @property
    def seconds(self) -> float:
        """For how long, in all."""
        ...


class Working(Protocol):
    """The threads that handlers work in."""

    @property
    def running(self) -> int:
        """How many work now, whether they are waited for or not."""
        ...

    @property
    def abandoned(self) -> int:
        """How many of them nobody waits for: their calls were cancelled, or out of time."""
        ...

    @property
    def abandoned_ever(self) -> int:
        """How many were let go before they ended."""
        ...
