"""As many as are wanted, of the kind that is wanted."""

from pegboard.knowledge.claims import Claims
from pegboard.knowledge.enough import first_of, of_one_kind
from pegboard.knowledge.facets import Facts
from pegboard.knowledge.index import Listed


def listed(id_: int, *, kinds: tuple[str, ...] = (), keywords: tuple[str, ...] = (), **values: str) -> Listed:
    claims = Claims(kinds=kinds, keywords=keywords, properties=(("cold", values["cold"]),) if "cold" in values else ())
    facts = Facts(types=(values.get("type", "Recipe"),), claims=claims)
    name = f"number {id_}"
    return Listed(id_, "notes", "", name, values.get("type", "Recipe"), values.get("language", "en"), (name,), facts)


SOUP, STEW = listed(1, kinds=("soup",)), listed(2, kinds=("stew",))
PASTA, RICE = listed(3, keywords=("pasta",)), listed(4, keywords=("rice",))
GUIDE = listed(5, keywords=("pasta", "guide"), type="Article")
FAR_SOUP, FAR_PASTA = listed(6, kinds=("soup",)), listed(7, kinds=("main course",), keywords=("pasta",))
CHINESE = listed(8, kinds=("汤",), language="zh")


def test_what_is_of_the_kind_stands_in_for_what_is_of_another() -> None:
    shown, found = [(SOUP, 99.0), (STEW, 98.0)], [(SOUP, 99.0), (STEW, 98.0), (RICE, 60.0), (FAR_SOUP, 30.0)]
    assert of_one_kind(shown, found, ["soup"], "en") == [(SOUP, 99.0), (FAR_SOUP, 30.0)]


def test_keywords_say_the_kind_where_no_category_does() -> None:
    found = [(PASTA, 99.0), (RICE, 98.0), (FAR_PASTA, 30.0)]
    assert of_one_kind(found[:2], found, ["pasta", "quick"], "en") == [(PASTA, 99.0), (FAR_PASTA, 30.0)]


def test_a_guide_is_none_of_the_things_that_it_is_about_unless_it_is_asked_for() -> None:
    found = [(GUIDE, 99.0), (PASTA, 98.0)]
    assert of_one_kind(found, found, ["pasta"], "en") == [(PASTA, 98.0)]
    assert of_one_kind(found, found, ["pasta", "guide"], "en") == [(GUIDE, 99.0)]


def test_a_question_that_names_no_kind_keeps_what_is_shown() -> None:
    found = [(SOUP, 99.0), (RICE, 60.0)]
    assert of_one_kind(found[:1], found, ["warming"], "en") == [(SOUP, 99.0)]
    assert of_one_kind([(CHINESE, 99.0)], found, ["soup"], "en") == [(CHINESE, 99.0)]


def test_what_is_denied_never_stands_in() -> None:
    denied = listed(9, kinds=("soup",), cold="no")
    found = [(SOUP, 99.0), (denied, 90.0)]
    assert of_one_kind(found[:1], found, ["cold", "soup"], "en") == [(SOUP, 99.0)]


def test_the_first_are_those_in_the_language_that_is_spoken_if_there_are_any() -> None:
    shown = [(CHINESE, 99.0), (SOUP, 98.0), (STEW, 97.0)]
    assert first_of(shown, 3, "en") == [(SOUP, 98.0), (STEW, 97.0)]
    assert first_of(shown, 1, "zh") == [(CHINESE, 99.0)]
    assert first_of(shown, 2, "ja") == [(CHINESE, 99.0), (SOUP, 98.0)]
