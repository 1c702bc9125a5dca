"""Which files are documents, in which order, and what is not read."""

import os
from pathlib import Path

import pytest

from tests.config.conftest import Folder

TOOL = "tools: [{{name: {}}}]"


def test_the_first_document_and_then_the_folder_by_name(folder: Folder) -> None:
    folder.write("tools.d/b.yml", TOOL.format("d"))
    folder.write("tools.d/a.YAML", TOOL.format("c"))
    folder.write("tools.yaml", TOOL.format("b"))
    folder.write("tools.xml", "<Tools><Tool name='a'/></Tools>")
    for left_over in (
        ".hidden.yaml",
        "#a.yaml#",
        ".#a.yaml",
        "a.yaml~",
        "README.md",
        "a.yaml.bak",
        "sub/x.yaml",
    ):
        folder.write(f"tools.d/{left_over}", "][")
    found, problems = folder.load()
    assert problems == []
    assert [tool.value.name for tool in found.tools] == ["a", "b", "c", "d"]
    assert found.files == ("tools.xml", "tools.yaml", "tools.d/a.YAML", "tools.d/b.yml")


def test_one_file_can_be_named(folder: Folder) -> None:
    path = folder.write("other/my.json", '{"tools": [{"name": "a"}]}')
    found, problems = folder.load(config=path, root=path.parent)
    assert ([tool.value.name for tool in found.tools], problems) == (["a"], [])


def test_a_config_map_is_read_and_reported_by_the_names_that_the_user_sees(folder: Folder) -> None:
    folder.write("tools.d/..2026_01/site.yaml", "tools: [{name: a, x: 1}]")
    (folder.path / "tools.d/..data").symlink_to("..2026_01")
    (folder.path / "tools.d/site.yaml").symlink_to("..data/site.yaml")
    found, problems = folder.load()
    assert found.files == ("tools.d/site.yaml",)
    assert [str(problem.span) for problem in problems] == ["tools.d/site.yaml:1:19"]


def test_a_link_that_leads_out_is_not_followed(folder: Folder, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("outside") / "secret.yaml"
    outside.write_text("tools: [{name: secret}]")
    folder.write("tools.yaml", "tools: []")
    (folder.path / "tools.d").mkdir()
    (folder.path / "tools.d/out.yaml").symlink_to(outside)
    (folder.path / "tools.d/dangling.yaml").symlink_to("nowhere")
    (folder.path / "tools.d/loop.yaml").symlink_to("loop.yaml")
    os.mkfifo(folder.path / "tools.d/pipe.yaml")
    found, problems = folder.load()
    assert found.tools == ()
    assert [(problem.code, Path(problem.span.file).name) for problem in problems] == [
        ("PB001", "dangling.yaml"),
        ("PB001", "loop.yaml"),
        ("PB001", "out.yaml"),
        ("PB001", "pipe.yaml"),
    ]


def test_a_link_that_leads_out_is_not_followed_when_it_is_named_either(
    folder: Folder, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside") / "secret.yaml"
    outside.write_text("root:x:0:0")
    (folder.path / "tools.yaml").symlink_to(outside)
    found, problems = folder.load(config=folder.path / "tools.yaml")
    assert [(problem.code, problem.message) for problem in problems] == [
        ("PB001", "this link leads out of the configuration's folder")
    ]
    assert "root" not in found.sources


def test_a_folder_that_leads_out_is_not_listed(folder: Folder, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("outside")
    (outside / "secret.yaml").write_text("tools: [{name: secret}]")
    folder.write("tools.yaml", "tools: []")
    (folder.path / "tools.d").symlink_to(outside)
    found, problems = folder.load()
    assert found.files == ("tools.yaml",)
    assert [(str(problem.span), problem.code) for problem in problems] == [("tools.d:1:1", "PB001")]
    assert "secret" not in str(problems)


@pytest.mark.parametrize("target", ["tools.d", "tools.d/below", "../tools.d"])
def test_a_folder_that_leads_nowhere_or_in_a_circle_is_a_problem_or_nothing(folder: Folder, target: str) -> None:
    folder.write("tools.yaml", "tools: [{name: a}]")
    (folder.path / "tools.d").symlink_to(target)
    found, problems = folder.load()
    assert [tool.value.name for tool in found.tools] == ["a"]
    assert {problem.code for problem in problems} <= {"PB001"}


@pytest.mark.parametrize("below", ["", "tools.xml", "tools.d/a.yaml", "more"])
def test_a_configuration_behind_links_in_a_circle_is_a_problem(folder: Folder, below: str) -> None:
    (folder.path / "loop").symlink_to("loop")
    config = folder.path / "loop" / below
    _, problems = folder.load(config=config, root=config.parent)
    assert [problem.code for problem in problems] == ["PB001"]
    assert "Too many levels of symbolic links" in problems[0].message


def test_folders_that_are_called_like_documents_are_no_documents(folder: Folder) -> None:
    (folder.path / "tools.xml").mkdir()
    (folder.path / "tools.d/a.yaml").mkdir(parents=True)
    folder.write("tools.d/b.yaml", "tools: [{name: b}]")
    found, problems = folder.load()
    assert found.files == ("tools.d/b.yaml",)
    assert [(problem.span.file, problem.message) for problem in problems] == [("tools.xml", "this is no regular file")]


def test_the_names_of_files_may_be_of_any_bytes(folder: Folder) -> None:
    folder.write("tools.d/中 文.yaml", "tools: [{name: a, x: 1}]")
    (folder.path / "tools.d" / os.fsdecode(b"\xff.yaml")).write_bytes(b"tools: [{name: b, x: 1}]")
    folder.write("tools.d/" + "n" * 240 + ".yaml", "tools: [{name: c, x: 1}]")
    folder.write("tools.d/new\nline.yaml", "tools: [{name: d, x: 1}]")
    found, problems = folder.load()
    assert sorted(tool.value.name for tool in found.tools) == ["a", "b", "c", "d"]
    for problem in problems:
        str(problem).encode()


def test_large_files_are_refused_by_their_size_and_the_others_are_read(folder: Folder) -> None:
    folder.write("tools.yaml", "tools: [{name: a}]")
    folder.write("tools.d/large.yaml", "[" * 100)
    folder.write("tools.d/more.yaml", "#" * 40)
    found, problems = folder.load(file_bytes=50, total_bytes=50)
    assert [tool.value.name for tool in found.tools] == ["a"]
    assert [(p.code, p.span.file) for p in problems] == [
        ("PB002", "tools.d/large.yaml"),
        ("PB002", "tools.d/more.yaml"),
    ]


def test_nothing_to_read_says_what_to_do(folder: Folder) -> None:
    assert [(p.code, p.hint) for p in folder.load()[1]] == [
        ("PB007", "Create tools.xml, tools.yaml or tools.d/*.yaml there, or name another folder with -c.")
    ]
    assert [p.code for p in folder.load(config=folder.path / "nowhere")[1]] == ["PB001"]
    assert [p.code for p in folder.load(config=folder.write("tools.toml", ""))[1]] == ["PB006"]


def test_empty_documents_are_allowed(folder: Folder) -> None:
    folder.write("tools.d/a.yaml", "# tools: []\n")
    folder.write("tools.d/b.yaml", "")
    assert folder.load()[1] == []


@pytest.mark.skipif(not Path("/dev/null").exists(), reason="needs /dev/null")
def test_a_device_is_not_said_to_be_missing(folder: Folder) -> None:
    _, problems = folder.load(config=Path("/dev/null"))
    assert [(problem.code, problem.message) for problem in problems] == [
        ("PB001", "this is neither a file nor a folder")
    ]
