"""What two sites and two configurations differ in."""

from pathlib import Path
from typing import Any

import pytest

from pegboard.app import diff_configurations, diff_sites, settings_from
from pegboard.catalog.diff import Change, Side, SiteDiff, compare_sites
from pegboard.catalog.limits import Limits
from pegboard.catalog.tool import Overridden, Routing
from pegboard.config.span import Span
from pegboard.errors import InvalidDeclarations, UnknownSite
from tests.edges.twin import tool, toolset

HERE = Span("a.yaml", 3, 5)


def diff(**found: Any) -> SiteDiff:
    nothing: dict[str, Any] = {"only_a": {}, "only_b": {}, "changed": {}, "order": None, "fields": ()}
    return SiteDiff(a="s", b="s", **(nothing | found))


def site(*tools: Any, **fields: Any) -> Any:
    return toolset("s", *(tools or (tool("x"), tool("y"))), **fields)


def change(field: str, a: Any, b: Any, *places: str) -> Change:
    first, second = places or ("default", "default")
    return Change(field, Side(a, first), Side(b, second))


@pytest.mark.parametrize(
    ("other", "found"),
    [
        (site(), diff()),
        (site(tool("x"), tool("y"), tool("z")), diff(only_b={"z": "tools.xml:3:11"})),
        (site(tool("y")), diff(only_a={"x": "tools.xml:3:11"})),
        (site(tool("y"), tool("x")), diff(order=(("x", "y"), ("y", "x")))),
        (site(tool("z"), tool("x"), tool("y")), diff(only_b={"z": "tools.xml:3:11"})),
        (
            site(tool("x"), tool("y", description="d", origin={"description": HERE})),
            diff(changed={"y": (change("description", "The y of things.", "d", "tools.xml:4:18", "a.yaml:3:5"),)}),
        ),
        (site(tool("x"), tool("y", overridden=(Overridden("description", "d", HERE),))), diff()),
        (
            site(tool("x"), tool("y", read_only=False, limits=Limits(timeout_seconds=0.5))),
            diff(changed={"y": (change("read_only", True, False), change("call.timeout", "10s", "500ms"))}),
        ),
        (
            site(tool("x", examples={"": ("q",)}, reply={"a": [1]}), tool("y")),
            diff(
                changed={
                    "x": (
                        change("examples", {"en": ["please x"], "zh": ["请 x"]}, {"": ["q"]}),
                        change("returns", {}, {"a": [1]}),
                    )
                }
            ),
        ),
        (
            site(routing=Routing(cutoff=60, grace_seconds=1), origin={"route": HERE}),
            diff(
                fields=(
                    change("route.cutoff", 70.0, 60, "default", "a.yaml:3:5"),
                    change("route.grace", "150ms", "1s", "default", "a.yaml:3:5"),
                )
            ),
        ),
        (
            site(types=("Recipe",), domains=(), knowledge=()),
            diff(
                fields=(
                    change("domains", ["s.example", "*.s.example"], []),
                    change("types", ["Item"], ["Recipe"]),
                    change("knowledge", ["s"], []),
                )
            ),
        ),
    ],
)
def test_what_differs_is_named(other: Any, found: SiteDiff) -> None:
    assert compare_sites(site(), other) == found
    assert found.to_json()["same"] is found.is_same


def write(folder: Path, text: str, handler: str = "") -> Path:
    (folder / "content").mkdir(parents=True, exist_ok=True)
    (folder / "content/a.md").write_text("# A")
    (folder / "tools.yaml").write_text(text)
    (folder / "twice_named.py").write_text(
        f"from pegboard.catalog.contract import tool\n@tool\ndef hours({handler}) -> str:\n    return ''\n"
    )
    (folder / "pegboard.toml").write_text('handler_prefixes = ["twice_named"]')
    return folder


BASE = """\
tools: [{name: hours, description: d, handler: "twice_named:hours"}]
sites: [{name: a}, {name: b}]
knowledge: [{name: a, sources: [content]}]
"""


def settings(folder: Path) -> Any:
    return settings_from(config=folder, environ={})


def test_the_same_in_two_folders_is_the_same(tmp_path: Path) -> None:
    old, new = write(tmp_path / "old", BASE), write(tmp_path / "new", "# moved\n\n" + BASE)
    found = diff_configurations(settings(old), settings(new))
    assert (found.is_same, found.sites, found.knowledge) == (True, (), ())


def test_each_configuration_has_its_own_modules(tmp_path: Path) -> None:
    old, new = write(tmp_path / "old", BASE), write(tmp_path / "new", BASE, "day: str")
    for first, second in ((old, new), (new, old)):
        found = diff_configurations(settings(first), settings(second))
        assert [each.field for each in found.sites[0].changed["hours"]] == ["returns", "parameters"]


def test_sites_and_knowledge_are_compared(tmp_path: Path) -> None:
    changed = BASE.replace("{name: b}", "{name: c, exclude: [hours]}").replace("[content]", "[content/a.md]")
    old, new = write(tmp_path / "old", BASE), write(tmp_path / "new", changed)
    found = diff_configurations(settings(old), settings(new))
    assert (list(found.only_a), list(found.only_b), found.sites) == (["b"], ["c"], ())
    assert found.knowledge == (Change("a", Side(["content"], ""), Side(["content/a.md"], "")),)
    assert diff_configurations(settings(old), settings(new), site="c").knowledge == ()
    with pytest.raises(UnknownSite, match="'d'"):
        diff_configurations(settings(old), settings(new), site="d")


FLOW = """\
tools: [{name: clock, description: d}]
sites: [{name: a, route: {fallback: ""}}]
flows:
  - name: f
    description: d
    nodes:
      - {id: one, tool: clock}
      - {id: two, tool: clock, arguments: {place: Oslo}}
"""


def test_a_flow_is_compared_step_by_step_each_with_its_place(tmp_path: Path) -> None:
    changed = FLOW.replace("Oslo", "Rome") + "      - {id: three, tool: clock, depends_on: [two]}\n"
    old, new = write(tmp_path / "old", FLOW), write(tmp_path / "new", changed)
    found = diff_configurations(settings(old), settings(new)).sites[0].changed["f"]
    steps = [[{"id": "two", "tool": "clock", "arguments": {"place": city}}] for city in ("Oslo", "Rome")]
    assert [(each.field, each.a.value, each.b.value) for each in found] == [
        ("flow.nodes", ["one", "two"], ["one", "two", "three"]),
        ("flow.nodes.two", *(step for (step,) in steps)),
        ("flow.nodes.three", None, {"id": "three", "tool": "clock", "depends_on": ["two"]}),
    ]
    places = [(each.a.place.partition(".yaml")[2], each.b.place.partition(".yaml")[2]) for each in found]
    assert places == [(":7:7", ":7:7"), (":8:9", ":8:9"), ("", ":9:9")]


def test_a_source_that_has_changed_shows_in_its_tools(tmp_path: Path) -> None:
    text = """
        sources: [{name: shop, http: {base_url: "https://shop.example"}}]
        tools: [{name: stock, description: d, http: {source: shop, url: /stock}}]
        sites: [{name: a, route: {fallback: ""}}]
    """
    old, new = write(tmp_path / "old", text), write(tmp_path / "new", text.replace("shop.example", "other.example"))
    found = diff_configurations(settings(old), settings(new)).sites[0].changed["stock"]
    assert [each.field for each in found] == ["source"]


def test_two_sites_of_one_configuration(tmp_path: Path) -> None:
    folder = write(tmp_path, BASE.replace("{name: b}", "{name: b, exclude: [hours]}"))
    found = diff_sites(settings(folder), "a", "b")
    assert (list(found.only_a), [each.field for each in found.fields]) == (["hours"], ["knowledge"])
    with pytest.raises(UnknownSite):
        diff_sites(settings(folder), "a", "c")


def test_nothing_is_compared_with_errors(tmp_path: Path) -> None:
    old, new = write(tmp_path / "old", BASE), write(tmp_path / "new", "tols: []")
    with pytest.raises(InvalidDeclarations):
        diff_configurations(settings(old), settings(new))
