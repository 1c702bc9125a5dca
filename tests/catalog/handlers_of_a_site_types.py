"""Handlers of a site whose annotations name more than JSON has."""

import enum
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Literal, TypedDict

from pydantic import BaseModel, Field

from pegboard.catalog.contract import tool


class Size(enum.Enum):
    SMALL = "s"
    LARGE = "l"


@dataclass
class Street:
    name: str
    number: int = 1


class Guest(TypedDict):
    name: str


class Place(BaseModel):
    city: str
    streets: list[Street] = []
    inside: "Place | None" = None


@tool()
def everything(  # noqa: PLR0913 (one of each)
    place: Place,
    street: Street,
    guests: list[Guest],
    size: Size,
    when: datetime,
    *,
    day: date | None = None,
    amount: Decimal = Decimal("1.5"),
    number: uuid.UUID | None = None,
    file: Path = Path("a"),
    pair: tuple[int, str] = (1, "a"),
    words: set[str] = frozenset(),  # type: ignore[assignment]
    names: Sequence[str] = (),
    count: Annotated[int, Field(ge=1, description="how many")] = 1,
    either: int | str | None = None,
    kind: Literal["a", "b"] | None = None,
    by_name: dict[str, int] | None = None,
    model_config: str = "x",
    schema: str = "y",
) -> str:
    """Book a table, e.g. for two. Then say so.

    Args:
        place: Where it is.
        count: not this
        kind (str): Which kind
            of table.
    """
    given = [place, street, guests, size, when, day, amount, number, file, pair, words, names, count, either, kind]
    return repr([*given, by_name, model_config, schema])
