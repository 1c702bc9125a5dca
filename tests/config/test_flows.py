"""Flows in documents: references beside variables, and the same places in every syntax."""

import json

import pytest

from tests.config.conftest import Folder, placed

FORMS = {
    "tools.yaml": "flows: [{{name: f, nodes: [{{id: a, tool: t, arguments: {{x: {}}}}}]}}]",
    "tools.json": '{{"flows": [{{"name": "f", "nodes": [{{"id": "a", "tool": "t", "arguments": {{"x": {}}}}}]}}]}}',
    "tools.xml": '<Tools><flow name="f"><node id="a" tool="t"><arguments>{{"x": {}}}</arguments></node></flow></Tools>',
}


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize(
    ("text", "read", "problems"),
    [
        ("${inputs.city} ${other-1.items[0].name}", "${inputs.city} ${other-1.items[0].name}", []),
        ("${CITY} in ${inputs.land}", "Oslo in ${inputs.land}", []),
        ("${NONE:-Rome}", "Rome", []),
        ("$${x} is ${HARD}", "$${x} is $${inputs.key}", []),
        ("${Inputs.city}", "${Inputs.city}", ["PB305"]),
        ("${a..b}", "${a..b}", ["PB305"]),
        ("${NONE}", "${NONE}", ["PB105"]),
    ],
)  # fmt: skip
def test_a_reference_stays_and_a_variable_is_put_in(
    name: str, text: str, read: str, problems: list[str], folder: Folder
) -> None:
    folder.environ |= {"CITY": "Oslo", "HARD": "${inputs.key}"}
    declared, found = folder.read(name, FORMS[name].format(json.dumps(text)))
    assert [problem.code for problem in found] == problems
    (tool,) = declared.tools
    assert tool.value.flow is not None
    assert tool.value.flow.nodes[0].arguments == {"x": read}


def test_what_is_neither_says_how_both_are_written(folder: Folder) -> None:
    _, (problem,) = folder.read("tools.yaml", FORMS["tools.yaml"].format('"${A.b}"'))
    assert problem.message == "flows[0].nodes[0].arguments.x: '${A.b}' is neither variable nor reference"
    assert problem.hint.startswith("A variable is ${NAME}, in capitals; a reference is ${inputs.name} or ${node.path};")


def test_a_tool_that_is_no_flow_takes_no_references(folder: Folder) -> None:
    text = 'tools: [{name: a, description: "${inputs.city}"}]'
    assert folder.problems("tools.yaml", text) == ["1:32 PB305"]


YAML = """\
flows:
  - name: f
    description: Does much.
    parameters: {city: name of the city}
    nodes:
      - id: one
        tool: clock
        arguments: {place: "${inputs.city}"}
        depends_on: [two]
      - {id: two, tool: clock, race_group: r, when: inputs.city}
    races: [{name: r, favourite: two, head_start: 300ms}]
    outputs: {text: "${one.text}", data: {a: "${two.text}"}}
"""
XML = """\
<Tools>
  <flow name="f">
    <description>Does much.</description>
    <parameters>{"city": "name of the city"}</parameters>
    <node id="one" tool="clock">
      <arguments>{"place": "${inputs.city}"}</arguments>
      <depends_on>two</depends_on>
    </node>
    <node id="two" tool="clock" race_group="r" when="inputs.city"/>
    <race name="r" favourite="two" head_start="300ms"/>
    <outputs text="${one.text}"><data>{"a": "${two.text}"}</data></outputs>
  </flow>
</Tools>
"""


def test_xml_and_yaml_declare_the_same_flow_and_know_its_places(folder: Folder) -> None:
    values = []
    for name, text, place in (("tools.yaml", YAML, (8, 28)), ("tools.xml", XML, (6, 28))):
        declared, problems = folder.read(name, text)
        assert problems == []
        (tool,) = declared.tools
        span = tool.at("flow", "nodes", 0, "arguments", "place")
        assert (span.line, span.column) == place
        assert tool.at("description") != tool.at("flow")
        assert all(tool.spans[path] for path in tool.spans)
        values.append(tool.value)
        (folder.path / name).unlink()
    assert values[0] == values[1]


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("flows: [{name: f}]", ["1:9 PB102"]),
        ("flows: [{name: f, nodes: []}]", ["1:26 PB104"]),
        ("flows: [{name: f, nodes: [{tool: t}]}]", ["1:27 PB102"]),
        ("flows: [{name: f, nodes: [{id: a, tol: t}]}]", ["1:35 PB101"]),
        ("flows: [{name: f, nodes: [{id: a, tool: t, needs: some}]}]", ["1:51 PB104"]),
        ("flows: [{name: f, nodes: [{id: '${A}', tool: t}]}]", ["1:32 PB105"]),
    ],
)
def test_what_is_wrong_with_its_shape_is_told_at_its_place(text: str, problems: list[str], folder: Folder) -> None:
    assert [placed(problem) for problem in folder.read("tools.yaml", text)[1]] == problems
