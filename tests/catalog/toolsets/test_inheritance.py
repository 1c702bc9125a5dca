"""Which tools a site inherits, and what sites share."""

from tests.catalog.conftest import OWN, Check
from tests.catalog.test_build import found, names

TAGGED = """
tools:
  - {name: search, examples: [find], handler: "pegboard.handlers.search:search", tags: [content, 查找]}
  - {name: clock, description: Time., tags: [sums]}
  - {name: calculator, description: Sums., tags: [sums, content]}
"""


def test_a_site_takes_the_tools_of_its_tags(checked: Check) -> None:
    report = checked(
        tools=f"""{TAGGED}
sites:
  - {{name: all}}
  - {{name: some, include_tags: [查找, sums]}}
  - {{name: few, include_tags: [content], exclude_tags: [sums]}}
  - {{name: own, include_tags: [content], exclude_tags: [sums], tools: [{{name: greet, handler: "{OWN}:greet"}}]}}
  - {{name: below, extends: [few]}}
"""
    )
    assert {site: names(report, site) for site in report.catalog.sites} == {
        "all": ["search", "clock", "calculator"],
        "some": ["search", "clock", "calculator"],
        "few": ["search"],
        "own": ["search", "greet"],
        "below": ["search"],
    }
    tool = report.catalog.sites["few"].get("search")
    assert tool is not None
    assert tool.tags == ("content", "查找")


def test_an_override_may_give_a_tool_other_tags(checked: Check) -> None:
    report = checked(
        tools=f"""{TAGGED}
  - {{name: clock, type: Recipe, tags: [content]}}
sites: [{{name: kitchen, types: [Recipe], include_tags: [content]}}, {{name: other, include_tags: [content]}}]
"""
    )
    assert names(report, "kitchen") == ["search", "clock", "calculator"]
    assert names(report, "other") == ["search", "calculator"]


def test_sites_that_declare_the_same_share_their_tools(checked: Check) -> None:
    report = checked(
        tools=f"""{TAGGED}
sites:
  - {{name: a, types: [Recipe]}}
  - {{name: b, types: [Recipe]}}
  - {{name: c, types: [Movie], exclude: [clock]}}
  - {{name: d, types: [Movie], tools: [{{name: clock, description: The time.}}]}}
  - {{name: e, types: [Movie]}}
"""
    )
    a, b, c, d, e = report.catalog.sites.values()
    assert a.tools is b.tools
    assert a.tools is e.tools
    assert c.tools == (a.tools[0], a.tools[2])
    assert (d.tools[0] is a.tools[0], d.tools[1] is a.tools[1]) == (True, False)


def test_what_comes_by_two_ways_is_taken_once(checked: Check) -> None:
    report = checked(
        tools=f"""{TAGGED}
sites:
  - {{name: top, exclude: [clock], tools: [{{name: search, description: ours}}]}}
  - {{name: left, extends: [top]}}
  - {{name: right, extends: [top], tools: [{{name: search, description: theirs}}]}}
  - {{name: all, extends: [left, right, top]}}
"""
    )
    assert names(report, "all") == ["search", "calculator"]
    tool = report.catalog.sites["all"].get("search")
    assert tool is not None
    assert tool.description == "theirs"
    assert report.problems == ()


def test_an_idle_exclusion_is_told_where_it_stands_and_not_again_below(checked: Check) -> None:
    report = checked(
        tools=f"{TAGGED}\nsites:\n  - {{name: a, exclude: [clok]}}\n  - {{name: b, extends: [a]}}\n  - {{name: c, exclude: [clok]}}\n"
    )
    assert [(line, column) for _, _, line, column in found(report)] == [(8, 25), (10, 25)]
    assert report.problems[0].hint == "Did you mean 'clock'?"


def test_sites_that_extend_in_a_circle_are_named_in_their_order(checked: Check) -> None:
    report = checked(
        tools=f"""{TAGGED}
sites:
  - {{name: a, extends: [b]}}
  - {{name: b, extends: [c]}}
  - {{name: c, extends: [a]}}
  - {{name: d, extends: [a]}}
"""
    )
    (problem,) = report.problems
    assert (problem.code, problem.span.line) == ("PB204", 10)
    assert problem.message == "site 'c' extends itself through 'a': a > b > c > a"


def test_sites_may_not_extend_one_another_endlessly(checked: Check) -> None:
    chain = "".join(f"  - {{name: s{number}, extends: [s{number - 1}]}}\n" for number in range(1, 3000))
    report = checked(tools=f"{TAGGED}\nsites:\n{chain}  - {{name: s0}}\n")
    assert {problem.message.partition(" ")[2].partition(" ")[2] for problem in report.problems} == {
        "extends more than 64 sites in a row"
    }
    assert all(names(report, site) for site in report.catalog.sites)


def test_sites_that_all_extend_all_before_them_are_put_together(checked: Check) -> None:
    each = "".join(
        f"  - {{name: s{number}, extends: [{', '.join(f's{before}' for before in range(number))}]}}\n"
        for number in range(60)
    )
    report = checked(tools=f"{TAGGED}\nsites:\n{each}")
    assert report.problems == ()
    assert len({id(site.tools) for site in report.catalog.sites.values()}) == 1
