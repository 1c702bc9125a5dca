"""The names of tools where those of all sites stand in one list."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pegboard.catalog.exported_name import exported_name

names = st.text(alphabet="ab_-", min_size=1, max_size=8) | st.text(max_size=80)


@pytest.mark.parametrize(
    ("site", "tool", "name"),
    [
        ("kitchen", "search", "kitchen__search"),
        ("kitchen", "recipe_substitutions", "kitchen__recipe_substitutions"),
        ("a" * 31, "b" * 31, f"{'a' * 31}__{'b' * 31}"),
    ],
)
def test_a_tool_is_called_by_its_site_and_name(site: str, tool: str, name: str) -> None:
    assert exported_name(site, tool) == name


@pytest.mark.parametrize(
    ("site", "tool", "shown"),
    [
        ("shop.example", "search", "shop_example__search__"),
        ("a" * 32, "b" * 31, f"{'a' * 21}__{'b' * 21}__"),
        ("a", "b__c", "a__b_c__"),
        ("a_", "b", "a__b__"),
        ("厨房", "search", "x__search__"),
        ("", "search", "x__search__"),
    ],
)
def test_what_cannot_stand_as_it_is_gets_a_hash(site: str, tool: str, shown: str) -> None:
    assert re.fullmatch(rf"{shown}[a-z2-7]{{16}}", exported_name(site, tool))


@given(names, names)
def test_a_name_is_legal_and_always_the_same(site: str, tool: str) -> None:
    name = exported_name(site, tool)
    assert re.fullmatch(r"[A-Za-z0-9_-]{1,64}", name)
    assert exported_name(site, tool) == name


@given(st.tuples(names, names), st.tuples(names, names))
@example(("a", "b__c"), ("a__b", "c"))
@example(("a_", "b"), ("a", "_b"))
@example(("a" * 70, "b"), ("a" * 71, "b"))
@example(("a.b", "c"), ("a_b", "c"))
def test_two_tools_never_share_a_name(one: tuple[str, str], other: tuple[str, str]) -> None:
    assert (exported_name(*one) == exported_name(*other)) == (one == other)


@given(names, names, names)
def test_no_plain_name_is_the_shortened_one_of_another(site: str, tool: str, third: str) -> None:
    shortened = exported_name(site, f"{tool}__")
    head, _, rest = shortened.partition("__")
    assert exported_name(head, rest) != shortened
    assert exported_name(third, shortened) != shortened
