"""What `${node.path}` stands for."""

import pytest

from pegboard.catalog.citing import renumbered
from pegboard.plan.references import ABSENT, Gave, Reference, Unresolvable, names_in, references_in, resolved
from pegboard.text import Json

GIVEN: dict[str, Json] = {
    "n1": {"items": [{"name": "Soup", "price": 4.5}], "count": 1, "none": None, "tags": [], "städte": "北京"},
    "inputs": {"city": "Paris"},
}


def test_references_are_found_wherever_texts_are() -> None:
    value: Json = {"a": ["${n1.items[0].name}", {"b": "from ${inputs.city} on $${x}"}], "c": 3}
    assert list(references_in(value)) == [Reference("n1", ("items", 0, "name")), Reference("inputs", ("city",))]
    assert names_in({"a": value}) == {"n1", "inputs"}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("${n1.items[0].price}", 4.5),
        ("${n1.items.0.name}", "Soup"),
        ("${n1.items}", [{"name": "Soup", "price": 4.5}]),
        ("${ n1.count }", 1),
        ("${n1.none}", None),
        ("${n1.städte}", "北京"),
        ("weather in ${inputs.city}, ${n1.count} day${n1.none}", "weather in Paris, 1 day"),
        ("all: ${n1.items}", 'all: [{"name":"Soup","price":4.5}]'),
        ("$${n1.count}", "${n1.count}"),
        ("${n1..x} ${} ${1} $n1", "${n1..x} ${} ${1} $n1"),
    ],
)
def test_a_text_that_is_one_reference_keeps_the_type_and_a_longer_one_its_words(text: str, value: Json) -> None:
    assert resolved({"x": [text]}, GIVEN.__getitem__) == {"x": [value]}


def test_each_of_several_lists_becomes_one_of_a_list() -> None:
    given: dict[str, Json | Gave] = {"a": {"items": [1, 2]}, "b": {"items": []}, "c": ABSENT, "d": {"items": [[3]]}}
    value: Json = {"all": ["${a.items.*}", "${b.items.*}", 0, "${c.items.*}", "${d.items.*}", "${a.items}"]}
    assert resolved(value, given.__getitem__) == {"all": [1, 2, 0, [3], [1, 2]]}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("${n1.itemz}", "${n1.itemz} leads to nothing: ${n1} has no 'itemz'"),
        ("${n1.items[3].name}", "${n1.items.3.name} leads to nothing: ${n1.items} has no 3"),
        ("${n1.count.x}", "${n1.count.x} leads to nothing: ${n1.count} has no 'x'"),
        (["${n1.count.*}"], "${n1.count.*} leads to nothing: ${n1.count} has no '*'"),
        ("${n1.items.*}", "${n1.items.*} leads to nothing: ${n1.items} has no '*'"),
        ("${n1.items.name}", "${n1.items.name} leads to nothing: ${n1.items} has no 'name'"),
    ],
)
def test_a_path_that_leads_to_nothing_says_where_it_ends(text: Json, told: str) -> None:
    with pytest.raises(Unresolvable) as raised:
        resolved(text, GIVEN.__getitem__)
    assert str(raised.value) == told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("${n1.items[1].name}", "it needs a second result of search, which gave 1 (${n1.items.1.name})"),
        ("${n1.items.7}", "it needs an eighth result of search, which gave 1 (${n1.items.7})"),
        ("${n1.items[20]}", "it needs a 21st result of search, which gave 1 (${n1.items.20})"),
        ("${n1.items[10]}", "it needs an 11th result of search, which gave 1 (${n1.items.10})"),
        ("${n1.tags[0]}", "it needs a first entry of search, which gave none (${n1.tags.0})"),
        ("${n1.items[0].url}", "it needs 'url' of what search gave, which has none (${n1.items.0.url})"),
        ("${n1.none[0]}", "it needs '0' of what search gave, which has none (${n1.none.0})"),
    ],
)
def test_people_are_told_what_is_needed_and_was_not_given(text: str, told: str) -> None:
    with pytest.raises(Unresolvable) as raised:
        resolved(text, GIVEN.__getitem__)
    assert raised.value.told("search") == told
    assert renumbered(told, {}) == told


def test_what_a_reference_gives_is_not_looked_at_again() -> None:
    assert resolved("${n1}", lambda name: "${inputs.city}") == "${inputs.city}"
