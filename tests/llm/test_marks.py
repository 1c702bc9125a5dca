import pytest

from pegboard.llm.marks import bare, clean


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (" <|im_start|> \ufeff<s>a</s> <|im_end|>\n", "a"),
        ("<think>no</think>a <s>b</s> c", "a <s>b</s> c"),
        ("thought of\n</think>\na", "a"),
        ("<think>never done", ""),
        ("<s>" * 1000, ""),
        ("", ""),
        ("a<b", "a<b"),
        ("a b  c<|x|> \n</s>", "a b  c"),
    ],
)
def test_marks_go_at_the_ends_only_where_a_value_is_read(text: str, kept: str) -> None:
    assert bare(text) == kept


def test_marks_go_everywhere_where_words_are_read() -> None:
    assert clean("<think>no</think>a <s>b</s> c<eos>") == "a b c"
