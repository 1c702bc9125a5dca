"""Text falls into the pieces that people read, and the piece that answers comes first."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegboard.catalog.contract import Item, Passage
from pegboard.knowledge.wording.answering import answering
from pegboard.knowledge.wording.aspects import asked, without_name
from pegboard.knowledge.wording.cite import Sources, marked
from pegboard.knowledge.wording.sentences import said, sentences
from pegboard.knowledge.wording.stems import asked_words, held_words, kin, plainly, stem, stems


def passage(text: str, *, heading: str = "", language: str = "en", score: float = 90.0, name: str = "Page") -> Passage:
    return Passage(Item(f"u/{name}", name, "s", "Article", language, "", {}), heading, text, score)


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("It costs $3.50 at Dr. Who. Fine.", ["It costs $3.50 at Dr. Who.", "Fine."]),
        ("Use 2 tbsp. Then stir, e.g. with a spoon.", ["Use 2 tbsp. Then stir, e.g. with a spoon."]),
        ("第一句。第二句！“引用。”第三句", ["第一句。", "第二句！", "“引用。”", "第三句"]),
        ("", []),
    ],
)
def test_running_text_falls_into_sentences(text: str, pieces: list[str]) -> None:
    assert sentences(text) == pieces


def test_a_list_belongs_to_the_sentence_that_announces_it() -> None:
    text = "First. Other cases:\n\n- one\n- two\n\nLast.\n\n| Case | Cost |\n|---|---|\n| **Big** | $25 |"
    assert [piece.text for piece in said(passage(text))] == [
        "First.",
        "Other cases:\n- one\n- two",
        "Last.",
        "- Big: $25",
    ]


@given(st.text(alphabet="ab1.。！? \n-|:：#*[]()", max_size=80))
def test_any_markdown_is_read(text: str) -> None:
    said(passage(text))
    sentences(text)


def test_the_section_whose_heading_asks_the_same_goes_first() -> None:
    cost = passage("A label is $6. Returns are easy.", heading="What does a return cost?")
    start = passage("Open your account.\n\n1. Choose it.", heading="How do I return something?")
    answered = answering("how do I return an order", [cost, start], quoted=1)
    assert [piece.text for piece in answered] == ["Open your account.", "1. Choose it."]


def test_a_language_of_its_own_is_preferred() -> None:
    english, chinese = passage("Return it."), passage("退货要申请。", language="zh")
    assert [piece.passage for piece in answering("怎么退货", [english, chinese])] == [chinese]
    assert [piece.passage for piece in answering("怎么退货", [english])] == [english]


@pytest.mark.parametrize(
    ("words", "one"),
    [("return returns returned returning", "return"), ("bake baking baked bakes", "bak"), ("butter", "butter")],
)
def test_forms_of_a_word_have_one_stem(words: str, one: str) -> None:
    assert {stem(word) for word in words.split()} == {one}


def test_question_words_carry_no_meaning() -> None:
    assert stems("How do I return the order?") == ["return", "ord"] or stems("How do I return the order?") == [
        "return",
        "order",
    ]
    assert stems("怎么退货呢") == ["退货"]


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("怎么退货呢", ["退货"]),
        ("积分会过期吗", ["积分", "过期"]),
        ("包裹破损了怎么办", ["包裹", "破损"]),
        ("寄到新疆要加钱吗", ["寄", "新疆", "费用"]),
        ("how do I send it back", ["return"]),
        ("Where is my parcel?", ["track", "parcel"]),
        ("怎么办", []),
    ],
)
def test_a_question_speaks_of_these_words(question: str, words: list[str]) -> None:
    assert asked_words(question) == words


@pytest.mark.parametrize(
    ("asked", "held"),
    [("过期", "积分全部作废"), ("退钱", "退款多久到账"), ("开票", "在哪里申请发票"), ("declin", "why it was refused"),
     ("parcel", "the package"), ("退货", "send it back"), ("发票", "your invoice")],
)  # fmt: skip
def test_a_word_is_found_by_others_of_the_same_meaning(asked: str, held: str) -> None:
    assert kin(asked) & held_words(held)


def test_turns_of_speech_are_put_plainly() -> None:
    assert plainly("When do I get my Money back?") == "when do i get my refund?"
    assert plainly("快递几天能到") == "快递多久送达"
    assert plainly("退款多久到账") == "退款多久到账"


def test_aspects_are_read_without_the_name() -> None:
    assert asked("how long does it take and what does it cost?") == ["time", "price"]
    assert asked(without_name("calories of the Ten-Minute Salmon", "Ten-Minute Salmon")) == ["calories"]
    assert asked("要多久，热量多少") == ["time", "calories"]


def test_a_source_has_one_number_and_keeps_what_it_said() -> None:
    sources = Sources()
    marks = [sources.cite(text, url=url, name=url) for text, url in (("x", "a"), ("y", "b"), ("z", "a"), ("x", "a"))]
    assert marks == ["[1]", "[2]", "[1]", "[1]"]
    assert [(each.number, each.text) for each in sources.evidence] == [(1, "x\nz"), (2, "y")]


@pytest.mark.parametrize(
    ("sentence", "with_mark"),
    [
        ("It is so.", "It is so. [1]"),
        ("是这样。", "是这样。[1]"),
        ("You need:\n- salt", "You need [1]:\n- salt"),
        ("做法：\n1. 煮", "做法 [1]：\n1. 煮"),
    ],
)
def test_a_mark_stands_behind_the_sentence(sentence: str, with_mark: str) -> None:
    assert marked(sentence, "[1]") == with_mark
