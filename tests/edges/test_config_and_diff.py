"""`platform config` and `platform diff`, in this process."""

import json
import re
from pathlib import Path

import pytest

from pegboard.config.server.keys import KEYS
from pegboard.edges.cli import config as config_command
from pegboard.edges.cli.command import run
from tests.edges.twin import TwinBackend

Output = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("OPENAI_API_KEY", "PEGBOARD_PORT", "PEGBOARD_DATA"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def test_config_shows_every_setting_with_its_place(
    backend: TwinBackend, folder: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "pegboard.toml").write_text('\nport = 1\nadmin_token = "hunter2"\nfile_size = "2MiB"\n')
    monkeypatch.setenv("PEGBOARD_PORT", "2")
    monkeypatch.setenv("PEGBOARD_PROT", "2")
    assert run(["config", "--set", "port=3"], backend=backend) == 0
    out, err = capsys.readouterr()
    rows = [line.split("\t") for line in out.splitlines()]
    assert [row[0] for row in rows] == list(KEYS)
    shown = {row[0]: row[1:] for row in rows}
    assert shown["port"] == ["3", "--set port (over $PEGBOARD_PORT, pegboard.toml:2:1)", KEYS["port"].meaning]
    assert shown["admin_token"][:2] == ["***", "pegboard.toml:3:1"]
    assert shown["file_size"][:2] == ["2MiB", "pegboard.toml:4:1"]
    assert shown["host"][:2] == ["127.0.0.1", "default"]
    assert re.findall(r"(\S+):\d+:\d+: \w+ (\w+)", err) == [("pegboard.toml", "PB108"), ("$PEGBOARD_PROT", "PB106")]
    assert "hunter2" not in out + err


def test_config_shows_one_setting_and_what_it_overrides(backend: TwinBackend, folder: Path, capsys: Output) -> None:
    (folder / "pegboard.toml").write_text("port = 1\n")
    assert run(["config", "port", "--set", "port=3"], backend=backend) == 0
    assert capsys.readouterr().out.splitlines() == [
        "port: the port to listen at; 0 is a free one",
        "  value      3     --set port",
        "  overrides  1     pegboard.toml:1:1",
        "  overrides  8000  default: 8000",
    ]
    assert run(["config", "port", "--json"], backend=backend) == 0
    assert json.loads(capsys.readouterr().out) == {
        "key": "port",
        "value": 1,
        "by": "file",
        "place": "pegboard.toml:1:1",
        "overrides": [{"value": 8000, "by": "default", "place": "default"}],
        "meaning": KEYS["port"].meaning,
        "default": "8000",
    }


def test_config_tells_errors_and_shows_the_rest(backend: TwinBackend, folder: Path, capsys: Output) -> None:
    (folder / "pegboard.toml").write_text("prot = 1\nhost = 'a'\n")
    assert run(["config", "--json"], backend=backend) == 3
    shown = json.loads(capsys.readouterr().out)
    assert [(each["code"], each["hint"]) for each in shown["problems"]] == [("PB101", "Did you mean 'port'?")]
    assert shown["settings"][0]["value"] == "a"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["config", "prot"], "platform: There is no setting 'prot'. Did you mean 'port'?\n"),
        (["config", "--set", "port"], "platform: --set takes KEY=VALUE. Such as --set port=9000.\n"),
        (["diff", "kitchen", "shp"], "platform: There is no site 'shp'. Did you mean 'shop'?\n"),
        (["diff", "./a", "shop"], "platform: There is no file or folder './a'. Compare two sites, or two paths.\n"),
        (
            ["diff", "kitchen", "shop", "-s", "a"],
            "platform: --site goes with two configurations. Name two folders or files.\n",
        ),
    ],
)
def test_wrong_usage_is_told(backend: TwinBackend, capsys: Output, arguments: list[str], complaint: str) -> None:
    assert run(arguments, backend=backend) == 2
    assert capsys.readouterr() == ("", complaint)


def test_the_help_names_every_setting() -> None:
    named = re.findall(r"\w+", config_command.EPILOG.partition("Settings:")[2])
    assert named == list(KEYS)


def test_diff_shows_what_two_sites_differ_in(backend: TwinBackend, capsys: Output) -> None:
    assert run(["diff", "kitchen", "shop"], backend=backend) == 1
    assert capsys.readouterr().out.splitlines() == [
        "description",
        "- All about kitchen.  tools.d/sites.yaml:4:5",
        "+ All about shop.  tools.d/sites.yaml:4:5",
        "domains",
        '- ["kitchen.example","*.kitchen.example"]  default',
        '+ ["shop.example","*.shop.example"]  default',
        "knowledge",
        '- ["kitchen"]  default',
        '+ ["shop"]  default',
        "default",
        "- true  default",
        "+ false  default",
        "- tool details  tools.xml:3:11",
        "+ tool order  tools.xml:3:11",
    ]
    assert run(["diff", "kitchen", "kitchen", "--json"], backend=backend) == 0
    assert json.loads(capsys.readouterr().out)["same"] is True


def test_diff_shows_long_texts_by_their_lines(backend: TwinBackend, folder: Path, capsys: Output) -> None:
    prompt = "\n".join(f"      line {number}" for number in range(9))
    for name, changed in (("old", "4"), ("new", "四")):
        (folder / name).mkdir()
        text = prompt.replace("4", changed)
        sites = "sites: [{name: s}]" if name == "new" else "sites: [{name: s}, {name: t}]"
        (folder / name / "tools.yaml").write_text(
            f"tools:\n  - name: search\n    prompt: |\n      {{request.query}}\n{text}\n{sites}\n"
        )
    assert run(["diff", "old", "new"], backend=backend) == 1
    out = capsys.readouterr().out
    assert out.splitlines() == [
        "- site t  old/tools.yaml:14:27",
        "site s",
        "  tool search",
        "    prompt",
        "    --- old/tools.yaml:3:13",
        "    +++ new/tools.yaml:3:13",
        "    @@ -4,5 +4,5 @@",
        "     line 2",
        "     line 3",
        "    -line 4",
        "    +line 四",
        "     line 5",
        "     line 6",
    ]
    assert run(["diff", "old", "new", "--site", "t"], backend=backend) == 1
    assert capsys.readouterr().out == "- site t  old/tools.yaml:14:27\n"
    assert run(["diff", "old", "old/tools.yaml"], backend=backend) == 0
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("form", [[], ["--json"]])
def test_diff_shows_where_a_block_stands_and_not_what_variables_hold_in_it(
    folder: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch, form: list[str]
) -> None:
    monkeypatch.setenv("SHOP_KEY", "hunter2-secret")
    for name, path in (("a", "old"), ("b", "new")):
        tool = f"tools:\n  - name: stock\n    http: {{url: 'http://10.1.1.1/{path}', headers: {{X-Key: '${{SHOP_KEY}}'}}}}\n"
        (folder / f"{name}.yaml").write_text(f"{tool}sites: [{{name: shop}}]\n")
    assert run(["diff", "a.yaml", "b.yaml", *form]) == 1
    out, err = capsys.readouterr()
    assert "hunter2" not in out + err
    assert "a.yaml:3:" in out
    assert "http://10.1.1.1/new" in out
