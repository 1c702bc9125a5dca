"""What `platform add` writes is what was asked, and leaves everything else as it stands."""

from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from pegboard.app import check, draft_site, draft_tool, settings_from
from pegboard.config.problems import Problems
from pegboard.config.starter.insert import added_to_xml, added_to_yaml
from pegboard.config.starter.stub import with_function
from pegboard.config.starter.wanted import Draft, NewSite, NewTool, Placement
from pegboard.config.starter.yaml_text import scalar
from pegboard.config.syntax.node import List, Scalar
from pegboard.config.syntax.source import Source
from pegboard.config.syntax.yaml_reader import read_yaml
from pegboard.errors import PegboardError, UnknownSite, UsageError
from tests.config.starter.conftest import laid_down

SUMS = NewTool("sums", handler="calculator", examples=("what do three cost",))


def drafted(folder: Path, wanted: NewTool | NewSite) -> Draft:
    given = settings_from(config=folder, environ={})
    draft = draft_tool(given, wanted) if isinstance(wanted, NewTool) else draft_site(given, wanted)
    for path, text in draft.files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return draft


def problems_of(folder: Path) -> list[str]:
    return [str(problem) for problem in check(config=folder, environ={}).problems]


@pytest.mark.parametrize("is_xml", [False, True])
@pytest.mark.parametrize(
    "wanted",
    [
        SUMS,
        replace(SUMS, examples=("what do three cost", "三件多少钱"), description='Adds: "up" & <down> # 加'),
        replace(SUMS, type="Product", read_only=True),
        NewTool("weather", new_handler=True, description="Says what the weather is like."),
        NewTool("clock", description="Says what time it is."),
        NewTool("search", site="tea", examples=("what is new",)),
        NewTool("sums", site="tea", handler="calculator", description="Adds up."),
        NewSite("kitchen", types=["Recipe", "Article"], domains=["kitchen.example"], description="Recipes: 菜谱"),
        NewSite("shop.example", content=[Path("content")]),
        NewSite("bare"),
        NewSite(".hidden"),
    ],
    ids=lambda wanted: str(getattr(wanted, "name", wanted)),
)
def test_what_is_added_has_no_problem(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wanted: NewTool | NewSite, is_xml: bool
) -> None:
    monkeypatch.chdir(laid_down(tmp_path, xml=is_xml))
    drafted(tmp_path, replace(wanted, place=Placement(xml=is_xml)))
    assert problems_of(tmp_path) == []
    sites = check(config=tmp_path, environ={}).catalog.sites
    if isinstance(wanted, NewSite):
        assert (sites[wanted.name].description, list(sites[wanted.name].domains)) == (
            (wanted.description, list(wanted.domains))
        )
    else:
        tool = sites["tea"].tool(wanted.name)
        assert set(wanted.examples) <= set(tool.questions)
        assert tool.description == wanted.description or not wanted.description


@pytest.mark.parametrize("file", ["tools.d/10-tools.yaml", "tools.d/10-tools.xml", "tools.d/new.yaml", "tools.yaml"])
def test_a_file_that_is_named_gets_it_and_keeps_every_line(tmp_path: Path, file: str) -> None:
    path = laid_down(tmp_path, xml=file.endswith("xml")) / file
    if file == "tools.yaml":
        path.write_text("# mine\n\nx-notes: [a,   b]  # wide\n", "utf-8")
    before = path.read_text("utf-8").splitlines() if path.exists() else []
    assert drafted(tmp_path, replace(SUMS, place=Placement(Path(file)))).document == path
    after = path.read_text("utf-8").splitlines()
    rest = iter(after)
    assert all(line in rest for line in before)
    assert len(after) > len(before)
    assert problems_of(tmp_path) == []


REFUSED = [
    (NewTool("opening_hours", handler="my_tools:opening_hours", description="x"), PegboardError, "10-tools.yaml:63:11"),
    (NewTool("a b", handler="search", description="x"), UsageError, "cannot be called 'a b'"),
    (NewTool("a", site="te", handler="search", description="x"), UnknownSite, "Did you mean 'tea'?"),
    (NewTool("a", description="x"), UsageError, "one of the rooms (accompaniment, agent, calculator, "),
    (NewTool("a", handler="serch", description="x"), UsageError, "Did you mean 'search'?"),
    (NewTool("a", handler="search"), UsageError, "--example"),
    (NewTool("a", handler="os:system", new_handler=True, description="x"), UsageError, '["my_tools", "os"]'),
    (NewTool("a", handler="my_tools:if", new_handler=True, description="x"), UsageError, "cannot be written"),
    (replace(SUMS, place=Placement(Path("other/a.yaml"))), UsageError, "would not be read"),
    (replace(SUMS, place=Placement(Path("tools.d/a.txt"))), UsageError, "would not be read"),
    (replace(SUMS, place=Placement(Path("tools.d/a.json"))), UsageError, "YAML or XML"),
    (replace(SUMS, place=Placement(Path("tools.d/a.yaml"), xml=True)), UsageError, "is no XML file"),
    (replace(SUMS, site="tea", place=Placement(Path("tools.d/a.yaml"))), UsageError, "Leave --file out"),
    (NewSite("tea"), PegboardError, "10-tools.yaml:86:11"),
    (NewSite("a/b"), UsageError, "cannot be called 'a/b'"),
]


@pytest.mark.parametrize(("wanted", "error", "words"), REFUSED)
def test_what_cannot_be_is_refused_with_what_to_do(
    tmp_path: Path, wanted: NewTool | NewSite, error: type[PegboardError], words: str
) -> None:
    laid_down(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(error) as found:
        drafted(tmp_path, wanted)
    assert words in str(found.value)
    assert sorted(tmp_path.rglob("*")) == before


def test_a_tool_is_not_added_to_no_configuration_unless_its_file_is_named(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "missing"):
        with pytest.raises(UsageError, match=r"There is no configuration in .*platform init"):
            drafted(folder, SUMS)
    assert list(tmp_path.iterdir()) == []
    drafted(tmp_path, replace(SUMS, place=Placement(Path("tools.yaml"))))
    assert problems_of(tmp_path) == []


def test_a_file_that_has_the_name_already_is_left(tmp_path: Path) -> None:
    laid_down(tmp_path)
    (tmp_path / "tools.d/sums.yaml").write_text("x-mine: 1\n")
    with pytest.raises(PegboardError, match="is there already"):
        drafted(tmp_path, SUMS)


@pytest.mark.parametrize("data", [b"\xef\xbb\xbftools: []\n", "工具".encode("gbk"), b"tools: [\n"])
def test_a_file_that_cannot_be_written_back_as_it_is_is_refused(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "tools.yaml").write_bytes(data)
    with pytest.raises(UsageError):
        drafted(tmp_path, replace(SUMS, place=Placement(Path("tools.yaml"))))
    assert (tmp_path / "tools.yaml").read_bytes() == data


def test_the_first_site_of_a_configuration_is_remarked_on(tmp_path: Path) -> None:
    (tmp_path / "tools.yaml").write_text("tools: [{name: clock, description: x}]\n")
    assert "from now on only 'kitchen'" in drafted(tmp_path, NewSite("kitchen")).notes[0]


NEW = "- name: new\n"
EXTENDED = [
    ("", "\ntools:\n  - name: new\n"),
    ("# only this\n", "# only this\n\ntools:\n  - name: new\n"),
    ("version: '1'", "version: '1'\n\ntools:\n  - name: new\n"),
    ("tools:\n- name: a", "tools:\n- name: a\n- name: new\n"),
    ("tools:   # mine\n", "tools:   # mine\n  - name: new\n"),
    ("tools:\n\n  -   name: a\n\n\nsites: []\n", "tools:\n\n  -   name: a\n  - name: new\n\n\nsites: []\n"),
    (
        "tools:\n  - name: a\n    # of a\n  # of nobody\n\n# end\n",
        "tools:\n  - name: a\n    # of a\n  - name: new\n  # of nobody\n\n# end\n",
    ),
    (
        "tools:\n  - name: a\n    prompt: |\n      # text\n\nx-a: 1\n",
        "tools:\n  - name: a\n    prompt: |\n      # text\n\n  - name: new\nx-a: 1\n",
    ),
    ("tools:\r\n  - name: a\r\n", "tools:\r\n  - name: a\r\n  - name: new\r\n"),
    ("x-a: 1\n---\ntools:\n  - {name: a}\n...\n", "x-a: 1\n---\ntools:\n  - {name: a}\n  - name: new\n...\n"),
    (
        "tools:\n  - &a\n    name: a\n  - <<: *a\n    name: b\nx-b: *a\n",
        "tools:\n  - &a\n    name: a\n  - <<: *a\n    name: b\n  - name: new\nx-b: *a\n",
    ),
    (
        "tools:\n  - name: a\n    examples: [\n b]  # c\n",
        "tools:\n  - name: a\n    examples: [\n b]  # c\n  - name: new\n",
    ),
]


@pytest.mark.parametrize(("text", "wanted"), EXTENDED)
def test_yaml_is_extended_between_two_lines(text: str, wanted: str) -> None:
    assert added_to_yaml(Source("a.yaml", text), "tools", ["name: new"]) == wanted


@pytest.mark.parametrize(
    "text", ["tools: []\n", "tools: [{name: a}]\n", "{tools: []}\n", "x-a: &a [b]\ntools: *a\n", "- a\n"]
)
def test_what_cannot_be_extended_by_lines_is_refused_with_its_place(text: str) -> None:
    with pytest.raises(UsageError, match=r"^a\.yaml:\d+:\d+: "):
        added_to_yaml(Source("a.yaml", text), "tools", ["name: new"])


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("<Tools>\n  <Item/>\n</Tools>\n", "<Tools>\n  <Item/>\n  <new/>\n</Tools>\n"),
        ("<Tools></Tools>", "<Tools>\n  <new/>\n</Tools>"),
        ("<Tools>\r\n</Tools><!-- </Tools> -->", "<Tools>\r\n  <new/>\r\n</Tools><!-- </Tools> -->"),
    ],
)
def test_xml_is_extended_before_its_end(text: str, wanted: str) -> None:
    assert added_to_xml(Source("a.xml", text), ["<new/>"]) == wanted


def test_an_empty_tag_has_no_room() -> None:
    with pytest.raises(UsageError, match="end tag"):
        added_to_xml(Source("a.xml", "<Tools/>"), ["<new/>"])


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Cn"]), max_size=20))
@settings(max_examples=300, deadline=None)
def test_a_text_is_read_as_it_was_given(text: str) -> None:
    (read,) = read_yaml(Source("a.yaml", f"- {scalar(text)}\n"), Problems())
    assert isinstance(read, List)
    assert isinstance(item := read.items[0], Scalar)
    assert (item.value, item.is_ambiguous) == (text, False)
    assert yaml.safe_load(f"- {scalar(text)}\n") == [text]


@pytest.mark.parametrize(
    "text", ["no", "1_000", "2026-01-01", "- a", "a: b", "a #b", "", " a", "null", "0x1F", "@a", "a:"]
)
def test_a_text_that_yaml_would_read_otherwise_is_quoted(text: str) -> None:
    assert scalar(text) == f'"{text}"'


STUBS = [
    (None, '"""Tools of our own; declarations name them."""\n\nfrom pegboard.catalog.contract import tool\n'),
    ("import os\n", "import os\nfrom pegboard.catalog.contract import tool\n"),
    ('"""Mine."""\n\nX = 1\n', '"""Mine."""\n\nfrom pegboard.catalog.contract import tool\n\nX = 1\n'),
    ("X = 1", "from pegboard.catalog.contract import tool\nX = 1\n"),
]


@pytest.mark.parametrize(("text", "before"), STUBS)
def test_a_function_is_added_that_runs(text: str | None, before: str) -> None:
    module = with_function(text, Path("m.py"), "hours", 'Says "when" \\ 何时.')
    assert module is not None
    assert module.startswith(before + "\n\n@tool\ndef hours(query: str) -> str:\n")
    names: dict[str, object] = {}
    exec(compile(module, "m.py", "exec"), names)
    hours = names["hours"]
    assert callable(hours)
    assert hours.__doc__ == 'Says "when" \\ 何时.'
    assert hours(query="now") == "hours: now"


def test_a_function_that_is_there_is_left() -> None:
    assert with_function("async def hours(): ...\n", Path("m.py"), "hours", "") is None


def test_a_module_with_a_syntax_error_is_left() -> None:
    with pytest.raises(UsageError, match=r"m\.py:2: "):
        with_function("\ndef x(:\n", Path("m.py"), "hours", "")
