"""The folder of docs/nlweb.md is served as it stands there, and its tables are complete."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from pegboard.config.nlweb.files import hint_for

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs/nlweb.md").read_text("utf-8")
FILES = ("tools.xml", "sites.xml", "prompts.xml")


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """Return a folder with the files that stand in the document, and one that is not read."""
    blocks = re.findall(r"^```xml\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)
    for name, text in zip(FILES, blocks, strict=True):
        (tmp_path / name).write_text(text, "utf-8")
    (tmp_path / "config_llm.yaml").write_text("preferred_endpoint: openai\n", "utf-8")
    return tmp_path


def platform(*words: str, code: int = 0) -> object:
    done = subprocess.run(
        [sys.executable, "-m", "pegboard", *words, "--json"],
        env={"PYTHONPATH": str(ROOT / "platform"), "PATH": ""},
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == code, done.stderr
    return json.loads(done.stdout)


def test_the_folder_is_checked_without_an_error(config: Path) -> None:
    report = platform("check", "-c", str(config))
    assert isinstance(report, dict)
    assert [(problem["code"], problem["severity"], Path(problem["file"]).name) for problem in report["problems"]] == [
        ("PB008", "warning", "config_llm.yaml"),
        ("PB009", "warning", "prompts.xml"),
    ]
    assert (report["tools"], report["disabled"], report["sites"]) == (2, 0, ["films", "kutani-ware.example"])


def test_its_sites_are_listed_with_their_types(config: Path) -> None:
    assert platform("list", "-c", str(config)) == [
        {
            "name": "films",
            "description": "Films and series",
            "domains": [],
            "types": ["Movie", "TVSeries"],
            "tools": ["search"],
            "default": False,
        },
        {
            "name": "kutani-ware.example",
            "description": "Porcelain 陶瓷",
            "domains": ["kutani-ware.example"],
            "types": ["Product", "Article"],
            "tools": ["search"],
            "default": False,
        },
    ]


def test_a_site_is_found_without_regard_to_capitals(config: Path) -> None:
    assert platform("list", "-c", str(config), "--site", "FILMS") == platform(
        "list", "-c", str(config), "--site", "films"
    )


def test_prompts_alone_are_refused(config: Path) -> None:
    report = platform("check", "-c", str(config / "prompts.xml"), code=3)
    assert isinstance(report, dict)
    assert [problem["code"] for problem in report["problems"]] == ["PB006"]


def test_every_file_that_is_named_in_the_table_is_recognised() -> None:
    table = TEXT.partition("## Files that are not read")[2].partition("## ")[0]
    names = re.findall(r"^\| `(config_\w+\.yaml)`", table, re.MULTILINE)
    assert len(names) == 8
    assert [name for name in names if hint_for(Path(name)) is None] == []
