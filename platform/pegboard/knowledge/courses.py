"""The courses of a meal and the kinds of dishes that serve for each, English and Chinese.

General words of any kitchen, as `recipeCategory` has them.
"""

from dataclasses import dataclass

from pegboard.knowledge import foods
from pegboard.knowledge.claims import Claims
from pegboard.knowledge.facets import Facts


@dataclass(frozen=True, slots=True)
class Course:
    """One course."""

    called: tuple[str, ...]
    """What a plan calls it, lower case."""
    kinds: tuple[str, ...]
    """Kinds of dishes that serve for it, the likeliest first."""
    foods: tuple[str, ...] = ()
    """Families of `foods` of which it must have one; empty: none."""


COURSES = (
    Course(
        ("starter", "appetizer", "appetiser", "first course", "entree", "entrée", "starter or salad", "前菜", "开胃菜",
         "冷盘", "凉菜", "凉菜或汤"),
        ("starter", "appetizer", "appetiser", "salad", "soup", "dip", "meze", "凉菜", "前菜", "开胃菜", "沙拉", "汤",
         "素菜"),
    ),
    Course(
        ("main", "main course", "main dish", "主菜", "热菜", "大菜"),
        ("main course", "main", "main dish", "主菜", "荤菜", "热菜", "主食"),
    ),
    Course(("荤菜",), ("荤菜", "主菜", "main course"), ("meat", "fish", "shellfish")),
    Course(("soup", "汤", "热汤"), ("soup", "汤", "羹", "stew")),
    Course(("salad", "沙拉"), ("salad", "沙拉", "凉菜")),
    Course(("side", "side dish", "配菜", "素菜"), ("side dish", "side", "salad", "vegetable", "素菜", "配菜", "凉菜")),
    Course(("staple", "主食"), ("主食", "面", "饭", "rice", "pasta", "bread")),
    Course(
        ("dessert", "pudding", "sweet", "甜点", "甜品", "甜食", "甜汤"),
        ("dessert", "cake", "pie", "pudding", "cookie", "甜点", "甜品", "蛋糕", "糖水"),
    ),
    Course(("cake", "蛋糕"), ("cake", "dessert", "蛋糕")),
    Course(("bread", "面包"), ("bread", "面包")),
    Course(("breakfast", "brunch", "早餐"), ("breakfast", "brunch", "早餐", "早点", "bread")),
    Course(("snack", "nibble", "小吃", "点心"), ("snack", "dip", "cookie", "小吃", "点心", "早餐")),
    Course(("drink", "cocktail", "beverage", "饮料", "饮品"), ("drink", "beverage", "cocktail", "饮料", "饮品")),
)  # fmt: skip
_BESIDE = frozenset(
    {
        "drink", "beverage", "cocktail", "sauce", "condiment", "dip", "spread", "pickle", "preserve", "dressing",
        "spice mix", "饮料", "饮品", "酱", "酱料", "蘸料", "调料", "小料", "泡菜",
    }
)  # fmt: skip

BESIDE = 2
_MEAL = frozenset(COURSES[1].kinds)


def course_in(part: str) -> tuple[str, Course] | None:
    """Return the course that a part of a plan ends with, and the words before it: `vegan`, and the starter."""
    wanted = part.strip().lower()
    found = [(called, course) for course in COURSES for called in course.called if wanted.endswith(called)]
    if not found:
        return None
    called, course = max(found, key=lambda one: len(one[0]))
    before = wanted[: len(wanted) - len(called)]
    is_whole = not called.isascii() or not before or before.endswith(" ")
    return (before.strip(), course) if is_whole else None


def serves(facts: Facts, course: Course) -> bool:
    """Tell whether a dish is of a kind that serves for `course`."""
    is_of_kind = bool(set(facts.claims.kinds) & set(course.kinds))
    return is_of_kind and (not course.foods or any(foods.holds(facts.ingredients, name) for name in course.foods))


def place_at_table(claims: Claims) -> int:
    """Return 0 for what makes a meal, `BESIDE` for what only goes beside one (a drink, a sauce), else 1."""
    kinds = set(claims.kinds)
    return BESIDE if kinds & _BESIDE else 0 if kinds & _MEAL else 1
