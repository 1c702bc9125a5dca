import pytest

from pegboard.knowledge.jsonld import Fault, Thing, read_json, read_lines
from pegboard.text import Json, to_json


def names(value: Json) -> list[Json]:
    things, faults = read_json(to_json(value))
    assert faults == []
    return [thing.value.get("name") for thing in things]


SOUP: dict[str, Json] = {"@type": "Recipe", "name": "Soup"}
STEW: dict[str, Json] = {"@type": "Recipe", "name": "Stew"}


@pytest.mark.parametrize(
    "value",
    [
        [SOUP, STEW],
        {"@context": "https://schema.org", "@graph": [SOUP, STEW]},
        [{"@graph": [SOUP]}, STEW],
        {
            "@type": "ItemList",
            "itemListElement": [{"@type": "ListItem", "item": {**SOUP, "url": "a"}}, {**STEW, "url": "b"}],
        },
        {
            "@type": "DataFeed",
            "dataFeedElement": [{"item": {**SOUP, "url": "a"}}, {"item": {**STEW, "url": "b"}}],
        },
    ],
    ids=["array", "graph", "both", "item list", "data feed"],
)
def test_every_form_of_several_objects_is_read(value: Json) -> None:
    assert names(value) == ["Soup", "Stew"]


def test_one_object_is_read() -> None:
    assert names(SOUP) == ["Soup"]


def test_a_reference_is_replaced_by_the_object_that_it_means() -> None:
    author: Json = {"@id": "#p", "@type": "Person", "name": "Mara"}
    things, _ = read_json(to_json({"@graph": [{**SOUP, "author": {"@id": "#p"}}, author]}))
    assert [thing.value for thing in things] == [{**SOUP, "author": author}]


def test_an_object_that_refers_to_itself_through_another_ends() -> None:
    graph: Json = [
        {"@id": "#a", "@type": "Product", "name": "A", "isRelatedTo": {"@id": "#b"}},
        {"@id": "#b", "@type": "Product", "name": "B", "isRelatedTo": {"@id": "#a"}},
    ]
    things, _ = read_json(to_json({"@graph": graph}))
    assert [thing.value["name"] for thing in things] == ["A", "B"]
    assert things[0].value["isRelatedTo"]["isRelatedTo"] == {"@id": "#a"}  # type: ignore[call-overload,index]


def test_references_that_multiply_are_bounded() -> None:
    graph: list[Json] = [
        {"@id": f"#{n}", "@type": "Product", "name": str(n), "x": [{"@id": f"#{n + 1}"}] * 10} for n in range(20)
    ]
    things, faults = read_json(to_json({"@graph": graph}))
    assert (len(things), faults) == (20, [])


def test_what_furnishes_a_page_is_no_item() -> None:
    furniture: list[Json] = [
        {"@type": "WebSite", "@id": "#site", "name": "Kitchen"},
        {"@type": "BreadcrumbList", "itemListElement": [{"@type": "ListItem", "name": "Home"}]},
        {"@type": "WebPage", "name": "Soup | Kitchen", "mainEntity": {"@id": "#soup"}},
    ]
    assert names({"@graph": [*furniture, {"@id": "#soup", "@type": "Recipe", "name": "Soup"}]}) == ["Soup"]


def test_an_organization_that_nothing_refers_to_is_an_item() -> None:
    assert names([SOUP, {"@type": "Organization", "name": "Shop"}]) == ["Soup", "Shop"]


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("", 1, 1),
        ('{\n "a": }', 2, 7),
        ("[1, 2", 1, 6),
        ('{"a": ' + "9" * 5000 + "}", 0, 0),
        ("[" * 50_000, 0, 0),
    ],
)
def test_a_text_that_is_no_json_is_a_fault_with_its_place(text: str, line: int, column: int) -> None:
    things, faults = read_json(text)
    assert things == []
    assert [(fault.line, fault.column) for fault in faults] == [(line, column)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("3", "Entry 1 is a number, and an object was wanted."),
        ('"text"', "Entry 1 is a text, and an object was wanted."),
        ("null", "There is no object in it."),
        ("[]", "There is no object in it."),
    ],
)
def test_a_document_without_an_object_says_so(text: str, message: str) -> None:
    assert read_json(text) == ([], [Fault(0, 0, message)])


def test_an_empty_object_is_one() -> None:
    assert read_json("{}") == ([Thing({}, 0)], [])


def test_what_is_no_object_among_objects_is_a_fault_and_the_rest_is_read() -> None:
    things, faults = read_json(to_json([SOUP, 3, STEW]))
    assert [thing.value["name"] for thing in things] == ["Soup", "Stew"]
    assert faults == [Fault(0, 0, "Entry 2 is a number, and an object was wanted.")]


def test_a_bad_line_is_a_fault_and_the_others_are_read() -> None:
    things, faults = read_lines('{"name": "a"}\n{"name": \n\n{"name": "b"}\n')
    assert [(thing.value["name"], thing.line) for thing in things] == [("a", 1), ("b", 4)]
    assert [fault.line for fault in faults] == [2]


def test_lone_surrogates_are_replaced_because_no_store_takes_them() -> None:
    things, _ = read_json('{"name": "bad \\ud800 text", "smile": "\\ud83d\\ude00"}')
    assert things[0].value == {"name": "bad ? text", "smile": "😀"}
