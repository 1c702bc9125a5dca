"""Whatever bytes a document holds: problems with places, never an exception of another kind."""

import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from pegboard.config.load import load
from pegboard.config.problems import Problems
from pegboard.config.server.settings import Settings
from pegboard.config.syntax.source import Source
from tests.config.nlweb import test_nlweb_folder as nlweb
from tests.config.nlweb.test_nlweb import SITES
from tests.config.test_load import YAML

JSON = '{"tools": [{"name": "a", "examples": {"zh": ["中"]}, "call": {"timeout": "5s"}, "read_only": true}]}'
VALID = {"a.yaml": YAML, "a.json": JSON, "a.xml": SITES}
FOLDER = {"tools.xml": nlweb.TOOLS, "sites.xml": nlweb.SITES, "prompts.xml": nlweb.SCORING}
PIECES = st.sampled_from(
    [
        *(
            "{",
            "}",
            "[",
            "]",
            '"',
            "'",
            "&a ",
            "*a",
            "<<: ",
            "!!x ",
            "\t",
            "\n",
            "\r",
            "-",
            ": ",
            "? ",
            "%",
            "@",
        ),
        *("<", ">", "&", "<![CDATA[", "]]>", "</Tool>", "<Tool ", "<!DOCTYPE a>", "|\n", "---\n", "\\ud800"),
        *("${", "no", "1_0", "\u2028", "\x00", "😀"),
    ]
)


def check(name: str, data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_bytes(data)
        _, problems = load(Settings(root=Path(folder), config=path, data=path), environ={})
    check_places(problems, data)


def check_places(problems: Problems, data: bytes) -> None:
    lines = Source("", data.decode("utf-8", "replace")).text.count("\n") + data.count(b"\r") + 1
    for problem in problems:
        assert 1 <= problem.span.line <= lines
        assert problem.span.column >= 1
        str(problem).encode()


@given(
    st.sampled_from(["a.yaml", "a.json", "a.xml"]),
    st.binary(max_size=200) | st.text(max_size=100).map(lambda text: text.encode("utf-8", "replace")),
)
@settings(max_examples=300, deadline=None)
def test_random_bytes(name: str, data: bytes) -> None:
    check(name, data)


@given(st.sampled_from(sorted(VALID)), st.data())
@settings(max_examples=400, deadline=None)
def test_documents_with_something_put_in_or_cut_out(name: str, data: st.DataObject) -> None:
    text = VALID[name]
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        end = min(len(text), start + data.draw(st.sampled_from([0, 0, 1, 5, 400])))
        text = text[:start] + data.draw(PIECES) + text[end:]
    check(name, text.encode())


@given(st.sampled_from(sorted(FOLDER)), st.data())
@settings(max_examples=400, deadline=None)
def test_nlwebs_files_beside_each_other_with_something_put_in_or_cut_out(name: str, data: st.DataObject) -> None:
    text = FOLDER[name]
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        end = min(len(text), start + data.draw(st.sampled_from([0, 0, 1, 5, 400])))
        text = text[:start] + data.draw(PIECES) + text[end:]
    with tempfile.TemporaryDirectory() as folder:
        for each, content in (FOLDER | {name: text}).items():
            Path(folder, each).write_bytes(content.encode())
        _, problems = load(Settings(root=Path(folder), config=Path(folder), data=Path(folder)), environ={})
    check_places(Problems(problem for problem in problems if problem.span.file.endswith(name)), text.encode())


@given(st.integers(0, len(YAML) - 1))
@settings(max_examples=100, deadline=None)
def test_a_forbidden_character_is_found_where_it_was_put(at: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.yaml")
        path.write_text(YAML[:at] + "\x07" + YAML[at:], encoding="utf-8")
        _, problems = load(Settings(root=Path(folder), config=path, data=path), environ={})
    place = Source("", YAML[:at]).span(at)
    assert [(p.code, p.span.line, p.span.column) for p in problems] == [("PB003", place.line, place.column)]
