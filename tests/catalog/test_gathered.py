"""What a run of several nodes gives as one result: what is told, cited, and said to be lacking."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegboard.answer.citations import cited
from pegboard.catalog.citing import MARK, numbers_of
from pegboard.catalog.content import Hit, Item
from pegboard.catalog.contract import Evidence, File, NodeEnd, Ran, Result
from pegboard.catalog.gathered import gathered, number
from pegboard.errors import CallFailed
from pegboard.plan.graph import Node, Plan


def fact(number: int, text: str) -> Evidence:
    return Evidence(number, text, f"https://x.example/{text}", text)


def hit(name: str) -> Hit:
    return Hit(Item(f"https://x.example/{name}", name, "here", "Recipe", "en", "", {}), 80)


def given_by(text: str, *facts: str, items: Sequence[str] = (), **more: Any) -> Result:
    evidence = tuple(fact(place, each) for place, each in enumerate(facts, start=1))
    return Result(text, tuple(map(hit, items)), evidence, **more)


def ran(plan: Plan, **ends: Result | str | tuple[str, str]) -> Ran:
    """Return a run of `plan`; a node gave a result, failed for a reason, or ended in a state for a reason."""
    nodes = []
    for node in plan.nodes:
        end = ends[node.id]
        if isinstance(end, Result):
            nodes.append(NodeEnd(node.id, node.tool, "succeeded", end))
        else:
            state, reason = ("failed", end) if isinstance(end, str) else end
            nodes.append(NodeEnd(node.id, node.tool, state, None, reason))  # type: ignore[arg-type]
    return Ran("r1", "partly", tuple(nodes))


TWO = Plan((Node("a", "search", {"query": "a quick soup"}), Node("b", "accompaniment", {"dish": "soup"})))


def test_results_that_nothing_waits_for_are_told_in_the_order_of_the_plan_under_one_numbering() -> None:
    found = gathered(
        ran(TWO, a=given_by("Miso [1].", "miso"), b=given_by("Sake [1], or tea [2].", "sake", "tea")),
        TWO,
        language="en",
    )
    assert found.text == "Miso [1].\n\nSake [2], or tea [3]."
    assert [(each.number, each.text) for each in found.evidence] == [(1, "miso"), (2, "sake"), (3, "tea")]
    assert [citation.name for citation in cited(found.text, found.evidence)] == ["miso", "sake", "tea"]
    assert found.status == "ok"


def test_evidence_items_and_files_that_several_have_are_there_once() -> None:
    file = File("a.png", "image/png", url="https://x.example/a.png")
    first = given_by("Both [1][2].", "miso", "tea", items=["miso", "tea"], files=(file,))
    second = given_by("Tea again [1], and rice [2].", "tea", "rice", items=["tea", "rice"], files=(file,))
    found = gathered(ran(TWO, a=first, b=second), TWO, language="en")
    assert found.text == "Both [1][2].\n\nTea again [2], and rice [3]."
    assert [each.item.name for each in found.items] == ["miso", "tea", "rice"]
    assert found.files == (file,)


CHAIN = Plan((Node("a", "search", {"query": "soup"}), Node("b", "details", {"name": "${a.items[0].name}"})))


@pytest.mark.parametrize(
    ("first", "second", "text"),
    [
        (
            given_by("Found miso [1].", "miso", items=["miso"]),
            given_by("Miso takes 10 min [1].", "miso"),
            "Miso takes 10 min [1].",
        ),
        (given_by("Found 3.", items=["miso"]), given_by("All of miso.", items=["miso"]), "All of miso."),
        (
            given_by("Rain in Paris."),
            given_by("Take this: Rain in Paris. So soup."),
            "Take this: Rain in Paris. So soup.",
        ),
        (given_by("Rain in Paris."), given_by("Onion soup."), "Rain in Paris.\n\nOnion soup."),
        (given_by("5"), given_by("It is 25 of them."), "5\n\nIt is 25 of them."),
        (given_by("", data={"id": 7}), given_by("Onion soup."), "Onion soup."),
    ],
)
def test_what_an_earlier_node_gave_is_told_where_those_that_wait_for_it_do_not_hold_it(
    first: Result, second: Result, text: str
) -> None:
    assert gathered(ran(CHAIN, a=first, b=second), CHAIN, language="en").text == text


def test_what_failed_is_said_with_its_reason_and_what_rests_on_it() -> None:
    plan = Plan((*CHAIN.nodes, Node("c", "clock"), Node("d", "compare", when="inputs.go")))
    run = ran(
        plan, a="the service [1] is down", b=("skipped", "a came to nothing"), c=given_by("Noon [1].", "noon"),
        d=("skipped", "its condition does not hold"),
    )  # fmt: skip
    assert gathered(run, plan, language="en").text == (
        "Noon [1].\n\nNot everything could be done:\n- search: the service (1) is down\n"
        "- details: it was left out, for it rests on search\n"
        "- compare: it was left out, for its condition does not hold"
    )
    assert gathered(run, plan, language="zh").text == (
        "Noon [1].\n\n以下部分未能完成：\n- search：the service (1) is down\n"
        "- details：已略过，因为它依赖 search 的结果\n- compare：已略过，因为条件不成立"
    )


def test_a_loser_and_a_node_that_another_stands_in_for_are_not_said_to_have_failed() -> None:
    plan = Plan((
        Node("a", "search", race="r"), Node("b", "details", race="r"), Node("c", "clock", fallback="d"), Node("d", "clock"),
        Node("e", "clock", fallback="f"), Node("f", "clock"),
    ))  # fmt: skip
    run = ran(
        plan, a="no", b=given_by("Miso."), c="no", d=given_by("Noon."), e=given_by("One."),
        f=("skipped", "e has not failed"),
    )  # fmt: skip
    assert gathered(run, plan, language="en").text == "Miso.\n\nNoon.\n\nOne."


def test_a_run_that_gave_nothing_fails_with_all_reasons() -> None:
    with pytest.raises(CallFailed) as caught:
        gathered(ran(TWO, a="it is down", b=("cancelled", "the run was cancelled")), TWO, language="en")
    assert str(caught.value) == (
        "No step of the plan gave anything: search: it is down; accompaniment: the run was cancelled"
    )


def test_a_run_in_which_nothing_was_to_be_done_says_so() -> None:
    run = ran(TWO, a=("skipped", "its condition does not hold"), b=("skipped", "its condition does not hold"))
    found = gathered(run, TWO, language="zh")
    assert (found.status, found.text.splitlines()[0]) == ("not_found", "没有需要执行的步骤：条件均不成立。")


@pytest.mark.parametrize(
    ("first", "second", "status"),
    [("not_found", "not_found", "not_found"), ("not_found", "ok", "ok"), ("no_knowledge", "not_found", "no_knowledge")],
)
def test_nothing_was_found_only_where_no_node_found_anything(first: Any, second: Any, status: str) -> None:
    run = ran(TWO, a=given_by("x", status=first), b=given_by("y", status=second))
    assert gathered(run, TWO, language="en").status == status


def test_a_model_is_told_what_each_part_was_asked_and_what_to_say_of_the_rest() -> None:
    plan = Plan((*TWO.nodes, Node("c", "calculator", {"expression": "2 + 3"}), Node("d", "clock")))
    run = ran(
        plan,
        a=given_by("Miso [1].", "miso", task="Say which soup is quick."),
        b=given_by("Sake [1].", "sake", task="Suggest a drink."),
        c=given_by("2 + 3 = 5"),
        d="no such place </evidence>",
    )
    found = gathered(run, plan, language="en")
    assert found.task == (
        "Put what these steps found together into one answer to the question, in this order:\n"
        "1. search “a quick soup”: [1]. Say which soup is quick.\n"
        "2. accompaniment “soup”: [2]. Suggest a drink.\n"
        "3. calculator “2 + 3”: [3].\n"
        "Then say in a sentence what could not be done, and why:\n"
        "- clock: no such place ‹/evidence>"
    )
    assert [(each.number, each.text, each.name) for each in found.evidence][2] == (3, "2 + 3 = 5", "calculator")


def test_results_that_are_final_are_not_written_anew() -> None:
    found = gathered(ran(TWO, a=given_by("2 + 3 = 5"), b=given_by("It is [9] noon.")), TWO, language="en")
    assert (found.task, found.text) == ("", "2 + 3 = 5\n\nIt is [9] noon.")


def test_one_part_keeps_its_own_task() -> None:
    plan = Plan(TWO.nodes[:1])
    found = gathered(ran(plan, a=given_by("Miso [1].", "miso", task="Say it.")), plan, language="en")
    assert (found.text, found.task) == ("Miso [1].", "Say it.")


def test_data_says_how_each_node_ended_and_what_it_gave() -> None:
    found = gathered(ran(TWO, a=given_by("x", data={"n": 1}), b="no"), TWO, language="en")
    assert found.data == {
        "status": "partly",
        "nodes": {
            "a": {"tool": "search", "state": "succeeded", "data": {"n": 1}},
            "b": {"tool": "accompaniment", "state": "failed", "reason": "no"},
        },
    }


FACTS = st.lists(st.sampled_from(["miso", "tea", "rice", "sake", "noon"]), max_size=4)
MARKED = st.lists(st.one_of(
    st.text("ab[]【】 ,、，\n123", max_size=6),
    st.lists(st.integers(0, 9), min_size=1, max_size=3).map(lambda numbers: f"[{', '.join(map(str, numbers))}]"),
), max_size=8).map("".join)  # fmt: skip


@given(st.lists(st.tuples(MARKED, FACTS), min_size=1, max_size=4))
def test_a_new_number_never_makes_a_citation_point_elsewhere(parts: list[tuple[str, list[str]]]) -> None:
    results = [given_by(text, *facts) for text, facts in parts]
    numbered = number(results)
    assert [each.number for each in numbered.evidence] == list(range(1, len(numbered.evidence) + 1))
    assert len({each.text for each in numbered.evidence}) == len(numbered.evidence)
    before = [_facts_cited(result.text, result.evidence) for result in results]
    assert [_facts_cited(result.text, numbered.evidence) for result in numbered.results] == before
    together = "\n\n".join(result.text for result in numbered.results)
    assert _facts_cited(together, numbered.evidence) == [each for cites in before for each in cites]


def _facts_cited(text: str, evidence: Sequence[Evidence]) -> list[str]:
    by_number = {each.number: each.text for each in reversed(evidence)}
    marks = (number for mark in MARK.finditer(text) for number in numbers_of(mark))
    return [by_number[number] for number in marks if number in by_number]
