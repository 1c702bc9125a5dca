"""Arguments as a handler takes them: a dataclass, a date, an enumeration made of the JSON that the schema let pass."""

from collections.abc import Mapping
from typing import Any, cast

from pydantic import ValidationError

from pegboard.catalog.contract import Context, Result
from pegboard.catalog.loading.handler import Signature
from pegboard.catalog.loading.typed import Convert
from pegboard.catalog.tool import Run
from pegboard.errors import InvalidArguments
from pegboard.text import Json, clipped, spelled

_MOST_TOLD = 5


def converting(run: Run, signature: Signature) -> Run:
    """Return `run` as taking JSON, where its handler takes other things."""
    if not signature.conversions:
        return run

    async def convert(context: Context, arguments: Mapping[str, Json]) -> Result:
        return await run(context, converted(arguments, signature.conversions))

    return convert


def converted(arguments: Mapping[str, Json], conversions: Mapping[str, Convert]) -> dict[str, Json]:
    """Return `arguments` with each that has a conversion converted; null stays null.

    Raises:
        InvalidArguments: a value fits the schema and yet is none of its type, such as a date of 31 June.
    """
    made: dict[str, Any] = dict(arguments)
    wrong: list[str] = []
    for name, convert in conversions.items():
        if arguments.get(name) is None:
            continue
        try:
            made[name] = convert(arguments[name])
        except ValidationError as error:
            wrong += [_said(name, cast("Mapping[str, Any]", each)) for each in error.errors(include_url=False)]
    if wrong:
        raise InvalidArguments(" ".join(wrong[:_MOST_TOLD]))
    return made


def _said(name: str, error: Mapping[str, Any]) -> str:
    where = spelled((name, *error["loc"]))
    found = clipped(repr(error["input"]), 60)
    return f"Argument {where!r} is {found}: {str(error['msg']).rstrip('.')}."
