"""What makes two tools the same for a stored run."""

from pathlib import Path

import pytest

from pegboard.app import settings_from
from pegboard.catalog.load import catalog_of
from pegboard.run.node.specs import specs_of
from tests.run.running import node, request

DOCUMENT = """
sources:
  - name: shop
    http: {base_url: "https://shop.example/v1", auth: {bearer: "${SHOP_KEY}"}}
tools:
  - name: prices
    description: Says what a thing costs.
    http: {source: shop, url: "/prices/{thing}"}
    parameters: {type: object, properties: {thing: {type: string}}, required: [thing]}
    call: {timeout: 5s, retries: 1}
  - name: sums
    description: Sums.
    handler: pegboard.handlers.calculator:calculator
sites:
  - {name: here}
"""


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOP_KEY", "secret-one")


def specs(folder: Path, document: str) -> dict[str, str]:
    """Return the hashes of a node of each tool."""
    (folder / "tools.yaml").write_text(document)
    catalog = catalog_of(settings_from(config=folder, environ={}))
    plan = request(node("p", tool="prices", arguments={"thing": "tea"}), node("s", tool="sums")).plan
    return specs_of(plan, catalog.toolset("here"))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('url: "/prices/{thing}"', 'url: "/costs/{thing}"'),
        ("https://shop.example/v1", "https://shop.example/v2"),
        ("retries: 1", "fallback: sums"),
        ("retries: 1", "output_policy: warn"),
        ("retries: 1", "max_result: 2MiB"),
        ("required: [thing]", "required: []"),
    ],
)
def test_what_changes_a_result_makes_another_tool_and_leaves_the_others(tmp_path: Path, old: str, new: str) -> None:
    before = specs(tmp_path, DOCUMENT)
    assert old in DOCUMENT
    after = specs(tmp_path, DOCUMENT.replace(old, new))
    assert {name for name in before if before[name] != after[name]} == {"p"}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("timeout: 5s", "timeout: 7s"),
        ("retries: 1", "retries: 2"),
        ("Says what a thing costs.", "Tells prices."),
        ("sites:\n", "\n\nsites:\n"),
    ],
)
def test_what_changes_no_result_leaves_it_the_same(tmp_path: Path, old: str, new: str) -> None:
    assert specs(tmp_path, DOCUMENT) == specs(tmp_path, DOCUMENT.replace(old, new))


def test_a_secret_that_is_renewed_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = specs(tmp_path, DOCUMENT)
    monkeypatch.setenv("SHOP_KEY", "secret-two")
    assert specs(tmp_path, DOCUMENT) == before
