"""Templates: texts, and JSON with texts in it, where `{argument}` stands for an argument's value. Pure."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from pegboard.errors import InvalidArguments
from pegboard.text import Json, to_json

PLACEHOLDER = re.compile(r"\{([A-Za-z_][A-Za-z0-9_.-]*)\}")


class Absent:
    """What stands where an argument was not given."""


ABSENT: Final = Absent()


@dataclass(frozen=True, slots=True)
class Found:
    """A placeholder and where it stands in the block."""

    name: str
    path: tuple[str | int, ...]


def placeholders(template: object, path: tuple[str | int, ...]) -> Iterator[Found]:
    """Yield the placeholders of any JSON; those of a text have its path."""
    match template:
        case str():
            yield from (Found(name, path) for name in PLACEHOLDER.findall(template))
        case Mapping():
            for key, value in template.items():
                yield from placeholders(value, (*path, key))
        case list():
            for index, value in enumerate(template):
                yield from placeholders(value, (*path, index))
        case _:
            pass


def filled(template: object, arguments: Mapping[str, Json]) -> Json | Absent:
    """Return `template` with its arguments put in; a text that is one placeholder takes the argument as it is.

    What an argument is lacking for is left out: an entry of a mapping, an item of a list, a whole text.
    """
    match template:
        case str():
            return _text(template, arguments)
        case Mapping():
            values = {key: filled(value, arguments) for key, value in template.items()}
            return {key: value for key, value in values.items() if not isinstance(value, Absent)}
        case list():
            items = [filled(value, arguments) for value in template]
            return [item for item in items if not isinstance(item, Absent)]
        case _:
            return template  # type: ignore[return-value]  # read from a document: JSON


def _text(template: str, arguments: Mapping[str, Json]) -> Json | Absent:
    names = PLACEHOLDER.findall(template)
    if any(arguments.get(name) is None for name in names):
        return ABSENT
    if len(names) == 1 and template == f"{{{names[0]}}}":
        return arguments[names[0]]
    return PLACEHOLDER.sub(lambda match: scalar(arguments[match[1]], match[1]), template)


def scalar(value: Json, name: str) -> str:
    """Write a value as it stands in an address or a text.

    Raises:
        InvalidArguments: it is a list, an object or null.
    """
    match value:
        case str():
            return value
        case bool():
            return "true" if value else "false"
        case float() if value.is_integer() and abs(value) < 1e15:
            return str(int(value))
        case int() | float():
            return to_json(value)
        case _:
            raise InvalidArguments(f"The argument {name!r} cannot be put into a text: it is no single value.")
