import json

import pytest

from pegboard.catalog.tool import Toolset
from pegboard.errors import UnknownSite
from pegboard.route.evaluation import Case
from pegboard.route.question_file import Questions, read_questions
from tests.route.conftest import KITCHEN


def site_of(name: str | None) -> Toolset:
    if name in {None, "kitchen"}:
        return KITCHEN
    raise UnknownSite(f"There is no site {name!r}.", hint="Did you mean 'kitchen'?")


def read(*lines: str | bytes, longest: int = 100) -> Questions:
    return read_questions(
        b"\n".join(line if isinstance(line, bytes) else line.encode() for line in lines), site_of, longest
    )


def test_a_row_says_what_is_asked_where_and_which_tool_is_right() -> None:
    assert read(
        '{"question": " vegan curry ", "site": "kitchen", "expect": "search"}',
        '{"query": "谁会赢得大选", "expect": null, "language": "zh"}\r',
    ) == Questions((Case("vegan curry", "kitchen", "search"), Case("谁会赢得大选", "kitchen", None)), ())


def test_empty_lines_and_the_mark_of_windows_are_passed_over() -> None:
    row = '{"query": "soup", "expect": "search"}'
    assert read(b"\xef\xbb\xbf" + row.encode(), "", "  ", row, "").cases == (Case("soup", "kitchen", "search"),) * 2


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("{", "It is no JSON: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)."),
        ("[" * 100_000, "It is no JSON:"),
        (b'{"question": "\xff"}', "It is not UTF-8 (byte 15)."),
        ("3", 'It is no JSON object. Write {"question": "…", "site": "…", "expect": "…"}.'),
        ('{"expect": "search"}', "`question` is missing, or no text."),
        ('{"question": "  ", "expect": "search"}', "`question` is missing, or no text."),
        ('{"question": "soup", "expect": "serch"}', "Site 'kitchen' has no tool 'serch'. Did you mean 'search'?"),
        ('{"question": "soup"}', "`expect` is missing, or neither the name of a tool nor null."),
        ('{"question": "soup", "expect": 3}', "`expect` is missing, or neither the name of a tool nor null."),
        ('{"question": "soup", "site": 3, "expect": null}', "`site` is no text."),
        (
            '{"question": "soup", "site": "kitchn", "expect": null}',
            "There is no site 'kitchn'. Did you mean 'kitchen'?",
        ),
        (json.dumps({"question": "x" * 101, "expect": None}), "The question has 101 characters; 100 are allowed."),
    ],
)
def test_each_line_that_cannot_be_used_is_named_with_its_number(line: str | bytes, fault: str) -> None:
    good = '{"query": "soup", "expect": "search"}'
    found = read(good, "", line, good)
    assert len(found.cases) == 2
    ((number, said),) = found.faults
    assert number == 3
    assert said.startswith(fault)
