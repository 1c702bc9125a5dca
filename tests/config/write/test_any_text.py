"""Whatever a file holds, it is written with nothing lost, or it has problems."""

import json
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from pegboard.config.write.convert import convert
from pegboard.config.write.house import house_form
from tests.config.write.documents import DOCUMENTS
from tests.config.write.test_comments import YAML
from tests.config.write.test_convert import ALL, written

PIECES = st.sampled_from(
    ["", "\n", "#", " # x\n", "- ", ": ", "[", "]", "{", "}", "&a ", "*a", "<<: ", "|\n", ">\n", "---\n", "...\n", "'", '"', "<", ">", "<!--",
     "-->", "<![CDATA[", "]]>", "&lt;", "<x-a>", "</Tool>", "\t", "\r\n", "\x00", "\ufeff", "? ", "!!str ", "%YAML 1.1\n", "~", "\u2028"]
)  # fmt: skip


@st.composite
def mutated(draw: st.DrawFn, text: str) -> str:
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(text)))
        text = text[:start] + draw(PIECES) + text[start + draw(st.integers(0, 8)) :]
    return text


@given(DOCUMENTS, st.data())
@settings(max_examples=60, deadline=None)
def test_damaged_documents(document: dict[str, Any], data: st.DataObject) -> None:
    source = json.dumps(document, ensure_ascii=False)
    texts = [(written(source, "json", syntax), syntax) for syntax in ALL] + [(YAML, ALL[1])]
    for text, syntax in texts:
        damaged = data.draw(mutated(text)).encode("utf-8", "replace")
        formed = house_form(damaged, "a", syntax)
        assert formed.problems or not house_form(formed.after.encode(), "a", syntax).is_changed
        for to in ALL:
            done = convert(damaged, "a", syntax, to)
            assert done.text or done.problems


@given(st.binary(max_size=60))
@example(b"")
@example(b"\n")
@example(b"# only\n")
@example(b"--- # x\n...\n# y")
@example(b"<Tools/>")
@settings(max_examples=60, deadline=None)
def test_any_bytes(data: bytes) -> None:
    for syntax in ALL:
        house_form(data, "a", syntax)
        for to in ALL:
            convert(data, "a", syntax, to)
