"""The graph of types."""

import pytest

from pegboard.catalog.types import NoOrder, TypeGraph


def test_recipe_comes_before_everything_it_is_a_kind_of() -> None:
    order = TypeGraph.schemaorg().order(["Recipe"])
    assert order == ("Recipe", "HowTo", "CreativeWork", "Thing", "Item")


def test_several_types_of_a_site_are_put_in_one_order() -> None:
    order = TypeGraph.schemaorg().order(["Recipe", "Article"])
    assert order == ("Recipe", "HowTo", "Article", "CreativeWork", "Thing", "Item")


def test_every_class_of_schemaorg_has_an_order_that_ends_in_item() -> None:
    graph = TypeGraph.schemaorg()
    assert {graph.order([name])[-1] for name in graph.names} == {"Item"}
    assert len(graph.names) > 940


@pytest.mark.parametrize(
    ("name", "order"),
    [
        ("Recipe", "Recipe HowTo CreativeWork Thing Item"),
        ("EmployeeRole", "EmployeeRole OrganizationRole Role Intangible Thing Item"),
        ("Restaurant", "Restaurant FoodEstablishment LocalBusiness Organization Place Thing Item"),
        (
            "Hospital",
            "Hospital CivicStructure EmergencyService LocalBusiness MedicalOrganization Organization Place Thing Item",
        ),
    ],
)
def test_the_order_of_a_class_is_known(name: str, order: str) -> None:
    assert " ".join(TypeGraph.schemaorg().order([name])) == order


def test_a_type_may_not_stand_below_endlessly_many() -> None:
    chain = {f"T{number}": [f"T{number - 1}"] for number in range(1, 5000)}
    graph = TypeGraph.schemaorg().extended(chain)
    assert len(graph.order(["T90"])) == 92
    for name in ("T4999", "T200"):
        with pytest.raises(NoOrder, match="more than 100 types above it"):
            graph.order([name])


def test_every_order_keeps_a_class_before_its_ancestors() -> None:
    graph = TypeGraph.schemaorg()
    for name in graph.names:
        order = graph.order([name])
        assert set(order) == {name, *graph.ancestors(name)} | {"Item"}
        for place, above in enumerate(order):
            assert not graph.ancestors(above) & set(order[:place])


def test_a_parent_that_another_parent_implies_is_dropped() -> None:
    graph = TypeGraph({"Thing": [], "Work": ["Thing"], "Odd": ["Thing", "Work"]})
    assert graph.order(["Odd"]) == ("Odd", "Work", "Thing", "Item")


def test_a_type_of_ones_own_stands_below_its_parents() -> None:
    graph = TypeGraph.schemaorg().extended({"Cocktail": ["Recipe"]})
    assert graph.order(["Cocktail"])[:2] == ("Cocktail", "Recipe")


def test_an_unknown_type_is_a_kind_of_item() -> None:
    assert TypeGraph.schemaorg().order(["Gadget"]) == ("Gadget", "Item")


def test_parents_that_contradict_each_other_have_no_order() -> None:
    graph = TypeGraph({"A": [], "B": [], "X": ["A", "B"], "Y": ["B", "A"], "Z": ["X", "Y"]})
    with pytest.raises(NoOrder, match="no order keeps all of"):
        graph.order(["Z"])


def test_a_circle_of_parents_is_named() -> None:
    graph = TypeGraph({"A": ["B"], "B": ["A"]})
    with pytest.raises(NoOrder, match="is a kind of itself"):
        graph.order(["A"])
