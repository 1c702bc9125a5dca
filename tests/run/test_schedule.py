"""Who runs when: claims about the schedule of any plan, ended in any order, and resumed after any record."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegboard.plan.graph import Node, Plan, Race
from pegboard.run.moves import Moves
from pegboard.run.past.growing import with_more
from pegboard.run.record import (
    Approved,
    Failed,
    HeadStartOver,
    Held,
    Judged,
    RaceTimedOut,
    Record,
    RunCancelled,
    Succeeded,
)
from pegboard.run.schedule import ENDED, Schedule
from tests.run.plans import behind, plans


class Driver:
    """Runs a schedule to its end; which of the running nodes ends next, and how, is chance's."""

    def __init__(self, schedule: Schedule, chance: random.Random, more: Plan | None = None) -> None:
        """Drive `schedule`; it grows by `more`, where it may."""
        self.schedule = schedule
        self.grown_after: int | None = None
        """How many records there were then."""
        self._more = more
        self.records: list[Record] = []
        self.started: list[str] = []
        self.running: list[str] = []
        self.timers: list[Record] = []
        self._chance = chance

    def run(self, *, stop: int | None = None) -> None:
        """Go on until the run is over, or `stop` records are written."""
        self._obey(self.schedule.moves())
        while not self.schedule.is_over and (stop is None or len(self.records) < stop):
            if self.schedule.wants_more:
                self._grow()
                continue
            choices: list[Record] = [*map(self._end, self.running), *self.timers]
            assert choices, f"nothing can happen: {self.schedule.states}"
            self.write(self._chance.choice(choices))

    def write(self, record: Record) -> None:
        if isinstance(record, Succeeded | Failed):
            self.running.remove(record.node)
        elif record in self.timers:
            self.timers.remove(record)
        self.schedule.apply(record)
        self.records.append(record)
        self._obey(self.schedule.moves())

    def _grow(self) -> None:
        if self._more is None:
            self.schedule.close()
            return
        self.grown_after = len(self.records)
        self.schedule = grown(self.schedule, self._more)
        self._obey(self.schedule.moves())

    def _end(self, node: str) -> Record:
        return Succeeded(node) if self._chance.random() < 0.6 else Failed(node, "so it is")

    def _obey(self, moves: Moves) -> None:
        while moves:
            for node in moves.start:
                self.started.append(node)
                self.running.append(node)
            self.running = [node for node in self.running if node not in moves.cancel]
            self.timers += [HeadStartOver(race) for race in moves.time_head_start]
            self.timers += [RaceTimedOut(race) for race in moves.time_race]
            for node in moves.judge:
                record = Judged(node, self._chance.random() < 0.6)
                self.schedule.apply(record)
                self.records.append(record)
            moves = self.schedule.moves()
        self.timers = [timer for timer in self.timers if timer.race not in self.schedule.winners]  # type: ignore[union-attr]


@given(plans(), st.integers(1, 4), st.randoms(use_true_random=False))
def test_every_node_is_accounted_for_and_starts_after_what_it_waits_for(
    plan: Plan, parallel: int, chance: random.Random
) -> None:
    driver = Driver(Schedule(plan, max_parallel=parallel), chance)
    driver.run()
    schedule = driver.schedule
    assert set(schedule.states.values()) <= ENDED
    assert len(driver.started) == len(set(driver.started))
    assert all(schedule.states[name] != "skipped" for name in driver.started)
    ended = [record.node for record in driver.records if isinstance(record, Succeeded | Failed)]
    for name in driver.started:
        for unit in plan.needs[name]:
            members = plan.members.get(unit, (unit,))
            assert unit in schedule.winners or all(schedule.states[member] in ENDED for member in members)
    for unit, winner in schedule.winners.items():
        assert [name for name in plan.members[unit] if schedule.states[name] == "succeeded"] == [winner]
    for node in plan.nodes:
        if node.fallback in driver.started:
            assert schedule.states[node.id] == "failed", "a fallback runs only after a failure"
    assert sorted(set(ended)) == sorted(ended)
    assert schedule.status in {"succeeded", "partly", "failed"}


@given(plans(), st.integers(1, 3), st.randoms(use_true_random=False))
def test_no_more_tools_run_at_once_than_may(plan: Plan, parallel: int, chance: random.Random) -> None:
    schedule = Schedule(plan, max_parallel=parallel)

    class Counting(Driver):
        def _obey(self, moves: Moves) -> None:
            super()._obey(moves)
            tools = [name for name, state in schedule.states.items() if state == "running"]
            assert sum(plan.by_id[name].type == "tool" for name in tools) <= parallel

    Counting(schedule, chance).run()


@given(plans(), st.randoms(use_true_random=False), st.data())
def test_a_run_that_breaks_off_after_any_record_goes_on_as_if_it_had_not(
    plan: Plan, chance: random.Random, data: st.DataObject
) -> None:
    whole = Driver(Schedule(plan, max_parallel=2), chance)
    whole.run()
    kept = whole.records[: data.draw(st.integers(0, len(whole.records)))]
    resumed = Schedule(plan, max_parallel=2)
    for record in kept:
        resumed.apply(record)
    resumed.interrupted()
    done = {name for name, state in resumed.states.items() if state in ENDED}
    again = Driver(resumed, chance)
    again.run()
    assert not done & set(again.started)
    assert resumed.is_over
    for race, winner in Schedule_after(plan, kept).winners.items():
        assert resumed.winners[race] == winner


@given(plans(), st.randoms(use_true_random=False))
def test_the_same_records_give_the_same_state(plan: Plan, chance: random.Random) -> None:
    driver = Driver(Schedule(plan, max_parallel=3), chance)
    driver.run()
    folded = Schedule_after(plan, driver.records)
    assert (folded.states, folded.winners) == (driver.schedule.states, driver.schedule.winners)
    assert folded.status == driver.schedule.status


def grown(schedule: Schedule, more: Plan) -> Schedule:
    """Return what `schedule` is when `more` stands behind what has succeeded in it."""
    done = [name for name, state in schedule.states.items() if state == "succeeded"]
    return schedule.grown(with_more(schedule.plan, behind(done, more)))


@given(plans(), plans(most=6), st.integers(1, 3), st.randoms(use_true_random=False))
def test_a_plan_that_grows_starts_nothing_again_and_accounts_for_what_was_added(
    plan: Plan, more: Plan, parallel: int, chance: random.Random
) -> None:
    driver = Driver(Schedule(plan, max_parallel=parallel, may_grow=True), chance, more)
    driver.run()
    schedule = driver.schedule
    assert schedule.is_over
    assert not schedule.wants_more
    assert set(schedule.states.values()) <= ENDED
    assert len(driver.started) == len(set(driver.started))
    if driver.grown_after is None:
        assert schedule.plan == plan
        return
    assert len(schedule.plan.nodes) == len(plan.nodes) + len(more.nodes)
    before = Schedule_after(plan, driver.records[: driver.grown_after])
    assert before.states == {name: schedule.states[name] for name in before.states}
    assert before.winners == {unit: won for unit, won in schedule.winners.items() if unit in before.winners}
    if before.status == "partly" and not any(node.on_failure == "fail" for node in more.nodes):
        assert schedule.status == "partly", "what was reached stays reached, and what failed stays told"


@given(plans(), plans(most=6), st.randoms(use_true_random=False), st.data())
def test_a_plan_that_grows_is_the_same_however_its_records_are_read(
    plan: Plan, more: Plan, chance: random.Random, data: st.DataObject
) -> None:
    driver = Driver(Schedule(plan, may_grow=True), chance, more)
    driver.run()
    whole = driver.schedule
    at_once = Schedule(whole.plan, first=len(plan.nodes) if driver.grown_after is not None else 0)
    for record in driver.records:
        at_once.apply(record)
    assert (at_once.states, at_once.winners, at_once.came_to) == (whole.states, whole.winners, whole.came_to)
    resumed = Schedule(plan, may_grow=True)
    kept = driver.records[: data.draw(st.integers(0, len(driver.records)))]
    for place, record in enumerate(kept):
        if place == driver.grown_after:
            resumed = grown(resumed, more)
        resumed.apply(record)
    resumed.interrupted()
    done = {name for name, state in resumed.states.items() if state in ENDED}
    again = Driver(resumed, chance, more)
    again.run()
    assert again.schedule.is_over
    assert not done & set(again.started)


def Schedule_after(plan: Plan, records: list[Record]) -> Schedule:  # noqa: N802 (reads as what it returns)
    schedule = Schedule(plan)
    for record in records:
        schedule.apply(record)
    return schedule


def chain(count: int) -> Plan:
    return Plan(tuple(Node(f"n{i}", "t", depends_on=(f"n{i - 1}",) if i else ()) for i in range(count)))


def test_a_failure_skips_a_chain_of_any_length() -> None:
    schedule = Schedule(chain(5000))
    assert schedule.moves().start == ["n0"]
    schedule.apply(Failed("n0", "no"))
    assert schedule.is_over
    assert (schedule.status, schedule.reasons["n4999"]) == ("failed", "n4998 came to nothing")


def test_a_node_starts_when_its_own_dependencies_are_done_and_waits_for_no_layer() -> None:
    plan = Plan((Node("slow", "t"), Node("fast", "t"), Node("next", "t", depends_on=("fast",))))
    schedule = Schedule(plan)
    assert schedule.moves().start == ["fast", "slow"]
    schedule.apply(Succeeded("fast"))
    assert schedule.moves().start == ["next"]


def test_the_longest_way_goes_first() -> None:
    short = [Node(f"s{i}", "t") for i in range(3)]
    long = [Node("a", "t"), Node("b", "t", depends_on=("a",)), Node("c", "t", depends_on=("b",))]
    schedule = Schedule(Plan((*short, *long)), max_parallel=1)
    assert schedule.moves().start == ["a"]


RACE = (Node("a", "t", race="r"), Node("b", "t", race="r"), Node("c", "t", arguments={"x": "${r.y}"}))


def test_the_first_success_wins_and_the_others_are_cancelled() -> None:
    schedule = Schedule(Plan(RACE))
    assert schedule.moves().start == ["a", "b"]
    schedule.apply(Failed("a", "no"))
    assert not schedule.moves()
    schedule.apply(Succeeded("b"))
    assert (schedule.winners, schedule.moves().start) == ({"r": "b"}, ["c"])
    schedule.apply(Succeeded("c"))
    assert (schedule.states, schedule.status) == ({"a": "failed", "b": "succeeded", "c": "succeeded"}, "succeeded")


def test_a_loser_that_succeeds_late_stays_a_loser() -> None:
    schedule = Schedule(Plan(RACE))
    schedule.moves()
    schedule.apply(Succeeded("b"))
    assert schedule.moves().cancel == ["a"]
    assert schedule.apply(Succeeded("a")) is False
    assert (schedule.states["a"], schedule.winners) == ("lost", {"r": "b"})


def test_a_race_that_all_have_failed_has_failed() -> None:
    schedule = Schedule(Plan(RACE))
    schedule.moves()
    schedule.apply(Failed("a", "no"))
    schedule.apply(Failed("b", "neither"))
    assert (schedule.states["c"], schedule.reasons["c"], schedule.status) == ("skipped", "r came to nothing", "failed")


def test_racers_in_turn_start_when_the_one_before_has_failed() -> None:
    schedule = Schedule(Plan(RACE, (Race("r", in_turn=True),)))
    assert schedule.moves().start == ["a"]
    schedule.apply(Failed("a"))
    assert schedule.moves().start == ["b"]


def test_a_favourite_has_its_head_start() -> None:
    schedule = Schedule(Plan(RACE, (Race("r", favourite="b", head_start_seconds=0.3),)))
    moves = schedule.moves()
    assert (moves.start, moves.time_head_start) == (["b"], ["r"])
    schedule.apply(HeadStartOver("r"))
    assert schedule.moves().start == ["a"]


def test_a_race_that_nobody_wins_in_time_is_lost_by_all() -> None:
    schedule = Schedule(Plan(RACE, (Race("r", timeout_seconds=1),)))
    assert schedule.moves().time_race == ["r"]
    schedule.apply(RaceTimedOut("r"))
    assert sorted(schedule.moves().cancel) == ["a", "b"]
    assert schedule.status == "failed"


@pytest.mark.parametrize(
    ("policy", "states", "status"),
    [
        ("skip_dependents", {"a": "failed", "b": "skipped", "c": "succeeded"}, "partly"),
        ("continue", {"a": "failed", "b": "succeeded", "c": "succeeded"}, "succeeded"),
        ("fail", {"a": "failed", "b": "cancelled", "c": "cancelled"}, "failed"),
    ],
)
def test_what_a_failure_does_is_said_by_its_node(policy: str, states: dict[str, str], status: str) -> None:
    first = Node("a", "t", on_failure=policy)  # type: ignore[arg-type]
    schedule = Schedule(Plan((first, Node("b", "t", depends_on=("a",)), Node("c", "t"))))
    schedule.moves()
    schedule.apply(Failed("a", "no"))
    for name in (*schedule.moves().start, "c"):
        schedule.apply(Succeeded(name))
    assert (schedule.states, schedule.status) == (states, status)


def test_a_node_whose_condition_does_not_hold_is_no_failure() -> None:
    plan = Plan((Node("a", "t", when="inputs.go"), Node("b", "t", depends_on=("a",)), Node("c", "t", needs="any")))
    schedule = Schedule(plan)
    assert schedule.moves() == Moves(start=["c"], judge=["a"])
    schedule.apply(Judged("a", False))
    schedule.apply(Succeeded("c"))
    assert (schedule.states, schedule.status) == ({"a": "skipped", "b": "skipped", "c": "succeeded"}, "succeeded")


def test_a_node_that_needs_any_runs_when_one_of_several_has_come_to_something() -> None:
    join = Node("j", "t", depends_on=("a", "b"), needs="any")
    schedule = Schedule(Plan((Node("a", "t"), Node("b", "t"), join)))
    schedule.moves()
    schedule.apply(Failed("a", "no"))
    assert not schedule.moves()
    schedule.apply(Succeeded("b"))
    assert schedule.moves().start == ["j"]


def test_what_waits_for_an_approval_takes_no_slot_and_goes_on_when_it_has_it() -> None:
    schedule = Schedule(Plan((Node("a", "t"), Node("b", "t"))), max_parallel=1)
    assert schedule.moves().start == ["a"]
    schedule.apply(Held("a"))
    assert schedule.moves().start == ["b"]
    schedule.apply(Approved("a"))
    assert not schedule.moves()
    schedule.apply(Succeeded("b"))
    assert (schedule.moves().start, schedule.approved) == (["a"], {"a"})


def test_sub_agents_hold_no_slot() -> None:
    agents = tuple(Node(f"a{i}", "writer", type="sub_agent") for i in range(3))
    schedule = Schedule(Plan((*agents, Node("t", "t"))), max_parallel=1)
    assert schedule.moves().start == ["a0", "a1", "a2", "t"]


def test_a_cancelled_run_starts_nothing_more() -> None:
    schedule = Schedule(chain(3))
    schedule.moves()
    schedule.apply(RunCancelled())
    assert (schedule.moves().cancel, schedule.status) == (["n0"], "cancelled")
    assert schedule.apply(Succeeded("n0")) is False


@pytest.mark.parametrize("parallel", [0, -1])
def test_no_slot_at_all_is_refused(parallel: int) -> None:
    with pytest.raises(ValueError, match="at least one"):
        Schedule(chain(1), max_parallel=parallel)


FALLBACK = (
    Node("a", "t", fallback="f"),
    Node("f", "t"),
    Node("b", "t", arguments={"x": "${a.y}"}),
)


def test_a_fallback_starts_when_its_node_has_failed_and_stands_in_for_it() -> None:
    schedule = Schedule(Plan(FALLBACK))
    assert schedule.moves().start == ["a"]
    schedule.apply(Failed("a", "no"))
    assert schedule.moves().start == ["f"]
    schedule.apply(Succeeded("f"))
    assert (schedule.moves().start, schedule.winners) == (["b"], {"a": "f"})
    schedule.apply(Succeeded("b"))
    assert (schedule.states, schedule.status) == ({"a": "failed", "f": "succeeded", "b": "succeeded"}, "succeeded")


def test_a_fallback_that_is_not_needed_is_skipped_and_that_is_no_failure() -> None:
    schedule = Schedule(Plan(FALLBACK))
    schedule.moves()
    schedule.apply(Succeeded("a"))
    assert schedule.moves().start == ["b"]
    schedule.apply(Succeeded("b"))
    assert (schedule.states["f"], schedule.reasons["f"], schedule.status) == (
        "skipped",
        "a has not failed",
        "succeeded",
    )


def test_a_fallback_does_not_run_for_a_node_that_was_never_tried() -> None:
    plan = Plan((Node("z", "t"), Node("a", "t", depends_on=("z",), fallback="f"), Node("f", "t")))
    schedule = Schedule(plan)
    schedule.moves()
    schedule.apply(Failed("z", "no"))
    assert (schedule.states, schedule.status) == ({"z": "failed", "a": "skipped", "f": "skipped"}, "failed")


def test_fallbacks_are_tried_one_after_the_other() -> None:
    nodes = (Node("a", "t", fallback="f"), Node("f", "t", fallback="g"), Node("g", "t"))
    schedule = Schedule(Plan(nodes))
    assert schedule.moves().start == ["a"]
    schedule.apply(Failed("a"))
    assert schedule.moves().start == ["f"]
    schedule.apply(Failed("f"))
    assert schedule.moves().start == ["g"]
    schedule.apply(Failed("g"))
    assert (schedule.is_over, schedule.status) == (True, "failed")


@pytest.mark.parametrize(
    ("policy", "state"), [("skip_dependents", "skipped"), ("continue", "waiting"), ("fail", "cancelled")]
)
def test_what_a_failure_does_is_done_when_the_fallback_has_failed_too(policy: str, state: str) -> None:
    head = Node("a", "t", fallback="f", on_failure=policy)  # type: ignore[arg-type]
    schedule = Schedule(Plan((head, *FALLBACK[1:])))
    schedule.moves()
    schedule.apply(Failed("a", "no"))
    assert (schedule.moves().start, schedule.states["b"]) == (["f"], "waiting")
    schedule.apply(Failed("f", "neither"))
    assert schedule.states["b"] == state


def test_a_fallback_waits_for_what_it_needs_itself() -> None:
    plan = Plan((Node("a", "t", fallback="f"), Node("z", "t"), Node("f", "t", depends_on=("z",))))
    schedule = Schedule(plan)
    schedule.moves()
    schedule.apply(Failed("a"))
    assert not schedule.moves()
    schedule.apply(Succeeded("z"))
    assert schedule.moves().start == ["f"]


def test_a_run_that_may_grow_is_not_over_before_it_is_known_whether_it_does() -> None:
    schedule = Schedule(chain(2), may_grow=True)
    schedule.moves()
    schedule.apply(Failed("n0", "no"))
    assert (schedule.is_over, schedule.wants_more, schedule.status, schedule.came_to) == (
        False,
        True,
        "running",
        "failed",
    )
    schedule.close()
    assert (schedule.is_over, schedule.status) == (True, "failed")


def test_a_run_that_is_cancelled_before_it_grows_ends_and_wants_no_more() -> None:
    schedule = Schedule(chain(1), may_grow=True)
    schedule.moves()
    schedule.apply(Failed("n0", "no"))
    assert schedule.apply(RunCancelled("enough"))
    assert (schedule.is_over, schedule.wants_more, schedule.status) == (True, False, "cancelled")


def test_a_run_of_which_all_succeeded_does_not_grow() -> None:
    schedule = Schedule(chain(1), may_grow=True)
    schedule.moves()
    schedule.apply(Succeeded("n0"))
    assert (schedule.is_over, schedule.wants_more, schedule.status) == (True, False, "succeeded")


def test_a_run_whose_last_node_ends_it_by_its_failure_has_failed() -> None:
    plan = Plan((Node("a", "t"), Node("b", "t", depends_on=("a",), on_failure="fail")))
    schedule = Schedule(plan)
    schedule.moves()
    schedule.apply(Succeeded("a"))
    schedule.moves()
    schedule.apply(Failed("b", "no"))
    assert (schedule.is_over, schedule.status) == (True, "failed")
