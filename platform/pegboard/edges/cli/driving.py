"""Runs that a command begins and follows: in this process, or by a running server (`remote_runs.py`)."""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from pegboard.edges.envelope import event_json
from pegboard.text import Json

if TYPE_CHECKING:
    from pegboard.edges.served import Served

CANCELLED = "it was cancelled from the command line"


@dataclass(frozen=True, slots=True)
class Order:
    """What shall be run: a plan, or what one shall be made for."""

    question: str = ""
    plan: Json = None
    """None: it is made for the question."""
    site: str | None = None
    tools: Sequence[str] = ()
    """The only ones that a plan may use; empty: all."""
    inputs: Mapping[str, Json] = field(default_factory=dict)
    max_parallel: int = 8
    deadline_seconds: float | None = None


class Drives(Protocol):
    """Where runs are driven; what it tells is the JSON of the REST routes."""

    async def plan(self, order: Order) -> dict[str, Json]:
        """Plan what is asked, and do nothing of it."""
        ...

    async def begin(self, order: Order) -> dict[str, Json]:
        """Begin a run and return its id as `run`, beside what `plan` tells where it was planned."""
        ...

    def events(self, run: str, *, after: int = 0) -> AsyncIterator[Mapping[str, Json]]:
        """Yield the events of a run from that after number `after` to the last."""
        ...

    def answer(self, run: str) -> AsyncIterator[Mapping[str, Json]]:
        """Yield the events of a run's answer; the last is `answer_ended`.

        Raises:
            CallFailed: no node gave anything.
        """
        ...

    async def view(self, run: str) -> dict[str, Json]:
        """Return how a run stands; of one that has ended, with its answer."""
        ...

    async def approve(self, run: str, node: str) -> None:
        """Let a node go on that waits for an approval."""
        ...

    async def cancel(self, run: str) -> None:
        """Let a run end; its events tell when it has."""
        ...


class Here:
    """Runs that this process drives; fulfils `Drives`."""

    def __init__(self, served: "Served") -> None:
        self._served = served

    async def plan(self, order: Order) -> dict[str, Json]:
        site = self._served.site_for(order.site, None)
        question = self._served.question(order.question, site=site, tools=order.tools)
        return dict((await self._served.plan(question)).to_json())

    async def begin(self, order: Order) -> dict[str, Json]:
        planned = await self.plan(order) if order.plan is None else None
        told = planned or {}
        run = await self._served.runs.start(
            self._served.site_for(order.site, None),
            told.get("plan", order.plan),
            inputs=order.inputs,
            question=order.question,
            max_parallel=order.max_parallel,
            deadline_seconds=order.deadline_seconds,
            planned=planned,
            tools=order.tools,
        )
        return {"run": run, **told}

    async def events(self, run: str, *, after: int = 0) -> AsyncIterator[Mapping[str, Json]]:
        async for event in self._served.runs.follow(run, after=after):
            yield event_json(event)

    async def answer(self, run: str) -> AsyncIterator[Mapping[str, Json]]:
        async for _, event in self._served.runs.written(run):
            yield event_json(event)

    async def view(self, run: str) -> dict[str, Json]:
        told = (await self._served.runs.show(run)).to_json()
        return told if told["status"] == "running" else {**told, "answer": await self._served.runs.answer(run)}

    async def approve(self, run: str, node: str) -> None:
        await self._served.runs.approve(run, node)

    async def cancel(self, run: str) -> None:
        await self._served.runs.cancel(run, CANCELLED)
