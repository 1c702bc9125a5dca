"""Every wait is an event that the test holds: nothing here depends on how fast a machine is."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegboard.route.fan import Fanned, Patience, Rank, awaited, fan
from pegboard.route.score import Score

pytestmark = pytest.mark.anyio

LONG = 60.0


class Held:
    """Candidates whose scores arrive when the test says so."""

    def __init__(self, count: int) -> None:
        self.gates = [anyio.Event() for _ in range(count)]
        self.values: list[float | None] = [None] * count
        self.started: list[int] = []
        self.cancelled: set[int] = set()
        self.arrived: list[int] = []
        self.all_started = anyio.Event()
        self.result: Fanned | None = None
        self._news = anyio.Event()

    async def score(self, index: int) -> Score:
        self.started.append(index)
        if len(self.started) == len(self.gates):
            self.all_started.set()
        try:
            await self.gates[index].wait()
        except anyio.get_cancelled_exc_class():
            self.cancelled.add(index)
            raise
        return Score(self.values[index])

    def on_arrival(self, index: int, score: Score) -> None:
        self.arrived.append(index)
        self._news.set()
        self._news = anyio.Event()

    async def let(self, index: int, value: float | None) -> None:
        """Let a score arrive, and return when the fan has seen it."""
        news = self._news
        self.values[index] = value
        self.gates[index].set()
        await news.wait()


@asynccontextmanager
async def fanning(
    count: int,
    ranking: Sequence[int] | None = None,
    *,
    grace: float = LONG,
    within: float = LONG,
    at_once: Mapping[int, float] | None = None,
    rank: Rank | None = None,
) -> AsyncIterator[Held]:
    held = Held(count)
    for index, value in (at_once or {}).items():
        held.values[index] = value
        held.gates[index].set()
    patience = Patience(90, grace, within)

    async def run() -> None:
        held.result = await fan(held.score, ranking or range(count), patience, arrived=held.on_arrival, rank=rank)

    with anyio.fail_after(5):
        async with anyio.create_task_group() as group:
            group.start_soon(run)
            await held.all_started.wait()
            yield held


def values(held: Held) -> list[float | None]:
    assert held.result is not None
    return [score.value if score else None for score in held.result.scores]


async def test_all_are_scored_at_once_and_none_is_cut_off_below_the_early_stop() -> None:
    async with fanning(3) as held:
        await held.let(2, 89.9)
        await held.let(0, 10)
        await held.let(1, None)
    assert values(held) == [10, None, 89.9]
    assert held.result == Fanned((Score(10), Score(None), Score(89.9)), None)
    assert held.cancelled == set()


async def test_the_locally_best_start_first() -> None:
    async with fanning(3, [2, 0, 1]) as held:
        for index in range(3):
            await held.let(index, 1)
    assert held.started == [2, 0, 1]


async def test_an_early_stop_cancels_what_is_ranked_below_it_at_once() -> None:
    async with fanning(4, [1, 0, 2, 3]) as held:
        await held.let(1, 90)
    assert values(held) == [None, 90, None, None]
    assert held.cancelled == {0, 2, 3}
    assert held.result is not None
    assert held.result.stopped_by == 1


async def test_an_early_stop_waits_for_those_ranked_above_it_only() -> None:
    async with fanning(4, [1, 0, 2, 3]) as held:
        await held.let(0, 95)
        assert held.cancelled == set()
        await held.let(1, 99)
    assert values(held) == [95, 99, None, None]
    assert held.cancelled == {2, 3}


async def test_a_hit_during_the_grace_needs_no_one_below_itself() -> None:
    async with fanning(3, [0, 1, 2]) as held:
        await held.let(2, 95)
        await held.let(0, 92)
    assert values(held) == [92, None, 95]


async def test_grace_ends_by_itself() -> None:
    async with fanning(2, [0, 1], grace=0.01) as held:
        await held.let(1, 95)
    assert values(held) == [None, 95]
    assert held.cancelled == {0}


async def test_the_deadline_cuts_off_what_is_open() -> None:
    async with fanning(2, within=0.05, at_once={0: 50}) as held:
        pass
    assert values(held) == [50, None]
    assert held.result is not None
    assert held.result.stopped_by is None
    assert held.cancelled == {1}


async def test_when_all_have_answered_nobody_waits_for_the_grace_to_end() -> None:
    async with fanning(2, [0, 1]) as held:
        await held.let(1, 95)
        await held.let(0, None)
    assert values(held) == [None, 95]
    assert held.cancelled == set()


async def test_cancelling_the_request_cancels_every_call() -> None:
    held = Held(2)
    async with anyio.create_task_group() as group:
        group.start_soon(lambda: fan(held.score, [0, 1], Patience(90, LONG, LONG), arrived=held.on_arrival))
        await held.all_started.wait()
        group.cancel_scope.cancel()
    assert held.cancelled == {0, 1}


class LateRanking:
    """A ranking that is found when the test says so."""

    def __init__(self, *ranking: int) -> None:
        self.found = anyio.Event()
        self.is_cancelled = False
        self._ranking = ranking

    async def __call__(self) -> Sequence[int]:
        try:
            await self.found.wait()
        except anyio.get_cancelled_exc_class():
            self.is_cancelled = True
            raise
        return self._ranking


async def test_candidates_start_in_their_order_before_the_ranking_is_known() -> None:
    ranking = LateRanking(2, 0, 1)
    async with fanning(3, rank=ranking) as held:
        assert held.started == [0, 1, 2]
        ranking.found.set()
        for index in range(3):
            await held.let(index, 1)
    assert values(held) == [1, 1, 1]


async def test_a_hit_waits_for_the_ranking_which_then_may_end_the_scoring_at_once() -> None:
    ranking = LateRanking(2, 0, 1)
    async with fanning(3, rank=ranking) as held:
        await held.let(2, 95)
        await anyio.wait_all_tasks_blocked()
        assert held.cancelled == set()
        ranking.found.set()
    assert values(held) == [None, None, 95]
    assert held.cancelled == {0, 1}


async def test_a_late_ranking_says_who_is_waited_for() -> None:
    ranking = LateRanking(2, 0, 1)
    async with fanning(3, rank=ranking) as held:
        await held.let(0, 95)
        ranking.found.set()
        await anyio.wait_all_tasks_blocked()
        assert held.cancelled == set()
        await held.let(2, 10)
    assert values(held) == [95, None, 10]
    assert held.cancelled == {1}


async def test_grace_does_not_wait_for_the_ranking() -> None:
    ranking = LateRanking(0, 1)
    async with fanning(2, grace=0.01, rank=ranking) as held:
        await held.let(1, 95)
    assert values(held) == [None, 95]
    assert ranking.is_cancelled


async def test_when_all_have_answered_with_a_hit_nobody_waits_for_the_ranking() -> None:
    ranking = LateRanking(0, 1)
    async with fanning(2, rank=ranking) as held:
        await held.let(1, 95)
        await held.let(0, 10)
    assert values(held) == [10, 95]
    assert ranking.is_cancelled


@given(
    st.permutations(range(6)),
    st.sets(st.integers(0, 5)),
    st.lists(st.integers(0, 5), min_size=1, unique=True),
)
def test_only_those_ranked_above_every_hit_are_awaited(ranking: list[int], pending: set[int], hits: list[int]) -> None:
    pending -= set(hits)
    expected = {one for one in pending if all(ranking.index(one) < ranking.index(hit) for hit in hits)}
    assert awaited(ranking, pending, hits) == expected
    assert awaited(ranking, pending, []) == pending
