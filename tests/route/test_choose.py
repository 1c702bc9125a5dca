import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegboard.catalog.tool import Routing
from pegboard.route.choose import Choice, choose, instead
from pegboard.route.decision import Candidate, DecidedBy, Decision
from tests.route.conftest import make_tool, make_toolset

SCORES = st.none() | st.floats(0, 100) | st.sampled_from([0.0, 69.99, 70.0, 89.99, 90.0, 100.0])


def scored(*scores: float | None, names: str = "abcdefgh") -> list[Candidate]:
    return [Candidate(name, score, "") for name, score in zip(names, scores, strict=False)]


@pytest.mark.parametrize(
    ("scores", "fallback", "tool", "decided_by"),
    [
        ((75.0, 80.0, 10.0), "", "b", "best"),
        ((75.0, 95.0), "", "b", "early_stop"),
        ((75.0, 90.0), "", "b", "early_stop"),
        ((70.0, 69.9), "", "a", "best"),
        ((69.99, 10.0), "b", "b", "fallback"),
        ((69.99, 10.0), "", None, "none"),
        ((69.99, 10.0), "elsewhere", None, "none"),
        ((80.0, 80.0), "", "a", "best"),
        ((95.0, 95.0), "b", "a", "early_stop"),
        ((None, 80.0), "", "b", "best"),
        ((None, 10.0), "a", "a", "fallback"),
        ((None, None), "b", "b", "fallback"),
        ((None, None), "", None, "none"),
        ((0.0, None), "b", "b", "fallback"),
        ((), "", None, "none"),
    ],
)
def test_the_best_score_wins_if_it_is_good_enough(
    scores: tuple[float | None, ...], fallback: str, tool: str | None, decided_by: str
) -> None:
    candidates = scored(*scores)
    chosen = next((one for one in candidates if one.tool == tool), None)
    assert choose(candidates, Routing(fallback=fallback)) == Choice(chosen, decided_by)  # type: ignore[arg-type]


def test_a_sites_own_thresholds_hold() -> None:
    routing = Routing(cutoff=20, early_stop=50, fallback="")
    assert choose(scored(20, 10), routing).decided_by == "best"
    assert choose(scored(20, 50), routing).decided_by == "early_stop"
    assert choose(scored(0, 0), Routing(cutoff=0)).candidate == Candidate("a", 0, "")


@given(st.lists(SCORES, max_size=8), st.randoms(use_true_random=False))
def test_the_order_of_arrival_never_matters(scores: list[float | None], rng: random.Random) -> None:
    slots: list[Candidate | None] = [None] * len(scores)
    arrivals = list(enumerate(scored(*scores)))
    rng.shuffle(arrivals)
    for index, candidate in arrivals:
        slots[index] = candidate
    routing = Routing(fallback="c")
    assert choose([slot for slot in slots if slot], routing) == choose(scored(*scores), routing)


@given(st.lists(SCORES, max_size=8))
def test_what_is_chosen_is_the_first_of_the_best(scores: list[float | None]) -> None:
    choice = choose(scored(*scores), Routing(fallback=""))
    known = [score for score in scores if score is not None and score >= 70]
    if not known:
        assert choice == Choice(None, "none")
    else:
        assert choice.candidate == scored(*scores)[scores.index(max(known))]


def test_a_score_is_rounded_down_so_that_it_never_looks_better_than_it_was() -> None:
    assert Candidate("a", 69.99, "near").to_json() == {
        "tool": "a",
        "score": 69.9,
        "scored": True,
        "state": "scored",
        "reason": "near",
        "exact": 69.99,
    }
    assert Candidate("a", 88.3, "").to_json()["score"] == 88.3
    assert Candidate("a", None, "cut off", "cut_off").to_json() == {
        "tool": "a",
        "score": None,
        "scored": False,
        "state": "cut_off",
        "reason": "cut off",
    }


def decided(scores: tuple[float | None, ...], tool: str, decided_by: DecidedBy, fallback: str = "d") -> str | None:
    """Return the tool that takes a question whose chosen tool lacks an argument."""
    toolset = make_toolset(*map(make_tool, "abcd"), routing=Routing(fallback=fallback))
    candidates = tuple(scored(*scores))
    score = next(candidate.score for candidate in candidates if candidate.tool == tool)
    decision = Decision("q", "kitchen", toolset.get(tool), score, decided_by, candidates, "m", 0, 1.0)
    other = instead(decision, toolset)
    return other.tool.name if other and other.tool else None


@pytest.mark.parametrize(
    ("scores", "tool", "decided_by", "other"),
    [
        ((80.0, 75.0, 10.0, 10.0), "a", "best", "b"),
        ((80.0, 80.0, 75.0, 10.0), "a", "best", "b"),
        ((80.0, 60.0, None, 10.0), "a", "best", "d"),
        ((10.0, 10.0, 10.0, 80.0), "d", "best", None),
        ((95.0, 80.0, 10.0, 10.0), "a", "early_stop", None),
        ((10.0, 10.0, 10.0, 10.0), "d", "fallback", None),
        ((None, 80.0, 10.0, 10.0), "a", "explicit", None),
        ((100.0, None, None, None), "a", "single", None),
    ],
)
def test_a_choice_that_is_not_sure_gives_way_when_the_question_lacks_its_arguments(
    scores: tuple[float | None, ...], tool: str, decided_by: DecidedBy, other: str | None
) -> None:
    assert decided(scores, tool, decided_by) == other


def test_a_fallback_that_is_no_candidate_does_not_take_the_question() -> None:
    toolset = make_toolset(*map(make_tool, "abcd"), routing=Routing(fallback="d"))
    candidates = tuple(scored(80.0, 60.0))
    assert instead(Decision("q", "kitchen", toolset.get("a"), 80.0, "best", candidates, "m", 0, 1.0), toolset) is None


def test_without_a_fallback_what_is_missing_is_asked_for() -> None:
    assert decided((80.0, 60.0, 10.0, 10.0), "a", "best", fallback="") is None
