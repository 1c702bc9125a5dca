"""Model profiles: what is wrong with them, at its place and with the nearest right word."""

from pathlib import Path

import pytest

from pegboard.catalog.load import check
from pegboard.catalog.snapshot import Catalog
from pegboard.config.server.settings import Settings
from pegboard.llm.profile import Profile
from pegboard.llm.usage import Budget

TOOLS = "tools: [{name: search, description: Finds things.}]\n"
TWO = """models:
  - {name: small, base_url: "http://127.0.0.1:1/v1", fallback: big}
  - {name: big, base_url: "http://127.0.0.1:2/v1"}
sites: [{name: kitchen, models: {scorer: small}}]
"""


def checked(folder: Path, document: str) -> tuple[Catalog, list[tuple[str, int, int, str]]]:
    (folder / "tools.yaml").write_text(document + TOOLS, "utf-8")
    report = check(Settings(root=folder, config=folder, data=folder / "data"))
    told = [(each.code, each.span.line, each.span.column, f"{each.message} {each.hint}") for each in report.problems]
    return report.catalog, told


def test_profiles_and_roles_come_into_the_catalog(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SMALL_KEY", "k")
    catalog, problems = checked(
        tmp_path,
        """models:
  - name: small
    model: qwen2.5-7b
    base_url: http://127.0.0.1:8080/v1
    key: ${SMALL_KEY}
    scoring: yes_no
    reply: json_object
    timeout: 20s
    retries: 1
    max_parallel: 4
    requests_per_minute: 600
    tokens_per_minute: 200000
    cache: 10m
    fallback: big
    default: true
  - {name: big}
sites:
  - {name: kitchen, models: {writer: big}, route: {budget: {calls: 20, tokens: 20000, time: 9s}}}
""",
    )
    assert problems == []
    small = catalog.profiles["small"]
    assert small.key.reveal() == "k"
    assert small == Profile(
        "small",
        "qwen2.5-7b",
        "http://127.0.0.1:8080/v1",
        small.key,
        "yes_no",
        "json_object",
        20,
        1,
        4,
        600,
        200000,
        600,
        "big",
    )
    assert catalog.profiles["big"] == Profile("big", key=catalog.profiles["big"].key)
    assert catalog.default_profile == "small"
    assert catalog.toolset("kitchen").models == {"writer": "big"}
    assert catalog.toolset("kitchen").routing.budget == Budget(20, 20000, 9)
    assert "k" not in repr(small.key)


@pytest.mark.parametrize(
    ("old", "new", "code", "place", "words"),
    [
        ("fallback: big", "fallback: bgi", "PB220", (2, 64), "falls back to 'bgi', which no document declares Did you mean 'big'?"),
        ("scorer: small", "scorer: smal", "PB220", (4, 42), "site 'kitchen' has as its scorer 'smal', which no document declares Did you mean 'small'?"),
        ("fallback: big", "fallback: small", "PB221", (2, 64), "small -> small"),
        ('2/v1"', '2/v1", fallback: small', "PB221", (2, 64), "small -> big -> small"),
        ('2/v1"', '2/v1", default: true}\n  - {name: c, default: true', "PB222", (4, 24), "'c' is marked as the default model profile, but so is 'big'"),
        ("http://127.0.0.1:2/v1", "127.0.0.1:2/v1", "PB223", (3, 27), "Write http://127.0.0.1:2/v1 or https://"),
        ("http://127.0.0.1:2/v1", "http://a.example/v1/chat/completions", "PB223", (3, 27), "Write http://a.example/v1."),
        ("http://127.0.0.1:2/v1", "http://a:99999", "PB223", (3, 27), "is no address"),
        ("http://127.0.0.1:2/v1", "ftp://a.example", "PB223", (3, 27), "is no address"),
        ("fallback: big", "retries: 1", "PB224", (3, 12), "'big' is never asked"),
        ("name: big", "name: small", "PB201", (3, 12), "model 'small' is declared twice"),
    ],
)  # fmt: skip
def test_a_mistake_is_named_at_its_place(
    tmp_path: Path, old: str, new: str, code: str, place: tuple[int, int], words: str
) -> None:
    _, problems = checked(tmp_path, TWO.replace(old, new))
    found = [told for told in problems if told[0] == code]
    assert len(found) == 1
    assert found[0][1:3] == place
    assert words in found[0][3]


def test_what_is_right_is_not_reported(tmp_path: Path) -> None:
    assert checked(tmp_path, TWO)[1] == []


@pytest.mark.parametrize("value", ["sk-abcdefghijklmnopqrstuvwxyz012345", "plain"])
def test_a_key_in_the_clear_is_reported_and_not_repeated(tmp_path: Path, value: str) -> None:
    _, problems = checked(tmp_path, TWO.replace("fallback: big", f"fallback: big, key: {value}"))
    assert {told[0] for told in problems} == {"PB108"}
    assert value not in str(problems)
