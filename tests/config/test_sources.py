"""Where content lies: patterns and what is said about paths that are not there."""

from pathlib import Path

import pytest

from pegboard.config.sources import Look, absolute, near


@pytest.fixture
def content(tmp_path: Path) -> Path:
    for name in ("a.md", "shop/b.md", "shop/deep/er/c.json", "shop/deep/d.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    return tmp_path


@pytest.mark.parametrize(
    ("pattern", "is_there"),
    [
        ("a.md", True),
        ("b.md", False),
        ("*.md", True),
        ("?.md", True),
        ("[b-z].md", False),
        ("*/b.md", True),
        ("*/c.json", False),
        ("**/c.json", True),
        ("**/deep/*/c.json", True),
        ("shop/**", True),
        ("shop/**/d.md", True),
        ("**/**/**/e.md", False),
        ("**/shop/**/deep/**/*.json", True),
        ("../*/a.md", True),
        ("*.md/x", False),
        ("nowhere/*", False),
        ("*a" * 200 + "b", False),
        ("**/" * 5000 + "b", False),
        ("a" * 300 + "*", False),
        ("a" * 5000, False),
        ("a/" * 5000, False),
        ("\x00*", False),
    ],
)
def test_a_pattern_finds_what_a_shell_would_find(content: Path, pattern: str, is_there: bool) -> None:
    assert Look().is_there(absolute(pattern, content)) is is_there


@pytest.mark.parametrize(
    ("missing", "hint"),
    [
        ("a.mb", "Did you mean 'a.md'?"),
        ("shap/b.md", "Did you mean 'shop'?"),
        ("shop/deep/e.md", "Did you mean 'd.md'?"),
        ("a" * 300 + "/b", "Paths are relative to the document that names them."),
        ("a/" * 50_000, "Paths are relative to the document that names them."),
        ("\x00/b", "Paths are relative to the document that names them."),
    ],
)
def test_a_path_that_is_not_there_gets_the_nearest_name_where_it_goes_wrong(
    content: Path, missing: str, hint: str
) -> None:
    assert near(absolute(missing, content)) == hint
