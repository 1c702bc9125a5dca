"""A clock for tests: time passes only when somebody says so."""

import math

import anyio


class VirtualClock:
    """Fulfils `pegboard.pacing.clock.Clock`."""

    def __init__(self) -> None:
        self.time = 0.0
        self.slept: list[float] = []
        """How long each sleep was to be."""
        self._sleepers: list[tuple[float, anyio.Event]] = []

    def now(self) -> float:
        return self.time

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        sleeper = (self.time + seconds, anyio.Event())
        self._sleepers.append(sleeper)
        try:
            await sleeper[1].wait()
        finally:
            self._sleepers.remove(sleeper)

    async def run(self, until: float = math.inf) -> None:
        """Let time jump to each sleeper in turn, as long as somebody sleeps and wakes before `until`."""
        while True:
            await anyio.wait_all_tasks_blocked()
            due = min((each for each in self._sleepers if not each[1].is_set()), key=lambda each: each[0], default=None)
            if due is None or due[0] > until:
                return
            self.time = due[0]
            due[1].set()
