"""Hosts and patterns of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegboard.hosts import HostPatterns, canonical, wrong_in


@pytest.mark.parametrize(
    ("host", "pattern", "fits"),
    [
        ("a.example", "A.example", True),
        ("a.example.", "a.example", True),
        ("b.a.example", "*.a.example", True),
        ("c.b.a.example", "*.a.example.", True),
        ("a.example", "*.a.example", False),
        (".a.example", "*.a.example", False),
        ("ba.example", "*.a.example", False),
        ("x.example", "*", True),
        ("x." * 200 + "a.example", "*.a.example", False),
        ("xn--bcher-kva.example", "bücher.example", True),
        ("shop.xn--bcher-kva.example", "*.Bücher.example", True),
        ("xn--fiqs8s", "中国", True),
        ("::1", "0:0::1", True),
        ("", "a.example", False),
    ],
)
def test_a_pattern_stands_for_hosts(host: str, pattern: str, fits: bool) -> None:
    assert (HostPatterns([(pattern, "site")]).owner(host) == "site") is fits


def test_an_exact_pattern_beats_a_wildcard_and_a_longer_one_a_shorter() -> None:
    patterns = HostPatterns(
        [
            ("*.example.org", "all"),
            ("*.shop.example.org", "shops"),
            ("shop.example.org", "shop"),
            ("shop.example.org", "late"),
        ]
    )
    hosts = ["x.example.org", "shop.example.org", "de.shop.example.org", "example.org", "X.EXAMPLE.org."]
    assert [patterns.owner(host) for host in hosts] == ["all", "shop", "shops", None, "all"]


@pytest.mark.parametrize(
    "domain",
    [
        "shop.example",
        "*.shop.example",
        "localhost",
        "a_b.example",
        "shop.example.",
        "127.0.0.1",
        "::1",
        "bücher.example",
        "xn--bcher-kva.example",
        "*.例子.测试",
        "SHOP.example",
    ],
)
def test_a_domain_is_a_host_or_a_wildcard_before_one(domain: str) -> None:
    assert wrong_in(domain) is None


@pytest.mark.parametrize(
    ("domain", "message", "hint"),
    [
        ("https://shop.example/x", "has a scheme", "Did you mean 'shop.example'?"),
        ("shop.example:8000", "has a port", "Did you mean 'shop.example'?"),
        ("shop.example/de", "has a path", "Did you mean 'shop.example'?"),
        ("me@shop.example", "has a user", "Did you mean 'shop.example'?"),
        (" shop.example", "holds blank space", "Did you mean 'shop.example'?"),
        ("a.*.example", "has a `*` that is not the whole first label", "Write the host alone"),
        ("*shop.example", "has a `*` that is not the whole first label", "Write the host alone"),
        ("*", "stands for every host", "default: true"),
        ("*.*.example", "has a `*` that is not the whole first label", "Write the host alone"),
        ("shop..example", "has an empty label", "Between dots"),
        ("", "has an empty label", "Between dots"),
        ("-shop.example", "has the label '-shop'", "Between dots"),
        ("a" * 64 + ".example", "has the label", "Between dots"),
        ("a." * 130 + "example", "has more than 253 characters", ""),
        ("xn--\u00fc.example", "is no host name", "Write a name"),
        ("xn--a-.example", "is no host name", "Write a name"),
        ("[::1]", "has a port", ""),
        ("http://[", "has a scheme", ""),
    ],
)
def test_what_is_no_domain_is_named(domain: str, message: str, hint: str) -> None:
    found = wrong_in(domain)
    assert found is not None
    assert message in found[0]
    assert hint in found[1]


@given(st.text(max_size=40))
def test_any_text_is_judged(domain: str) -> None:
    wrong_in(domain)
    HostPatterns([(domain, "site")]).owner(domain)
    assert canonical(canonical(domain)) == canonical(domain)
