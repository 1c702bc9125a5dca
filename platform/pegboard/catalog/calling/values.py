"""From what a handler returns to a `Result`, and from any value of Python to JSON."""

from pydantic_core import to_jsonable_python

from pegboard.catalog.contract import Result
from pegboard.text import Json, to_json

TASK = "State this result in one or two sentences."
"""What a model shall make of data."""


class NoJson(TypeError):
    """A value that JSON cannot say."""


def as_json(value: object) -> Json:
    """Return `value` in JSON's own types: dates, decimals, dataclasses, models and sets as what they are written as.

    Raises:
        NoJson: it cannot be written, has no end, or holds itself.
    """
    try:
        made: Json = to_jsonable_python(value, inf_nan_mode="null")
    except (ValueError, RecursionError) as error:
        raise NoJson(f"{type(value).__name__} cannot be written as JSON: {error}") from error
    return made


def as_result(value: object) -> Result:
    """Make a `Result` of what a handler returned: a text is an answer, anything else is data.

    Raises:
        NoJson: it is no value that JSON can say.
    """
    if isinstance(value, Result):
        return value
    if value is None:
        return Result(text="")
    if isinstance(value, str):
        return Result(text=value, data=value)
    data = as_json(value)
    return Result(text=in_words(data), data=data, task=TASK)


def in_words(value: Json) -> str:
    """Write data that a person can read: one line a key, JSON for what lies deeper."""
    if isinstance(value, dict):
        return "\n".join(
            f"{key}: {inner if isinstance(inner, str) else to_json(inner)}" for key, inner in value.items()
        )
    if isinstance(value, list):
        return "\n".join(f"- {inner if isinstance(inner, str) else to_json(inner)}" for inner in value)
    return to_json(value)
