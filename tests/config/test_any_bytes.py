"""Whatever bytes a document holds: problems with places, never an exception of another kind.

Usually a thousand inputs are tried, always the same. `pytest --hypothesis-profile=fuzz tests/config/test_any_bytes.py`
tries 20,000, others each time.
"""

import io
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pegboard.catalog.load import check
from pegboard.config.explanations import explanations
from pegboard.config.load import load
from pegboard.config.problems import KINDS, Problem
from pegboard.config.server.settings import Settings, read_settings
from pegboard.config.syntax.source import Source
from pegboard.edges.cli.annotations import annotations
from pegboard.edges.cli.report import report_problems
from pegboard.edges.cli.sarif import sarif
from pegboard.text import to_json
from tests.config.near_valid import FULL, FULL_JSON, JSON, PIECES, VALID, built, mutated
from tests.config.nlweb import test_nlweb_folder as nlweb
from tests.config.nlweb.test_nlweb import SITES
from tests.config.test_load import YAML

IS_FUZZING = settings.get_current_profile_name() == "fuzz"
INPUTS = settings.default.max_examples if IS_FUZZING and settings.default else 1000


def tried(share: float) -> settings:
    """Return settings for a share of all inputs."""
    return settings(max_examples=round(INPUTS * share), suppress_health_check=list(HealthCheck))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return one folder for all inputs: a folder that was checked stays on the path of modules."""
    return tmp_path_factory.mktemp("documents")


def check_document(folder: Path, name: str, data: bytes) -> Sequence[Problem]:
    """Check a document as `platform check` does, print what is found in every form, and judge its places."""
    path = folder / name
    path.write_bytes(data)
    report = check(Settings(root=folder, config=path, data=folder / ".pegboard"))
    check_places(report.problems, data, path)
    report_problems(report.problems, to=io.StringIO())
    shown = [to_json(report.to_json()), to_json(sarif(report.problems, explanations())), *annotations(report.problems)]
    for text in shown:
        text.encode()
    return report.problems


def check_places(problems: Sequence[Problem], data: bytes, path: Path) -> None:
    """Judge that every problem is of a known kind, says something, and stands where something is."""
    most = max(len(re.findall(rb"\r\n?|\n", data.replace(b"\x00", b""))), 0) + 1
    for problem in problems:
        assert problem.span.file.endswith(path.name)
        assert problem.code in KINDS
        assert problem.message.strip()
        assert 1 <= problem.span.line <= most
        assert 1 <= problem.span.column <= len(data) + 1
        assert (problem.span.end_line, problem.span.end_column) == (0, 0) or (
            (problem.span.line, problem.span.column) <= (problem.span.end_line, problem.span.end_column)
        )


def declares(folder: Path, name: str, data: bytes) -> bool:
    """Tell whether a document, which may have mistakes, declares anything."""
    path = folder / name
    path.write_bytes(data)
    found, _ = load(Settings(root=folder, config=path, data=folder), environ={})
    return bool(found.tools or found.sites)


@pytest.mark.parametrize("name", sorted(VALID))
def test_the_documents_that_are_changed_here_are_read(folder: Path, name: str) -> None:
    assert all(declares(folder, name, text.encode()) for text in VALID[name])


@given(
    st.sampled_from(["a.yaml", "a.json", "a.xml"]),
    st.binary(max_size=200) | st.text(max_size=100).map(lambda text: text.encode("utf-8", "replace")),
)
@tried(0.15)
def test_random_bytes(folder: Path, name: str, data: bytes) -> None:
    check_document(folder, name, data)


@given(st.sampled_from(["a.yaml", "a.json", "a.xml"]), st.lists(PIECES, max_size=30))
@tried(0.15)
def test_signs_of_the_syntaxes_in_any_order(folder: Path, name: str, pieces: list[str]) -> None:
    check_document(folder, name, "".join(pieces).encode())


@given(mutated())
@tried(0.3)
def test_documents_that_were_changed(folder: Path, document: tuple[str, bytes]) -> None:
    check_document(folder, *document)


@given(built())
@tried(0.2)
def test_documents_that_are_nearly_right(folder: Path, document: tuple[str, bytes]) -> None:
    check_document(folder, *document)


@given(mutated())
@tried(0.05)
def test_the_settings_beside_a_document(folder: Path, document: tuple[str, bytes]) -> None:
    (folder / "pegboard.toml").write_bytes(document[1])
    _, problems = read_settings(config=folder, environ={})
    report_problems(problems, to=io.StringIO())


FOLDER = {"tools.xml": nlweb.TOOLS, "sites.xml": nlweb.SITES, "prompts.xml": nlweb.SCORING}


@given(st.sampled_from(sorted(FOLDER)), st.lists(st.tuples(st.floats(0, 1), st.integers(0, 20), PIECES), max_size=3))
@tried(0.1)
def test_nlwebs_files_beside_each_other_that_were_changed(
    tmp_path_factory: pytest.TempPathFactory, name: str, changes: list[tuple[float, int, str]]
) -> None:
    text = FOLDER[name]
    for where, length, piece in changes:
        start = round(where * len(text))
        text = text[:start] + piece + text[start + length :]
    folder = tmp_path_factory.getbasetemp() / "nlweb"
    folder.mkdir(exist_ok=True)
    for each, content in (FOLDER | {name: text}).items():
        (folder / each).write_bytes(content.encode())
    _, problems = load(Settings(root=folder, config=folder, data=folder), environ={})
    check_places([problem for problem in problems if problem.span.file.endswith(name)], text.encode(), folder / name)


TOML = """
host = "127.0.0.1"
port = 8000
handler_prefixes = ["shop.handlers", 'other']
file_size = "2MiB"
request_timeout = "60s"
allowed_hosts = ["a.example"]
"""


@given(st.integers(0, len(TOML)), st.integers(0, 12), PIECES, st.text(max_size=40))
@tried(0.05)
def test_settings_that_were_changed(folder: Path, start: int, length: int, piece: str, value: str) -> None:
    (folder / "pegboard.toml").write_bytes((TOML[:start] + piece + TOML[start + length :]).encode())
    names = ("PORT", "DATA", "HANDLER_PREFIXES", "FILE_SIZE", "REQUEST_TIMEOUT", "ENV_ALLOW", "INDEX", "HOTS")
    _, problems = read_settings(config=folder, environ={f"PEGBOARD_{name}": value for name in names})
    report_problems(problems, to=io.StringIO())
    assert all(problem.span.line >= 1 for problem in problems)


def beginnings(text: str) -> Iterator[bytes]:
    data = text.encode()
    yield from (data[:end] for end in range(len(data) + 1))


@pytest.mark.parametrize(
    ("name", "text"), [("a.yaml", FULL), ("a.json", FULL_JSON), ("a.xml", SITES)], ids=["yaml", "json", "xml"]
)
def test_every_beginning_of_a_document(folder: Path, name: str, text: str) -> None:
    path = folder / name
    for data in beginnings(text):
        path.write_bytes(data)
        _, problems = load(Settings(root=folder, config=path, data=folder), environ={})
        check_places(problems, data, path)


@given(st.sampled_from([("a.yaml", YAML), ("a.json", JSON), ("a.xml", SITES)]), st.data())
@settings(max_examples=100)
def test_a_forbidden_character_is_found_where_it_was_put(
    folder: Path, document: tuple[str, str], data: st.DataObject
) -> None:
    name, text = document
    at = data.draw(st.integers(0, len(text) - 1))
    path = folder / name
    path.write_text(text[:at] + "\x07" + text[at:], encoding="utf-8")
    _, problems = load(Settings(root=folder, config=path, data=path), environ={})
    place = Source("", text[:at]).span(at)
    assert [(p.code, p.span.line, p.span.column) for p in problems] == [("PB003", place.line, place.column)]
