"""What an answer rests on, as Markdown that only links to what it names."""

import pytest

from pegboard.edges.sources import notes, sources
from pegboard.text import Json


@pytest.mark.parametrize(
    ("name", "url", "line"),
    [
        ("Thing 1 事", "https://a.example/茶", "[Thing 1 事](<https://a.example/茶>)"),
        ("A note", "/documents/1", "[A note](</documents/1>)"),
        ("", "HTTPS://A.example/x", "[HTTPS://A.example/x](<HTTPS://A.example/x>)"),
        ("[x](https://evil.example)", "https://a.example", "[\\[x\\](https://evil.example)](<https://a.example>)"),
        ("x <https://evil.example>", "", "x &#60;https://evil.example&#62;"),
        ("<img src=x onerror=y>", "https://a.example", "[&#60;img src=x onerror=y&#62;](<https://a.example>)"),
        ("a ` b &amp; *c*", "https://a.example/`", "[a \\` b &#38;amp; \\*c\\*](<https://a.example/`>)"),
        ("n\x1b[31m\u2028", "https://a.example", "[n \\[31m](<https://a.example>)"),
        ("n", "https://a.example/\\", "n"),
        ("n", "https://a.example/ x", "n"),
        ("n", "https://a.example/\x00", "n"),
        ("n", "//evil.example/x", "n"),
        ("n", "javascript:alert(1)", "n"),
    ],
)
def test_a_source_is_a_link_to_its_address_and_to_no_other(name: str, url: str, line: str) -> None:
    assert sources({"citations": [{"number": 3, "name": name, "url": url}]}) == f"- [3] {line}"


def test_without_citations_results_are_listed_and_notes_are_told() -> None:
    answer: dict[str, Json] = {
        "results": [{"name": "A"}, {"name": "B"}],
        "degraded": "No model.",
        "notices": ["Ignored."],
    }
    assert sources(answer) == "- [1] A\n- [2] B"
    assert notes(answer) == ["Note: No model.", "Note: Ignored."]
    assert (sources({}), notes({})) == ("", [])
