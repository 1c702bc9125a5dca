from dataclasses import replace

import pytest

from pegboard.errors import UsageError
from pegboard.route.decision import DecidedBy, Decision
from pegboard.route.evaluation import (
    STRATEGIES,
    Case,
    Evaluation,
    Judged,
    Tally,
    by_strategy,
    evenly,
    examples_of,
    taken,
    unaware,
)
from tests.route.conftest import CLOCK, COMPARE, KITCHEN, SEARCH, make_tool, make_toolset

SOUP = Case("soup", "kitchen", "search")
ELECTION = Case("who wins?", "kitchen", None)
PLANT = Case("which fern?", "garden", "plants")


def judged(case: Case, took: str | None, **fields: object) -> Judged:
    return replace(Judged(case, took, "m"), **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("case", "took", "is_right"),
    [
        (SOUP, "search", True),
        (SOUP, "clock", False),
        (SOUP, None, False),
        (ELECTION, None, True),
        (ELECTION, "x", False),
    ],
)
def test_right_is_what_was_wanted_and_nothing_where_nothing_was(case: Case, took: str | None, is_right: bool) -> None:
    assert judged(case, took).is_right == is_right


def test_a_question_without_a_decision_is_never_right() -> None:
    assert not judged(ELECTION, None, is_decided=False).is_right


@pytest.mark.parametrize(
    ("decided_by", "took"),
    [("best", "search"), ("early_stop", "search"), ("single", "search"), ("fallback", None), ("none", None)],
)
def test_what_only_the_fallback_brought_was_not_good_enough(decided_by: DecidedBy, took: str | None) -> None:
    tool = None if decided_by == "none" else SEARCH
    assert taken(Decision("soup", "kitchen", tool, None, decided_by, (), "m", 0, 1.0)) == took


def test_an_evaluation_counts_by_site_and_says_what_was_taken_for_what() -> None:
    evaluation = Evaluation(
        "score",
        (
            judged(SOUP, "search", calls=4, tokens=100, milliseconds=30.0),
            judged(SOUP, "clock", calls=4, tokens=50, milliseconds=10.0),
            judged(ELECTION, None, milliseconds=20.0, trouble="The model is away."),
            judged(PLANT, None, is_decided=False, trouble="Time ran out."),
        ),
    )
    assert evaluation.total == Tally(asked=4, right=2, calls=2.0, tokens=37.5, milliseconds=15.0)
    assert evaluation.by_site == {"kitchen": Tally(3, 2, 8 / 3, 50, 20.0), "garden": Tally(1, 0, 0, 0, 0.0)}
    assert evaluation.confusion() == {
        "kitchen": {"search": {"search": 1, "clock": 1}, "(none)": {"(none)": 1}},
        "garden": {"plants": {"(no decision)": 1}},
    }
    assert evaluation.misses == [evaluation.judged[1], evaluation.judged[3]]
    assert evaluation.troubles == {"The model is away.": 1, "Time ran out.": 1}
    told = evaluation.to_json()
    assert (told["strategy"], told["models"], told["accuracy"]) == ("score", ["m"], 0.5)


def test_every_example_is_a_question_once_a_tool() -> None:
    tool = make_tool("t", en=["a", "b", " "], zh=["b", "乙"])
    assert list(examples_of(make_toolset(tool))) == [
        Case(text, "kitchen", "t", is_example=True) for text in ("a", "b", "乙")
    ]


def test_an_example_that_is_asked_is_taken_from_its_tool_and_from_no_other() -> None:
    shared = "what time is it"
    other = make_tool("other", en=[shared])
    toolset = make_toolset(CLOCK, other, COMPARE)
    changed = unaware(toolset, Case(shared, "kitchen", "clock", is_example=True))
    assert changed.tools[0].examples == {**CLOCK.examples, "en": CLOCK.examples["en"][1:]}
    assert changed.tools[1:] == (other, COMPARE)
    assert unaware(toolset, Case(shared, "kitchen", "clock")) is toolset


def test_a_language_whose_only_example_is_asked_is_gone() -> None:
    toolset = make_toolset(make_tool("t", en=["a"], zh=["乙"]))
    assert unaware(toolset, Case("乙", "kitchen", "t", is_example=True)).tools[0].examples == {"en": ("a",)}


def test_a_sample_is_spread_evenly_and_the_same_every_time() -> None:
    cases = [Case(str(number), "kitchen", None) for number in range(10)]
    assert [case.question for case in evenly(cases, 4)] == ["0", "2", "5", "7"]
    assert evenly(cases, None) == evenly(cases, 20) == cases


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_every_strategy_that_a_site_may_declare_can_be_evaluated(strategy: str) -> None:
    assert by_strategy(KITCHEN, strategy).routing == replace(KITCHEN.routing, strategy=strategy)  # type: ignore[arg-type]


def test_a_strategy_that_does_not_exist_is_refused_with_the_nearest() -> None:
    assert by_strategy(KITCHEN, None) is KITCHEN
    with pytest.raises(UsageError, match=r"There is no strategy 'scor'. Did you mean 'score'\?"):
        by_strategy(KITCHEN, "scor")
