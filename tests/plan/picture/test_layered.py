"""The picture of a plan says what the plan says: its lines lead from each node to those that wait for it."""

from hypothesis import given
from hypothesis import strategies as st

from pegboard.plan.graph import Node, Plan
from pegboard.plan.picture.boxes import boxes_of
from pegboard.plan.picture.draw import draw, drawn
from pegboard.plan.picture.layered import layered
from pegboard.plan.picture.look import Look, Standing, width
from pegboard.plan.written import read_plan
from tests.plan.picture.tracing import Traced
from tests.run.plans import plans as any_plans

WIDE = Look(columns=10_000)


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    """Return plans of single nodes; each waits for some of those before it."""
    count = draw(st.integers(1, 14))
    tools = draw(st.lists(st.sampled_from(["t", "search", "a_tool_with_a_long_name"]), min_size=count, max_size=count))
    nodes = []
    for place, tool in enumerate(tools):
        needs = draw(st.sets(st.integers(0, place - 1), max_size=4)) if place else set()
        nodes.append(Node(f"n{place}", tool, depends_on=tuple(f"n{need}" for need in sorted(needs))))
    return Plan(tuple(nodes))


@given(plans())
def test_who_follows_the_lines_finds_the_plan_again(plan: Plan) -> None:
    canvas = layered(boxes_of(plan, None, WIDE, 0), WIDE)
    if canvas is None:  # some lines could not be told apart: it is listed
        return
    traced = Traced(canvas.lines())
    assert traced.boxes == plan.by_id.keys()
    assert traced.arrows() == {(need, node.id) for node in plan.nodes for need in plan.needs[node.id]}


@given(plans())
def test_few_plans_have_to_be_listed_for_their_tangle(plan: Plan) -> None:
    simple = Plan(tuple(Node(node.id, node.tool, depends_on=node.depends_on[:1]) for node in plan.nodes))
    assert layered(boxes_of(simple, None, WIDE, 0), WIDE) is not None


@given(st.one_of(plans(), any_plans()), st.integers(24, 120), st.booleans(), st.booleans())
def test_no_line_is_wider_than_it_may_be(plan: Plan, columns: int, is_ascii: bool, runs: bool) -> None:
    standings = {node.id: Standing("running", 12.34) for node in plan.nodes} if runs else None
    lines = drawn(plan, standings, look=Look(columns=columns, is_ascii=is_ascii))
    assert max(map(width, lines)) <= columns
    assert not is_ascii or all(line.isascii() for line in lines)
    said = "\n".join(lines)
    assert all(node.id in said for node in plan.nodes)


PLAN = read_plan(
    {
        "nodes": [
            {"id": "pasta", "tool": "search", "arguments": {"query": "pasta under 30 minutes"}},
            {"id": "web", "tool": "web", "arguments": {"query": "北京天气"}, "race_group": "quick"},
            {"id": "amap", "tool": "weather", "arguments": {"city": "北京"}, "race_group": "quick"},
            {"id": "best", "tool": "compare", "arguments": {"item1": "${pasta.items[0].name}"}},
            {"id": "wine", "tool": "accompaniment", "arguments": {"main": "${best.text}", "day": "${quick.text}"}},
            {"id": "told", "tool": "writer", "depends_on": ["wine", "pasta"], "needs": "any", "fallback": "said"},
            {"id": "said", "tool": "plain"},
        ],
        "races": {"quick": {"favourite": "amap", "head_start_seconds": 0.3}},
    }
)

PICTURE = """\
┌─────────────────────────────────┐   ┌ race quick, amap 0.3 s ahead ─┐
│ pasta  search                   │   │ web  web                      │
│   query: pasta under 30 minutes │   │   query: 北京天气             │
└────────────────┬────────────────┘   │ amap  weather                 │
                 │                    │   city: 北京                  │
                 │                    └───────────────┬───────────────┘
       ┌─────────┴────────┐                           │
       │                  ▼                           │
       │ ┌─────────────────────────────────┐          │
       │ │ best  compare                   │          │
       │ │   item1: ${pasta.items[0].name} │          │
       │ └────────────────┬────────────────┘          │
       │                  └─────────────┬─────────────┘
       │                                ▼
       │                    ┌───────────────────────┐
       │                    │ wine  accompaniment   │
       │                    │   main: ${best.text}  │
       │                    │   day: ${quick.text}  │
       │                    └───────────┬───────────┘
       └───────────────┬────────────────┘
                       ▼
             ┌───────────────────┐
             │ told  writer      │
             │   needs any       │
             │ else said  plain  │
             └───────────────────┘"""

RUNNING = """\
+---------------------------------+   + race quick, amap 0.3 s ahead -+
| + pasta  search      0.4 s      |   | / web  web       lost         |
|   query: pasta under 30 minutes |   |   query: ????                 |
+----------------+----------------+   | + amap  weather      0.2 s    |"""

LIST = """\
1. pasta  search  query: pasta under 3…
   race quick, amap 0.3 s ahead
     web  web  query: 北京天气
     amap  weather  city: 北京
2. best  compare  after pasta  item1: …
3. wine  accompaniment  after best, qu…
4. told  writer  after pasta, wine  ne…
   else said  plain"""


def test_a_plan_is_drawn_for_a_terminal() -> None:
    assert draw(PLAN) == PICTURE


def test_what_does_not_fit_is_listed() -> None:
    assert drawn(PLAN, look=Look(columns=40)) != LIST.splitlines()
    assert drawn(PLAN, look=Look(columns=39, rows=8)) == LIST.splitlines()


def test_a_terminal_without_the_characters_gets_ascii() -> None:
    standings = {"pasta": Standing("succeeded", 0.4), "web": Standing("lost"), "amap": Standing("succeeded", 0.21)}
    lines = drawn(PLAN, standings, look=Look(encoding="ascii"))
    assert all(line.isascii() for line in lines)
    assert "\n".join(lines[:4]) == RUNNING


def test_the_boxes_stay_where_they_are_while_the_run_goes_on() -> None:
    states = ["waiting", "running", "succeeded", "failed", "lost", "held", "skipped", "cancelled"]
    pictures = {
        tuple(line.replace("─", " ").rstrip().find("│") for line in drawn(PLAN, {"pasta": Standing(state, 3.0)}))
        for state in states
    }
    assert len(pictures) == 1


def test_colour_takes_no_room() -> None:
    standings = {node.id: Standing("running", 1.0) for node in PLAN.nodes}
    painted = drawn(PLAN, standings, paint=lambda text, state: f"<{text}>")
    assert [line.replace("<", "").replace(">", "") for line in painted] == drawn(PLAN, standings)


def test_what_waits_in_a_circle_is_listed_and_a_thousand_nodes_are_too() -> None:
    circle = Plan((Node("a", "t", depends_on=("b",)), Node("b", "t", depends_on=("a",)), Node("c", "t")))
    assert drawn(circle) == ["1. c  t", "2. a  t  after b", "   b  t  after a"]
    chain = Plan(tuple(Node(f"n{at}", "t", depends_on=(f"n{at - 1}",) if at else ()) for at in range(1000)))
    assert drawn(chain)[999] == "1000. n999  t  after n998"
