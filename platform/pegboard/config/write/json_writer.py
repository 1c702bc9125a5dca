"""Write a tree as JSON: two spaces, one value a line, numbers as they were spelled."""

from pegboard.config.write.tree import Collection, Mapping, Part, Scalar
from pegboard.text import to_json


def write_json(root: Part) -> str:
    """Return the text of a document; comments are left out."""
    return _value(root, "") + "\n"


def _value(part: Part, indent: str) -> str:
    match part:
        case Collection(parts=parts):
            opening, closing = "{}" if isinstance(part, Mapping) else "[]"
            inner = indent + "  "
            lines = [inner + _key(part, each) + _value(each, inner) for each in parts]
            body = ",\n".join(lines)
            return f"{opening}\n{body}\n{indent}{closing}" if lines else opening + closing
        case Scalar(value=value, spelled=spelled):
            return spelled if spelled and not isinstance(value, str) else to_json(value)
        case _:
            raise TypeError(f"JSON has no aliases: {part}")


def _key(owner: Collection, part: Part) -> str:
    return f"{to_json(part.key)}: " if isinstance(owner, Mapping) else ""
