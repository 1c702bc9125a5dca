"""Variables that say where code is looked for are known, and others are not taken for them."""

import pytest

from pegboard.config.blocks.variables import loads_code


@pytest.mark.parametrize(
    "name",
    [
        "PATH",
        "LD_PRELOAD",
        "DYLD_INSERT_LIBRARIES",
        "PYTHONPATH",
        "PYTHONSTARTUP",
        "NODE_OPTIONS",
        "BASH_ENV",
        "ENV",
        "GIT_SSH_COMMAND",
        "GIT_CONFIG_COUNT",
        "PERL5LIB",
        "PERL5OPT",
        "RUBYOPT",
        "JAVA_TOOL_OPTIONS",
        "CLASSPATH",
        "path",
    ],
)
def test_what_loads_code_is_known(name: str) -> None:
    assert loads_code(name)


@pytest.mark.parametrize(
    "name", ["SHOP_TOKEN", "LANG", "HOME", "MY_PATH", "PYTHONUNBUFFERED", "TZ", "DATABASE_URL", "GITHUB_TOKEN"]
)
def test_others_are_not(name: str) -> None:
    assert not loads_code(name)
