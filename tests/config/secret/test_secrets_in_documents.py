"""Secrets in documents: put in where they are wanted, reported where they stand in the clear, shown nowhere."""

import os
from pathlib import Path
from typing import cast

import pytest

from pegboard.config.declaration import Declaration
from pegboard.config.problems import Problems
from pegboard.config.secret.files import SecretFiles
from pegboard.config.secret.value import Secret, SecretText
from pegboard.config.shape import record_of
from pegboard.config.sizes import Bytes
from pegboard.config.syntax.node import Map
from pegboard.config.syntax.source import Source, quoted
from pegboard.config.syntax.yaml_reader import read_yaml
from pegboard.config.values import Values
from pegboard.config.variables import Variables
from tests.config.conftest import Folder, placed

KEY = "sk-" + "Ab3dEf6hIj9kLm2nOp5q"


class Block(Declaration):
    """A block of a kind of handler, as it may come."""

    token: SecretText = Secret("")
    limit: Bytes = 1
    note: str = ""


def read(text: str, folder: Path | None = None, **environ: str) -> tuple[dict[str, object], list[str], str]:
    """Read a block; return its values, its problems, and all that is shown of them."""
    source, problems = Source("a.yaml", text), Problems()
    node = cast("Map", read_yaml(source, problems)[0])
    values = Values(problems, Variables(environ, ["*"]), SecretFiles(folder))
    plain = cast("dict[str, object]", values.read(node, record_of(Block)))
    Block.model_validate(plain, strict=True)
    shown = "".join(f"{problem} {problem.quotes[0][0][1]}" for problem in quoted(problems, {"a.yaml": source}))
    return plain, [placed(problem) for problem in problems], shown


@pytest.mark.parametrize(
    ("written", "secret"),
    [
        ("${DB}", "!p:a#s s"),
        ("Bearer ${DB}", "Bearer !p:a#s s"),
        ("file:token", "from the file"),
        ("file:below/token", "two\nlines"),
        ('"${INDIRECT}"', "file:token"),
    ],
)
def test_a_secret_is_put_in(tmp_path: Path, written: str, secret: str) -> None:
    (tmp_path / "below").mkdir()
    (tmp_path / "token").write_text("from the file\n")
    (tmp_path / "below/token").write_text("two\nlines\r\n\n")
    tmp_path.chmod(0o700)
    plain, problems, _ = read(f"token: {written}\n", tmp_path, DB="!p:a#s s", INDIRECT="file:token")
    assert (plain["token"], problems) == (Secret(secret), [])


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("token: hunter2\n", ["1:8 PB108"]),
        ("token: ${X:-hunter2}\n", ["1:8 PB108"]),
        ("token: ${X:-none}\n", []),
        ("token: ${X:-nonesuch}\n", ["1:8 PB108"]),
        ("token: 4711\n", ["1:8 PB103"]),
        ("tokn: hunter2\n", ["1:1 PB101", "1:7 PB108"]),
        ("{api_key: hunter2}\n", ["1:2 PB101"]),
        ("token: {a: hunter2}\n", []),
        ("token: ''\n", ["1:8 PB103"]),
        ("token: ${NOPE}\n", ["1:8 PB105"]),
        ("{note: &a hunter2, token: *a}\n", ["1:11 PB108"]),
    ],
)
def test_what_is_wrong_is_told_and_not_shown(text: str, problems: list[str]) -> None:
    source, found = Source("a.yaml", text), Problems()
    node = cast("Map", read_yaml(source, found)[0])
    Values(found, Variables({}, ["*"])).read(node, record_of(Block))
    assert [placed(problem) for problem in found] == problems
    shown = "".join(f"{problem} {problem.quotes[0][0][1]}" for problem in quoted(found, {"a.yaml": source}))
    assert not {"hunter2", "4711"} & set(shown.replace("}", " ").replace(",", " ").split())


@pytest.mark.parametrize(
    "name", ["../outside", "/etc/hostname", "gone", "link", "loop", "", ".", "a\x00b", "big", "empty", "pipe", "latin"]
)
def test_a_file_that_may_not_be_read_is_refused(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "secrets"
    folder.mkdir()
    (tmp_path / "outside").write_text("out")
    (folder / "link").symlink_to(tmp_path / "outside")
    (folder / "loop").symlink_to("loop")
    (folder / "big").write_text("x" * 70_000)
    (folder / "empty").write_text("\n")
    (folder / "latin").write_bytes(b"\xe9")
    os.mkfifo(folder / "pipe")
    secret, faults = SecretFiles(folder).read(f"file:{name}")
    assert (secret, [fault.code for fault in faults]) == (None, ["PB120"])


def test_without_a_folder_the_setting_is_named() -> None:
    _, (fault,) = SecretFiles(None).read("file:x")
    assert "secrets_dir" in fault.message + fault.hint


def test_a_file_that_everybody_may_read_is_reported_once(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    (tmp_path / "a").write_text("x")
    (tmp_path / "a").chmod(0o644)
    files = SecretFiles(tmp_path)
    found = [files.read("file:a") for _ in range(2)]
    assert [(secret, [fault.code for fault in faults]) for secret, faults in found] == [
        (Secret("x"), ["PB121"]),
        (Secret("x"), []),
    ]
    (tmp_path / "a").chmod(0o600)
    assert SecretFiles(tmp_path).read("file:a") == (Secret("x"), [])


@pytest.mark.parametrize(
    ("name", "text", "problems"),
    [
        ("tools.yaml", f"tools:\n  - name: a\n    description: use {KEY} here\n", ["3:22 PB108"]),
        ("tools.yaml", f"x-templates:\n  - &a {KEY}\ntools:\n  - {{name: a, description: *a}}\n", ["2:8 PB108"]),
        ("tools.yaml", f"tools: [{{name: a, returns: {{score: x, {KEY}: y}}}}]\n", ["1:39 PB108"]),
        ("tools.json", f'{{"tools": [{{"name": "a", "prompt": "\\u0020{KEY}"}}]}}', ["1:43 PB108"]),
        ("tools.json", '{"tools": [{"name": "a", "prompt": "db:\\/\\/a:hunter2@b"}]}', ["1:46 PB108"]),
        ("tools.xml", f'<Tools><tool name="a">\n<description>{KEY}</description></tool></Tools>', ["2:14 PB108"]),
        ("tools.xml", f'<Tools><tool name="a" description="x {KEY}"/></Tools>', ["1:38 PB108"]),
        ("tools.yaml", f"tools:\n  - {{name: a, allow_secrets: true, description: {KEY}}}\n", []),
        ("tools.yaml", f"sites:\n  - name: s\n    allow_secrets: true\n    tools: [{{name: a, prompt: {KEY}}}]\n", []),
        ("tools.xml", f'<Tools><tool name="a" allow_secrets="yes"><prompt>{KEY}</prompt></tool></Tools>', []),
        ("tools.yaml", f"x-a: &a {{description: {KEY}}}\ntools: [{{<<: *a, name: a, allow_secrets: true}}]\n", []),
        ("tools.yaml", f"tools: [{{name: a, prompt: {KEY}\n]", []),
        ("tools.json", f'{{"tools": [{{"name": "a", "prompt": "{KEY}" x}}]}}', []),
        ("tools.xml", f"<Tools><tool name='a'>{KEY}</tol></Tools>", []),
        ("tools.yaml", "knowledge: [{name: a, sources: ['db://a:hunter2@b']}]", ["1:41 PB108"]),
        ("tools.yaml", f"tools: [{{name: a, enabled: '{KEY}'}}]\n", ["1:28 PB103", "1:29 PB108"]),
        ("tools.yaml", f"tools: [{{name: a, call: {{timeout: '{KEY}'}}}}]\n", ["1:35 PB104", "1:36 PB108"]),
    ],
)  # fmt: skip
def test_a_credential_is_reported_in_every_syntax_and_never_repeated(
    folder: Folder, name: str, text: str, problems: list[str]
) -> None:
    declarations, found = folder.read(name, text)
    where = [placed(problem) for problem in found if problem.code in {"PB108", "PB103", "PB104"}]
    assert sorted(where) == problems
    shown = "".join(f"{problem} {problem.quotes[0][0][1]}" for problem in quoted(found, declarations.sources))
    assert KEY not in shown
    assert "hunter2" not in shown


def test_a_key_over_several_lines_is_hidden_on_each(folder: Folder) -> None:
    lines = [
        "tools:",
        "  - name: a",
        "    prompt: |",
        "      -----BEGIN PRIVATE KEY-----",
        "      MIIabc",
        "      -----END x",
    ]
    declarations, (problem,) = folder.read("tools.yaml", "\n".join(lines))
    assert placed(problem) == "3:13 PB108"
    assert "MIIabc" not in declarations.sources["tools.yaml"].line(5)


def test_what_a_variable_stands_for_is_not_shown(folder: Folder) -> None:
    folder.environ = {"PW": "hunter2"}
    text = "tools:\n  - {name: a, enabled: '${PW}', call: {timeout: '${PW}'}}\n  - {name: b, override: '${PW}'}\n"
    _, problems = folder.read("tools.yaml", text)
    assert [placed(problem) for problem in problems] == ["2:24 PB103", "2:49 PB104", "3:25 PB104"]
    assert "hunter2" not in "".join(map(str, problems))
