"""`Waited`: what those get who wait for a run of this process."""

from dataclasses import dataclass, field

import anyio

from pegboard.catalog.contract import Ran


@dataclass(eq=False, slots=True)
class Waited:
    """Whoever waits for the end of a run that is driven here."""

    has_ended: anyio.Event = field(default_factory=anyio.Event)
    ran: Ran | None = None
    """What it came to; None: it broke off, or another process has it."""
