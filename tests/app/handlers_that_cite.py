"""A handler whose answers cite where they are from."""

from pegboard.catalog.contract import Evidence, Result, tool


@tool
async def shelf(topic: str) -> Result:
    """Say what a book says of a topic, and cite it."""
    book = Evidence(1, f"All about {topic}.", f"https://books.example/{topic}", f"The book of {topic}")
    return Result(f"There is much to say about {topic} [1].", evidence=(book,))
