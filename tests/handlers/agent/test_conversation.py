"""What a model is shown never exceeds its budget, and nothing changes its place, its id, or what it was asked."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pegboard.handlers.agent.conversation import Conversation, fitting, head
from pegboard.llm.model import Answered, FunctionCall, Prompted, Said, Turn
from pegboard.llm.tokens import estimated, estimated_prompt, estimated_turn

TEXTS = st.one_of(st.text(max_size=40), st.builds(lambda word, times: word * times, st.text("ab 汤\n", max_size=8), st.integers(0, 400)))  # fmt: skip
IDS = st.integers(0, 10_000).map(str)


def a_call(id_: str, text: str) -> FunctionCall:
    return FunctionCall("say", {"say": text, "n": 3}, id_)


@st.composite
def talks(draw: Any) -> tuple[list[Turn], dict[str, str]]:
    turns: list[Turn] = []
    refs: dict[str, str] = {}
    for _ in range(draw(st.integers(0, 6))):
        ids = draw(st.lists(IDS, max_size=4, unique=True))
        turns.append(Said(draw(TEXTS), tuple(a_call(id_, draw(TEXTS)) for id_ in ids)))
        turns += [Answered(id_, "say", draw(TEXTS)) for id_ in ids]
        refs |= {id_: f"ref-{id_}" for id_ in ids if draw(st.booleans())}
        if not ids:
            turns.append(Prompted(draw(TEXTS)))
    return turns, refs


def outline(turns: Any) -> list[object]:
    """Return what must stay: the kinds of turns in their order, and all ids and names."""
    return [
        (type(turn).__name__, turn.id, turn.name) if isinstance(turn, Answered)
        else (type(turn).__name__, [(call.id, call.name) for call in turn.calls] if isinstance(turn, Said) else None)
        for turn in turns
    ]  # fmt: skip


@given(talks(), st.integers(0, 3000), TEXTS, TEXTS)
def test_a_prompt_is_within_its_budget_or_there_is_none(
    talk: tuple[list[Turn], dict[str, str]], most: int, system: str, user: str
) -> None:
    turns, refs = talk
    conversation = Conversation(system, user, list(turns), refs)
    prompt = conversation.prompt(most)
    assert conversation.turns == turns, "what was said stays as it was: it is shortened for the model alone"
    if prompt is None:
        assert fitting(turns, most - estimated(system) - estimated(user), refs) is None
        return
    assert estimated_prompt(prompt) <= most
    assert (prompt.system, prompt.user) == (system, user)
    assert outline(prompt.turns) == outline(turns)


@given(talks())
def test_what_fits_stays_as_it_is(talk: tuple[list[Turn], dict[str, str]]) -> None:
    turns, refs = talk
    assert fitting(turns, 10**6, refs) == tuple(turns)


@given(talks(), st.integers(0, 3000))
def test_an_older_result_is_shortened_before_a_newer_one(talk: tuple[list[Turn], dict[str, str]], room: int) -> None:
    turns, refs = talk
    left = fitting(turns, room, refs)
    if left is None:
        return
    pairs = [(was, now) for was, now in zip(turns, left, strict=True) if isinstance(was, Answered)]
    for place, (was, now) in enumerate(pairs):
        if was != now:  # all before it that could become shorter by its head have
            assert all(estimated_turn(then) <= 90 for _, then in pairs[:place])


@given(TEXTS, st.integers(0, 100))
def test_a_head_is_the_beginning_and_no_longer_than_it_may_be(text: str, tokens: int) -> None:
    cut = head(text, tokens)
    assert text.startswith(cut)
    assert estimated(cut) <= tokens + 1


def test_a_shortened_result_names_what_it_was_kept_as() -> None:
    turns: list[Turn] = [Said("", (a_call("1", "x"),)), Answered("1", "say", "word " * 500), Prompted("go on")]
    left = fitting(turns, 200, {"1": "r1"})
    assert left is not None
    assert isinstance(left[1], Answered)
    assert left[1].text.startswith("word word")
    assert left[1].text.endswith("\n[shortened; the whole is r1]")
