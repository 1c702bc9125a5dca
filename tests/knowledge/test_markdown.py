import pytest

from pegboard.knowledge.markdown import Section, first_heading, read_front_matter, sections
from pegboard.text import Json


@pytest.mark.parametrize(
    ("text", "values", "body"),
    [
        ("---\ntitle: no\ndate: 2026-02-11\n---\nBody", {"title": "no", "date": "2026-02-11"}, "Body"),
        ("---\nkeywords: [a, b]\n---\n", {"keywords": ["a", "b"]}, ""),
        ("---\n---\nBody", {}, "Body"),
        ("Body\n---\nmore", {}, "Body\n---\nmore"),
        ("---\r\ntitle: x\r\n---\r\nBody", {"title": "x"}, "Body"),
    ],
)
def test_front_matter_is_read_as_texts(text: str, values: dict[str, Json], body: str) -> None:
    assert read_front_matter(text) == (values, body, [])


@pytest.mark.parametrize(
    ("text", "line", "word"),
    [
        ("---\ntitle: x\nBody", 1, "no end"),
        ("---\ntitle: [x\n---\nBody", 2, "YAML"),
        ("---\na: 1\na: 2\n---\nBody", 3, "twice"),
        ("---\na: &x [1]\nb: *x\n---\nBody", 3, "alias"),
        ("---\njust words\n---\nBody", 2, "keys"),
        ("---\n? [a]\n: b\n---\nBody", 2, "key must be a text"),
        ("---\na: " + "x" * 70_000 + "\n---\nBody", 1, "larger"),
    ],
)
def test_bad_front_matter_is_a_fault_and_the_body_stays(text: str, line: int, word: str) -> None:
    values, body, faults = read_front_matter(text)
    assert values == {}
    assert body.endswith("Body")
    assert [fault.line for fault in faults] == [line]
    assert word in faults[0].message


def test_a_body_is_cut_at_its_headings_but_not_inside_code() -> None:
    body = (
        "Before.\n\n## One ##\nText **bold** [link](http://x) ![pic](p.png)\n\n```\n# no heading\n```\n### Two\nMore."
    )
    assert sections(body) == [
        Section("", 0, "Before."),
        Section("One", 2, "Text bold link pic\n\n# no heading"),
        Section("Two", 3, "More."),
    ]


def test_tables_become_lines_that_can_be_read_alone() -> None:
    two = "## A\n| Situation | You pay |\n|---|---|\n| Faulty | Nothing |\n"
    three = "## B\n| Plan | Days | Cost |\n|:--|--:|---|\n| Express | 2 | $9 |\n"
    assert [section.text for section in sections(two + three)] == [
        "- Faulty: Nothing",
        "- Express; Days: 2; Cost: $9",
    ]


def test_sections_without_text_and_comments_are_left_out() -> None:
    assert sections("## Empty\n\n<!-- hidden\n## x -->\n## Full\ntext") == [Section("Full", 2, "text")]


def test_the_first_heading_may_stand_for_a_title() -> None:
    assert first_heading("text\n# *The* Title\n") == "*The* Title"
    assert first_heading("text") == ""
