"""Handlers for tests of what happens when a tool cannot do its work."""

from pegboard.catalog.contract import Context, Result, tool


@tool
async def broken(context: Context) -> Result:
    """Fail."""
    raise RuntimeError("the insides")
