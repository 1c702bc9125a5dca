"""Convert documents between XML, YAML and JSON: no value is lost, and no comment where the target can hold it.

Values stay raw: `${VAR}` is not filled in. What was written is read again and compared before it is given out.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import assert_never

from pegboard.config.problems import Problem, Problems
from pegboard.config.syntax.source import Source, quoted
from pegboard.config.write.json_writer import write_json
from pegboard.config.write.order import in_order
from pegboard.config.write.read import Reading, Syntax, read
from pegboard.config.write.tree import Collection, Comment, Mapping, Part, Scalar, comments_of, plain
from pegboard.config.write.xml_writer import write_xml
from pegboard.config.write.yaml_writer import HEADER, write_yaml
from pegboard.errors import PegboardError
from pegboard.text import Json

REPORT = "This is a fault of pegboard: please report it with the file."
_SCHEMA = "$schema"
_SCHEMA_LINE = re.compile(rf"\s*{HEADER}\s*\$schema=(\S+)\s*")


@dataclass(frozen=True, slots=True)
class Conversion:
    """A document in another syntax."""

    text: str
    """Empty where the problems hold an error."""
    problems: tuple[Problem, ...]
    comments_left_out: int = 0
    """Comments that the target cannot hold."""


def convert(data: bytes, name: str, syntax: Syntax, to: Syntax) -> Conversion:
    """Convert the bytes of a file; `name` is how problems call it.

    Raises:
        PegboardError: what was written would mean something else.
    """
    reading = read(data, name, syntax)
    problems = Problems(reading.problems)
    if problems.errors:
        return _refused(problems, reading.source)
    meant = meaning(reading)
    roots = [*reading.roots] if to == "yaml" else _as_one(reading, problems)
    for root in roots:
        _name_schema(root, to)
        in_order(root)
    text = _written(roots, to, reading.source, problems)
    if problems.errors:
        return _refused(problems, reading.source)
    again = read(text.encode(), name, to)
    if again.problems.errors or meaning(again) != meant:
        raise PegboardError(f"{name} would mean something else as {to}: nothing was written.", hint=REPORT)
    left_out = sum(1 for root in roots for _ in comments_of(root)) if to == "json" else 0
    return Conversion(text, tuple(quoted(problems, {name: reading.source})), left_out)


def _refused(problems: Problems, source: Source) -> Conversion:
    return Conversion("", tuple(quoted(problems, {source.name: source})))


def _written(roots: Sequence[Mapping], to: Syntax, source: Source, problems: Problems) -> str:
    match to:
        case "yaml":
            return write_yaml(roots)
        case "xml":
            return write_xml(roots[0], source, problems)
        case "json":
            return write_json(roots[0])
        case _:
            assert_never(to)


def meaning(reading: Reading) -> dict[str, str]:
    """Return what all documents of a file mean together: each key's value, spelled so that 1, 1.0 and true differ."""
    found: dict[str, Json] = {}
    for root in reading.roots:
        for part in root.parts:
            value, known = plain(part), found.get(part.key)
            if isinstance(value, list) and isinstance(known, list) and not part.key.startswith("x-"):
                value = [*known, *value]
            found[part.key] = value
    return {key: json.dumps(value, sort_keys=True) for key, value in sorted(found.items()) if key != _SCHEMA}


def _as_one(reading: Reading, problems: Problems) -> list[Mapping]:
    """Put all documents of a file into one: their lists in a row."""
    first, *others = reading.roots
    for other in others:
        if other.parts:
            other.parts[0].before = [*other.before, *other.parts[0].before]
        for part in other.parts:
            _join(first, part, reading.source, problems)
        first.below += other.below
    return [first]


def _join(into: Mapping, part: Part, source: Source, problems: Problems) -> None:
    held = into.get(part.key)
    if held is None:
        into.parts.append(part)
    elif isinstance(held, Collection) and isinstance(part, Collection) and not part.key.startswith("x-"):
        if part.parts:
            part.parts[0].before = [*part.before, *part.parts[0].before]
        held.parts += part.parts
        held.below += part.below
    elif plain(held) != plain(part):
        message = f"{part.key!r} stands in two documents of this file, and they differ"
        problems.add("PB110", source.span(part.start), message, hint="Rename one, or put each document into a file.")


def _name_schema(root: Mapping, to: Syntax) -> None:
    """Let editors find the schema as they do in each syntax: by the key `$schema` in JSON, else by a comment."""
    if to == "json":
        found = _take_line(root)
        if found and root.get(_SCHEMA) is None:
            root.parts.insert(0, Scalar(key=_SCHEMA, value=found))
        return
    held = root.get(_SCHEMA)
    if isinstance(held, Scalar) and isinstance(held.value, str) and re.fullmatch(r"\S+", held.value):
        root.parts.remove(held)
        root.before = [Comment((f"{HEADER} {_SCHEMA}={held.value}",)), *root.before, *held.before]


def _take_line(root: Mapping) -> str:
    """Take the comment that names the schema out of those at the top, and return the name."""
    for index, comment in enumerate(root.before):
        for line in comment.lines:
            if match := _SCHEMA_LINE.fullmatch(line):
                rest = tuple(each for each in comment.lines if each is not line)
                root.before[index : index + 1] = [Comment(rest, comment.has_gap)] if any(rest) else []
                return match[1]
    return ""
