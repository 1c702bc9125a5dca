"""Handlers that a site owner might write, for the tests of how they are loaded."""

import os
from decimal import Decimal
from typing import TYPE_CHECKING, Annotated, Literal

from pegboard.catalog.contract import Context, Handler, Result, tool
from pegboard.handlers.calculator import calculator
from pegboard.text import Json

if TYPE_CHECKING:
    from fractions import Fraction

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


@tool
def by_position(place: str, /) -> str:
    """Take an argument that no call by name can give."""
    return place


@tool
def by_any_position(*places: str) -> str:
    """Take arguments that no call by name can give."""
    return ", ".join(places)


@tool
def weigh(
    context: Context,
    share: "Fraction",
    amount: Decimal,
    raw: Literal[b"x"],
    grams: Annotated[int, "in grams"],
    note: str = "-",
) -> str:
    """Take what JSON Schema cannot say, and a type that is not there at run time."""
    return f"{share} {amount} {raw!r} {grams} {note} {context.site}"
