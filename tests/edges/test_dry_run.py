"""`platform call --dry-run`: what would be sent, and nothing is."""

import json
from pathlib import Path

import pytest

from pegboard.edges.cli.command import run

DOCUMENT = """\
sources:
  - {name: shop, http: {base_url: "https://api.shop.example/v1", auth: {bearer: "${SHOP_TOKEN:-}"}}}
tools:
  - name: note
    description: Writes a note.
    http: {source: shop, method: POST, url: "/notes/{id}", body: {text: "{text}", photo: "{photo}"}}
    parameters:
      type: object
      properties: {id: {type: integer}, text: {type: string}, photo: {type: string, contentEncoding: base64}}
      required: [id]
sites:
  - {name: here, default: true}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "tools.yaml").write_text(DOCUMENT, "utf-8")
    (tmp_path / "photo.bin").write_bytes(b"\x00\xff")
    return tmp_path


def test_the_request_is_shown_with_its_secret_masked(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SHOP_TOKEN", "hush-hush")
    assert run(["call", "-c", str(folder), "note", "id=7", "text=你好", f"photo=@{folder}/photo.bin", "--dry-run"]) == 0
    out, err = capsys.readouterr()
    assert out == (
        "POST https://api.shop.example/v1/notes/7\n"
        "Content-Type: application/json\n"
        "Authorization: Bearer ***\n"
        '\n{"text":"你好","photo":"AP8="}\n'
    )
    assert err == ""


def test_json_and_a_missing_secret(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("SHOP_TOKEN", raising=False)
    assert run(["call", "-c", str(folder), "note", "id=7", "--dry-run", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["tool"], told["handler"]) == ("note", "pegboard.handlers.http:request")
    assert told["would"]["missing"].startswith("The secret that the service wants is not set.")


@pytest.mark.parametrize(("words", "says"), [(["id=x"], "id"), ([], "id"), (["id=7", "nope=1"], "no argument 'nope'")])
def test_arguments_are_checked_as_in_a_call(
    folder: Path, capsys: pytest.CaptureFixture[str], words: list[str], says: str
) -> None:
    assert run(["call", "-c", str(folder), "note", *words, "--dry-run"]) == 2
    assert says in capsys.readouterr().err


def test_a_tool_of_another_kind_shows_its_arguments(capsys: pytest.CaptureFixture[str]) -> None:
    root = Path(__file__).parents[2]
    assert run(["call", "-c", str(root), "calculator", "--site", "shop", "expression=1+1", "--dry-run"]) == 0
    assert json.loads(capsys.readouterr().out)["would"] == {"arguments": {"expression": "1+1"}}
