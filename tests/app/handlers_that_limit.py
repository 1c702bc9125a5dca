"""Handlers for tests of limits."""

from pegboard.catalog.contract import Context, tool


@tool
async def failing(context: Context) -> str:
    """Fail."""
    raise RuntimeError("the insides")


@tool
async def sign_in(name: str, password: str) -> str:
    """Sign in."""
    return f"{name} is in."
