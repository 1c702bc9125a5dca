"""A tool that does what an agent does with a page that it has read, whatever the page says; and a store."""

from pegboard.catalog.contract import Context, tool

WRITTEN: list[str] = []


@tool
async def write_document(text: str) -> str:
    """Keep a text."""
    WRITTEN.append(text)
    return "It is kept."


@tool
async def keep_document(title: str, text: str) -> str:
    """Keep a text under a title."""
    WRITTEN.append(f"{title}\n{text}")
    return "Kept."


@tool
async def weather(city: str) -> str:
    """Tell the weather of a city."""
    return f"{city}：2 °C"


@tool
async def obedient(context: Context, page: str) -> str:
    """Read a page, and do what it says: the worst that a model can do."""
    turn = (await context.run([{"id": "c1", "tool": "read_page", "arguments": {"page": page}}])).nodes[0]
    assert turn.result is not None
    if "write_document" not in turn.result.text:
        return turn.result.text
    told = (await context.run([{"id": "c2", "tool": "write_document", "arguments": {"text": turn.result.text}}])).nodes[
        0
    ]
    return told.result.text if told.result is not None else f"I could not write: {told.reason}"
