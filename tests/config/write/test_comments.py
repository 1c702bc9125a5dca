"""Comments survive: each stays with what it was written beside, above or behind."""

import json
from collections import Counter
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pegboard.config.write.convert import convert
from pegboard.config.write.house import house_form
from pegboard.config.write.read import Syntax, read
from pegboard.config.write.tree import Collection, Comment, Mapping, comments_of, walk
from pegboard.config.write.yaml_writer import write_yaml
from tests.config.write.documents import DOCUMENTS
from tests.config.write.test_convert import written

LINES = st.sampled_from(
    ["a", "中文 🍳", "--", "---- section ----", "-", "--->", "-\\-", "-->", "<!-- x -->", "]]>", "# twice", "#none", "key: value", "- item",
     "  indented", "&amp; <b>", "'", '"', "yaml-language-server: $schema=x.json", "a -- b -"]
) | st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Cn", "Zl", "Zp"], exclude_characters="\ufeff"), min_size=1, max_size=8)  # fmt: skip
COMMENTS = st.lists(st.builds(Comment, st.lists(LINES, min_size=1, max_size=3).map(tuple), st.booleans()), max_size=2)


@st.composite
def commented(draw: st.DrawFn) -> str:
    """Return a document in YAML with comments at any place."""
    source = json.dumps(draw(DOCUMENTS), ensure_ascii=False)
    roots = read(written(source, "json", "yaml").encode(), "a.yaml", "yaml").roots
    for part in (each for root in roots for each in walk(root)):
        part.before = draw(COMMENTS)
        part.beside = draw(st.just("") | LINES)
        if isinstance(part, Collection) and part.parts:
            part.below = draw(COMMENTS)
    roots[0].beside = ""
    return write_yaml(roots)


def told(text: str, syntax: Syntax) -> Counter[str]:
    reading = read(text.encode(), f"a.{syntax}", syntax)
    return lines_of(comment for root in reading.roots for comment in comments_of(root))


def lines_of(comments: Iterable[Comment]) -> Counter[str]:
    return Counter("".join(line.split()) for comment in comments for line in comment.lines if line.split())


@given(commented())
@settings(max_examples=80, deadline=None)
def test_comments_go_from_yaml_to_xml_and_back(text: str) -> None:
    xml = written(text, "yaml", "xml")
    assert told(xml, "xml") == told(text, "yaml")
    assert told(written(xml, "xml", "yaml"), "yaml") == told(text, "yaml")


@given(commented())
@settings(max_examples=80, deadline=None)
def test_the_house_form_of_commented_yaml_and_xml_is_stable(text: str) -> None:
    texts: dict[Syntax, str] = {"yaml": text, "xml": written(text, "yaml", "xml")}
    for syntax, each in texts.items():
        once = house_form(each.encode(), "a", syntax)
        assert once.problems == ()
        assert told(once.after, syntax) == told(each, syntax)
        assert house_form(once.after.encode(), "a", syntax).after == once.after


@given(commented())
@settings(max_examples=30, deadline=None)
def test_json_says_how_many_comments_it_leaves_out(text: str) -> None:
    done = convert(text.encode(), "a.yaml", "yaml", "json")
    assert done.text
    assert (done.comments_left_out > 0) == bool(
        told(text, "yaml") - Counter({"yaml-language-server:$schema=x.json": 9})
    )


YAML = """\
# yaml-language-server: $schema=s.json
# Top.

# Of version.
version: "1"  # beside version

# Of tools.
tools:  # beside tools
  # Of a.
  - name: a  # beside a
    examples: [one, # beside one
      two] # beside examples
    prompt: |  # beside prompt
      # no comment
      text
    # Of returns.
    returns: {score: a, # beside score
      # Of q.
      q: b}
    # Behind a.
  # Behind tools.
sites:
- name: s  # beside s
# Of b.
- name: b
  types:
  # Of Item.
  - Item
# The end.
"""


def placed(text: str, syntax: Syntax) -> dict[str, str]:
    """Return where each comment is, by its text."""
    found: dict[str, str] = {}

    def visit(part: Any, path: str) -> None:
        found.update({line: f"above {path}" for comment in part.before for line in comment.lines})
        found.update({part.beside: f"beside {path}"} if part.beside else {})
        for number, below in enumerate(part.parts if isinstance(part, Collection) else ()):
            visit(below, f"{path}.{below.key}" if isinstance(part, Mapping) else f"{path}[{number}]")
        found.update({line: f"in {path}" for comment in getattr(part, "below", ()) for line in comment.lines})

    for root in read(text.encode(), f"a.{syntax}", syntax).roots:
        visit(root, "")
    return found


def test_each_comment_of_yaml_is_with_its_value() -> None:
    assert placed(YAML, "yaml") == {
        "yaml-language-server: $schema=s.json": "above ",
        "Top.": "above ",
        "Of version.": "above ",
        "beside version": "beside .version",
        "Of tools.": "above .tools",
        "beside tools": "beside .tools",
        "Of a.": "above .tools[0]",
        "beside a": "beside .tools[0].name",
        "beside one": "beside .tools[0].examples[0]",
        "beside examples": "beside .tools[0].examples",
        "beside prompt": "beside .tools[0].prompt",
        "Of returns.": "above .tools[0].returns",
        "beside score": "beside .tools[0].returns.score",
        "Of q.": "above .tools[0].returns.q",
        "Behind a.": "in .tools[0]",
        "Behind tools.": "in .tools",
        "beside s": "beside .sites[0].name",
        "Of b.": "above .sites[1]",
        "Of Item.": "above .sites[1].types[0]",
        "The end.": "in ",
    }


def test_the_house_form_leaves_each_comment_with_its_value() -> None:
    once = house_form(YAML.encode(), "a.yaml", "yaml").after
    assert placed(once, "yaml") == placed(YAML, "yaml")


XML = """\
<?xml version="1.0"?>
<!-- Top. -->
<Tools>  <!-- beside Tools -->
  <!-- Of Item,
       in two lines. -->
  <Item>
    <Tool name="a" enabled="yes">  <!-- beside a -->
      <!-- Of one. -->
      <example>one</example>  <!-- beside one -->
      <example>two</example>
      <!-- Behind a. -->
    </Tool>
    <!-- Behind Item. -->
  </Item>
</Tools>
<!-- The end. -->
"""


def test_each_comment_of_xml_is_with_its_value() -> None:
    assert placed(XML, "xml") == {
        "Top.": "above ",
        "beside Tools": "above .tools",
        "Of Item,": "above .tools",
        "in two lines.": "above .tools",
        "beside a": "beside .tools[0]",
        "Of one.": "above .tools[0].examples",
        "beside one": "beside .tools[0].examples[0]",
        "Behind a.": "in .tools[0]",
        "Behind Item.": "in ",
        "The end.": "in ",
    }


@pytest.mark.parametrize(
    ("text", "count"), [("a: 1  # x\n", 1), ("# only\n", 1), ("---\n# x\n---\ntools: []\n# y\n---\n# z\n", 3)]
)
def test_comments_of_documents_without_values_are_kept(text: str, count: int) -> None:
    assert told(text.replace("a: 1", "x-a: 1"), "yaml").total() == count
