"""The course of a run in Temporal: whatever its nodes come to, and wherever its history is cut, it ends the same way."""

from collections.abc import Callable
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from pegboard.llm.usage import Used
from pegboard.plan.graph import Node, Plan
from pegboard.plan.written import plan_json
from pegboard.run.request import RunRequest
from pegboard.run.schedule import ENDED
from pegboard.run.temporal.beginning import beginning
from pegboard.run.temporal.course import MOST_LOSSES, PLANNING, Course
from pegboard.run.temporal.log import entry_text, read_entry
from pegboard.run.temporal.todo import Todo
from pegboard.run.temporal.wire import Asked, Begin, Came, Looked, Planned, Resumed, Task, Told, Tooled
from pegboard.text import to_json
from tests.run.plans import TOOLS, behind, plans
from tests.run.running import tools, world

GAVE = '{"text":"done"}'


def begin(plan: Plan, **more: object) -> Begin:
    made = world(tools(**dict.fromkeys(TOOLS)))
    return beginning(RunRequest(plan, "here", inputs={"go": True}, max_parallel=3, **more), made.toolset)  # type: ignore[arg-type]


class Temporal:
    """Does what courses say, in an order of its own; with `cut`, each execution ends as soon as it may."""

    def __init__(self, begun: Begin, failing: frozenset[str], *, cut: bool, more: Plan | None = None) -> None:
        self.course = Course("run", "0", begun, 0.0)
        self.log: list[tuple[int, str, str]] = []
        self.starts: list[str] = []
        self._failing = failing
        self._cut = cut
        self._more = more
        self.asked = 0
        """How often further steps were asked for."""
        self._executions = 1
        self._under_way: list[tuple[Task, bool]] = []
        self._now = 0.0

    def run(self, choose: Callable[[int], int]) -> None:
        for _ in range(2000):
            self._take(self.course.advance(self._now))
            if self.course.is_over:
                self._note()
                return
            if self._under_way:
                self._end(*self._under_way.pop(choose(len(self._under_way))))
            elif (seconds := self.course.seconds_to_next()) is not None:
                self._now += seconds
            if self._cut and not self._under_way and not self.course.has_news:
                self._turn()
        raise AssertionError("it never ends")

    def _take(self, todo: Todo) -> None:
        for name in todo.cancel:
            for task, is_look in [each for each in self._under_way if each[0].name == name]:
                self._under_way.remove((task, is_look))
                self.course.lost(task, is_look=is_look)
        self.starts += [task.name for task in todo.start]
        self._under_way += [(task, False) for task in todo.start] + [(task, True) for task in todo.look]
        if todo.further is not None:
            self.asked += 1
            self.course.planned(self._planned())
        for task in todo.start:
            if task.tells_began:
                self.course.told(Told(task.name, task.attempt, has_begun=True))

    def _end(self, task: Task, is_look: bool) -> None:
        if is_look:
            self.course.looked(task, Looked("true"))
        else:
            self.course.came(task, Came(reason="no") if task.name in self._failing else Came(GAVE))

    def _planned(self) -> Planned:
        if self._more is None:
            return Planned()
        states = self.course.schedule.states
        steps = behind([name for name, state in states.items() if state == "succeeded"], self._more)
        told = {"plan": plan_json(steps), "by": "twin", "specs": {node.id: "s" for node in steps.nodes}}
        return Planned(to_json(told), {node.tool: Tooled("new") for node in steps.nodes}, Used(1, 2, 3))

    def _turn(self) -> None:
        self._note()
        carried = self.course.next()
        self.course = Course("run", str(self._executions), carried, self._now)
        self._executions += 1

    def _note(self) -> None:
        self.log += [(each.seq, each.entry.kind, each.entry.node) for each in self.course.log.entries]


@given(plans(), st.data())
def test_a_run_ends_with_each_node_accounted_for_wherever_its_history_is_cut(plan: Plan, data: st.DataObject) -> None:
    failing = frozenset(data.draw(st.sets(st.sampled_from([node.id for node in plan.nodes]), max_size=3)))
    order = data.draw(st.lists(st.integers(0, 100), min_size=40, max_size=40))
    ended = []
    for cut in (False, True):
        choices = iter(order * 60)
        temporal = Temporal(begin(plan), failing, cut=cut)
        temporal.run(lambda count, choices=choices: next(choices) % count)  # type: ignore[misc]
        ended.append(dict(temporal.course.schedule.states))
        assert [seq for seq, _, _ in temporal.log] == list(range(1, len(temporal.log) + 1))
        assert set(temporal.course.schedule.states.values()) <= ENDED
        assert len(temporal.starts) == len(set(temporal.starts)), "nothing is started twice"
        ends = [node for _, kind, node in temporal.log if kind == "node_ended"]
        assert sorted(ends) == sorted(node.id for node in plan.nodes)
    assert ended[0] == ended[1]


@given(plans(most=8), plans(most=5), st.data())
def test_a_run_that_grows_ends_with_each_node_accounted_for_wherever_its_history_is_cut(
    plan: Plan, more: Plan, data: st.DataObject
) -> None:
    failing = frozenset(data.draw(st.sets(st.sampled_from([node.id for node in plan.nodes]), min_size=1, max_size=3)))
    order = data.draw(st.lists(st.integers(0, 100), min_size=40, max_size=40))
    ended = []
    for cut in (False, True):
        choices = iter(order * 60)
        temporal = Temporal(begin(plan, further=True), failing, cut=cut, more=more)
        temporal.run(lambda count, choices=choices: next(choices) % count)  # type: ignore[misc]
        schedule, request = temporal.course.schedule, temporal.course.bag.request
        ended.append((dict(schedule.states), schedule.status, temporal.asked))
        assert [seq for seq, _, _ in temporal.log] == list(range(1, len(temporal.log) + 1))
        assert set(schedule.states.values()) <= ENDED
        assert len(temporal.starts) == len(set(temporal.starts)), "nothing is started twice"
        ends = [node for _, kind, node in temporal.log if kind == "node_ended"]
        assert sorted(ends) == sorted(node.id for node in request.plan.nodes)
        assert len(request.plan.nodes) == len(plan.nodes) + temporal.asked * len(more.nodes)
        assert sum(kind == "plan_extended" for _, kind, _ in temporal.log) == temporal.asked <= 1
        assert request.specs.keys() == request.plan.by_id.keys()
    assert ended[0] == ended[1]


def wanting() -> Course:
    """Return a run whose nodes have ended, and for which further steps are being planned."""
    course = Course("run", "0", begin(Plan((Node("a", "search"),)), further=True, deadline_seconds=10.0), 0.0)
    course.came(started(course)["a"], Came(reason="no"))
    assert course.advance(1.0).further is not None
    return course


def test_further_steps_whose_planner_has_ended_are_planned_again_and_not_for_ever() -> None:
    course = wanting()
    for _ in range(MOST_LOSSES - 1):
        course.planning_lost()
        assert course.advance(1.0).further is not None
    course.planning_lost()
    assert course.advance(1.0).further is None
    assert (course.is_over, course.standing().status) == (True, "failed")


def test_further_steps_that_cannot_be_planned_by_an_error_of_ours_wait_until_the_run_is_resumed() -> None:
    course = wanting()
    course.planning_lost(broken="a blob is missing")
    assert (course.advance(1.0).further, course.is_over, course.broken) == (None, False, "a blob is missing")
    course.resumed(Resumed(dict(course.bag.request.specs), dict(course.bag.tools)))
    assert course.advance(1.0).further is not None


def test_who_cancels_a_run_ends_the_planning_of_further_steps() -> None:
    course = wanting()
    course.asked(Asked("cancel", reason="enough"))
    assert course.advance(1.0).cancel == [PLANNING]
    course.planning_lost()
    course.advance(1.0)
    assert (course.is_over, course.standing().status, course.schedule.states) == (True, "cancelled", {"a": "failed"})


def test_the_deadline_of_a_run_ends_the_planning_of_further_steps_alone() -> None:
    course = wanting()
    assert course.seconds_to_next() == 10.0 - 1.0
    assert course.advance(10.0).cancel == [PLANNING]
    course.planned(Planned())
    course.advance(10.0)
    assert (course.is_over, course.standing().status) == (True, "failed")


def started(course: Course, now: float = 0.0) -> dict[str, Task]:
    return {task.name: task for task in course.advance(now).start}


def two(**more: object) -> Course:
    return Course("run", "0", begin(Plan((Node("a", "search"), Node("b", "details", depends_on=("a",)))), **more), 0.0)


def test_a_node_whose_worker_ended_is_done_again_and_fails_when_it_ends_them_all() -> None:
    course = two()
    for attempt in range(1, MOST_LOSSES + 1):
        task = started(course)["a"]
        assert task.attempt == attempt
        course.lost(task)
    course.advance(0.0)
    assert course.schedule.states == {"a": "failed", "b": "skipped"}
    assert "workers have ended" in course.schedule.reasons["a"]


def test_what_must_not_be_done_twice_fails_when_its_worker_has_ended() -> None:
    begun = begin(Plan((Node("a", "search"),)))
    begun = replace(begun, tools={"search": replace(begun.tools["search"], is_unrepeatable=True)})
    course = Course("run", "0", begun, 0.0)
    course.lost(started(course)["a"])
    course.advance(0.0)
    assert "may have done its work" in course.schedule.reasons["a"]


def test_what_an_earlier_attempt_still_says_does_not_count() -> None:
    course = two()
    first = started(course)["a"]
    course.lost(first)
    second = started(course)["a"]
    course.told(Told("a", first.attempt, note=["turn", "old"]))
    course.told(Told("a", second.attempt, note=["turn", "new"]))
    course.told(Told("a", second.attempt, note=["turn", "newer"]))
    course.advance(0.0)
    noted = [each.entry.output for each in course.log.entries if each.entry.kind == "node_noted"]
    assert noted == ["new"]


def test_a_run_whose_tool_was_changed_starts_nothing_until_it_is_resumed() -> None:
    course = two()
    course.came(started(course)["a"], Came(broken="tool 'search' is not what it was"))
    assert (started(course), course.broken) == ({}, "tool 'search' is not what it was")
    specs = {"a": "another", "b": "same"}
    course.resumed(Resumed(specs, {"search": Tooled("another"), "details": Tooled("same")}))
    task = started(course)["a"]
    assert (task.spec, task.attempt, course.broken) == ("another", 2, "")
    kinds = [each.entry.kind for each in course.log.entries]
    assert kinds == ["run_started", "node_started", "run_resumed", "node_started"]


def test_the_deadline_counts_only_while_nodes_work() -> None:
    course = two(deadline_seconds=10.0)
    task = started(course)["a"]
    assert course.seconds_to_next() == 10.0
    course.came(task, Came(GAVE))
    started(course, 4.0)
    assert course.seconds_to_next() == 6.0
    assert course.advance(10.0).cancel == ["b"]
    assert course.schedule.states["b"] == "cancelled"


def test_who_cancels_ends_the_run_and_the_runs_within_it_but_loses_nothing_that_was_done() -> None:
    course = Course("run", "0", begin(Plan((Node("a", "search"), Node("b", "details")))), 0.0)
    tasks = started(course)
    course.told(Told("b", 1, inside="run.b.x.1"))
    course.asked(Asked("cancel", reason="enough"))
    course.came(tasks["a"], Came(GAVE))
    assert course.advance(0.0).cancel == ["b"]
    course.lost(tasks["b"])
    assert course.advance(0.0).abandon == ["run.b.x.1"]
    assert (course.is_over, course.schedule.states) == (True, {"a": "succeeded", "b": "cancelled"})


def test_a_call_with_a_limit_counts_before_it_is_made() -> None:
    begun = begin(Plan((Node("a", "search"), Node("b", "search"))))
    begun = replace(begun, tools={"search": replace(begun.tools["search"], is_counted=True)})
    course = Course("run", "0", begun, 0.0)
    assert [task.calls for task in course.advance(0.0).start] == [{}, {"search": 1}]


def test_an_entry_is_read_as_it_was_written() -> None:
    course = two()
    started(course)
    for written in course.log.entries:
        assert to_json(read_entry("run", entry_text(written)).entry.body) == to_json(dict(written.entry.body))
