"""Mermaid and DOT hold whatever text a plan has, and nothing of it is taken for their own syntax."""

import json
import re

from hypothesis import given
from hypothesis import strategies as st

from pegboard.plan.graph import Node, Plan, Race
from pegboard.plan.picture.draw import draw, drawn
from pegboard.plan.picture.look import Look, Standing, width
from pegboard.plan.written import plan_json, read_plan

STATES = ["waiting", "running", "held", "succeeded", "failed", "skipped", "lost", "cancelled"]
HOSTILE = st.one_of(
    st.text(max_size=40),
    st.text(st.sampled_from("\"\\[]{}()<>|;#&%`$\n\r\t\0\x1b\u202e\u2028 ab'/*-->:end"), max_size=30),
)


@st.composite
def hostile(draw: st.DrawFn) -> tuple[Plan, dict[str, Standing] | None]:
    """Return plans whose every text is of an enemy."""
    ids = draw(st.lists(HOSTILE, min_size=1, max_size=5, unique=True))
    nodes = [
        Node(
            name,
            draw(HOSTILE),
            draw(st.dictionaries(HOSTILE, HOSTILE, max_size=3)),
            type=draw(st.sampled_from(["tool", "sub_agent"])),
            depends_on=(ids[place - 1],) if place else (),
            when=draw(HOSTILE).replace("`", ""),  # jmespath warns of some that it takes
        )
        for place, name in enumerate(ids)
    ]
    racers = [Node(f"{name}{at}", "t", race=f"r{name}") for at in (1, 2) for name in [draw(HOSTILE)]]
    standings = {name: Standing(draw(st.sampled_from(STATES)), 1.5, draw(HOSTILE)) for name in ids}
    return Plan((*nodes, *racers), (Race("r", favourite=ids[0]),)), draw(st.sampled_from([None, standings]))


MERMAID = re.compile(
    r'flowchart TD|  subgraph r\d+\["[^"\n]*"\]|  end|'
    r' {2,4}n\d+\["(?P<label>[^"\n]*)"\](:::[a-z]+)?|'
    r"  [nr]\d+ --> n\d+|  n\d+ -\. else \.-> n\d+|  classDef [a-z]+ [a-z0-9:,# -]+"
)
LABEL = re.compile(r"(?:#\d+;|<br/>|[^\W_]|[ .,:/=+!?'_-])*")

DOT_TOKEN = re.compile(r'\s+|"(?:[^"\\\n]|\\["\\l])*"|[a-zA-Z_][a-zA-Z_0-9]*|->|[{}\[\];=]')
DOT_SHAPE = re.compile(
    r"digraph I \{ (I = I ; )(I \[ (I = [IQ] )+\] ; )(subgraph I \{ I = Q ; (I \[ (I = [IQ] )+\] ; )+\} )*"
    r"(I \[ (I = [IQ] )+\] ; )*(I -> I (\[ (I = [IQ] )+\] )?; )*\} "
)


def shape_of_dot(text: str) -> str:
    """Return the tokens of a graph in DOT: `I` is a name, `Q` a quoted string."""
    said, place = "", 0
    while place < len(text):
        found = DOT_TOKEN.match(text, place)
        assert found is not None, text[place : place + 40]
        token, place = found[0], found.end()
        if not token.isspace():
            is_word = token[0].isalpha() and token not in ("digraph", "subgraph")
            said += ("I" if is_word else "Q" if token[0] == '"' else token) + " "
    return said


@given(hostile())
def test_any_text_gives_a_valid_flowchart(given: tuple[Plan, dict[str, Standing] | None]) -> None:
    for line in draw(given[0], "mermaid", given[1]).split("\n"):
        found = MERMAID.fullmatch(line)
        assert found is not None, line
        assert LABEL.fullmatch(found["label"] or ""), line


@given(hostile())
def test_any_text_gives_a_valid_graph_in_dot(given: tuple[Plan, dict[str, Standing] | None]) -> None:
    text = draw(given[0], "dot", given[1])
    assert DOT_SHAPE.fullmatch(shape_of_dot(text)), text


@given(hostile(), st.integers(12, 100), st.sampled_from(["utf-8", "ascii", "gb18030", "latin-1"]))
def test_no_text_drives_the_terminal_or_leaves_its_line(
    given: tuple[Plan, dict[str, Standing] | None], columns: int, encoding: str
) -> None:
    lines = drawn(given[0], given[1], look=Look(columns=columns, encoding=encoding))
    assert all(line.isprintable() or not re.search(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e]", line) for line in lines)
    assert max(map(width, lines)) <= columns
    "\n".join(lines).encode(encoding)


PLAN = read_plan(
    {
        "nodes": [
            {"id": "a", "tool": "search", "arguments": {"query": 'say "hi" [x]\n& go'}},
            {"id": "b", "tool": "web", "race_group": "r", "depends_on": ["a"], "fallback": ""},
            {"id": "c", "agent": "writer", "goal": "汤", "race_group": "r"},
            {"id": "d", "tool": "plain", "arguments": {"x": "${r.text}"}, "fallback": "e"},
            {"id": "e", "tool": "plain"},
        ]
    }
)


def test_a_flowchart() -> None:
    assert draw(PLAN, "mermaid", {"a": Standing("succeeded", 0.5)}) == (
        "flowchart TD\n"
        '  subgraph r0["race r"]\n'
        '    n1["#9675; b  web"]\n'
        '    n2["#9675; c  agent writer<br/>goal: 汤"]\n'
        "  end\n"
        '  n0["#10003; a  search<br/>0.5 s<br/>query: say #34;hi#34; #91;x#93; #38; go"]:::succeeded\n'
        '  n3["#9675; d  plain<br/>x: #36;#123;r.text#125;"]\n'
        '  n4["#9675; e  plain"]\n'
        "  n0 --> n1\n"
        "  r0 --> n3\n"
        "  n3 -. else .-> n4\n"
        "  classDef succeeded fill:#d7f3d9,stroke:#2e7d32"
    )


def test_a_graph_in_dot() -> None:
    assert draw(PLAN, "dot") == (
        "digraph plan {\n"
        "  compound=true;\n"
        '  node [shape=box fontname="sans-serif"];\n'
        "  subgraph cluster_0 {\n"
        '    label="race r\\l";\n'
        '    n1 [label="b  web\\l"];\n'
        '    n2 [label="c  agent writer\\lgoal: 汤\\l"];\n'
        "  }\n"
        '  n0 [label="a  search\\lquery: say \\"hi\\" [x] &amp; go\\l"];\n'
        '  n3 [label="d  plain\\lx: ${r.text}\\l"];\n'
        '  n4 [label="e  plain\\l"];\n'
        "  n0 -> n1;\n"
        "  n2 -> n3 [ltail=cluster_0];\n"
        "  n3 -> n4 [style=dashed label=else];\n"
        "}"
    )


def test_the_json_is_the_plan_and_can_be_read_again() -> None:
    held = json.loads(draw(PLAN, "json"))
    assert held == plan_json(PLAN)
    assert read_plan(held) == PLAN
