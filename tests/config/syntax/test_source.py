"""Decoding, and places in code points."""

import pytest

from pegboard.config.problems import Problems
from pegboard.config.span import Span
from pegboard.config.syntax.source import Source, decode


def test_columns_count_code_points_and_lines_end_in_three_ways() -> None:
    source = Source("f", "é😀x\r\n中\ry\n")
    assert [(source.span(i).line, source.span(i).column) for i in (2, 5, 7, 9)] == [
        (1, 3),
        (2, 1),
        (3, 1),
        (4, 1),
    ]


def test_a_span_knows_its_end_when_it_is_told() -> None:
    assert Source("f", "a\nbc").span(0, 3) == Span("f", 1, 1, 2, 2)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_a_byte_order_mark_names_the_encoding_and_is_no_column(encoding: str) -> None:
    problems = Problems()
    source = decode("中文: é".encode(encoding), "f", problems)
    assert (source and source.text, problems) == ("中文: é", [])


def test_xml_may_declare_an_older_encoding() -> None:
    data = '<?xml version="1.0" encoding="gb2312"?><Tools>中</Tools>'.encode("gb2312")
    source = decode(data, "f", Problems(), is_xml=True)
    assert source is not None
    assert source.text.endswith("<Tools>中</Tools>")


@pytest.mark.parametrize(
    ("data", "is_xml", "place"),
    [
        ("é: 中\n  x".encode() + b"\xff", False, (2, 4)),
        (b"a\nbc\x00", False, (2, 3)),
        (b'<?xml version="1.0" encoding="utf-7"?><a/>', True, (1, 31)),
        ("ok\n".encode("utf-16") + b"\x00", False, (2, 1)),
    ],
)
def test_what_cannot_be_read_is_a_problem_at_its_place(data: bytes, is_xml: bool, place: tuple[int, int]) -> None:
    problems = Problems()
    assert decode(data, "f", problems, is_xml=is_xml) is None
    assert [(p.code, p.span.line, p.span.column) for p in problems] == [("PB003", *place)]
