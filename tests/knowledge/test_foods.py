import pytest

from pegboard.knowledge.foods import FAMILIES, family_called, holds


@pytest.mark.parametrize(
    ("ingredients", "wish", "is_held"),
    [
        ("80 g blanched almonds", "nuts", True),
        ("2 walnuts", "nuts", True),
        ("熟花生 50 克", "nuts", True),
        ("a pinch of nutmeg", "nuts", False),
        ("400 ml coconut milk", "nuts", False),
        ("1 butternut squash", "nuts", False),
        ("peanut butter", "nuts", True),
        ("4 large eggs", "eggs", True),
        ("1 eggplant", "eggs", False),
        ("无蛋鲜切面", "eggs", False),
        ("皮蛋 2 个", "eggs", True),
        ("400 ml coconut milk", "dairy", False),
        ("1 tsp cream of tartar", "dairy", False),
        ("600 ml whole milk", "dairy", True),
        ("30 g butter", "dairy", True),
        ("2 tbsp peanut butter", "dairy", False),
        ("椰奶 200 毫升", "dairy", False),
        ("淡奶油 100 毫升", "dairy", True),
        ("鱼香酱", "fish", False),
        ("鲈鱼 1 条", "fish", True),
        ("2 tbsp cider vinegar", "alcohol", False),
        ("100 ml dry white wine", "alcohol", True),
        ("200 g mushrooms", "mushroom", True),
        ("2 cherry tomatoes", "tomato", True),
        ("3 berries", "berry", True),
        ("香菜 1 把", "香菜", True),
        ("salt", "pepper", False),
    ],
)
def test_a_list_of_ingredients_names_a_wish_or_not(ingredients: str, wish: str, is_held: bool) -> None:
    assert holds(ingredients, wish) is is_held


def test_a_family_is_found_by_what_people_call_it() -> None:
    called = ("Nuts", "坚果", "dairy", "鸡蛋", "oven")
    found = [family.name if (family := family_called(word)) else None for word in called]
    assert found == ["nuts", "nuts", "dairy", "eggs", None]


def test_no_two_families_share_a_name() -> None:
    names = [called for family in FAMILIES for called in family.called]
    assert len(names) == len(set(names))
