"""The examples of docs/declarations.md are right, and the tables complete."""

import re
from pathlib import Path

from pegboard.app import check
from pegboard.catalog.load import CheckReport
from pegboard.config.server.keys import KEYS

TEXT = (Path(__file__).parents[2] / "docs/declarations.md").read_text("utf-8")

PIECE = "PB209"
"""No tool at all: an example may be a piece of a document."""


def examples(syntax: str) -> list[str]:
    return re.findall(rf"^```{syntax}\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)


def checked(folder: Path, name: str, text: str) -> CheckReport:
    folder.mkdir(exist_ok=True)
    (folder / "content").mkdir(exist_ok=True)
    (folder / name).write_text(text, "utf-8")
    return check(config=folder / name, environ={})


def test_every_example_is_free_of_problems(tmp_path: Path) -> None:
    reports = [
        checked(tmp_path / f"{syntax}{number}", f"tools.{syntax}", text)
        for syntax in ("yaml", "xml")
        for number, text in enumerate(examples(syntax))
    ]
    assert len(reports) == 3
    assert [str(problem) for report in reports for problem in report.problems if problem.code != PIECE] == []


def test_yaml_and_xml_declare_the_same(tmp_path: Path) -> None:
    yaml, xml = (
        checked(tmp_path / syntax, f"tools.{syntax}", examples(syntax)[0]).catalog.sites["bar"]
        for syntax in ("yaml", "xml")
    )
    assert (yaml.description, yaml.domains, yaml.types, yaml.routing, yaml.default) == (
        (xml.description, xml.domains, xml.types, xml.routing, xml.default)
    )
    fields = ("name", "type", "description", "examples", "reply", "parameters", "handler", "timeout_seconds")
    (one,), (other,) = yaml.tools, xml.tools
    assert [getattr(one, field) for field in fields] == [getattr(other, field) for field in fields]
    assert one.prompt.strip() == other.prompt.strip()
    assert one.questions == ("something bitter",)


def test_every_server_setting_is_listed() -> None:
    rows = re.findall(r"^\| `.*", TEXT.partition("## Server settings")[2], re.MULTILINE)
    assert rows == [f"| `{key}` | {each.meaning} | {each.default} |" for key, each in KEYS.items()]
