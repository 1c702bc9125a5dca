"""What a visitor would accept as an answer."""

from dataclasses import replace

from pegboard.knowledge import rank
from pegboard.knowledge.claims import Claims
from pegboard.knowledge.courses import course_in, place_at_table, serves
from pegboard.knowledge.facets import Facts
from pegboard.knowledge.index import Listed
from pegboard.knowledge.plausible import at_table, is_meant, plausible, ranked


def an_item(id_: int, kind: str, *, language: str = "en", properties: tuple[tuple[str, str], ...] = ()) -> Listed:
    facts = Facts(claims=Claims(f"thing {id_}", (), (kind,), properties))
    return Listed(id_, "b", f"u{id_}", f"Thing {id_}", "Thing", language, (f"Thing {id_}",), facts)


SPEAKER, HEADPHONES, LAMP = an_item(1, "speakers"), an_item(2, "headphones"), an_item(3, "lighting")


def test_what_comes_far_behind_the_best_is_left_out() -> None:
    assert plausible([(SPEAKER, 80.0), (LAMP, 41.0), (HEADPHONES, 39.0)], ["loud"], "en") == [
        (SPEAKER, 80.0), (LAMP, 41.0),
    ]  # fmt: skip
    assert plausible([], ["loud"], "en") == []


def test_another_kind_than_the_one_asked_for_is_left_out() -> None:
    found = [(SPEAKER, 90.0), (HEADPHONES, 80.0)]
    assert plausible(found, ["wireless", "speaker"], "en") == [(SPEAKER, 90.0)]
    assert plausible(found, ["wireless"], "en") == found


def test_what_denies_the_thing_asked_for_is_left_out_unless_it_is_all_there_is() -> None:
    loud = an_item(4, "headphones", properties=(("noise cancelling", "no"),))
    asked = ["noise", "cancelling", "headphone"]
    assert plausible([(loud, 90.0), (HEADPHONES, 80.0)], asked, "en") == [(HEADPHONES, 80.0)]
    assert plausible([(loud, 90.0)], asked, "en") == [(loud, 90.0)]


def test_a_condition_is_not_met_by_another_kind_of_thing() -> None:
    best = (SPEAKER, 81.0)
    assert not is_meant([(HEADPHONES, 66.0)], best, ["wireless", "speaker"])
    assert is_meant([(replace(SPEAKER, id=9), 66.0)], best, ["wireless", "speaker"])
    assert is_meant([(HEADPHONES, 75.0)], best, ["wireless", "speaker"])
    assert not is_meant([(HEADPHONES, 40.0)], best, ["wireless"])
    assert not is_meant([], best, ["wireless"])


def test_equal_items_come_in_the_language_of_the_question_first() -> None:
    foreign = an_item(5, "lighting", language="zh")
    assert ranked([(foreign, 50.0), (LAMP, 50.0), (SPEAKER, 60.0)], "en") == [
        (SPEAKER, 60.0), (LAMP, 50.0), (foreign, 50.0),
    ]  # fmt: skip


def test_a_question_for_something_to_cook_gets_meals() -> None:
    drink, salad, main = an_item(1, "drink"), an_item(2, "salad"), an_item(3, "main course")
    foreign = an_item(4, "主菜", language="zh")
    assert at_table([drink, salad, foreign, main], {}, "en", is_of_meals=True) == [main, salad, foreign]
    assert at_table([drink, salad], {}, "en", is_of_meals=False) == [salad, drink]
    assert at_table([drink], {}, "en", is_of_meals=True) == [drink]


def test_a_course_is_known_by_its_name_in_a_part_of_a_plan() -> None:
    starter = course_in("vegan starter")
    assert starter is not None
    assert starter[0] == "vegan"
    assert serves(Facts(claims=Claims(kinds=("salad",))), starter[1])
    assert not serves(Facts(claims=Claims(kinds=("dessert",))), starter[1])
    assert course_in("desk") is None
    assert course_in("bookends") is None


def test_a_meat_course_has_meat() -> None:
    meat = course_in("荤菜")
    assert meat is not None
    assert serves(Facts(ingredients="五花肉 500 克", claims=Claims(kinds=("主菜",))), meat[1])
    assert not serves(Facts(ingredients="豆腐 1 块", claims=Claims(kinds=("主菜",))), meat[1])
    assert place_at_table(Claims(kinds=("饮料",))) == 2


def test_the_best_item_only_comes_near_when_it_holds_little_of_the_question() -> None:
    assert rank.is_weak(64.7, 0.36, is_of_kind=False)
    assert rank.is_weak(40.0, 0.5, is_of_kind=True)
    assert not rank.is_weak(40.0, 1.0, is_of_kind=False)
    assert not rank.is_weak(56.0, 0.1, is_of_kind=True)
    assert not rank.is_weak(90.0, 0.1, is_of_kind=False)
