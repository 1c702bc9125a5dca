"""What is looked for in the meaning of declarations: each mistake at its place, and no right thing taken for one."""

from pathlib import Path

import pytest

from pegboard import app
from pegboard.catalog.load import CheckReport
from tests.catalog.conftest import OWN, Check

ADD = f"tools:\n  - name: add\n    description: Sums.\n    handler: {OWN}:add\n"
SEARCH = "{name: search, examples: [find things], handler: pegboard.handlers.search:search}"


def found(report: CheckReport) -> list[tuple[str, int, int]]:
    return [(p.code, p.span.line, p.span.column) for p in report.problems]


def of_route(route: str) -> str:
    return f"tools: [{SEARCH}]\nsites:\n  - name: a\n    route: {{{route}}}\n"


@pytest.mark.parametrize(
    ("document", "code", "line", "column", "says"),
    [
        # domains
        ("sites:\n  - name: a\n    domains: ['https://a.example/x']", "PB211", 3, 15, "has a scheme Did you mean 'a.example'?"),
        ("sites:\n  - name: a\n    domains: ['a.example:80']", "PB211", 3, 15, "has a port"),
        ("sites:\n  - name: a\n    domains: [a.example, '*']", "PB211", 3, 26, "default: true"),
        ("sites:\n  - name: a\n    domains: [bücher.example]\n  - name: b\n    domains: [xn--bcher-kva.example]",
         "PB207", 5, 15, "belongs to site 'a' as 'bücher.example'"),
        ("sites:\n  - name: a\n    domains: [a.example, A.example.]", "PB207", 3, 26, "stands there already as 'a.example'"),
        # routing
        (of_route("early_stop: 60, cutoff: 70"), "PB308", 4, 25, "is below cutoff 70"),
        (of_route("cutoff: 95"), "PB308", 4, 21, "early_stop 90 ends the scoring and is below cutoff 95"),
        (of_route("single_score: 10"), "PB308", 4, 27, "never taken"),
        (of_route("grace: 2s, timeout: 1s"), "PB308", 4, 20, "grace 2s is longer than timeout 1s"),
        (of_route("timeout: 90s"), "PB313", 4, 22, "a request ends after 60s"),
        (ADD + "    call: {timeout: 2m}", "PB313", 5, 21, "may take 120s"),
        (f"tools: [{SEARCH}]\nsites:\n  - name: a\n    exclude: [search]\n    route: {{fallback: search}}",
         "PB205", 5, 23, "and excludes it"),
        (f"tools: [{SEARCH}]\nsites:\n  - name: a\n    tools: [{{name: search, enabled: false}}]\n    route: {{fallback: search}}",
         "PB205", 5, 23, "switched off there"),
        (of_route("cascade: {sure: 60}"), "PB308", 4, 29, "sure 60 of the cascade is below cutoff 70"),
        (of_route("cascade: {floor: 70}"), "PB308", 4, 30, "floor 70 of the cascade is not below cutoff 70"),
        # rules
        (of_route("rules: [{tool: serch, keywords: [x]}]"), "PB205", 4, 28, "has a rule for 'serch', and no such tool Did you mean 'search'?"),
        (of_route("rules: [{tool: search}]"), "PB315", 4, 21, "rule 1 of site 'a' has neither keywords nor a pattern"),
        (of_route("rules: [{tool: search, pattern: '(?=x)'}]"), "PB315", 4, 45, "without look-around"),
        (of_route("rules: [{tool: search, pattern: '(x'}]"), "PB315", 4, 45, "has a pattern that cannot be used"),
        (of_route("rules: [{tool: search, keywords: [x, ' ']}]"), "PB315", 4, 50, "has a blank keyword"),
        (f"tools: [{SEARCH}]\nsites:\n  - name: a\n    exclude: [search]\n    route: {{fallback: '', rules: [{{tool: search, keywords: [x]}}]}}",
         "PB205", 5, 42, "has a rule for 'search' and excludes it"),
        # speculation
        (ADD + "    speculate: {a: 1}", "PB104", 5, 16, "does not say that it has no side effects"),
        (ADD + "    read_only: true\n    speculate: {c: 1}", "PB303", 6, 17, "would start with 'c', which its parameters lack"),
        (ADD + "    read_only: true\n    speculate: {a: '{request.top_k}'}", "PB305", 6, 20, "nothing fills before a tool is chosen"),
        # tags
        (f"tools: [{SEARCH}, {{name: clock, tags: [时间, time], description: x}}]\nsites:\n  - name: a\n    include_tags: [tme]",
         "PB210", 4, 20, "Did you mean 'time'?"),
        # types
        (f"tools:\n  - {{name: search, type: Recipe, description: x}}\nsites:\n  - {{name: a, types: [Movie], tools: [{SEARCH}]}}",
         "PB309", 2, 26, "no site has the type 'Recipe'"),
        # schemas
        (ADD + "    returns: {score: 'true or false', left: number, right: number}", "PB312", 5, 22, "a boolean, not a number"),
        (ADD + "    returns: {score: number between 0 and 10, left: number, right: number}", "PB312", 5, 22, "goes up to 10"),
        (ADD + "    returns: {score: 从0到1的数, left: number, right: number}", "PB312", 5, 22, "goes up to 1"),
        (ADD + "    returns: {score: [number], left: number, right: number}", "PB312", 5, 22, "an array"),
        (ADD + "    returns: {type: object, properties: {score: {type: string}, left: {}, right: {}}}", "PB312", 5, 49, "a string"),
        (ADD + "    parameters: {properties: {left: {minimum: 5, maximum: 3}, right: {}}}", "PB314", 5, 47, "leave no value"),
        (ADD + "    parameters: {properties: {left: {}, right: {}}, required: [lefft]}", "PB314", 5, 64, "Did you mean 'left'?"),
        (ADD + "    parameters: {properties: {left: {type: number, enum: [1, x]}, right: {}}}", "PB314", 5, 62, "is not a number"),
        (ADD + "    output: {type: integer, default: a}", "PB314", 5, 38, "'a' is not an integer"),
        (ADD + "    output: {type: string, pattern: '(a+)+\\1'}", "PB301", 5, 37, "linear time"),
        (ADD + "    parameters: {properties: {left: {pattern: '(?=a)'}, right: {}}}", "PB301", 5, 47, "linear time"),
        # texts
        (ADD + "    examples: [a, '  ']", "PB104", 5, 19, "is blank"),
        (ADD + "    examples: {zh: [你\u200b好]}", "PB311", 5, 22, "examples.zh[0] of tool 'add' holds ZERO WIDTH SPACE (U+200B)"),
        (ADD + '    prompt: "{request.query} \\u202e!"', "PB311", 5, 30, "RIGHT-TO-LEFT OVERRIDE (U+202E)"),
        (ADD + "    prompt: |\n      Is it good,\n      {request.query}?\n      For {site.nme}?", "PB305", 8, 11, "{site.nme}"),
        ("sites:\n  - name: a\n    description: a\u2066b", "PB311", 3, 19, "description of site 'a'"),
        ("types:\n  - name: A\n    description: a\u00adb", "PB311", 3, 19, "description of type 'A'"),
        (ADD.replace("Sums.", "x" * 8193), "PB310", 3, 18, "8,193 bytes"),
        (ADD.replace("Sums.", "天" * 2731), "PB310", 3, 18, "8,193 bytes"),
    ],
)  # fmt: skip
def test_each_mistake_is_found_at_its_place(
    checked: Check, document: str, code: str, line: int, column: int, says: str
) -> None:
    problems = checked(tools=document).problems
    found = {(p.code, p.span.line, p.span.column): f"{p.message} {p.hint}" for p in problems}
    assert says in found[code, line, column]


@pytest.mark.parametrize(
    "document",
    [
        of_route("early_stop: 70, cutoff: 70, single_score: 70, grace: 1s, timeout: 1s"),
        of_route("cutoff: 90"),
        of_route("timeout: 60s"),
        ADD + "    returns: {score: how well it fits, left: number, right: number}",
        ADD + "    returns: {score: 0 to 100; 90 to 95 when it is likely, left: number, right: number}",
        ADD + "    parameters: {properties: {left: {type: [number, 'null'], enum: [1, null], default: 1}, right: {}}}",
        ADD + "    parameters: {properties: {left: {}, right: {}}, required: [left], additionalProperties: false}",
        ADD + "    output: {type: object, required: [a], allOf: [{properties: {a: {}}}]}",
        ADD + "    examples: [一家人👨\u200d👩\u200d👧, ❤\ufe0f, 1\ufe0f\u20e3, می\u200cخواهم, क\u200dष]",
        ADD.replace("Sums.", "x" * 8192),
        "sites:\n  - {name: a, domains: [a.example, '*.a.example', 127.0.0.1, 例子.测试], tools: [{name: clock, description: x}]}",
    ],
)
def test_what_is_right_is_no_problem(checked: Check, document: str) -> None:
    assert found(checked(tools=document)) == []


def test_the_character_is_found_in_every_spelling(checked: Check, tmp_path: Path) -> None:
    (tmp_path / "tools.d").mkdir()
    tool = '<Tools><Item><Tool name="clock"><description>{}</description></Tool></Item></Tools>'
    (tmp_path / "tools.d/1.xml").write_text(tool.format("a&#x200B;b"), "utf-8")
    (tmp_path / "tools.d/2.xml").write_text(tool.replace("clock", "compare").format("ab&#8203;"), "utf-8")
    (tmp_path / "tools.d/3.json").write_text('{"tools": [{"name": "details", "description": "\\u200B"}]}', "utf-8")
    (tmp_path / "tools.d/4.json").write_text(
        '{"tools": [{"name": "search", "description": "x\\udb40\\udc41"}]}', "utf-8"
    )
    report = checked(tools="tools: []\n")
    assert found(report) == [("PB311", 1, 47), ("PB311", 1, 50), ("PB311", 1, 48), ("PB311", 1, 48)]


def test_a_variable_is_not_looked_into(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tools.yaml").write_text(
        ADD.replace("Sums.", '"${HIDDEN}"').replace(f"{OWN}:add", "pegboard.handlers.clock:clock")
    )
    report = app.check(config=tmp_path, environ={})
    monkeypatch.setenv("HIDDEN", "a\u200b")
    report = app.check(config=tmp_path, environ={})
    assert found(report) == [("PB311", 3, 18)]


def test_an_example_of_two_tools_is_named_with_both_places(checked: Check) -> None:
    report = checked(
        tools="""
tools:
  - {name: clock, examples: {en: [What time is it?, "1.5 x"], zh: [几点了？]}}
  - {name: details, examples: [tell me, "what  TIME is it", 几点 了, "15 x"]}
sites: [{name: a}, {name: b}, {name: c, exclude: [clock], route: {fallback: ""}}]
"""
    )
    assert [(p.code, p.span.column, p.also[0].column, p.severity) for p in report.problems] == [
        ("PB307", 41, 35, "warning"),
        ("PB307", 61, 68, "warning"),
    ]
    message = report.problems[0].message
    assert message == (
        "'what TIME is it' is an example of tool 'details' and of tool 'clock', which writes it 'What time is it?'"
    )


def test_an_override_may_repeat_its_own_examples(checked: Check) -> None:
    report = checked(
        tools="""
tools:
  - {name: clock, examples: [what time is it, what time is it]}
  - {name: clock, type: Recipe, examples: [what time is it]}
sites: [{name: a, types: [Recipe]}]
"""
    )
    assert found(report) == []


def test_tools_that_no_site_takes_are_told_once_for_a_type(checked: Check) -> None:
    report = checked(
        tools="""
tools:
  - {name: clock, description: x}
  - {name: details, type: Movie, description: x}
  - {name: compare, type: Movie, description: x}
  - {name: compare, type: Book, enabled: false}
sites: [{name: a, types: [Recipe]}, {name: b, types: [Movie], inherit: false, tools: [{name: clock, description: y}]}]
"""
    )
    (problem,) = report.problems
    assert (problem.code, problem.span.line, problem.severity) == ("PB309", 4, "warning")
    assert problem.message == "no site has the type 'Movie': 2 tools are in no toolset"


def test_a_type_below_or_an_extended_site_reaches_a_tool(checked: Check) -> None:
    report = checked(
        tools="""
tools:
  - {name: clock, type: CreativeWork, description: x}
  - {name: details, type: Movie, description: x}
sites: [{name: a, types: [Recipe]}, {name: b, types: [Movie]}, {name: c, extends: [b]}]
"""
    )
    assert found(report) == []


def test_the_tools_that_nlweb_brings_for_every_type_are_no_problem(tmp_path: Path) -> None:
    (tmp_path / "tools.xml").write_text(
        '<Tools><Movie><Tool name="clock"><description>x</description></Tool></Movie>'
        '<site name="a"><tool name="details"><description>y</description></tool></site></Tools>'
    )
    assert app.check(config=tmp_path, environ={}).problems == ()


def test_a_score_of_nlweb_that_is_no_number_is_a_warning(tmp_path: Path) -> None:
    returns = '<returnStruc>{"score": "boolean"}</returnStruc>'
    (tmp_path / "tools.xml").write_text(
        f'<Tools><Item><Tool name="clock"><description>x</description>{returns}</Tool></Item></Tools>'
    )
    report = app.check(config=tmp_path, environ={})
    assert [(p.code, p.severity) for p in report.problems] == [("PB312", "warning")]


def test_a_request_that_is_shorter_by_the_settings_makes_long_calls_idle(tmp_path: Path) -> None:
    (tmp_path / "pegboard.toml").write_text('request_timeout = "5s"\n')
    (tmp_path / "tools.yaml").write_text(
        "tools: [{name: clock, description: x}, {name: details, description: y, call: {timeout: 6s}}]\n"
    )
    report = app.check(config=tmp_path, environ={})
    assert [(p.code, p.severity) for p in report.problems] == [("PB313", "warning")]
    assert report.problems[0].message == "a call of tool 'details' may take 6s, but a request ends after 5s"
