"""Handlers that a site owner might write, for the tests of how they are loaded."""

import os
from typing import Literal

from pegboard.catalog.contract import Context, Handler, Result, tool
from pegboard.handlers.calculator import calculator
from pegboard.text import Json

run_anything = os.system
calculator_again = calculator


@tool
async def greet(context: Context, name: str, times: int = 1) -> str:
    """Greet someone."""
    return f"Hello {name}" * times + f" of {context.site}"


@tool
def add(left: float, right: float) -> dict[str, Json]:
    """Add two numbers, in a worker thread."""
    return {"sum": left + right}


def unmarked() -> str:
    """Do something that no declaration may name."""
    return "secret"


@tool
def paint(colour: Literal["red", "green"], size: int | None = None, tags: list[str] | None = None) -> None:
    """Take what annotations can say."""


class Echo(Handler):
    """Give back what it got."""

    async def call(self, context: Context, arguments: object) -> Result:
        """Answer with the arguments."""
        return Result(text=f"{context.question}: {arguments}")
