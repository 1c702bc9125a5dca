"""Tools in any number for benchmarks of deciding: eight examples each, an author's prompt, arguments in the reply."""

from collections.abc import Mapping

from pegboard.catalog.contract import Context, Result
from pegboard.catalog.tool import Routing, Tool, Toolset
from pegboard.text import Json

SUBJECTS = ("trains", "hotels", "recipes", "museums", "concerts", "parcels", "gardens", "bicycles", "films", "shares")
DOINGS = ("find", "compare", "book", "explain", "count", "repair", "translate", "describe", "price", "plan")
PROMPT = """The visitor of {request.site} asks: {request.query}
The tool {tool.name} is for {request.itemType}. Give 90 or more if the question names what the tool is for,
70 to 89 if it probably does, and less than 50 if it asks for something else. Consider {request.previousQueries} too.
Take the words that say what is wanted as `query`, and leave out greetings."""
REPLY: dict[str, Json] = {
    "type": "object",
    "properties": {"score": {"type": "integer"}, "query": {"type": "string"}},
    "required": ["score"],
}


async def never_run(context: Context, arguments: Mapping[str, Json]) -> Result:
    raise AssertionError("deciding runs no tool")


def make_toolset(count: int, routing: Routing | None = None) -> Toolset:
    """Return a site with `count` tools, `tool_0` first."""
    tools = tuple(_tool(number) for number in range(count))
    return Toolset("benchmark", "", (), ("Item",), tools, routing or Routing(fallback="tool_0"), ())


def _tool(number: int) -> Tool:
    doing, subject = DOINGS[number // len(SUBJECTS) % len(DOINGS)], SUBJECTS[number % len(SUBJECTS)]
    shapes = ("{} {}", "please {} some {}", "can you {} the {} of {n}", "{} {} near me", "I want to {} {} tomorrow")
    examples = tuple(shape.format(doing, subject, n=number) for shape in shapes)
    return Tool(
        name=f"tool_{number}",
        type="Item",
        description=f"Serves those who want to {doing} {subject}, in town {number}.",
        examples={"en": examples, "zh": tuple(f"{word}{number}号" for word in ("查找", "比较", "预订"))},
        prompt=PROMPT,
        reply=REPLY,
        parameters={"type": "object"},
        output=None,
        handler="",
        run=never_run,
    )
