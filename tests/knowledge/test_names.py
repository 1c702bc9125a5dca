import pytest

from pegboard.knowledge.facets import Facts
from pegboard.knowledge.index import Listed
from pegboard.knowledge.names import NameTable, score


def listed(number: int, *names: str, language: str = "en") -> Listed:
    return Listed(number, "base", f"u:{number}", names[0], "Thing", language, names, Facts())


TABLE = NameTable(
    [
        listed(0, "Orrin Nightjar 2 Wireless Noise-Cancelling Headphones", "ON-2"),
        listed(1, "Tinderell Lark On-Ear Wireless Headphones"),
        listed(2, "Rainy Sunday Lasagna"),
        listed(3, "Forest Floor Lasagna"),
        listed(4, "Ten-Minute Miso Salmon"),
        listed(5, "Lakeside Salmon Soup", "lohikeitto"),
        listed(6, "多汁番茄炒蛋", language="zh"),
        listed(7, "听岚 云雀2 真无线降噪耳机", language="zh"),
    ]
)


def ranked(name: str) -> list[tuple[int, float]]:
    weights = TABLE.weights(TABLE.asked(name))
    scores = [(one.item.id, score(one, weights)) for one in TABLE.match(name)]
    return sorted(scores, key=lambda found: -found[1])


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("Rainy Sunday Lasagna", {2}),
        ("rainy sunday lasagna!", {2}),
        ("the lasagna", {2, 3}),
        ("lasagne", {2, 3}),
        ("laasgna", {2, 3}),
        ("the nightjar headphones", {0}),
        ("night jar headphones", {0}),
        ("Orrin Nigthjar", {0}),
        ("miso salmon", {4}),
        ("the miso salmon recipe", {4}),
        ("lohikeitto", {5}),
        ("番茄炒蛋", {6}),
        ("听岚云雀", {7}),
    ],
)
def test_a_name_means_the_items_that_it_fits(name: str, meant: set[int]) -> None:
    found = ranked(name)
    assert {item for item, points in found if points >= 70} == meant
    assert all(points < 60 for item, points in found if item not in meant)


@pytest.mark.parametrize(
    "name", ["sony headphones", "carrot soup", "beef lasagna al forno", "quantum physics", "the", ""]
)
def test_a_name_of_another_thing_is_not_taken_for_one(name: str) -> None:
    assert all(points < 60 for _, points in ranked(name))


@pytest.mark.parametrize(("name", "item"), [("Ten-Minute Miso Salmon", 4), ("ON-2", 0), ("on 2", 0)])
def test_an_exact_name_is_certain(name: str, item: int) -> None:
    assert ranked(name)[0] == (item, 100.0)


def test_what_only_the_description_says_counts_half() -> None:
    weights = TABLE.weights(TABLE.asked("mushroom lasagna"))
    plain = [score(one, weights) for one in TABLE.match("mushroom lasagna")]
    told = [score(one, weights, frozenset({"mushroom"})) for one in TABLE.match("mushroom lasagna")]
    assert all(more > less for more, less in zip(told, plain, strict=True))


def test_no_items_have_no_names() -> None:
    assert NameTable([]).match("anything") == []
