"""Server settings: where they come from, and what goes first."""

from pathlib import Path

import pytest

from pegboard.config.secret import Secret
from pegboard.config.settings import ModelSettings, Settings, read_settings
from tests.config.conftest import Folder


def test_without_anything_the_working_folder_is_the_configuration(folder: Folder) -> None:
    settings, problems = read_settings(environ={})
    assert settings == Settings(root=folder.path, config=folder.path, data=folder.path / ".pegboard")
    assert problems == []


def test_a_named_file_makes_its_folder_the_root(folder: Folder) -> None:
    path = folder.write("site/tools.yaml", "")
    settings, _ = read_settings(environ={}, config=Path("site/tools.yaml"))
    assert (settings.config, settings.root) == (path, path.parent)
    assert read_settings(environ={"PEGBOARD_CONFIG": "site"})[0].root == path.parent


def test_the_command_line_goes_before_variables_before_the_file(folder: Folder) -> None:
    lines = ['host = "a"', "port = 1", 'index = "sqlite"', 'handler_prefixes = ["shop.handlers"]']
    folder.write("pegboard.toml", "\n".join([*lines, 'file_size = "2MiB"', 'data = "d"']))
    environ = {
        "PEGBOARD_PORT": "2",
        "PEGBOARD_HOST": "b",
        "PEGBOARD_REQUEST_TIMEOUT": "90s",
        "PEGBOARD_ENV_ALLOW": "A_*, B",
    }
    settings, problems = read_settings(environ=environ, host="c", index=None)
    assert problems == []
    assert settings == Settings(
        root=folder.path,
        config=folder.path,
        data=folder.path / "d",
        host="c",
        port=2,
        index="sqlite",
        handler_prefixes=("pegboard.handlers", "shop.handlers"),
        file_bytes=2 << 20,
        request_seconds=90.0,
        env_allow=("A_*", "B"),
    )


@pytest.mark.parametrize(
    ("environ", "model"),
    [
        ({"OPENAI_API_KEY": "k"}, None),
        ({"OPENAI_MODEL": "m", "OPENAI_API_KEY": "k"}, ModelSettings(name="m", api_key=Secret("k"))),
        ({"OPENAI_BASE_URL": "http://x/v1"}, ModelSettings(name="", base_url="http://x/v1")),
        ({"OPENAI_MODEL": "m", "PEGBOARD_SCORING": "yes_no"}, ModelSettings(name="m", scoring="yes_no")),
    ],
)
def test_a_bare_key_switches_no_model_on(folder: Folder, environ: dict[str, str], model: ModelSettings | None) -> None:
    assert read_settings(environ=environ)[0].model == model


def test_the_key_is_never_shown(folder: Folder) -> None:
    settings, _ = read_settings(environ={"OPENAI_MODEL": "m", "OPENAI_API_KEY": "k3y-of-mine"})
    assert "k3y" not in repr(settings)


@pytest.mark.parametrize(
    ("toml", "problems"),
    [
        ("# x\nprot = 1\n", ["2:1 PB101"]),
        ("a = 1\n\n[server]\nport = 1\n", ["1:1 PB101", "3:2 PB101"]),
        ('port = "x"\n', ["1:1 PB104"]),
        ("port = true\n", ["1:1 PB104"]),
        ("file_size = 5\n", ["1:1 PB104"]),
        ("request_timeout = 60\n", ["1:1 PB104"]),
        ('index = "x"\n', ["1:1 PB104"]),
        ('handler_prefixes = ["platform.x"]\n', ["1:1 PB104"]),
        ('handler_prefixes = ["a b"]\n', ["1:1 PB104"]),
        ('host = "a"\nport = \n', ["2:8 PB003"]),
    ],
)
def test_what_is_wrong_in_the_file_is_told_at_its_place(folder: Folder, toml: str, problems: list[str]) -> None:
    folder.write("pegboard.toml", toml)
    settings, found = read_settings(environ={})
    assert [f"{p.span.line}:{p.span.column} {p.code}" for p in found] == problems
    assert {p.span.file for p in found} == {"pegboard.toml"}
    assert settings.port == 8000


def test_wrong_variables_and_options_are_named(folder: Folder) -> None:
    environ = {
        "PEGBOARD_INDEX": "x",
        "PEGBOARD_HOTS": "x",
        "PEGBOARD_PORT": "tcp://10.0.0.1:8000",
        "PEGBOARD_PORT_8000_TCP": "tcp://10.0.0.1:8000",
        "PEGBOARD_SERVICE_HOST": "10.0.0.1",
    }
    settings, problems = read_settings(environ=environ, port="80a")
    assert [(p.code, p.span.file) for p in problems] == [
        ("PB106", "$PEGBOARD_HOTS"),
        ("PB104", "$PEGBOARD_INDEX"),
        ("PB106", "$PEGBOARD_PORT"),
        ("PB104", "--port"),
    ]
    assert settings.port == 8000


@pytest.mark.parametrize(
    "toml",
    ["port 9000", "host = local", 'host = "a', "port = 1 2", "port = 1\nport = 2", 'host = "\\q"', "[a", "a = [1", "a"],
)
def test_broken_toml_says_what_to_do(folder: Folder, toml: str) -> None:
    folder.write("pegboard.toml", toml)
    _, problems = read_settings(environ={})
    assert [problem.code for problem in problems] == ["PB003"]
    assert problems[0].hint


def test_a_text_where_the_file_wants_a_list_is_told_how_to_write_it(folder: Folder) -> None:
    folder.write("pegboard.toml", 'handler_prefixes = "shop, more"\n')
    _, problems = read_settings(environ={})
    assert [(problem.code, problem.message, problem.hint) for problem in problems] == [
        (
            "PB104",
            "handler_prefixes cannot be 'shop, more': wanted is a list of texts",
            'Write handler_prefixes = ["shop", "more"].',
        )
    ]
