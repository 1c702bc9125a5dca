"""What deciding itself costs, beside NLWeb's way and a bare loop, with a scripted model.

    python -m benchmarks.decide              all of it
    python -m benchmarks.decide own lag      parts of it: own, slow, moment, lag

1. Stub scores without delay: all that is measured is our own work. Budget: 1, 3 and 10 ms at 6, 50 and 200 tools.
   Ours does more than the others: a deadline, one tolerant reading of each reply, events, a decision with its reasons.
2. Every reply after 300 ms: nobody may decide later than the others.
3. Replies after log-normal delays: how long after the earliest moment that the rules allow the decision falls.
4. Two thousand decisions at once, replies after log-normal delays: how late the event loop is for anything else.
"""

import argparse
import gc
import json
import random
import re
import statistics
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import nullcontext
from functools import partial

import anyio
import anyio.lowlevel

from benchmarks.many_tools import REPLY, make_toolset
from benchmarks.nlweb_selector import NLTool, ToolSelector, first_completed
from benchmarks.paired import Contender, paired, report
from pegboard.catalog.contract import Question
from pegboard.catalog.tool import Routing, Toolset
from pegboard.events import silent
from pegboard.llm.embedder import Embedder, SentenceEncoder
from pegboard.llm.hashed import HashedEmbedder
from pegboard.llm.model import Completion, Prompt
from pegboard.llm.scripted import ScriptedModel
from pegboard.llm.usage import count_call
from pegboard.route.embedded import EmbeddedScorer, train
from pegboard.route.router import Router
from pegboard.text import Json

BUDGETS = {6: 1.0, 50: 3.0, 200: 10.0}
TIMES = {6: 60, 50: 20, 200: 8}
QUESTION = "please compare some hotels near the old town"
SLOW_SECONDS = 0.3
MOMENTS = 200
CONCURRENT = 2000
CALLS_AT_ONCE = 500
"""What a very fast endpoint takes; the others are not limited, as NLWeb is not."""
CLOCKS = {"on the wall's clock": time.perf_counter, "processor time": time.process_time}
"""A busy machine shows on the first only."""
_NAME = re.compile(r"tool_(\d+)")

Delay = Callable[[], float]


def replies(count: int, *, winner: int | None = None) -> list[str]:
    """Return a reply for each tool: none ends the scoring early, unless `winner` is given."""
    scores = [40 + number * 7 % 45 for number in range(count)]
    if winner is not None:
        scores[winner] = 97
    return [json.dumps({"score": score, "query": "hotels"}) for score in scores]


class Stub(ScriptedModel):
    """A scripted model that keeps no record of what it was asked; it may have a limit of calls, as every model has."""

    def __init__(self, says: Callable[[str], Awaitable[str]], limiter: anyio.CapacityLimiter | None = None) -> None:
        super().__init__("")
        self._says = says
        self._limiter = limiter

    async def complete(
        self,
        prompt: Prompt,
        *,
        schema: Mapping[str, Json] | None = None,
        max_tokens: int = 512,
        timeout_seconds: float = 30.0,
    ) -> Completion:
        count_call()
        async with self._limiter or nullcontext():
            return Completion(await self._says(prompt.system))


class Case:
    """One question to one site, with the contenders that decide it."""

    def __init__(self, count: int, says: Sequence[str], delay: Delay | None, router: Router) -> None:
        self.toolset = make_toolset(count)
        self._says = says
        self._delay = delay
        self._router = router
        self.limiter: anyio.CapacityLimiter | None = None
        self._tools = [NLTool(tool.name, f"{tool.name}: {tool.prompt}", REPLY) for tool in self.toolset.tools]

    async def said(self, text: str) -> str:
        found = _NAME.search(text)
        assert found is not None
        if self._delay is not None:
            await anyio.sleep(self._delay())
        return self._says[int(found[1])]

    async def pegboard(self) -> object:
        question = Question(QUESTION, self.toolset.site)
        return await self._router.route(question, self.toolset, emit=silent, model=Stub(self.said, self.limiter))

    async def nlweb(self) -> object:
        async def ask(prompt: str, returns: Mapping[str, object]) -> str:
            return await self.said(prompt)

        return await ToolSelector(self._tools, ask, {"request.query": QUESTION}).select()

    async def bare(self) -> object:
        async def score(index: int) -> float:
            return float(json.loads(await self.said(self._tools[index].name))["score"])

        return await first_completed(len(self._tools), score)

    @property
    def contenders(self) -> dict[str, Contender]:
        return {"pegboard": self.pegboard, "NLWeb's algorithm": self.nlweb, "bare as_completed": self.bare}


def with_stub(count: int) -> Router:
    """Return a router whose local ranking costs next to nothing, so that it is not what is measured."""
    return Router(_scorer(make_toolset(count), HashedEmbedder()))


def with_encoder(count: int) -> Router:
    """Return a router that ranks as it does in earnest."""
    return Router(_scorer(make_toolset(count), SentenceEncoder()))


RANKINGS = {"stub ranking": with_stub, "real ranking": with_encoder}


def _scorer(toolset: Toolset, embedder: Embedder) -> EmbeddedScorer:
    scorer = train(embedder, toolset.tools)
    scorer.prepare(toolset)
    return scorer


async def own_cost() -> None:
    for count, budget in BUDGETS.items():
        for ending, winner in (("no early stop", None), ("early stop half-way", count // 2)):
            case = Case(count, replies(count, winner=winner), None, with_stub(count))
            case.toolset = make_toolset(count, Routing(fallback="tool_0", shortlist=count))  # as the others: all
            for kind, clock in CLOCKS.items():
                rounds = await paired(case.contenders, times=TIMES[count], clock=clock)
                held = "within" if statistics.median(rounds["pegboard"]) <= budget else "ABOVE"
                title = f"own cost, {count} tools, {ending}, {kind} ({held} the budget of {budget:g} ms)"
                report(title, rounds, "pegboard")


async def at_300_ms() -> None:
    for count in BUDGETS:
        for name, router in RANKINGS.items():
            case = Case(count, replies(count, winner=count // 2), lambda: SLOW_SECONDS, router(count))
            report(f"replies after 300 ms, {count} tools, {name}", await paired(case.contenders), "pegboard")


async def lag_under_load() -> None:
    gc.collect()
    gc.freeze()  # as the server does when it has started
    print(f"the event loop alone: {_told(await _lags(_idle, 1))}")
    for name, router in RANKINGS.items():
        case = Case(6, replies(6), partial(_log_normal, random.Random(1)), router(6))
        case.toolset = make_toolset(6, Routing(fallback="tool_0", timeout_seconds=120))
        case.limiter = anyio.CapacityLimiter(CALLS_AT_ONCE)
        contenders = case.contenders if name == "stub ranking" else {"pegboard": case.pegboard}
        for who, contender in contenders.items():
            told = _told(await _lags(contender, CONCURRENT))
            print(f"{CONCURRENT:,} decisions at once, 6 tools, {who}, {name}: {told}")


async def _idle() -> None:
    await anyio.sleep(5)


def _told(measured: tuple[list[float], float]) -> str:
    lags, seconds = measured
    p50, p99, most = (1000 * lags[int(share * (len(lags) - 1))] for share in (0.5, 0.99, 1.0))
    return f"late by p50 {p50:.1f} ms, p99 {p99:.1f} ms, most {most:.1f} ms; over after {seconds:.2f} s"


def _log_normal(chance: random.Random) -> float:
    return chance.lognormvariate(-1.2, 0.5)


async def _lags(contender: Contender, times: int) -> tuple[list[float], float]:
    """Return how late a task was that wants to run each millisecond, sorted, and how long all took.

    A tick that comes late makes those late that were due meanwhile: each of them counts.
    """
    lags: list[float] = []

    async def tick() -> None:
        due = anyio.current_time() + 0.001
        while True:
            await anyio.sleep_until(due)
            now = anyio.current_time()
            while due <= now:
                lags.append(now - due)
                due += 0.001

    started = anyio.current_time()
    async with anyio.create_task_group() as ticking:
        ticking.start_soon(tick)
        await anyio.lowlevel.checkpoint()
        async with anyio.create_task_group() as deciding:
            for _ in range(times):
                deciding.start_soon(contender)
                await anyio.lowlevel.checkpoint()  # as a server takes one request after the other
        seconds = anyio.current_time() - started
        ticking.cancel_scope.cancel()
    return sorted(lags), seconds


async def moments() -> None:
    """Compare the moment of each decision with the earliest that the rules allow, which its replies' delays tell."""
    chance = random.Random(2)
    for count in (6, 50):
        toolset = make_toolset(count)
        for name, embedder in (("stub ranking", HashedEmbedder()), ("real ranking", SentenceEncoder())):
            scorer = _scorer(toolset, embedder)
            local = [score.value or 0.0 for score in await scorer.score(QUESTION, toolset)]
            ranking = sorted(range(count), key=lambda index: -local[index])
            late = [await _lateness(chance, toolset, Router(scorer), ranking) for _ in range(MOMENTS)]
            p50, p95, p99 = (sorted(late)[int(share * (MOMENTS - 1))] for share in (0.5, 0.95, 0.99))
            near = sum(each <= 5 for each in late) / MOMENTS
            print(
                f"{MOMENTS} decisions, {count} tools, {name}: after the earliest moment by p50 {p50:.2f} ms, "
                f"p95 {p95:.2f} ms, p99 {p99:.2f} ms, most {max(late):.2f} ms; {near:.1%} within 5 ms"
            )


async def _lateness(chance: random.Random, toolset: Toolset, router: Router, ranking: Sequence[int]) -> float:
    """Return by how many milliseconds one decision came after the earliest moment; replies are log-normally late."""
    count = len(toolset.tools)
    seconds = [chance.lognormvariate(-3.0, 0.6) for _ in range(count)]
    scores = [chance.choice([20, 50, 75, 85, 91, 97]) for _ in range(count)]

    async def said(text: str) -> str:
        found = _NAME.search(text)
        assert found is not None
        await anyio.sleep(seconds[int(found[1])])
        return json.dumps({"score": scores[int(found[1])]})

    started = anyio.current_time()
    await router.route(Question(QUESTION, toolset.site), toolset, emit=silent, model=Stub(said))
    took = anyio.current_time() - started
    return 1000 * (took - earliest(seconds, scores, ranking, toolset.routing))


def earliest(seconds: Sequence[float], scores: Sequence[float], ranking: Sequence[int], routing: Routing) -> float:
    """Return after how many seconds the rules allow a decision.

    All have answered; or some answer reaches `early_stop`, and then either those that are ranked above all such
    answers have answered too, or `grace_seconds` are over.
    """
    hits = [index for index, score in enumerate(scores) if score >= routing.early_stop]
    if not hits:
        return max(seconds)
    first = min(seconds[hit] for hit in hits)
    moments = sorted(moment for moment in seconds if moment >= first)
    return min(
        first + routing.grace_seconds, next(moment for moment in moments if _settled(moment, seconds, hits, ranking))
    )


def _settled(moment: float, seconds: Sequence[float], hits: Sequence[int], ranking: Sequence[int]) -> bool:
    best = min(ranking.index(hit) for hit in hits if seconds[hit] <= moment)
    return all(seconds[above] <= moment for above in ranking[:best])


PARTS = {"own": own_cost, "slow": at_300_ms, "moment": moments, "lag": lag_under_load}


async def main(parts: Sequence[str]) -> None:
    for part in parts:
        await PARTS[part]()


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    anyio.run(main, options.parse_args().parts or list(PARTS))
