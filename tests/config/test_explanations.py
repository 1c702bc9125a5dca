"""Every code is explained, and its examples are what they say: the wrong one gives it, the right one nothing."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pegboard.app import check
from pegboard.config.explanations import Example, explanations, link_target
from pegboard.config.problems import KINDS

EXPLAINED = explanations()

EXAMPLES = [
    (code, heading, example)
    for code, explanation in EXPLAINED.items()
    for heading, example in explanation.examples
    if explanation.found_by == "check"
]  # fmt: skip


@pytest.fixture(autouse=True)
def _fresh_imports(tmp_path: Path) -> Iterator[None]:
    """Forget the modules of an example: the next has one of the same name."""
    paths = list(sys.path)
    yield
    sys.path[:] = paths
    for name, module in list(sys.modules.items()):
        places = [getattr(module, "__file__", None), *getattr(module, "__path__", ())]
        if any(place and Path(place).is_relative_to(tmp_path) for place in places):
            del sys.modules[name]


def test_every_code_is_explained_and_no_other() -> None:
    assert sorted(KINDS) == sorted(EXPLAINED), "add a file to config/codes: see config/explanations.py"


@pytest.mark.parametrize(
    ("code", "heading", "example"), EXAMPLES, ids=[f"{code} {heading}" for code, heading, _ in EXAMPLES]
)
def test_a_wrong_example_gives_its_code_and_a_right_one_nothing(
    code: str, heading: str, example: Example, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    laid_down(example, tmp_path)
    report = check(config=None, environ={})
    wanted = {code} if heading.startswith("Wrong") else set()
    assert {problem.code for problem in report.problems} == wanted, [str(problem) for problem in report.problems]


@pytest.mark.parametrize("code", EXPLAINED)
def test_an_explanation_says_why_and_what_to_do(code: str) -> None:
    explained = EXPLAINED[code]
    assert all(text.endswith((".", "?", ".)")) and len(text) > 20 for text in (explained.why, explained.do))
    assert explained.wrong
    assert explained.right
    assert bool(explained.wrong_xml) <= bool(explained.right_xml or explained.right)


def laid_down(example: Example, folder: Path) -> None:
    """Write the files of an example."""
    for name, content in example.items():
        file, _, mode = name.removesuffix(")").partition(" (mode ")
        path = folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.parent != folder:
            path.parent.chmod(0o755)
        if target := link_target(content):
            path.symlink_to(target)
        else:
            path.write_text(content, encoding="utf-8")
            path.chmod(int(mode or "644", 8))


def test_examples_may_be_links_and_have_modes(tmp_path: Path) -> None:
    laid_down({"secrets/token (mode 600)": "x\n", "tools.yaml": "tools: []\n", "a.yaml": "-> tools.yaml"}, tmp_path)
    found = {path.name: path.stat().st_mode & 0o777 for path in sorted(tmp_path.rglob("*")) if path.is_file()}
    assert found == {"a.yaml": 0o644, "token": 0o600, "tools.yaml": 0o644}
    assert (tmp_path / "a.yaml").readlink() == Path("tools.yaml")
