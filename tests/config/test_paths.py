"""Paths in documents: from the document on, never out of the folders that may be read."""

from pathlib import Path

import pytest

from tests.config.conftest import Folder, placed


def knowledge(*sources: str, more: str = "") -> str:
    return "knowledge:\n  - {name: a, sources: [" + ", ".join(f'"{source}"' for source in sources) + f"]{more}}}\n"


@pytest.fixture
def site(folder: Folder) -> Folder:
    """A configuration beside a folder that it may not read."""
    folder.write("outside/a.md", "# A")
    folder.write("site/content/a.md", "# A")
    (folder.path / "site/link").symlink_to(folder.path / "outside")
    (folder.path / "site/content/inner").symlink_to(folder.path / "site/content/a.md")
    return Folder(folder.path / "site", folder.environ)


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ("content", None),
        ("content/*.md", None),
        ("content/inner", None),
        ("content/../content", None),
        (".", None),
        ("gone", "PB107"),
        ("content/*.json", "PB107"),
        (" ", "PB107"),
        ("../outside", "PB109"),
        ("../gone", "PB109"),
        ("../site-2", "PB109"),
        ("content/../../outside/*.md", "PB109"),
        ("/etc", "PB109"),
        ("/*", "PB109"),
        ("link", "PB109"),
        ("link/a.md", "PB109"),
        ("link/*.md", "PB109"),
    ],
)
def test_a_source_lies_in_the_configurations_folder(site: Folder, source: str, code: str | None) -> None:
    declarations, problems = site.read("tools.yaml", knowledge("content", source))
    assert [placed(problem) for problem in problems] == ([f"2:36 {code}"] if code else [])
    kept = 1 if code == "PB109" or source == " " else 2
    assert len(declarations.knowledge[0].value.sources) == kept


def test_other_folders_are_opened_by_the_server_alone(site: Folder) -> None:
    site.write("tools.yaml", knowledge("../outside", "link/*.md", "/etc"))
    declarations, problems = site.load(content_dirs=(site.path.parent / "outside",))
    assert [placed(problem) for problem in problems] == ["2:52 PB109"]
    outside = str(site.path.parent / "outside")
    assert declarations.knowledge[0].value.sources == [outside, str(site.path / "link/*.md")]


def test_paths_start_at_the_document(folder: Folder) -> None:
    folder.write("tools.d/more/a.md", "# A")
    declarations, problems = folder.read("tools.d/a.yaml", knowledge("more"))
    assert problems == []
    assert declarations.knowledge[0].value.sources == [str(folder.path / "tools.d/more")]


@pytest.mark.parametrize(
    ("more", "severity"), [("", "warning"), (", on_error: disable", "warning"), (", on_error: fail", "error")]
)
def test_a_source_that_is_missing_is_a_warning_unless_it_must_be_there(
    folder: Folder, more: str, severity: str
) -> None:
    declarations, problems = folder.read("tools.yaml", knowledge("gone", more=more))
    assert [(problem.code, problem.severity) for problem in problems] == [("PB107", severity)]
    assert len(declarations.knowledge) == 1


def test_a_variable_in_a_path_is_filled_in_first(site: Folder) -> None:
    site.environ = {"WHERE": "../outside"}
    assert site.problems("tools.yaml", knowledge("${WHERE}")) == ["2:25 PB109"]
    assert Path(site.path / "tools.yaml").exists()
