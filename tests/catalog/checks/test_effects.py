"""What is to be minded of a tool's calls, as documents and kinds say it."""

import pytest

from tests.catalog.conftest import OWN, Check

HTTP = "  - {{name: t, description: Does it., http: {{{http}}}{more}}}\n"


def of_http(method: str, more: str = "", sources: str = "") -> str:
    url = "source: shop, url: /x" if sources else "url: https://shop.example/x"
    return f"{sources}tools:\n" + HTTP.format(http=f"{url}, method: {method}", more=f", {more}" if more else "")


SHOP = "sources:\n  - {{name: shop, untrusted: {}, http: {{base_url: https://shop.example}}}}\n"


@pytest.mark.parametrize(
    ("document", "effects"),
    [
        (of_http("GET"), {"untrusted"}),
        (of_http("POST"), {"untrusted", "external"}),
        (of_http("DELETE"), {"untrusted", "external", "destructive"}),
        (of_http("POST", "read_only: true"), {"untrusted"}),
        (of_http("GET", "untrusted: false, external: true"), {"external"}),
        (of_http("GET", "destructive: true, read_only: false"), {"untrusted", "destructive"}),
        (of_http("POST", "", SHOP.format("false")), {"external"}),
        (of_http("POST", "untrusted: true", SHOP.format("false")), {"untrusted", "external"}),
        (f"tools: [{{name: t, description: Sums., handler: '{OWN}:add'}}]", set()),
        (f"tools: [{{name: t, description: Sums., handler: '{OWN}:add', untrusted: true}}]", {"untrusted"}),
    ],
)
def test_what_is_declared_goes_before_what_the_kind_knows(checked: Check, document: str, effects: set[str]) -> None:
    report = checked(tools=document)
    (toolset,) = report.catalog.sites.values()
    assert [problem.code for problem in report.problems if problem.severity == "error"] == []
    assert toolset.tool("t").effects == effects


@pytest.mark.parametrize(
    "document", [of_http("GET", "destructive: true"), of_http("POST", "read_only: true, destructive: true")]
)
def test_what_changes_nothing_is_not_destructive(checked: Check, document: str) -> None:
    report = checked(tools=document)
    assert [(each.code, each.span.line) for each in report.problems if each.severity == "error"] == [("PB325", 2)]
