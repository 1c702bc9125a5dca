"""The example of docs/models.md is right, and its table of errors complete."""

import re
from pathlib import Path

import pytest

from pegboard.app import check
from pegboard.errors import ModelError
from pegboard.llm.usage import Usage

TEXT = (Path(__file__).parents[2] / "docs/models.md").read_text("utf-8")


def test_the_example_is_free_of_problems(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SMALL_KEY", "BIG_KEY"):
        monkeypatch.setenv(name, "k")
    (example,) = re.findall(r"^```yaml\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)
    (tmp_path / "tools.yaml").write_text(example + "tools: [{name: search, description: Finds things.}]\n", "utf-8")
    report = check(config=tmp_path, environ={})
    assert [str(problem) for problem in report.problems] == []
    assert report.catalog.toolset("kitchen").models == {"scorer": "small", "writer": "big"}


def test_every_error_has_its_row() -> None:
    rows = set(re.findall(r"^\| `(\w+)` \|", TEXT.partition("## When a model")[2], re.MULTILINE))
    assert rows == {each.__name__ for each in _below(ModelError)}


def _below(kind: type[ModelError]) -> list[type[ModelError]]:
    return [found for each in kind.__subclasses__() for found in (each, *_below(each))]


def test_the_usage_is_shown_as_it_is() -> None:
    shown = re.findall(r'"(\w+)": [\d.]+', TEXT.partition('"usage"')[2])
    assert shown == list(Usage().to_json())
