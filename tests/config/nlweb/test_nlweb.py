"""NLWeb's `tools.xml` in all its dialects."""

import pytest

from pegboard.config.calling import CallDeclaration
from pegboard.config.declarations import ToolDeclaration
from tests.config.conftest import Folder, placed

SITES = """<?xml version="1.0" encoding="UTF-8"?>
<Tools>
  <!-- the tools of all sites -->
  <Site id="default">
    <Item>
      <Tool name="search" enabled="true">
        <method>builtin</method>
        <example>find me a soup</example>
        <example>有什么汤</example>
        <prompt>
          The user asks: {request.query}.

            Score it &lt;from 0 to 100&gt;.
        </prompt>
        <returnStruc>
          {"score": "integer between 0 and 100", "search_query": "what to look for"}
        </returnStruc>
      </Tool>
    </Item>
    <Recipe>
      <Tool name="details" enabled="false"><handler>methods.item_details.ItemDetailsHandler</handler></Tool>
    </Recipe>
    <Item><Tool name="ensemble"/></Item>
  </Site>
  <Site id="shop.example">
    <Item><Tool name="who"/><Tool name="details" enabled="False"/></Item>
    <Product><Tool name="compare"/></Product>
  </Site>
</Tools>
"""

SEARCH = ToolDeclaration(
    name="search",
    type="Item",
    enabled=True,
    examples={"": ["find me a soup", "有什么汤"]},
    prompt="The user asks: {request.query}.\n\n  Score it <from 0 to 100>.",
    returns={"score": "integer between 0 and 100", "search_query": "what to look for"},
    override="replace",
)


def test_the_default_site_is_the_document_and_another_is_a_site_that_inherits_nothing(folder: Folder) -> None:
    found, problems = folder.read("tools.xml", SITES)
    assert problems == []
    assert found.tools[0].value == SEARCH
    assert [(t.value.name, t.value.type, t.value.enabled, t.dialect) for t in found.tools] == [
        ("search", "Item", True, "nlweb"),
        ("details", "Recipe", False, "nlweb"),
        ("ensemble", "Item", True, "nlweb"),
    ]
    default, site = found.sites
    assert (default.value.name, default.value.types, default.value.default) == ("default", ["Item", "Recipe"], True)
    assert (site.value.name, site.value.inherit, site.value.types, site.value.domains) == (
        "shop.example",
        False,
        ["Item", "Product"],
        ["shop.example"],
    )
    assert [(tool.name, tool.type) for tool in site.value.tools] == [
        ("who", "Item"),
        ("details", "Item"),
        ("compare", "Product"),
    ]


def test_places_are_those_of_text_attributes_and_json_in_text(folder: Folder) -> None:
    tool = folder.read("tools.xml", SITES)[0].tools[0]
    places = [
        ("name",),
        ("type",),
        ("prompt",),
        ("examples", "", 1),
        ("returns",),
        ("returns", "search_query"),
    ]
    assert [str(tool.at(*path)) for path in places] == [
        "tools.xml:6:19",
        "tools.xml:5:6",
        "tools.xml:11:11",
        "tools.xml:9:18",
        "tools.xml:16:11",
        "tools.xml:16:66",
    ]
    assert str(tool.at_key("prompt")) == "tools.xml:10:10"
    assert str(tool.at_key("returns", "search_query")) == "tools.xml:16:50"
    assert str(tool.at("handler")) == "tools.xml:6:7"


def test_the_root_type_may_be_thing_and_sites_may_be_missing(folder: Folder) -> None:
    found, problems = folder.read("tools.xml", '<Tools><Thing><Tool name="a"/></Thing><Tool name="b"/></Tools>')
    assert ([(t.value.name, t.value.type) for t in found.tools], problems) == (
        [("a", "Thing"), ("b", "Item")],
        [],
    )


def test_arguments_are_the_reply_where_nothing_else_says_so(folder: Folder) -> None:
    text = """<Tools><Thing>
    <Tool name="a">
      <path>/api/a</path>
      <description>Find things</description>
      <method>url</method>
      <argument name="query">what to find</argument>
    </Tool>
    <Tool name="b"><argument name="q">x</argument><returnStruc>{"score": "s"}</returnStruc></Tool>
    </Thing></Tools>"""
    found, problems = folder.read("tools.xml", text)
    assert [tool.value.returns for tool in found.tools] == [
        {"score": "integer between 0 and 100", "query": "what to find"},
        {"score": "s"},
    ]
    assert [placed(problem) for problem in problems] == ["3:13 PB106", "5:15 PB106", "8:20 PB106"]
    assert problems.errors == []


@pytest.mark.parametrize(
    ("written", "enabled"),
    [
        *(("true", True), ("TRUE", True), ("1", True), ("Yes", True), ("on", True)),
        *(("false", False), ("0", False), ("NO", False), (" off ", False)),
    ],
)
def test_enabled_is_read_in_every_spelling(folder: Folder, written: str, enabled: bool) -> None:
    found, problems = folder.read("tools.xml", f'<Tools><Item><Tool name="a" enabled="{written}"/></Item></Tools>')
    assert ([tool.value.enabled for tool in found.tools], problems) == ([enabled], [])


def test_our_own_keys_are_attributes_or_elements_of_a_tool(folder: Folder) -> None:
    text = """<Tools><Recipe><Tool name="a" read_only="yes" override="merge">
      <example lang="zh">怎么做</example><example>how</example><example lang="zh">做法</example>
      <call timeout="2s"/><parameters>{"type": "object"}</parameters><output>{}</output>
    </Tool></Recipe></Tools>"""
    found, problems = folder.read("tools.xml", text)
    assert problems == []
    assert found.tools[0].value == ToolDeclaration(
        name="a",
        type="Recipe",
        read_only=True,
        override="merge",
        examples={"zh": ["怎么做", "做法"], "": ["how"]},
        call=CallDeclaration(timeout="2s"),
        parameters={"type": "object"},
        output={},
    )


@pytest.mark.parametrize(
    ("tool", "problems"),
    [
        ('<Tool name="a" enabled="maybe"/>', ["3:25 PB103"]),
        ('<Tool enabled="1"/>', ["3:1 PB102"]),
        ('<Tool name="a b"/>', ["3:13 PB104"]),
        ('<Tool name="a"><returnStruc>\n {"a": 1,\n  "中": oops}\n</returnStruc></Tool>', ["5:8 PB003"]),
        ('<Tool name="a"><returnStruc><![CDATA[\n {"a" 1}]]></returnStruc></Tool>', ["4:7 PB003"]),
        ('<Tool name="a"><returnStruc>{"a&amp;": x}</returnStruc></Tool>', ["3:40 PB003"]),
        ('<Tool name="a"><returnStruc></returnStruc></Tool>', ["3:29 PB003"]),
        ('<Tool name="a"><returnStruc> [1]</returnStruc></Tool>', ["3:30 PB103"]),
        ('<Tool name="a"><prompt>x</prompt><prompt>y</prompt></Tool>', ["3:35 PB005"]),
        ('<Tool name="a"><name>b</name></Tool>', ["3:17 PB005"]),
        ('<Tool name="a" type="Recipe"/>', ["2:2 PB005"]),
        ('<Tool name="a"><promt>x</promt></Tool>', ["3:17 PB101"]),
        ('<Tool name="a" naem="b"/>', ["3:16 PB101"]),
        ('<Tool name="a"><call timeout="5"/></Tool>', ["3:31 PB104"]),
        ('<Tool name="a"><plan/></Tool>', ["3:17 PB101"]),
        ('<Tool name="a"><argument>x</argument></Tool>', ["3:16 PB102"]),
        ('<Tool name="a" prompt="${NOPE}"/>', ["3:24 PB105"]),
    ],
)
def test_what_is_wrong_is_told_at_its_place(folder: Folder, tool: str, problems: list[str]) -> None:
    assert folder.problems("tools.xml", f"<Tools>\n<Item>\n{tool}\n</Item></Tools>") == problems


def test_what_nlweb_reads_over_is_a_warning_with_its_place(folder: Folder) -> None:
    text = """<Tools version="1" xmlns:x="y">stray
    <Site id="a" foo="b"><Item bar="1"><Tool name="a"><zzz/>text<method>magic</method>
      <prompt>Use <b>bold</b> words</prompt></Tool><Prompt/></Item></Site></Tools>"""
    found, problems = folder.read("tools.xml", text)
    assert [placed(problem) for problem in problems] == [
        "1:32 PB106",
        "2:18 PB106",
        "2:32 PB106",
        "2:56 PB106",
        "2:61 PB106",
        "2:73 PB106",
        "3:19 PB106",
        "3:53 PB106",
    ]
    assert problems.errors == []
    assert found.sites[0].value.tools[0].prompt == "Use <b>bold</b> words"
