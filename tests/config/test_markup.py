"""Our own keys in XML."""

import pytest

from pegboard.config.declarations import RouteDeclaration, SiteDeclaration, ToolDeclaration, TypeDeclaration
from tests.config.conftest import Folder


def test_a_whole_site_can_be_declared_in_xml(folder: Folder) -> None:
    folder.write("notes.md", "")
    text = """<Tools version="1">
  <type name="Dish"><parent>Recipe</parent><parent>Product</parent></type>
  <tool name="a" type="Dish"><prompt xml:space="preserve"> x
   y </prompt></tool>
  <site name="kitchen.example" default="true">
    <description>
      All about
        cooking
    </description>
    <domain>kitchen.example</domain>
    <domain>*.kitchen.example</domain>
    <type>Recipe</type>
    <extends>base</extends>
    <exclude>ensemble</exclude>
    <route early_stop="95.5" grace="200ms"><fallback></fallback></route>
    <tool><name>details</name><enabled>no</enabled></tool>
  </site>
  <knowledge name="notes"><source>notes.md</source></knowledge>
  <x-anything><goes/></x-anything>
</Tools>"""
    found, problems = folder.read("tools.xml", text)
    assert problems == []
    assert [kind.value for kind in found.types] == [TypeDeclaration(name="Dish", parents=["Recipe", "Product"])]
    assert [tool.value for tool in found.tools] == [ToolDeclaration(name="a", type="Dish", prompt=" x\n   y ")]
    assert [site.value for site in found.sites] == [
        SiteDeclaration(
            name="kitchen.example",
            default=True,
            description="All about\n  cooking",
            domains=["kitchen.example", "*.kitchen.example"],
            types=["Recipe"],
            extends=["base"],
            exclude=["ensemble"],
            route=RouteDeclaration(early_stop=95.5, grace="200ms", fallback=""),
            tools=[ToolDeclaration(name="details", enabled=False)],
        )
    ]
    assert [knowledge.value.sources for knowledge in found.knowledge] == [[str(folder.path / "notes.md")]]
    assert [found.tools[0].dialect, found.sites[0].dialect] == ["own", "own"]


@pytest.mark.parametrize(
    ("body", "problems"),
    [
        ("<site/>", ["2:1 PB102"]),
        ('<site name="a"><domains>x</domains></site>', ["2:17 PB101"]),
        ('<site name="a" domains="x"/>', ["2:16 PB101"]),
        ('<site name="a"><route cutoff="120"/></site>', ["2:31 PB104"]),
        ('<site name="a"><route cutoff="x"/></site>', ["2:31 PB103"]),
        ('<site name="a"><route strategy="scor"/></site>', ["2:33 PB104"]),
        ("<rules/>", ["2:2 PB101"]),
        ("<wat/>", ["2:2 PB101"]),
        ('<tool name="a"><path>/x</path></tool>', ["2:17 PB101", "2:22 PB106"]),
        ("<Site/>", ["2:1 PB102"]),
    ],
)
def test_what_is_wrong_is_told_at_its_place(folder: Folder, body: str, problems: list[str]) -> None:
    assert folder.problems("tools.xml", f"<Tools>\n{body}\n</Tools>") == problems


def test_a_plural_is_told_what_to_write(folder: Folder) -> None:
    _, problems = folder.read("tools.xml", '<Tools><site name="a"><domains>x</domains></site></Tools>')
    assert problems[0].hint == "A list is its singular element repeated: <domain>."
