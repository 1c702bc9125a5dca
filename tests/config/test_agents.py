"""Agents in documents: the same in every syntax, what is wrong at its place, and those that ship."""

import pytest

from pegboard.config.shipped import NAME, shipped_agents
from tests.config.conftest import Folder, placed

YAML = """\
agents:
  - name: adviser
    type: Recipe
    description: Advises.
    examples: [what do I need?]
    system: You advise.
    tools: [search, details]
    model: big
    max_iterations: 3
    timeout: 90s
    temperature: 0.5
    call: {timeout: 5m}
"""
JSON = """\
{"agents": [{"name": "adviser", "type": "Recipe", "description": "Advises.", "examples": ["what do I need?"],
"system": "You advise.", "tools": ["search", "details"], "model": "big", "max_iterations": 3, "timeout": "90s",
"temperature": 0.5, "call": {"timeout": "5m"}}]}
"""
XML = """\
<Tools>
  <agent name="adviser" type="Recipe" max_iterations="3" timeout="90s" temperature="0.5" model="big">
    <description>Advises.</description>
    <example>what do I need?</example>
    <system>You advise.</system>
    <tool>search</tool>
    <tool>details</tool>
    <call timeout="5m"/>
  </agent>
</Tools>
"""


def test_every_syntax_declares_the_same_agent_and_knows_its_places(folder: Folder) -> None:
    values = []
    for name, text, place in (
        ("tools.yaml", YAML, (7, 21)),
        ("tools.json", JSON, (2, 46)),
        ("tools.xml", XML, (7, 11)),
    ):
        declared, problems = folder.read(name, text)
        assert problems == []
        (tool,) = declared.tools
        span = tool.at("agent", "tools", 1)
        assert (span.line, span.column) == place
        assert tool.at("description") != tool.at("agent")
        assert all(tool.spans[path] for path in tool.spans)
        values.append(tool.value)
        (folder.path / name).unlink()
    assert values[0] == values[1] == values[2]
    assert values[0].agent is not None
    assert (values[0].agent.timeout, values[0].agent.max_depth) == (90.0, 2)


def test_a_site_names_its_agents_in_every_syntax(folder: Folder) -> None:
    for name, text in (
        ("tools.yaml", "sites: [{name: a, agents: [writer, archivist]}]"),
        ("tools.xml", '<Tools><site name="a"><agent>writer</agent><agent>archivist</agent></site></Tools>'),
    ):
        declared, problems = folder.read(name, text)
        assert problems == []
        assert declared.sites[0].value.agents == ["writer", "archivist"]
        (folder.path / name).unlink()


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("agents: [{name: a, tools: []}]", ["1:10 PB102"]),
        ("agents: [{name: a, system: x}]", ["1:10 PB102"]),
        ("agents: [{name: a, system: '', tools: []}]", ["1:28 PB104"]),
        ("agents: [{name: a, system: x, tools: [], max_iterations: 0}]", ["1:58 PB104"]),
        ("agents: [{name: a, system: x, tools: [], max_tokens: many}]", ["1:54 PB103"]),
        ("agents: [{name: a, system: x, tools: [], temperature: 3}]", ["1:55 PB104"]),
        ("agents: [{name: a, system: x, tools: [], max_depth: 9}]", ["1:53 PB104"]),
        ("agents: [{name: a, system: x, tools: [], timeout: soon}]", ["1:51 PB104"]),
        ("agents: [{name: a, sytem: x, tools: []}]", ["1:20 PB101"]),
        ("agents: [{name: a, system: x, tools: ['a b']}]", ["1:39 PB104"]),
    ],
)
def test_what_is_wrong_with_its_shape_is_told_at_its_place(text: str, problems: list[str], folder: Folder) -> None:
    assert [placed(problem) for problem in folder.read("tools.yaml", text)[1]] == problems


def test_three_ship_and_are_read_as_documents_are() -> None:
    agents = shipped_agents()
    assert list(agents) == ["researcher", "writer", "archivist"]
    assert {agent.at("agent", "system").file for agent in agents.values()} == {NAME}
    assert all(agent.value.examples["en"] and agent.value.examples["zh"] for agent in agents.values())
    assert agents["writer"].value.agent is not None
    assert agents["writer"].value.agent.tools == []
