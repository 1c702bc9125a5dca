"""On a virtual clock: the choice is the declared one, and it falls at the earliest moment that the rules allow.

Times are whole parts of 1/1024 second, so that sums of them are exact.
"""

import json
import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import anyio
import trio
import trio.testing
from hypothesis import given, settings
from hypothesis import strategies as st

from pegboard.catalog.tool import Routing
from pegboard.llm.model import Prompt
from pegboard.llm.scripted import ScriptedModel
from pegboard.route.choose import choose
from pegboard.route.decision import Candidate
from pegboard.route.local import Local
from pegboard.route.score import Score
from pegboard.route.strategies.score import ByScore
from pegboard.route.strategies.strategy import Asked, Scored
from tests.route.conftest import ask, make_tool, make_toolset
from tests.route.strategies.conftest import tools_in

TICK = 1 / 1024
NAMES = [f"t{number}" for number in range(40)]
TOOLS = [make_tool(name) for name in NAMES]


@dataclass(frozen=True)
class Reply:
    """What a candidate's call says, and when."""

    ticks: int
    raw: object
    value: float | None


@dataclass(frozen=True)
class Settled:
    """What the rules lead to."""

    ticks: int
    known: frozenset[int]


def settle(replies: Sequence[Reply], ranking: Sequence[int], routing: Routing) -> Settled:
    """Say by the rules alone, without tasks, when it is decided and whose scores are known then."""
    grace, timeout = round(routing.grace_seconds / TICK), round(routing.timeout_seconds / TICK)
    known: set[int] = set()
    hits: list[int] = []
    ends = timeout
    for index in sorted(range(len(replies)), key=lambda each: replies[each].ticks):
        reply = replies[index]
        if reply.ticks >= ends:
            return Settled(ends, frozenset(known))
        known.add(index)
        if reply.value is not None and reply.value >= routing.early_stop:
            ends = min(ends, reply.ticks + grace) if not hits else ends
            hits.append(index)
        above = ranking[: min((ranking.index(hit) for hit in hits), default=len(ranking))]
        if known >= set(above):
            return Settled(reply.ticks, frozenset(known))
    return Settled(ends, frozenset(known))


def scored(replies: Sequence[Reply], local: Sequence[float], routing: Routing) -> tuple[Scored, float]:
    """Score on a virtual clock, where each reply arrives exactly when it says; return how long it took."""
    by_name = dict(zip(NAMES, replies, strict=False))

    async def answer(prompt: Prompt) -> str:
        (name,) = tools_in(prompt)
        await anyio.sleep(by_name[name].ticks * TICK)
        return json.dumps({"score": by_name[name].raw})

    async def find() -> list[Score]:
        return [Score(value) for value in local]

    tools = tuple(TOOLS[: len(replies)])
    model = ScriptedModel(answer)
    asked = Asked(
        ask("x"),
        make_toolset(*tools, routing=routing),
        tools,
        Local(find),
        "twin",
        model,
        lambda index, score: None,
        lambda: None,
    )

    async def run() -> tuple[Scored, float]:
        began = anyio.current_time()
        found = await ByScore().score(asked)
        assert model.open_requests == 0
        return found, anyio.current_time() - began

    clock = trio.testing.MockClock(autojump_threshold=0)
    return anyio.run(run, backend="trio", backend_options={"clock": clock})


ODD: list[tuple[object, float | None]] = [
    (0, 0), (55, 55), (69.99, 69.99), ("70", 70), ("71/100", 71), (89.9, 89.9), ("90%", 90), (90, 90), ("95", 95),
    (100, 100), (150, 100), (-3, 0), ("about 80", 80), ("eighty", None), (None, None), ([90], None), (True, None),
    ({"value": 90}, None), ("", None), ("8 out of 10", 80),
]  # fmt: skip


@st.composite
def races(draw: st.DrawFn) -> tuple[list[Reply], list[float], Routing]:
    count = draw(st.integers(1, 8))
    ticks = draw(st.lists(st.integers(1, 12_000), min_size=count, max_size=count, unique=True))
    says = draw(st.lists(st.sampled_from(ODD), min_size=count, max_size=count))
    local = draw(st.lists(st.integers(0, 100).map(float), min_size=count, max_size=count))
    routing = Routing(
        fallback=draw(st.sampled_from(["", "t0", "t3"])),
        grace_seconds=draw(st.sampled_from([0, 154, 1024])) * TICK,
        timeout_seconds=draw(st.sampled_from([2048, 10_240])) * TICK,
    )
    replies = [Reply(when, raw, value) for when, (raw, value) in zip(ticks, says, strict=True)]
    return replies, local, routing


def candidates(scores: Sequence[float | None]) -> list[Candidate]:
    return [Candidate(name, score, "") for name, score in zip(NAMES, scores, strict=False)]


def chosen(scores: Sequence[float | None], routing: Routing) -> tuple[str | None, str]:
    choice = choose(candidates(scores), routing)
    return choice.candidate.tool if choice.candidate else None, choice.decided_by


@settings(max_examples=1500)
@given(races())
def test_the_choice_is_the_declared_one_and_what_was_cut_off_is_told(race: tuple[Any, Any, Routing]) -> None:
    replies, local, routing = race
    found, _ = scored(replies, local, routing)
    ranking = sorted(range(len(replies)), key=lambda index: (-local[index], index))
    expected = settle(replies, ranking, routing)
    by_the_rules = [reply.value if index in expected.known else None for index, reply in enumerate(replies)]
    values = [score.value for score in found.scores]
    assert values == by_the_rules
    assert chosen(values, routing) == chosen(by_the_rules, routing)

    late = [index for index in range(len(replies)) if index not in expected.known]
    assert [index for index, score in enumerate(found.scores) if score.state == "cut_off"] == late
    assert all(NAMES[index] in found.cut_off for index in late)
    assert bool(found.cut_off) is bool(late)
    everything = [reply.value for reply in replies]
    if not late:
        assert chosen(values, routing) == chosen(everything, routing)


@settings(max_examples=200)
@given(races(), st.randoms(use_true_random=False))
def test_without_a_cut_the_order_of_arrival_never_matters(race: tuple[Any, Any, Routing], rng: random.Random) -> None:
    replies, local, _ = race
    patient = Routing(early_stop=100.5, timeout_seconds=20_000 * TICK, fallback="t0")
    ticks = [reply.ticks for reply in replies]
    rng.shuffle(ticks)
    other = [Reply(when, reply.raw, reply.value) for when, reply in zip(ticks, replies, strict=True)]
    one, another = scored(replies, local, patient)[0], scored(other, local, patient)[0]
    assert one == another


@settings(max_examples=200)
@given(
    st.integers(2, 40),
    st.integers(0, 1 << 32).map(random.Random),
    st.sampled_from([0, 154, 1024]),
    st.floats(0.05, 0.6),
)
def test_with_log_normal_latencies_it_is_decided_at_the_earliest_moment(
    count: int, rng: random.Random, grace: int, share: float
) -> None:
    ticks: list[int] = []
    while len(ticks) < count:
        when = max(1, round(rng.lognormvariate(math.log(0.3), 0.6) / TICK))
        if when not in ticks:
            ticks.append(when)
    values = [95.0 if rng.random() < share else float(rng.randrange(90)) for _ in ticks]
    local = [float(rng.randrange(100)) for _ in ticks]
    replies = [Reply(when, value, value) for when, value in zip(ticks, values, strict=True)]
    routing = Routing(grace_seconds=grace * TICK, timeout_seconds=2.0)
    _, seconds = scored(replies, local, routing)
    ranking = sorted(range(count), key=lambda index: (-local[index], index))
    assert seconds == settle(replies, ranking, routing).ticks * TICK
