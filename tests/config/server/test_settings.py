"""Server settings: where they come from, and what goes first."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegboard.config.secret.value import Secret
from pegboard.config.server.keys import KEYS
from pegboard.config.server.settings import Given, ModelSettings, Settings, read_settings
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


def test_every_value_keeps_where_it_came_from(folder: Folder) -> None:
    folder.write("pegboard.toml", "# a\nport = 1\nindex = 'x'\n")
    environ = {"PEGBOARD_PORT": "2", "OPENAI_API_KEY": "k", "PEGBOARD_MODEL_KEY": "m"}
    settings, _ = read_settings(environ=environ, assigned={"port": "3"}, port=4)
    assert list(settings.origins) == list(KEYS)
    assert settings.origins["port"] == (
        Given(4, "command line", "--port"),
        Given(3, "command line", "--set port"),
        Given(2, "environment", "$PEGBOARD_PORT"),
        Given(1, "file", "pegboard.toml:2:1"),
        Given(8000, "default", "default"),
    )
    assert settings.origins["index"] == (Given("auto", "default", "default"),)
    assert [given.place for given in settings.origins["model_key"]] == [
        "$PEGBOARD_MODEL_KEY",
        "$OPENAI_API_KEY",
        "default",
    ]


def test_any_setting_may_be_given_on_the_command_line(folder: Folder) -> None:
    assigned = {"env_allow": "A_*, B", "request_timeout": "1m30s", "prot": "1", "port": "x", "content_dirs": "a,/b"}
    settings, problems = read_settings(environ={}, assigned=assigned)
    assert (settings.env_allow, settings.request_seconds) == (("A_*", "B"), 90.0)
    assert settings.content_dirs == (folder.path / "a", Path("/b"))
    assert [(p.code, p.span.file, p.hint) for p in problems] == [
        ("PB104", "--set port", ""),
        ("PB101", "--set prot", "Did you mean 'port'?"),
    ]


def test_networks_are_given_as_cidr(folder: Folder) -> None:
    settings, problems = read_settings(environ={}, assigned={"allow_networks": "10.0.0.0/8, fd00::/8"})
    assert [str(network) for network in settings.allow_networks] == ["10.0.0.0/8", "fd00::/8"]
    assert not problems
    _, problems = read_settings(environ={"PEGBOARD_ALLOW_NETWORKS": "10.0.0.1/8"})
    assert [(p.code, p.span.file) for p in problems] == [("PB104", "$PEGBOARD_ALLOW_NETWORKS")]
    assert "10.0.0.1/8 has host bits set; wanted are networks such as" in next(p.message for p in problems)


def test_paths_start_at_what_names_them(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.write("site/pegboard.toml", 'content_dirs = ["../c"]\nsecrets_dir = "s"\n')
    folder.write("else/x", "")
    monkeypatch.chdir(folder.path / "else")
    settings, problems = read_settings(environ={"PEGBOARD_DATA": "d"}, config=folder.path / "site")
    assert problems == []
    assert (settings.content_dirs, settings.secrets_dir) == ((folder.path / "c",), folder.path / "site/s")
    assert settings.data == folder.path / "else/d"


@pytest.mark.parametrize(
    ("toml", "environ", "token", "codes"),
    [
        ("", {}, None, []),
        ("", {"PEGBOARD_ADMIN_TOKEN": "t"}, "t", []),
        ("", {"PEGBOARD_ADMIN_TOKEN": " "}, None, ["PB104"]),
        ('admin_token = "t"', {}, "t", ["PB108"]),
        ('admin_token = "file:admin"', {}, None, ["PB120"]),
        ('admin_token = "file:admin"\nsecrets_dir = "s"', {}, "from a file", []),
        ('admin_token = "file:gone"\nsecrets_dir = "s"', {}, None, ["PB120"]),
        ('admin_token = "file:../x"\nsecrets_dir = "s"', {}, None, ["PB120"]),
        ('admin_token = "file:gone"\nsecrets_dir = "s"', {"PEGBOARD_ADMIN_TOKEN": "file:admin"}, "from a file", []),
        ("admin_token = 5", {}, None, ["PB104"]),
    ],
)
def test_the_admin_token_is_a_secret(
    folder: Folder, toml: str, environ: dict[str, str], token: str | None, codes: list[str]
) -> None:
    folder.write("s/admin", "from a file\n").chmod(0o600)
    folder.write("pegboard.toml", toml)
    settings, problems = read_settings(environ=environ)
    assert settings.admin_token == (None if token is None else Secret(token))
    assert [problem.code for problem in problems] == codes


@pytest.mark.parametrize(
    "toml",
    [
        'admin_token = "hunter2"',
        'admin_tokn = "hunter2"',
        "admin_token = hunter2",
        'model_key = "hunter2',
        '"model_key" = ["hunter2"]',
        "model_key hunter2",
        'db_password = "hunter2"',
        "port = 1 # x\nmodel_key = hunter2 2\n",
    ],
)
def test_no_problem_shows_a_secret(folder: Folder, toml: str) -> None:
    folder.write("pegboard.toml", toml)
    _, problems = read_settings(environ={})
    assert problems
    assert "hunter2" not in "".join(f"{problem} {problem.quotes[0][0][1]}" for problem in problems)


def test_the_key_of_a_model_is_its_setting_first(folder: Folder) -> None:
    environ = {"OPENAI_MODEL": "m", "OPENAI_API_KEY": "k", "PEGBOARD_MODEL_KEY": "own"}
    settings, _ = read_settings(environ=environ)
    assert settings.model == ModelSettings("m", api_key=Secret("own"))


_LINES = st.lists(
    st.one_of(
        st.sampled_from([*KEYS, "[port]", "[[port]]", "a.b", '"data"', "port.x"]).flatmap(
            lambda key: st.sampled_from(
                ["=1", "='x'", "=[1]", "=['a', 'b']", "={a=1}", "=1979-05-27", "=nan", "", "='\x00'"]
            ).map(lambda value: f"{key}{value}")
        ),
        st.text(max_size=12),
    ),
    max_size=8,
)


@given(st.one_of(st.binary(max_size=200), _LINES.map(lambda lines: "\n".join(lines).encode("utf-8", "replace"))))
def test_any_bytes_give_settings_and_problems(content: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "pegboard.toml").write_bytes(content)
        settings, problems = read_settings(environ={}, config=Path(folder))
    assert isinstance(settings, Settings)
    assert all(problem.span.line >= 1 and problem.message for problem in problems)


@given(
    st.dictionaries(
        st.sampled_from([f"PEGBOARD_{key.upper()}" for key in KEYS] + ["PEGBOARD_", "PEGBOARD_X", "OPENAI_API_KEY"]),
        st.text(max_size=20),
    )
)
def test_any_variables_give_settings_and_problems(environ: dict[str, str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        settings, problems = read_settings(environ=environ, config=Path(folder))
    assert set(settings.origins) == set(KEYS)
    assert all(problem.span.file.startswith("$PEGBOARD_") for problem in problems)


@pytest.mark.parametrize(
    "content", ["a = 1\n" * 10_000, "".join(f"k{n} = 1\n" for n in range(6_000)), "[" * 60_000, "x" * 70_000]
)
def test_a_hostile_file_is_judged_at_once(folder: Folder, content: str) -> None:
    folder.write("pegboard.toml", content)
    _, problems = read_settings(environ={})
    assert problems
