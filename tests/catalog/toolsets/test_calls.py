"""Which declaration gives each limit of a tool's calls, and which limits a tool cannot have."""

import pytest

from pegboard.catalog.limits import UNLIMITED, Breaking, Limits
from pegboard.catalog.tool import Tool
from tests.catalog.conftest import OWN, Check
from tests.catalog.test_build import found

SEARCH = 'handler: "pegboard.handlers.search:search"'


def the_tool(report: object, site: str, name: str) -> Tool:
    tool = report.catalog.sites[site].get(name)  # type: ignore[attr-defined]
    assert isinstance(tool, Tool)
    return tool


def test_each_field_is_that_of_the_most_specific_who_gives_it(checked: Check) -> None:
    report = checked(
        tools=f"""
call: {{timeout: 9s, network_timeout: 4s, queue: 7, rate: 3/s, max_parallel: 2, per_request: 9}}
types:
  - {{name: Soup, parents: [Recipe], call: {{network_timeout: 3s, queue: 6, rate: 4/s, max_parallel: 3}}}}
  - {{name: Broth, parents: [Soup], call: {{queue: 5, rate: 5/s, max_parallel: 4}}}}
sites:
  - name: kitchen
    types: [Broth]
    call: {{rate: 6/s, max_parallel: 5}}
    tools: [{{name: find, call: {{max_parallel: 6}}}}]
tools:
  - {{name: find, type: Broth, description: Finds., {SEARCH}, read_only: true, call: {{max_parallel: 1, cache: 5m}}}}
  - {{name: other, type: Recipe, description: Another., {SEARCH}}}
"""
    )
    assert found(report) == []
    tool = the_tool(report, "kitchen", "find")
    assert tool.limits == Limits(
        timeout_seconds=9,
        network_timeout_seconds=3,
        queue=5,
        rate="6/s",
        max_parallel=6,
        per_request=9,
        cache_seconds=300,
    )
    lines = {key: span.line for key, span in tool.origin.items() if key.startswith("call")}
    assert lines == {
        "call.timeout": 2,
        "call.per_request": 2,
        "call.network_timeout": 4,
        "call.queue": 5,
        "call.rate": 9,
        "call.max_parallel": 10,
        "call.cache": 12,
    }
    assert [(each.value, each.span.line) for each in tool.overridden if each.field == "call.max_parallel"] == [
        (1, 12),
        (5, 9),
        (4, 5),
        (3, 4),
        (2, 2),
    ]
    assert the_tool(report, "kitchen", "other").limits.rate == "6/s"
    assert the_tool(report, "kitchen", "other").limits.queue == 7


def test_a_tool_of_which_nothing_is_said_has_the_limits_of_all(checked: Check) -> None:
    report = checked(tools=f"tools: [{{name: find, description: Finds., {SEARCH}}}]")
    assert the_tool(report, "default", "find").limits is UNLIMITED


def test_a_site_that_says_nothing_shares_its_tools_and_one_that_does_has_its_own(checked: Check) -> None:
    report = checked(
        tools=f"""
tools: [{{name: find, description: Finds., {SEARCH}, call: {{rate: 9/s}}}}]
sites: [{{name: a}}, {{name: b}}, {{name: c, call: {{timeout: 1s}}}}]
"""
    )
    a, b, c = (the_tool(report, site, "find") for site in "abc")
    assert a is b
    assert (a.timeout_seconds, c.timeout_seconds) == (10, 1)
    assert a.identity == c.identity != ""


def test_a_block_within_is_one_value(checked: Check) -> None:
    report = checked(
        tools=f"""
call: {{breaker: {{failures: 2, rest: 9s}}}}
tools: [{{name: find, description: Finds., {SEARCH}, call: {{breaker: {{failures: 3}}}}}}]
"""
    )
    assert the_tool(report, "default", "find").limits.breaker == Breaking(3, 30)


def test_what_is_given_for_many_passes_by_those_that_cannot_have_it(checked: Check) -> None:
    report = checked(
        tools=f"""
call: {{retries: 2, cache: 5m, fallback: reading}}
tools:
  - {{name: reading, description: Reads., {SEARCH}, read_only: true}}
  - {{name: writing, description: Writes., {SEARCH}, read_only: false}}
  - {{name: putting, description: Puts., {SEARCH}, call: {{idempotent: true}}}}
"""
    )
    assert found(report) == []
    assert [the_tool(report, "default", name).limits for name in ("reading", "writing", "putting")] == [
        Limits(retries=2, cache_seconds=300),
        Limits(fallback="reading"),
        Limits(retries=2, idempotent=True, fallback="reading"),
    ]
    assert "call.retries" not in the_tool(report, "default", "writing").origin


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ("call: {retries: ^2}", "PB320"),
        ("call: {retries: 0}", ""),
        ("call: {retries: 2, idempotent: true}", ""),
        ("call: {cache: ^5m, idempotent: true}", "PB320"),
        ("read_only: true, call: {cache: 5m, retries: 1}", ""),
        ("call: {fallback: ^othr}", "PB205"),
        ("call: {fallback: ^find}", "PB225"),
        ("call: {fallback: other}", ""),
        ("call: {fallback: ^gone}", "PB205"),
        ("call: {timeout: ^2m}", "PB313"),
        ("call: {network_timeout: ^2m}", "PB313"),
        ("call: {network_timeout: ^9s, timeout: 8s}", "PB313"),
        ("call: {redact: [query, ^querry]}", "PB303"),
        ("call: {rate: ^10}", "PB103"),
        ("call: {rate: ^10/d}", "PB104"),
        ("call: {rate: ^0/s}", "PB104"),
        ("call: {max_parallel: ^0}", "PB104"),
        ("call: {breaker: {failures: ^0}}", "PB104"),
        ("call: {approval: ^sometimes}", "PB104"),
        ("call: {max_result: ^5MB}", "PB104"),
    ],
)
def test_nonsense_is_a_problem_with_its_place(checked: Check, given: str, code: str) -> None:
    line = f"  - {{name: find, description: Finds., {SEARCH}, {given}}}"
    report = checked(
        tools=f"""
tools:
{line.replace("^", "")}
  - {{name: other, description: Another., {SEARCH}}}
  - {{name: gone, description: Gone., {SEARCH}, enabled: false}}
"""
    )
    assert found(report) == ([(code, "tools.yaml", 3, line.index("^") + 1)] if code else [])


def test_a_timeout_beyond_the_requests_is_found_wherever_it_is_given(checked: Check) -> None:
    report = checked(
        tools=f"""
call: {{timeout: 2m}}
types: [{{name: Soup, call: {{timeout: 2m}}}}]
sources: [{{name: shop, call: {{timeout: 2m}}, http: {{base_url: "https://shop.example"}}}}]
sites: [{{name: a, types: [Soup], call: {{timeout: 2m}}}}]
tools: [{{name: find, description: Finds., {SEARCH}}}]
"""
    )
    assert [(code, line) for code, _, line, _ in found(report)] == [("PB313", line) for line in (2, 3, 4, 5)]


def test_a_tool_that_runs_others_may_say_more_than_a_request_takes(checked: Check) -> None:
    report = checked(
        tools=f"""
flows: [{{name: f, description: Finds., call: {{timeout: 2m}}, nodes: [{{id: a, tool: find, arguments: {{query: x}}}}]}}]
sites: [{{name: a, tools: [{{name: f, call: {{timeout: 3m}}}}, {{name: find, call: {{timeout: 4m}}}}]}}]
tools:
  - {{name: find, description: Finds., {SEARCH}}}
  - {{name: plan, description: Plans., call: {{timeout: 5m}}}}
"""
    )
    assert [(code, line, column) for code, _, line, column in found(report)] == [("PB313", 3, 88)]


def test_a_tool_that_runs_others_has_as_long_as_they_take_unless_it_says_otherwise_itself(checked: Check) -> None:
    report = checked(
        tools="""
call: {timeout: 3s}
sites:
  - {name: a}
  - {name: b, tools: [{name: plan, call: {timeout: 20s}}]}
tools: [{name: plan, description: Plans.}, {name: clock, description: Tells the time.}]
"""
    )
    seconds = [[tool.timeout_seconds for tool in report.catalog.sites[site].tools] for site in ("a", "b")]
    assert seconds == [[86_400.0, 3.0], [20.0, 3.0]]


def test_a_circle_of_fallbacks_is_told_once_with_all_its_places(checked: Check) -> None:
    report = checked(
        tools=f"""
tools:
  - {{name: a, description: A., {SEARCH}, call: {{fallback: b}}}}
  - {{name: b, description: B., {SEARCH}, call: {{fallback: c}}}}
  - {{name: c, description: C., {SEARCH}, call: {{fallback: b}}}}
sites: [{{name: x}}, {{name: y}}]
"""
    )
    (problem,) = report.problems
    assert (problem.code, problem.span.line, [span.line for span in problem.also]) == ("PB225", 4, [5])
    assert problem.message == "tools fall back in a circle: b -> c -> b"


def test_a_field_that_two_documents_give_for_all_calls_is_a_problem(checked: Check) -> None:
    report = checked(
        **{
            "tools": f"call: {{timeout: 5s, queue: 3}}\ntools: [{{name: find, description: Finds., {SEARCH}}}]",
            "tools.d/more": "call: {timeout: 6s, per_request: 2}",
        }
    )
    (problem,) = report.problems
    assert (problem.code, str(problem.span).split("/")[-1], str(problem.also[0]).split("/")[-1]) == (
        "PB005",
        "more.yaml:1:17",
        "tools.yaml:1:17",
    )


def test_a_tool_takes_the_limits_of_the_source_that_it_reaches(checked: Check) -> None:
    report = checked(
        tools=f"""
sources: [{{name: shop, call: {{rate: 2/s}}, http: {{base_url: "https://shop.example"}}}}]
tools: [{{name: greet, description: Greets., handler: "{OWN}:greet"}}]
"""
    )
    assert the_tool(report, "default", "greet").limits.rate is None


def test_a_connection_may_take_as_long_as_the_call_that_is_inherited(checked: Check) -> None:
    report = checked(
        tools=f"""
call: {{timeout: 30s}}
tools: [{{name: find, description: Finds., {SEARCH}, call: {{network_timeout: 20s}}}}]
"""
    )
    assert found(report) == []
