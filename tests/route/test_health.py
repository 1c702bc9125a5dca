from pegboard.route.health import SiteHealth, Taken, ToolHealth, examined

NAMES = ("search", "details", "clock")


def test_each_tool_has_its_figure_and_the_worst_overlap_comes_first_as_a_sentence() -> None:
    asked = [
        Taken("soups", 0, 0, -0.4),
        Taken("cakes", 0, 1, 0.1),
        Taken("show me the lasagna", 1, 0, 0.5),
        Taken("the curry", 1, 2, 0.2),
        Taken("that stew", 1, 2, 0.3),
        Taken("the pie", 1, 1, -0.1),
    ]
    health = examined("kitchen", NAMES, asked)
    assert health == SiteHealth(
        "kitchen",
        (
            ToolHealth("search", 2, 1, "details", "cakes"),
            ToolHealth("details", 4, 1, "clock", "show me the lasagna"),
            ToolHealth("clock", 0, 0),
        ),
        ("details and search overlap: 'show me the lasagna'", "search and details overlap: 'cakes'"),
    )
    assert [tool.accuracy for tool in health.tools] == [0.5, 0.25, None]
    assert str(health) == (
        "health of kitchen: 2 of 6 examples lead to their tool when left out; "
        "details and search overlap: 'show me the lasagna'"
    )
    assert health.to_json()["overlaps"] == list(health.overlaps)


def test_a_site_whose_tools_are_told_apart_has_nothing_to_say() -> None:
    health = examined("kitchen", NAMES, [Taken("soups", 0, 0, -1)])
    assert health.overlaps == ()
    assert str(health) == "health of kitchen: 1 of 1 examples lead to their tool when left out"


def test_without_examples_there_are_no_figures() -> None:
    assert str(examined("kitchen", NAMES, ())) == "health of kitchen: there are no examples"
    assert str(SiteHealth("kitchen", (), (), "not examined")) == "health of kitchen: not examined"
