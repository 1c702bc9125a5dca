"""What is told of an event loop that was held."""

import logging

import anyio
import pytest

from pegboard.pacing.holding import Holding


def test_what_was_being_called_meanwhile_is_named_and_counted(caplog: pytest.LogCaptureFixture) -> None:
    holding = Holding()
    with caplog.at_level(logging.WARNING), holding.calling("slow"):
        with holding.calling("quick"):
            pass
        holding.beat(0.5)
        holding.beat(0.25)
    assert (holding.times, holding.seconds) == (2, 0.75)
    assert [record.getMessage().partition(":")[0] for record in caplog.records] == [
        "the event loop was held for 0.50 s while 'slow', 'quick' was being called",
        "the event loop was held for 0.25 s while 'slow' was being called",
    ]


def test_what_is_short_or_no_tool_of_is_not_told(caplog: pytest.LogCaptureFixture) -> None:
    holding = Holding()
    holding.beat(5.0)
    with holding.calling("a"):
        holding.beat(0.19)
    holding.beat(5.0)  # it ended after the last beat: it may have held the loop
    holding.beat(5.0)
    assert holding.times == 1


class LateClock:
    """A clock whose sleepers wake so much too late, in turn; then nobody does."""

    def __init__(self, *late: float) -> None:
        self.time = 0.0
        self._late = list(late)

    def now(self) -> float:
        return self.time

    async def sleep(self, seconds: float) -> None:
        if not self._late:
            await anyio.sleep_forever()
        self.time += seconds + self._late.pop(0)


async def test_it_looks_how_late_it_wakes() -> None:
    holding = Holding(clock=LateClock(0.01, 3.0, 0.0, 0.5))
    with anyio.fail_after(10), holding.calling("a"):
        async with anyio.create_task_group() as group:
            group.start_soon(holding.watch)
            await anyio.wait_all_tasks_blocked()
            group.cancel_scope.cancel()
    assert holding.times == 2
    assert holding.seconds == pytest.approx(3.5)
