"""Agents against the tools of the sites that get them: those that are declared, and those that ship."""

import pytest

from pegboard.catalog.load import CheckReport
from tests.catalog.conftest import Check

TOOLS = """\
tools:
  - {name: clock, description: Tells the time., read_only: true}
  - {name: calculator, description: Sums.}
"""


def with_agents(checked: Check, text: str, tools: str = TOOLS) -> CheckReport:
    return checked(**{"tools": tools, "tools.d/agents": text})


def told(report: CheckReport) -> list[str]:
    return [
        f"{problem.span.line}:{problem.span.column} {problem.code} {problem.message}" for problem in report.problems
    ]


def test_an_agent_is_a_tool_like_any_other_and_is_scored_for_questions_of_several_parts(checked: Check) -> None:
    report = with_agents(
        checked,
        """\
agents:
  - {name: helper, type: Recipe, description: Helps., system: You help., tools: [clock]}
sites:
  - {name: all}
  - {name: food, types: [Recipe], tools: [{name: helper, description: Helps here.}]}
  - {name: given, agents: [helper]}
""",
    )
    assert told(report) == []
    sites = report.catalog.sites
    assert [tool.name for tool in sites["food"].tools] == ["clock", "calculator", "helper"]
    assert (sites["all"].get("helper"), sites["given"].tool("helper").type) == (None, "Recipe")
    helper = sites["food"].tool("helper")
    assert (helper.description, helper.handler) == ("Helps here.", "pegboard.handlers.agent:agent")
    assert helper.is_for_parts
    assert helper.parameters["required"] == ["goal"]
    assert str(helper.origin["agent.tools"]).endswith("agents.yaml:2:81")


@pytest.mark.parametrize(("tools", "only_reads"), [
    ("[clock]", True), ("[clock, calculator]", False), ("[inner]", True), ("[]", True), ("[back]", True),
])  # fmt: skip
def test_an_agent_only_reads_where_all_its_tools_do(tools: str, only_reads: bool, checked: Check) -> None:
    text = f"""\
agents:
  - {{name: outer, description: x., system: x, tools: {tools}}}
  - {{name: inner, description: y., system: y, tools: [clock]}}
  - {{name: back, description: z., system: z, tools: [outer, clock]}}
"""
    report = with_agents(checked, text)
    assert told(report) == []
    assert report.catalog.sites["default"].tool("outer").read_only is only_reads


def test_every_fault_is_told_at_the_place_of_its_value_in_one_run(checked: Check) -> None:
    report = with_agents(
        checked,
        """\
agents:
  - {name: one, description: x., system: x, tools: [clok, clock]}
  - {name: two, description: x., system: x, tools: [two]}
  - {name: three, description: x., system: x, tools: [clock, clock]}
  - {name: four, description: x., system: x, tools: [], max_tokens: 1000, max_context_tokens: 2000}
  - {name: five, description: x., system: x, tools: [], model: big}
  - {name: six, description: x., system: " ", tools: []}
""",
    )
    assert told(report) == [
        "2:53 PB205 agent 'one' may use 'clok', which its site lacks",
        "3:53 PB410 tool 'two' may use itself",
        "4:62 PB410 tool 'three' names 'clock' twice",
        "5:95 PB410 tool 'four' may read 2,000 tokens in a turn, and 1,000 in all",
        "6:64 PB220 agent 'five' asks 'big', which no document declares",
        "7:42 PB410 tool 'six' is told nothing",
    ]
    assert [tool.name for tool in report.catalog.sites["default"].tools] == ["clock", "calculator", "five"]


def test_an_agent_is_judged_by_the_tools_of_each_site_that_gets_it(checked: Check) -> None:
    text = """\
agents:
  - {name: helper, description: x., system: x, tools: [clock]}
sites:
  - {name: one}
  - {name: two, exclude: [clock]}
"""
    report = with_agents(checked, text)
    assert told(report) == ["2:56 PB205 agent 'helper' may use 'clock' and excludes it"]
    assert report.catalog.sites["one"].get("helper") is not None
    assert report.catalog.sites["two"].get("helper") is None


def test_a_model_that_only_an_agent_asks_is_asked(checked: Check) -> None:
    text = """\
models: [{name: big, base_url: "http://127.0.0.1:1/v1"}]
agents: [{name: helper, description: x., system: x, tools: [], model: big}]
"""
    report = with_agents(checked, text)
    assert told(report) == []
    kind = report.catalog.sites["default"].tool("helper").kind
    assert kind is not None
    assert kind.model == "big"


# Agents that a site names


def test_those_that_ship_are_given_by_name_and_use_what_the_site_has(checked: Check) -> None:
    text = """\
sites:
  - {name: base, agents: [researcher, writer]}
  - {name: more, inherit: false, extends: [base], tools: [{name: writer, description: Writes here.}]}
  - {name: none}
"""
    report = with_agents(checked, text)
    assert told(report) == []
    sites = report.catalog.sites
    assert [tool.name for tool in sites["base"].tools] == ["clock", "calculator", "researcher", "writer"]
    assert [tool.name for tool in sites["none"].tools] == ["clock", "calculator"]
    assert (sites["more"].tool("writer").description, sites["more"].get("researcher") is not None) == (
        "Writes here.", True,
    )  # fmt: skip
    assert (sites["base"].tool("writer").read_only, sites["base"].tool("researcher").read_only) == (True, False)


def test_one_that_is_declared_goes_before_one_that_ships(checked: Check) -> None:
    text = """\
agents: [{name: writer, type: Recipe, description: Ours., system: x, tools: []}]
sites: [{name: all, agents: [writer]}]
"""
    report = with_agents(checked, text)
    assert told(report) == []
    assert report.catalog.sites["all"].tool("writer").description == "Ours."


def test_a_name_that_is_no_agents_is_told_with_the_nearest(checked: Check) -> None:
    text = """\
sites:
  - {name: all, agents: [reseacher, clock, writer, writer, archivist]}
"""
    report = with_agents(checked, text)
    assert told(report) == [
        "2:26 PB232 site 'all' is given the agent 'reseacher', which neither ships nor is declared",
        "2:37 PB232 site 'all' is given the agent 'clock', which is a tool and no agent",
        "2:52 PB201 site 'all' is given the agent 'writer' twice",
        "2:60 PB234 agent 'archivist' finds none of its tools at site 'all': "
        "write_document, list_documents, read_document",
    ]
    assert report.problems[0].hint == "Did you mean 'researcher'?"
    assert "docs/documents.md" in report.problems[-1].hint
    (only,) = with_agents(checked, "sites: [{name: all, agents: [plan]}]").problems
    assert (only.code, "`handler: pegboard.handlers.plan:plan`" in only.hint) == ("PB232", True)


def test_a_tool_that_cannot_work_is_told_where_it_is_and_not_of_the_agents_too(checked: Check) -> None:
    text = """\
tools: [{name: write_document, description: Keeps., handler: "pegboard.handlers.nowhere:keep"}]
sites: [{name: all, agents: [archivist]}]
"""
    assert [problem.code for problem in with_agents(checked, text).problems] == ["PB403"]
