"""`platform convert` and `platform fmt`, from file to file."""

import json
from pathlib import Path

import pytest

from pegboard.edges.cli.command import run

TOOL = """\
# Mine.
tools:
- {name: search, examples: [find things]}   # kept
"""
HOUSE = """\
# Mine.
tools:
  - name: search  # kept
    examples:
      - find things
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tools.yaml").write_text(TOOL)
    return tmp_path


def test_convert_prints(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["convert", "tools.yaml", "--to", "json"]) == 0
    said = capsys.readouterr()
    assert json.loads(said.out) == {"tools": [{"name": "search", "examples": ["find things"]}]}
    assert said.err == "tools.yaml: 2 comments were left out: JSON has none\n"


def test_convert_writes_where_the_suffix_says(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["convert", "tools.yaml", "-o", "tools.xml"]) == 0
    assert '<tool name="search">  <!-- kept -->' in (folder / "tools.xml").read_text()
    said = capsys.readouterr()
    assert (said.out, said.err) == (
        "",
        "tools.xml written\ntools.yaml is still there, and both are read: remove one\n",
    )


def test_convert_a_folder(folder: Path) -> None:
    (folder / "tools.d").mkdir()
    (folder / "tools.d/a.json").write_text('{"sites": [{"name": "a"}]}')
    assert run(["convert", ".", "--to", "xml", "-o", "out"]) == 0
    assert sorted(str(path.relative_to(folder)) for path in (folder / "out").rglob("*.*")) == [
        "out/tools.d", "out/tools.d/a.xml", "out/tools.xml"
    ]  # fmt: skip


def test_convert_as_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["convert", "tools.yaml", "--to", "yaml", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == [
        {"source": str(folder / "tools.yaml"), "comments_left_out": 0, "text": HOUSE}
    ]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["tools.yaml"], "Which syntax?"),
        (["tools.yaml", "--to", "yml"], "Did you mean 'yaml'?"),
        (["tools.yaml", "--to", "xml", "-o", "a.json"], "--to says xml, and a.json is called as json."),
        (["tools.yaml", "-o", "a.txt"], "a.txt would not be read."),
        ([".", "--to", "xml"], "Name it with --output."),
    ],
)
def test_convert_says_what_is_missing(
    words: list[str], said: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["convert", *words]) == 2
    assert said in capsys.readouterr().err


def test_two_documents_do_not_become_one_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "tools.json").write_text("{}")
    assert run(["convert", ".", "--to", "xml", "-o", "out"]) == 2
    assert "would both be" in capsys.readouterr().err
    assert not (folder / "out").exists()


def test_convert_writes_nothing_of_a_document_with_errors(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "tools.yaml").write_text("tools: [{nam: x}]\n")
    assert run(["convert", "tools.yaml", "-o", "a.xml"]) == 3
    assert "tools.yaml:1:10: error PB101" in capsys.readouterr().err
    assert not (folder / "a.xml").exists()


def test_what_xml_cannot_hold_is_said_with_its_place(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "tools.yaml").write_text("tools:\n  - name: a\n    examples: {en: [], zh: [x]}\n")
    assert run(["convert", "tools.yaml", "--to", "xml"]) == 3
    assert "tools.yaml:3:16: error PB110" in capsys.readouterr().err


def test_fmt_writes(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["fmt"]) == 0
    said = capsys.readouterr()
    assert ((folder / "tools.yaml").read_text(), said.out, said.err) == (
        HOUSE, "tools.yaml\n", "1 of 1 document written anew\n"
    )  # fmt: skip
    assert run(["fmt", "--check"]) == 0


@pytest.mark.parametrize(
    ("option", "code", "line"), [("--check", 1, "tools.yaml"), ("--diff", 0, "+  - name: search  # kept")]
)
def test_fmt_that_only_looks(
    option: str, code: int, line: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["fmt", option]) == code
    assert (folder / "tools.yaml").read_text() == TOOL
    assert line in capsys.readouterr().out.splitlines()


def test_fmt_leaves_a_file_with_errors(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "tools.d").mkdir()
    (folder / "tools.d/a.yaml").write_text("tools: [\n")
    assert run(["fmt", "--json"]) == 3
    told = json.loads(capsys.readouterr().out)
    assert (told["documents"], told["changed"]) == (2, ["tools.yaml"])
    assert [(problem["file"], problem["code"]) for problem in told["problems"]] == [("tools.d/a.yaml", "PB003")]
    assert (folder / "tools.d/a.yaml").read_text() == "tools: [\n"


def test_fmt_follows_a_link(folder: Path) -> None:
    (folder / "data").mkdir()
    (folder / "tools.yaml").rename(folder / "data/tools.yaml")
    (folder / "tools.yaml").symlink_to("data/tools.yaml")
    assert run(["fmt", "tools.yaml"]) == 0
    assert (folder / "tools.yaml").is_symlink()
    assert (folder / "data/tools.yaml").read_text() == HOUSE


def test_a_folder_of_nlweb_is_formatted_and_not_converted(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "tools.yaml").rename(folder / "tools.d.yaml")
    (folder / "tools.xml").write_text("<Tools><Item><Tool name='search'/></Item></Tools>")
    (folder / "sites.xml").write_text("<Sites><Site name='a'><itemType>Recipe</itemType></Site></Sites>")
    (folder / "prompts.xml").write_text("<root><Site ref='x'><Prompt ref='y'/></Site></root>")
    assert run(["fmt"]) == 0
    assert capsys.readouterr().out == "tools.xml\nsites.xml\n"
    assert run(["convert", ".", "--to", "yaml", "-o", "out"]) == 2
    assert "sites.xml and prompts.xml of NLWeb complete what stands in tools.xml" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["tools.yaml", "-o", "out.xml"], [".", "--to", "xml", "-o", "."]])
def test_convert_overwrites_no_other_file(folder: Path, words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "out.xml").write_text("mine")
    (folder / "tools.xml").write_text("<Tools><!-- mine --></Tools>")
    assert run(["convert", *words]) == 2
    assert ((folder / "out.xml").read_text(), "mine" in (folder / "tools.xml").read_text()) == ("mine", True)
    assert capsys.readouterr().out == ""


def test_fmt_calls_no_document_with_errors_well_formed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "tools.yaml").write_text("tools: [")
    assert run(["fmt"]) == 3
    assert capsys.readouterr().err.endswith("0 documents in the house form\n1 document has errors and was left\n")
