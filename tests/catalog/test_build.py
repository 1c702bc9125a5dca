"""From documents to toolsets, and what is wrong on the way."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from pegboard import app
from pegboard.catalog.load import CheckReport, catalog_of
from pegboard.catalog.toolsets import layers
from pegboard.config.load import load
from pegboard.config.server.settings import read_settings
from pegboard.config.syntax.node import Places
from pegboard.errors import InvalidDeclarations, UnknownSite
from tests.catalog.conftest import OWN, Check

SEARCH = "{name: search, examples: [find things], handler: pegboard.handlers.search:search}"


def names(report: CheckReport, site: str) -> list[str]:
    return [tool.name for tool in report.catalog.sites[site].tools]


def found(report: CheckReport) -> list[tuple[str, str, int, int]]:
    """Return each problem as (code, file, line, column)."""
    return [(p.code, Path(p.span.file).name, p.span.line, p.span.column) for p in report.problems]


def test_a_specific_type_overrides_by_name_and_keeps_the_place(checked: Check) -> None:
    report = checked(
        tools=f"""
tools:
  - {{name: details, description: of anything, examples: [a], handler: "pegboard.handlers.details:details"}}
  - {SEARCH}
  - {{name: details, type: Recipe, description: of a dish}}
sites:
  - {{name: kitchen, types: [Recipe]}}
  - {{name: shop, types: [Product]}}
"""
    )
    assert report.problems == ()
    assert names(report, "kitchen") == ["details", "search"]
    kitchen, shop = (report.catalog.sites[site].get("details") for site in ("kitchen", "shop"))
    assert kitchen is not None
    assert shop is not None
    assert (kitchen.description, kitchen.type, kitchen.questions) == ("of a dish", "Recipe", ("a",))
    assert (shop.description, shop.type) == ("of anything", "Item")
    assert (kitchen.origin["description"].line, kitchen.origin["handler"].line) == (5, 3)


def test_a_site_overrides_field_by_field_excludes_and_adds(checked: Check) -> None:
    report = checked(
        **{
            "tools": f"tools: [{SEARCH}]",
            "tools.d/1": f"""
sites:
  - name: one
    exclude: [search]
    tools: [{{name: greet, handler: "{OWN}:greet"}}]
  - name: two
    tools: [{{name: search, examples: [seek]}}]
""",
        },
    )
    assert names(report, "one") == ["greet"]
    tool = report.catalog.sites["two"].get("search")
    assert tool is not None
    assert (tool.questions, tool.type, tool.handler) == (("seek",), "Item", "pegboard.handlers.search:search")


def test_an_override_may_replace_the_tool_whole(checked: Check) -> None:
    report = checked(
        tools=f"""
tools:
  - {{name: add, description: sums, examples: [x], handler: "{OWN}:add"}}
  - {{name: add, type: Recipe, override: replace, handler: "{OWN}:add"}}
sites: [{{name: a, types: [Recipe]}}]
"""
    )
    tool = report.catalog.sites["a"].get("add")
    assert tool is not None
    assert (tool.description, tool.questions) == ("Add two numbers, in a worker thread.", ())


def test_switched_off_removes_the_inherited_tool_and_still_counts(checked: Check) -> None:
    report = checked(
        tools=f"""
tools: [{SEARCH}, {{name: search, type: Recipe, enabled: false}}]
sites: [{{name: a, types: [Recipe]}}, {{name: b}}]
"""
    )
    assert (names(report, "a"), names(report, "b")) == ([], ["search"])
    assert (report.catalog.tools, report.catalog.disabled) == (2, 1)


def test_a_site_takes_the_toolset_of_another(checked: Check) -> None:
    report = checked(
        tools=f"""
tools: [{SEARCH}]
sites:
  - {{name: standard, tools: [{{name: greet, handler: "{OWN}:greet"}}, {{name: search, description: ours}}]}}
  - {{name: shop, extends: [standard]}}
"""
    )
    assert names(report, "shop") == ["search", "greet"]
    tool = report.catalog.sites["shop"].get("search")
    assert tool is not None
    assert tool.description == "ours"


def test_without_a_site_there_is_one_of_all_types(checked: Check) -> None:
    report = checked(tools=f"tools: [{SEARCH}, {{name: greet, type: Recipe, handler: '{OWN}:greet'}}]\n")
    assert names(report, "default") == ["search", "greet"]
    assert report.catalog.default_site() == "default"


def test_a_tool_without_a_handler_takes_the_room_of_its_name(checked: Check) -> None:
    report = checked(tools="tools: [{name: calculator, description: Sums.}, {name: lasagna}]\n")
    assert names(report, "default") == ["calculator"]
    assert found(report) == [("PB401", "tools.yaml", 1, 49)]


def test_parameters_come_from_the_handler_when_nothing_is_declared(checked: Check) -> None:
    report = checked(tools=f"tools: [{{name: greet, handler: '{OWN}:greet'}}]\n")
    tool = report.catalog.sites["default"].get("greet")
    assert tool is not None
    assert tool.parameters == {
        "type": "object",
        "properties": {"name": {"type": "string"}, "times": {"type": "integer", "default": 1}},
        "required": ["name"],
        "additionalProperties": False,
    }


def test_what_returns_describes_is_required_only_where_the_handler_needs_it(checked: Check) -> None:
    report = checked(
        tools=f"""
tools:
  - name: greet
    description: Greets.
    handler: {OWN}:greet
    returns: {{score: integer between 0 and 100, name: who is greeted, times: integer}}
"""
    )
    tool = report.catalog.sites["default"].get("greet")
    assert report.problems == ()
    assert tool is not None
    assert tool.parameters["required"] == ["name"]
    assert list(tool.reply["properties"]) == ["score", "name", "times"]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("document", "code", "line", "column", "says"),
    [
        ("tools:\n  - {name: a, handler: 'os:system'}", "PB402", 2, 24, "not below an allowed prefix"),
        (f"tools:\n  - {{name: a, handler: '{OWN}:gret'}}", "PB403", 2, 24, "has no 'gret'"),
        (f"tools:\n  - {{name: a, handler: '{OWN}:unmarked'}}", "PB404", 2, 24, "not marked"),
        (
            f"tools:\n  - name: a\n    handler: {OWN}:add\n    returns: {{score: integer, lefft: number}}",
            "PB405", 4, 31, "'lefft', which",
        ),
        (f"tools:\n  - name: a\n    handler: {OWN}:add\n    parameters: {{type: objekt}}", "PB301", 4, 24, "objekt"),
        (f"tools:\n  - name: a\n    handler: {OWN}:add\n    returns: {{left: number, right: number}}", "PB302", 4, 14, "score"),
        (f"tools:\n  - name: a\n    handler: {OWN}:add\n    prompt: Is it good?", "PB304", 4, 13, "does not hold the question"),
        (
            f"tools:\n  - name: a\n    handler: {OWN}:add\n    prompt: '{{request.query}} {{request.qery}} {{}}'",
            "PB305", 4, 30, "{request.qery}",
        ),
        ("sites:\n  - name: a\n    extends: [b]", "PB204", 3, 15, "no site 'b'"),
        ("sites:\n  - name: a\n    extends: [a]", "PB204", 3, 15, "extends itself"),
        ("sites:\n  - name: a\n    exclude: [b]", "PB205", 3, 15, "does not inherit"),
        ("sites:\n  - name: a\n    route: {fallback: serch}", "PB205", 3, 23, "no tool 'serch'"),
        ("sites:\n  - name: a\n    knowledge: [b]", "PB206", 3, 17, "no document declares"),
        ("sites:\n  - {name: a, domains: [x.org]}\n  - {name: b, domains: [X.org]}", "PB207", 3, 25, "belongs to site 'a'"),
        ("sites:\n  - {name: a, default: true}\n  - {name: b, default: true}", "PB208", 3, 24, "so is 'a'"),
        ("sites:\n  - name: a\n  - name: a", "PB201", 3, 11, "site 'a' is declared twice"),
        ("tools: []\nsites:\n  - {name: a, types: [Recip]}", "PB202", 3, 23, "neither schema.org's nor declared"),
        ("types:\n  - {name: A, parents: [B]}\n  - {name: B, parents: [A]}", "PB203", 2, 5, "kind of itself"),
    ],
)  # fmt: skip
def test_each_mistake_is_found_at_its_place(
    checked: Check, document: str, code: str, line: int, column: int, says: str
) -> None:
    problems = checked(tools=document).problems
    found = {(p.code, p.span.line, p.span.column): p.message for p in problems}
    assert says in found[code, line, column]


def test_the_same_name_twice_is_a_problem_with_both_places(checked: Check) -> None:
    report = checked(**{"tools": f"tools: [{SEARCH}]", "tools.d/more": f"tools:\n  - {SEARCH}"})
    (problem,) = report.problems
    assert (problem.code, problem.span.line, [span.line for span in problem.also]) == ("PB201", 2, [1])
    assert Path(problem.span.file).name == "more.yaml"
    assert Path(problem.also[0].file).name == "tools.yaml"


def test_a_problem_is_reported_once_however_many_sites_inherit_it(checked: Check) -> None:
    report = checked(
        tools=f"tools: [{{name: a, handler: '{OWN}:gret'}}]\nsites: [{{name: x}}, {{name: y}}, {{name: z}}]"
    )
    assert [problem.code for problem in report.problems] == ["PB403"]


def test_all_problems_of_all_files_come_in_one_run(checked: Check) -> None:
    report = checked(
        **{
            "tools": "tools:\n  - {name: a, handlr: x}",
            "tools.d/1": f"tools:\n  - {{name: b, handler: '{OWN}:gret'}}",
            "tools.d/2": "sites:\n  - {name: s, types: [Recip]}",
            "tools.d/3": "sites: [",
        }
    )
    assert {problem.code for problem in report.problems} >= {"PB003", "PB101", "PB202", "PB403"}
    assert not report.ok


def test_nothing_is_served_from_a_configuration_with_errors(tmp_path: Path) -> None:
    (tmp_path / "tools.yaml").write_text("tools: [{name: a, handler: 'os:system'}]")
    settings, _ = read_settings(config=tmp_path, environ={})
    with pytest.raises(InvalidDeclarations, match="1 error; nothing of it is served") as caught:
        catalog_of(settings)
    assert len(caught.value.problems) == 1


def test_a_host_finds_its_site_and_the_longest_domain_wins(checked: Check) -> None:
    report = checked(
        tools="""
sites:
  - {name: a, domains: ["*.example.org"]}
  - {name: b, domains: ["*.shop.example.org", shop.example.org], default: true}
"""
    )
    catalog = report.catalog
    hosts = ["x.example.org", "shop.example.org", "de.shop.example.org", "example.org", "X.EXAMPLE.org."]
    assert [catalog.site_of_host(host) for host in hosts] == ["a", "b", "b", None, "a"]
    assert catalog.default_site() == "b"


def test_a_site_is_named_in_any_capitals_and_the_exact_name_comes_first(checked: Check) -> None:
    catalog = checked(tools="sites: [{name: IMDb}, {name: imdb}, {name: Hot-N-Saucy}, {name: 新闻a}]").catalog
    asked = ["imdb", "IMDb", "IMDB", "hot n  saucy", "新闻Ａ"]
    assert [catalog.toolset(name).site for name in asked] == ["imdb", "IMDb", "IMDb", "Hot-N-Saucy", "新闻a"]
    with pytest.raises(UnknownSite, match="Did you mean 'imdb'"):
        catalog.toolset("imbd")


def test_what_is_wrong_in_one_field_does_not_hide_what_is_wrong_in_another(checked: Check) -> None:
    report = checked(tools=f"tools:\n  - {{name: a, read_only: maybe, handler: '{OWN}:gret'}}")
    assert [problem.code for problem in report.problems] == ["PB103", "PB403"]
    assert report.catalog.tools == 1


def test_a_document_that_cannot_be_read_does_not_make_others_wrong(checked: Check) -> None:
    report = checked(
        **{"tools": "tools: [", "tools.d/1": "sites:\n  - {name: s, exclude: [search], extends: [t], knowledge: [k]}"}
    )
    assert [problem.code for problem in report.problems] == ["PB003"]


def test_problems_come_in_the_order_in_which_documents_are_read(checked: Check) -> None:
    wrong = "tools: [{name: a, handlr: x}]"
    report = checked(**{"tools": wrong, "tools.d/1": "types: [{nam: b}]"})
    files = [Path(problem.span.file).name for problem in report.problems]
    assert files == sorted(files, key=["tools.yaml", "1.yaml"].index)
    assert set(files) == {"tools.yaml", "1.yaml"}


def test_one_document_of_tools_d_is_checked_among_the_others(tmp_path: Path) -> None:
    (tmp_path / "tools.d").mkdir()
    (tmp_path / "tools.yaml").write_text(f"tools: [{SEARCH}, {{name: x, handlr: y}}]")
    (tmp_path / "tools.d/1.yaml").write_text("sites: [{name: a, exclude: [search]}]")
    (tmp_path / "tools.d/2.yaml").write_text("sites: [{name: b, exclude: [serch]}]")
    found = {}
    for name in ("1", "2"):
        report = app.check(config=tmp_path / "tools.d" / f"{name}.yaml", environ={})
        found[name] = [problem.code for problem in report.problems]
    assert found == {"1": [], "2": ["PB205"]}


def test_wrong_settings_do_not_keep_documents_from_being_checked(tmp_path: Path) -> None:
    (tmp_path / "pegboard.toml").write_text("prot = 1\n")
    (tmp_path / "tools.yaml").write_text("tools: [{name: a, handler: 'os:system'}]")
    report = app.check(config=tmp_path, environ={})
    assert [problem.code for problem in report.problems] == ["PB101", "PB402"]


def test_a_configuration_without_a_tool_is_warned_of(checked: Check) -> None:
    report = checked(tools="x-mine: 1\n")
    assert found(report) == [("PB209", "tools.yaml", 1, 1)]
    assert report.ok


def test_a_site_without_a_tool_is_warned_of(checked: Check) -> None:
    report = checked(tools=f"tools: [{SEARCH}]\nsites: [{{name: full}}, {{name: bare, inherit: false}}]\n")
    assert [(problem.code, problem.message) for problem in report.problems] == [
        ("PB209", "site 'bare' has no tool: nothing can be asked there")
    ]


def test_a_configuration_with_errors_is_not_called_empty(checked: Check) -> None:
    report = checked(**{"tools": "x-mine: 1", "tools.d/1": "tools: ["})
    assert [problem.code for problem in report.problems] == ["PB003"]


def test_a_tool_that_no_question_leads_to_is_warned_of(checked: Check) -> None:
    handler = "handler: 'pegboard.handlers.clock:clock'"
    report = checked(
        tools=f"""
tools:
  - {{name: search, handler: 'pegboard.handlers.search:search'}}
  - {{name: silent, {handler}}}
  - {{name: told, {handler}, description: Tells the time.}}
  - {{name: shown, {handler}, examples: [what time is it]}}
  - {{name: later, {handler}}}
sites:
  - {{name: one, exclude: [silent], tools: [{{name: later, prompt: 'Is this about {{request.query}}?'}}]}}
  - {{name: two, exclude: [later]}}
"""
    )
    assert found(report) == [("PB306", "tools.yaml", 4, 12)]
    assert report.ok


def test_the_same_holds_for_the_tools_of_nlweb(tmp_path: Path) -> None:
    (tmp_path / "tools.xml").write_text('<Tools><Item><Tool name="clock"/></Item></Tools>')
    report = app.check(config=tmp_path, environ={})
    assert [(problem.code, problem.severity) for problem in report.problems] == [("PB306", "warning")]


def test_a_room_that_nlweb_s_form_names_may_be_asked_by_get_unless_it_says_otherwise(tmp_path: Path) -> None:
    details = "<handler>methods.item_details.ItemDetailsHandler</handler>"
    (tmp_path / "tools.xml").write_text(
        f'<Tools><Item><Tool name="search"/><Tool name="a">{details}</Tool>'
        f'<Tool name="b" read_only="false">{details}</Tool>'
        f'<Tool name="c"><handler>{OWN}:greet</handler></Tool></Item></Tools>'
    )
    (tmp_path / "own.yaml").write_text("tools: [{name: clock, examples: [what time is it]}]")
    read = [
        catalog_of(app.settings_from(config=tmp_path / name, environ={}, handler_prefixes=OWN))
        for name in ("tools.xml", "own.yaml")
    ]
    tools = [tool for catalog in read for tool in catalog.toolset("default").tools]
    assert {tool.name: tool.read_only for tool in tools} == {
        "search": True,
        "a": True,
        "b": False,
        "c": False,
        "clock": False,
    }


def test_a_site_in_two_documents_is_told_where_it_belongs(checked: Check) -> None:
    report = checked(**{"tools": f"tools: [{SEARCH}]\nsites: [{{name: shop}}]", "tools.d/1": "sites: [{name: shop}]"})
    (problem,) = report.problems
    assert problem.message == "site 'shop' is declared twice"
    first = problem.also[0]
    assert (first.line, first.column) == (2, 16)
    assert problem.hint == f"A site is declared in one place: put all of it at {first}, or rename one of the two."


def test_types_in_a_circle_are_named_in_their_order(checked: Check) -> None:
    report = checked(tools=f"tools: [{SEARCH}]\ntypes: [{{name: A, parents: [B]}}, {{name: B, parents: [A]}}]")
    assert [problem.message for problem in report.problems] == [
        "type 'A': A is a kind of itself: A > B > A",
        "type 'B': B is a kind of itself: B > A > B",
    ]


def test_nothing_that_could_be_read_is_no_site(tmp_path: Path) -> None:
    report = app.check(config=tmp_path / "nowhere", environ={})
    assert [problem.code for problem in report.problems] == ["PB001"]
    assert report.catalog.sites == {}


def test_problems_quote_what_was_decoded(tmp_path: Path) -> None:
    (tmp_path / "tools.yaml").write_text("tools: [{name: 天气, x: 1}]\n", encoding="utf-16")
    (tmp_path / "pegboard.toml").write_text("# 站点\nhosst = '天'\n", encoding="utf-8-sig")
    report = app.check(config=tmp_path, environ={})
    assert [(problem.code, problem.quotes) for problem in report.problems] == [
        ("PB101", (((2, "hosst = '天'"),),)),
        ("PB104", (((1, "tools: [{name: 天气, x: 1}]"),),)),
        ("PB101", (((1, "tools: [{name: 天气, x: 1}]"),),)),
    ]


def test_a_file_that_is_no_text_is_quoted_as_far_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "tools.yaml").write_bytes(b"a: 1\nb: caf\xe9\n")
    report = app.check(config=tmp_path, environ={})
    assert [(problem.code, problem.quotes) for problem in report.problems] == [("PB003", (((2, "b: caf�"),),))]


class _Unread(Places):
    """Places that may be asked for, and not gone through."""

    def __iter__(self) -> Iterator[tuple[str | int, ...]]:
        raise AssertionError("the places of a whole site are gone through for each of its tools")


def test_the_tools_of_a_site_do_not_cost_its_size_each(tmp_path: Path) -> None:
    text = "sites: [{name: s, tools: [{name: a, description: A}, {name: b}]}]"
    (tmp_path / "tools.yaml").write_text(text)
    settings, problems = read_settings(config=tmp_path, environ={})
    (site,) = load(settings)[0].sites
    assert isinstance(site.spans, Places)
    closed = replace(site, spans=_Unread(site.spans._node))
    first, second = layers.own_tools(closed)
    assert (first.at("description").column, second.at("name").column) == (
        text.index("A") + 1,
        text.index("b}") + 1,
    )
    assert problems == []
