"""The six forms that NLWeb's `tools.xml` has had, each counted whole: tools, disabled ones, sites, examples."""

from collections import Counter
from dataclasses import dataclass

import pytest

from pegboard.config.declarations import Declarations, ToolDeclaration
from tests.config.conftest import Folder

DESCRIBED = """<?xml version="1.0" encoding="UTF-8"?>
<Tools>
  <Thing>
    <Tool name="search">
      <path>/api/search</path>
      <description>Finds things by what they are</description>
      <method>url</method>
      <argument name="query">what to find</argument>
      <example>a red lamp</example>
      <example>红色的灯</example>
    </Tool>
  </Thing>
  <Lamp>
    <Tool name="compare">
      <path>/api/compare</path>
      <description>Sets two lamps side by side</description>
      <method>url</method>
      <argument name="item1">the first</argument>
      <argument name="item2">the second</argument>
      <example>the red or the blue one?</example>
    </Tool>
  </Lamp>
</Tools>
"""

PROMPTED = """<Tools>
  <Thing>
    <Tool name="search">
      <path>/api/search</path>
      <method>url</method>
      <argument name="query">what to find</argument>
      <example>a red lamp</example>
      <prompt>
        The visitor asks: {request.query}.
        - Does a search fit?
      </prompt>
      <returnStruc>{"score": "integer between 0 and 100"}</returnStruc>
    </Tool>
  </Thing>
</Tools>
"""

SWITCHED = """<Tools>
  <Thing>
    <Tool name="search" enabled="true"><path>/s</path><method>url</method><prompt>{request.query}</prompt></Tool>
  </Thing>
  <Recipe>
    <Tool name="swap" enabled="false"><path>/w</path><method>url</method><prompt>{request.query}</prompt></Tool>
    <Tool name="cook"><path>/c</path><method>url</method><prompt>{request.query}</prompt></Tool>
  </Recipe>
</Tools>
"""

HANDLED = """<Tools>
  <Thing>
    <Tool name="search" enabled="true">
      <method>builtin</method>
      <example>a red lamp</example>
      <prompt>{request.query}</prompt>
      <returnStruc>{"score": "integer between 0 and 100"}</returnStruc>
    </Tool>
    <Tool name="details" enabled="true">
      <method>code</method>
      <handler>methods.item_details.ItemDetailsHandler</handler>
      <example>how tall is the lamp</example>
      <prompt>{request.query}</prompt>
      <returnStruc>{"score": "integer between 0 and 100", "item_name": "which lamp"}</returnStruc>
    </Tool>
  </Thing>
</Tools>
"""

ROOTED = HANDLED.replace("Thing>", "Item>").replace("<method>code<", "<method>extension<")

OF_SITES = """<Tools>
  <Site id="default">
    <Item>
      <Tool name="search" enabled="true"><method>builtin</method><prompt>{request.query}</prompt></Tool>
      <Tool name="details" enabled="false"><method>code</method><example>how tall</example></Tool>
    </Item>
    <Recipe><Tool name="swap"><method>code</method></Tool></Recipe>
    <Item><Tool name="ensemble" enabled="no"><method>extension</method></Tool></Item>
  </Site>
  <Site id="all"><Item><Tool name="who"><prompt>{query}</prompt></Tool></Item></Site>
  <Site id="Lamps"><Item><Tool name="stats"/></Item></Site>
  <Site id="lamps"><Item><Tool name="stats"/></Item></Site>
  <Site id="lamps.example"><Item><Tool name="stats"/></Item></Site>
</Tools>
"""


@dataclass(frozen=True)
class Counted:
    """What stands in a file."""

    types: dict[str, int]
    disabled: int = 0
    examples: int = 0
    prompts: int = 0
    returns: int = 0
    handlers: int = 0
    sites: tuple[str, ...] = ()
    problems: int = 0


def counted(found: Declarations, problems: int) -> Counted:
    tools: list[ToolDeclaration] = [tool.value for tool in found.tools]
    tools += [tool for site in found.sites for tool in site.value.tools]
    return Counted(
        types=Counter(tool.type for tool in tools),
        disabled=sum(not tool.enabled for tool in tools),
        examples=sum(len(questions) for tool in tools for questions in tool.examples.values()),
        prompts=sum(bool(tool.prompt) for tool in tools),
        returns=sum(bool(tool.returns) for tool in tools),
        handlers=sum(bool(tool.handler) for tool in tools),
        sites=tuple(site.value.name for site in found.sites),
        problems=problems,
    )


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        pytest.param(
            DESCRIBED, Counted({"Thing": 1, "Lamp": 1}, examples=3, returns=2, problems=4), id="description, argument"
        ),
        pytest.param(PROMPTED, Counted({"Thing": 1}, examples=1, prompts=1, returns=1, problems=3), id="prompt"),
        pytest.param(SWITCHED, Counted({"Thing": 1, "Recipe": 2}, disabled=1, prompts=3, problems=6), id="enabled"),
        pytest.param(HANDLED, Counted({"Thing": 2}, examples=2, prompts=2, returns=2, handlers=1), id="handler"),
        pytest.param(ROOTED, Counted({"Item": 2}, examples=2, prompts=2, returns=2, handlers=1), id="Item"),
        pytest.param(
            OF_SITES,
            Counted(
                {"Item": 7, "Recipe": 1},
                disabled=2,
                examples=1,
                prompts=2,
                sites=("default", "all", "Lamps", "lamps", "lamps.example"),
            ),
            id="Site",
        ),
    ],
)
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_every_form_loads_whole(folder: Folder, text: str, wanted: Counted, line_end: str) -> None:
    found, problems = folder.read("tools.xml", text.replace("\n", line_end))
    assert {problem.code for problem in problems} <= {"PB106"}
    assert problems.errors == []
    assert counted(found, len(problems)) == wanted
