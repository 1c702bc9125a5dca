"""XML: elements with places, and what is refused."""

import pytest

from pegboard.config.problems import Problems
from pegboard.config.syntax.source import Source
from pegboard.config.syntax.xml_reader import Chunk, read_xml, text_of


def test_elements_attributes_and_text_know_their_places() -> None:
    source = Source("f", "<?xml version='1.0'?>\n<é\n  a = '中'  b=\"x&lt;\"><c/>t</é>")
    root = read_xml(source, Problems())
    assert root is not None
    assert [(a.name, a.value, source.text[a.value_start : a.value_end]) for a in root.attributes] == [
        ("a", "中", "中"),
        ("b", "x<", "x&lt;"),
    ]
    assert str(source.span(root.attributes[0].start)) == "f:3:3"
    assert [source.text[e.start : e.end] for e in root.elements] == ["<c/>"]
    assert [source.text[c.start : c.end] for c in root.content if isinstance(c, Chunk)] == ["t"]
    assert source.text[root.start : root.end] == source.text[22:]


@pytest.mark.parametrize(
    "text",
    [
        "plain",
        "a&amp;b &#20013;&#x1F600; c",
        "<![CDATA[<b> & ]] ]]>after",
        "one\r\ntwo\rthree\n",
        "<!-- x -->a<?pi?>b",
    ],
)
def test_each_character_of_a_text_leads_back_to_where_it_is_written(text: str) -> None:
    source = Source("f", f"<a>é{text}</a>")
    root = read_xml(source, Problems())
    assert root is not None
    found = text_of(root, source)
    for index, character in enumerate(found.value):
        written = source.text[found.offset(index)]
        assert written == character or (written, character) in {
            ("&", "&"),
            ("&", "中"),
            ("&", "😀"),
            ("\r", "\n"),
        }


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "1:1 PB003"),
        ("<a>\n<b></a>", "2:6 PB003"),
        ("<a>\n<b>", "2:4 PB003"),
        ("<a>x & y</a>", "1:7 PB003"),
        ("<a>é &nbsp;</a>", "1:6 PB004"),
        ("<a b='1' b='2'/>", "1:10 PB005"),
        ("<a/><b/>", "1:5 PB003"),
        ("<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", "1:1 PB004"),
        ("<!DOCTYPE a SYSTEM 'http://x/y.dtd'><a/>", "1:1 PB004"),
        ("<a>" * 65 + "</a>" * 65, "1:193 PB004"),
    ],
)
def test_what_is_wrong_is_told_at_its_place(text: str, problem: str) -> None:
    problems = Problems()
    assert read_xml(Source("f", text), problems) is None
    assert [f"{p.span.line}:{p.span.column} {p.code}" for p in problems] == [problem]
