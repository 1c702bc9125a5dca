"""`Bag`: what a run has besides its log and its schedule, and takes along into its next execution. Pure."""

import json
from collections.abc import Mapping
from dataclasses import asdict, replace

from pegboard.plan.graph import Node
from pegboard.run.past.growing import grown_request
from pegboard.run.request import RunRequest, read_request
from pegboard.run.taint import Tainted
from pegboard.run.temporal.kept import Kept
from pegboard.run.temporal.spent import Spent
from pegboard.run.temporal.timers import Timers
from pegboard.run.temporal.wire import Begin, Carried, Further, Planned, Standing, Task, Tooled
from pegboard.text import Json, to_json


class Bag:
    """Of one execution."""

    def __init__(self, run: str, execution: str, begin: Begin) -> None:
        """Pack it with what the run begins with, or what the execution before has left."""
        carried = begin.carried
        self.request: RunRequest = read_request(json.loads(carried.request if carried else begin.request))
        self.tools: dict[str, Tooled] = dict(carried.tools if carried else begin.tools)
        self.kept = Kept(execution, carried.kept if carried else {}, carried.places if carried else {})
        self.timers = Timers(carried.timers if carried else ())
        self.spent = Spent(carried.calls if carried else begin.calls, carried.used if carried else self.request.used)
        self.attempts: dict[str, int] = dict(carried.attempts) if carried else {}
        self.inside: dict[str, str] = dict.fromkeys(carried.inside, "") if carried else {}
        """Runs within nodes; the node, while it is being done."""
        self.taint = Tainted(*begin.taint) if begin.taint else None
        self.seconds_left = carried.seconds_left if carried else self.request.deadline_seconds
        self._run = run
        self._begin = begin

    def task(self, node: Node, names: set[str], winners: Mapping[str, str], now: float) -> Task:
        """Return what whoever does `node`, or looks at it, is given; `names` is what it may refer to."""
        request = self.request
        given, elsewhere = self.kept.given({name: winners.get(name, name) for name in sorted(names)})
        return Task(
            run=self._run,
            node=to_json(node.to_json()),
            name=node.id,
            attempt=self.attempts.get(node.id, 0),
            site=request.site,
            question=request.question,
            previous=list(request.previous),
            spec=self.tools[node.tool].spec,
            given=given,
            elsewhere=elsewhere,
            inputs=self.kept.short(self.inputs_text),
            noted=self.kept.notes_of(node.id),
            taint=self.taint_texts,
            calls=dict(self.spent.calls),
            used=self.spent.used,
            budget=to_json(asdict(request.budget)),
            seconds=now - self._begin.created,
            depth=self._begin.depth,
            around=self._begin.around,
            tells_began=bool(node.race) and self.timers.waits_for(node.race),
            seconds_left=self.seconds_left,
        )

    def further(self, now: float) -> Further:
        """Return what whoever plans further steps is given."""
        return Further(
            self._run,
            to_json(asdict(self.request.budget)),
            self.spent.used,
            seconds=now - self._begin.created,
            seconds_left=self.seconds_left,
        )

    def grow(self, planned: Planned) -> dict[str, Json]:
        """Take further steps into the plan, and return what is told of them; a tool that was called stays as it was."""
        told: dict[str, Json] = json.loads(planned.told)
        self.request = grown_request(self.request, told)
        self.tools = {**planned.tools, **self.tools}
        return told

    @property
    def inputs_text(self) -> str:
        """What the run was given, as text."""
        return to_json(dict(self.request.inputs))

    @property
    def taint_texts(self) -> list[str]:
        """The tool and the call that have returned text of others; empty: none have."""
        return [self.taint.tool, self.taint.by] if self.taint else []

    def standing(self, seq: int, status: str, ended: float | None, broken: str) -> Standing:
        """Return how the run stands."""
        return Standing(
            request=to_json(self.request.to_json()),
            created=self._begin.created,
            parent=self._begin.parent,
            seq=seq,
            status=status,
            ended=ended,
            broken=broken,
            inside=[*self.inside],
            taint=self.taint_texts,
            used=self.spent.used,
            calls=dict(self.spent.calls),
        )

    def next(self, seq: int, entries: list[str]) -> Begin:
        """Return what the next execution begins with, `entries` being those by which it is folded."""
        kept, places = self.kept.carried()
        carried = Carried(
            before=self.kept.execution,
            seq=seq,
            entries=entries,
            attempts=dict(self.attempts),
            kept=kept,
            places=places,
            timers=self.timers.texts(),
            seconds_left=self.seconds_left,
            used=self.spent.used,
            calls=dict(self.spent.calls),
            inside=[*self.inside],
            request=to_json(self.request.to_json()),
            tools=dict(self.tools),
        )
        return replace(self._begin, carried=carried, request="")
