from pathlib import Path

import pytest

from pegboard.knowledge.read import File, Unread, find_files, read_bytes, read_document
from tests.knowledge.conftest import read_text


def test_a_folder_is_read_with_all_below_it_in_the_order_of_names(tmp_path: Path) -> None:
    for name in ("b/two.md", "a.json", "b/one.jsonl", ".hidden/x.json", "b/.x.json", "notes.txt"):
        path = tmp_path / "base" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}", encoding="utf-8")
    files, problems = find_files([tmp_path / "base"])
    assert [file.name for file in files] == ["base/a.json", "base/b/one.jsonl", "base/b/two.md"]
    assert problems == []


def test_a_glob_and_a_file_are_sources_too_and_no_file_is_read_twice(tmp_path: Path) -> None:
    for name in ("a.json", "b.json", "c.md"):
        (tmp_path / name).write_text("{}", encoding="utf-8")
    files, problems = find_files([tmp_path / "*.json", tmp_path / "a.json", tmp_path / "c.md"])
    assert ([file.name for file in files], problems) == (["a.json", "b.json", "c.md"], [])


def test_equal_names_in_two_folders_are_told_apart(tmp_path: Path) -> None:
    for folder in ("x/base", "y/base"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "a.json").write_text("{}", encoding="utf-8")
    files, _ = find_files([tmp_path / "x/base", tmp_path / "y/base"])
    assert [file.name for file in files] == ["base/a.json", "base/a.json~2"]


def test_a_link_that_leads_back_ends(tmp_path: Path) -> None:
    (tmp_path / "base").mkdir()
    (tmp_path / "base/a.json").write_text("{}", encoding="utf-8")
    (tmp_path / "base/loop").symlink_to(tmp_path / "base", target_is_directory=True)
    assert [file.name for file in find_files([tmp_path / "base"])[0]] == ["base/a.json"]


def test_a_source_that_is_not_there_or_empty_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    files, problems = find_files([tmp_path / "missing", tmp_path / "empty", tmp_path / "*.md"])
    assert files == []
    assert ["no such" in problem.message for problem in problems] == [True, False, True]


def test_bytes_that_are_no_utf8_are_a_problem_with_their_line() -> None:
    file = File(Path("a.json"), "a.json", "a.json")
    document = read_document("notes", file, b'{"name":\n"caf\xe9"}')
    assert document.entries == ()
    assert str(document.problems[0]).startswith("a.json:2:1: It is no UTF-8: byte 0xe9.")


def test_a_byte_order_mark_is_no_problem() -> None:
    file = File(Path("a.json"), "a.json", "a.json")
    document = read_document("notes", file, b'\xef\xbb\xbf{"name": "x", "description": "y"}')
    assert [entry.item.name for entry in document.entries] == ["x"]


def test_a_file_that_cannot_be_read_is_a_problem(tmp_path: Path) -> None:
    missing = File(tmp_path / "gone.json", "gone.json", "gone.json")
    found = read_bytes(missing)
    assert isinstance(found, Unread)
    assert "cannot be read" in str(found)


def test_an_item_without_an_address_gets_a_stable_one() -> None:
    one = read_text('{"name": "A", "description": "x"}', "box/a.json").entries
    two = read_text('[{"name": "My A", "description": "x"}, {"name": "B", "description": "y"}]', "a.json").entries
    assert [entry.item.url for entry in (*one, *two)] == [
        "pegboard:notes/box/a.json",
        "pegboard:notes/a.json#my-a",
        "pegboard:notes/a.json#b",
    ]


def test_an_item_is_named_by_its_file_if_by_nothing_else() -> None:
    (entry,) = read_text('{"description": "x"}', "my_first-note.json").entries
    assert entry.item.name == "my first note"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ('{"name": "Soup", "description": "x"}', "en"),
        ('{"name": "番茄汤", "description": "x"}', "zh"),
        ('{"name": "Soup", "description": "x", "inLanguage": "zh-CN"}', "zh"),
        ('{"name": "汤", "description": "x", "inLanguage": {"@type": "Language", "name": "Chinese"}}', "zh"),
    ],
)
def test_the_language_is_declared_or_seen(text: str, language: str) -> None:
    assert read_text(text).entries[0].item.language == language


def test_an_object_that_says_nothing_is_reported() -> None:
    document = read_text('[{"@type": "Thing", "name": "A"}, {"name": "B", "description": "b"}]')
    assert [entry.item.name for entry in document.entries] == ["B"]
    assert [problem.message for problem in document.problems] == ["Nothing to find in A: it says nothing."]


def test_markdown_is_an_item_of_the_type_that_its_front_matter_names() -> None:
    text = "---\ntitle: Eggs\ntype: HowTo\nlang: en\ntags: [vegan]\nsummary: What to use.\nurl: https://x.example/e\n---\n## In cakes\nUse applesauce."
    (entry,) = read_text(text, "eggs.md").entries
    item = entry.item
    assert (item.url, item.name, item.type, item.language) == ("https://x.example/e", "Eggs", "HowTo", "en")
    assert item.description == "What to use."
    assert item.schema_object["articleBody"] == "## In cakes\nUse applesauce."
    assert [(piece.heading, piece.text) for piece in entry.pieces] == [
        ("", "What to use.\nAbout: vegan"),
        ("In cakes", "Use applesauce."),
    ]


def test_markdown_without_front_matter_is_named_by_its_heading() -> None:
    (entry,) = read_text("# Returns\nThirty days.", "x.md").entries
    assert (entry.item.name, entry.item.description) == ("Returns", "Thirty days.")


def test_bad_front_matter_loses_no_text() -> None:
    document = read_text("---\ntitle: [\n---\n# Returns\nThirty days.", "x.md")
    assert [entry.item.name for entry in document.entries] == ["Returns"]
    assert str(document.problems[0]).startswith("x.md:2:9: No valid YAML")


@pytest.mark.parametrize("name", ["x.md", "x.json", "x.jsonl"])
def test_an_empty_file_is_a_problem(name: str) -> None:
    document = read_text("  \n", name)
    assert (document.entries, [problem.message for problem in document.problems]) == (
        (),
        ["The file is empty."],
    )
