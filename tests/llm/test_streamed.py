import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegboard.llm.marks import clean
from pegboard.llm.streamed import StreamCleaner

MARKS = ["<think>", "</think>", "<Reasoning>", "</reasoning>", "<|im_end|>", "<｜end▁of▁sentence｜>", "<s>", "</s>",
         "[INST]", "[/INST]", "<start_of_turn>", "<eos>", "\ufeff"]  # fmt: skip
PIECES = st.lists(
    st.sampled_from([*MARKS, "<", "</", "<|", "|>", "[", "a < b", "[1]", "字", " "]) | st.text(max_size=4)
)


def cleaned(*pieces: str) -> str:
    cleaner = StreamCleaner()
    return "".join([*map(cleaner.feed, pieces), cleaner.finish()])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("plain", "plain"),
        ("<think>Hm, 5 < 6.</think>Two eggs.", "Two eggs."),
        ("A<THINK>b</Think>c", "Ac"),
        ("<reasoning>a</think>b</reasoning>c", "c"),
        ("<think>never ends", ""),
        ("thought aloud</think>said", "thought aloudsaid"),
        ("Two eggs.<|im_end|></s>", "Two eggs."),
        ("[INST]a[/INST][1] is < b <thinner> [IN", "a[1] is < b <thinner> [IN"),
        ("<think>x</think><think>y</think>鸡蛋", "鸡蛋"),
        ("<think>İİİ</think>a", "a"),
        ("a <", "a <"),
    ],
)
def test_thoughts_and_special_tokens_are_left_out_wherever_the_stream_is_cut(text: str, words: str) -> None:
    assert cleaned(text) == words
    assert cleaned(*text) == words


@given(PIECES)
def test_the_words_do_not_depend_on_where_the_stream_is_cut(pieces: list[str]) -> None:
    assert cleaned(*pieces) == cleaned("".join(pieces)) == cleaned(*"".join(pieces))


@given(st.text(alphabet="ab<[|/ 字", max_size=30), st.text(max_size=30), st.sampled_from(MARKS[4:]))
def test_a_stream_is_cleaned_as_a_whole_reply_is(words: str, thought: str, mark: str) -> None:
    text = f"<think>{thought.replace('<', '')}</think>{words}{mark}{words}"
    assert cleaned(*text).strip() == clean(text)


def test_words_that_cannot_be_a_mark_are_not_held_back() -> None:
    cleaner = StreamCleaner()
    assert [cleaner.feed(piece) for piece in ("Two ", "<", " three [", "1] ")] == ["Two ", "", "< three ", "[1] "]
