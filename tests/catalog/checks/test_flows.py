"""Flows against the tools of the sites that get them: each fault at the place of its value, all in one run."""

import pytest

from pegboard.catalog.load import CheckReport
from tests.catalog.conftest import Check

TOOLS = """\
tools:
  - {name: clock, description: Tells the time., read_only: true}
  - {name: calculator, description: Sums.}
"""


def with_flows(checked: Check, flows: str, tools: str = TOOLS) -> CheckReport:
    return checked(**{"tools": tools, "tools.d/flows": flows})


def told(report: CheckReport) -> list[str]:
    return [
        f"{problem.span.line}:{problem.span.column} {problem.code} {problem.message}" for problem in report.problems
    ]


def test_a_flow_is_a_tool_like_any_other(checked: Check) -> None:
    report = with_flows(
        checked,
        """\
flows:
  - name: now
    type: Recipe
    description: Tells the time in a city.
    examples: [the time]
    parameters: {city: name of the city}
    nodes:
      - {id: time, tool: clock, arguments: {place: "${inputs.city}"}}
sites:
  - {name: all}
  - {name: food, types: [Recipe], tools: [{name: now, description: Tells it here.}]}
  - {name: other, types: [Recipe], exclude: [now]}
""",
    )
    assert told(report) == []
    sites = report.catalog.sites
    assert [tool.name for tool in sites["food"].tools] == ["clock", "calculator", "now"]
    now = sites["food"].tool("now")
    assert (now.description, now.type, now.handler) == ("Tells it here.", "Recipe", "pegboard.handlers.flow:flow")
    assert now.parameters["required"] == ["city"]
    assert str(now.origin["flow.nodes.time"]).endswith("flows.yaml:8:9")
    assert (sites["all"].get("now"), sites["other"].get("now")) == (None, None)


@pytest.mark.parametrize(("call", "declared", "only_reads"), [
    ("clock", "", True), ("calculator, arguments: {expression: 1 + 1}", "", False), ("inner", "", True),
    ("calculator, arguments: {expression: 1 + 1}", "read_only: true, ", True), ("clock", "read_only: false, ", False),
])  # fmt: skip
def test_a_flow_only_reads_where_all_its_tools_do_unless_it_says_so(
    call: str, declared: str, only_reads: bool, checked: Check
) -> None:
    flows = f"""\
flows:
  - {{name: outer, description: x., {declared}nodes: [{{id: a, tool: {call}}}]}}
  - {{name: inner, description: y., nodes: [{{id: a, tool: clock}}]}}
"""
    report = with_flows(checked, flows)
    assert told(report) == []
    assert report.catalog.sites["default"].tool("outer").read_only is only_reads


FAULTY = """\
flows:
  - name: bad
    description: Cannot work.
    parameters: {city: name of a city, size: "integer, how large", spare: nothing}
    nodes:
      - {id: one, tool: clok}
      - {id: two, tool: clock, arguments: {plac: x}}
      - {id: three, tool: calculator, arguments: {expression: "${inputs.size}"}}
      - {id: four, tool: calculator}
      - {id: five, tool: clock, arguments: {place: "${inputs.city}"}, depends_on: [six]}
      - {id: seven, tool: bad}
"""


def test_every_fault_is_told_at_the_place_of_its_value_in_one_run(checked: Check) -> None:
    report = with_flows(checked, FAULTY)
    assert told(report) == [
        "4:68 PB228 flow 'bad' has the input 'spare', which no step uses",
        "6:25 PB205 flow 'bad' calls 'clok' in its step 'one', which its site lacks",
        "7:50 PB226 flow 'bad', step 'two': Unknown argument 'plac'. Did you mean 'place'?",
        "8:63 PB226 flow 'bad', step 'three': ${inputs.size} is an integer, and 'calculator' takes a string as 'expression'",
        "9:9 PB226 flow 'bad', step 'four': Missing argument 'expression'.",
        "10:84 PB410 tool 'bad' cannot run: step 'five' waits for 'six', which is no step",
        "11:27 PB227 flow 'bad' contains itself",
    ]
    assert report.catalog.sites["default"].get("bad") is None
    assert report.catalog.sites["default"].get("clock") is not None
    assert report.catalog.disabled == 1


def test_flows_that_contain_each_other_are_told_once_with_all_places(checked: Check) -> None:
    flows = """\
flows:
  - {name: a, description: x., nodes: [{id: n, tool: clock}, {id: m, tool: b}]}
  - {name: b, description: y., nodes: [{id: n, tool: c}]}
  - {name: c, description: z., nodes: [{id: n, tool: a}]}
"""
    report = with_flows(checked, flows)
    (problem,) = report.problems
    assert (problem.code, problem.message) == ("PB227", "flows contain each other: a, b, c")
    places = [problem.span, *problem.also]
    assert [(span.line, span.column) for span in places] == [(2, 76), (3, 54), (4, 54)]


def test_a_flow_is_judged_by_the_tools_of_each_site_that_gets_it(checked: Check) -> None:
    flows = """\
flows:
  - {name: now, description: x., nodes: [{id: n, tool: clock}]}
sites:
  - {name: one}
  - {name: two, exclude: [clock]}
"""
    report = with_flows(checked, flows)
    assert told(report) == ["2:56 PB205 flow 'now' calls 'clock' in its step 'n' and excludes it"]
    assert report.catalog.sites["one"].get("now") is not None
    assert report.catalog.sites["two"].get("now") is None


def test_a_flow_and_a_tool_of_one_name_are_a_duplicate(checked: Check) -> None:
    flows = "flows:\n  - {name: clock, description: x., nodes: [{id: n, tool: calculator, arguments: {expression: 1 + 1}}]}\n"
    report = with_flows(checked, flows)
    assert [problem.code for problem in report.problems] == ["PB201"]


def test_the_result_of_a_tool_has_its_type_before_a_flow_runs(checked: Check) -> None:
    tools = TOOLS.replace("read_only: true", "read_only: true, output: {count: integer}")
    flows = """\
flows:
  - name: now
    description: x.
    nodes:
      - {id: n, tool: clock}
      - {id: m, tool: calculator, arguments: {expression: "${n.count}"}}
"""
    assert told(with_flows(checked, flows, tools)) == [
        "6:59 PB226 flow 'now', step 'm': ${n.count} is an integer, and 'calculator' takes a string as 'expression'"
    ]


def test_a_flow_that_calls_one_that_cannot_work_is_left_out_with_it(checked: Check) -> None:
    report = with_flows(
        checked,
        """\
flows:
  - {name: outer, nodes: [{id: a, tool: inner}]}
  - {name: inner, nodes: [{id: a, tool: nowhere}]}
  - {name: apart, nodes: [{id: a, tool: clock}]}
sites: [{name: all}]
""",
    )
    assert [problem.message for problem in report.problems if problem.severity == "error"] == [
        "flow 'inner' calls 'nowhere' in its step 'a', which its site lacks"
    ]
    assert [tool.name for tool in report.catalog.sites["all"].tools] == ["clock", "calculator", "apart"]


def test_a_step_that_asks_a_tool_as_an_agent_is_told(checked: Check) -> None:
    report = with_flows(checked, "flows:\n  - {name: now, description: x., nodes: [{id: a, agent: clock}]}\n")
    assert told(report)[0] == "2:57 PB226 flow 'now', step 'a': 'clock' is no agent"
