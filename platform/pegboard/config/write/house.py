"""The house form of a file: one way to write it, whoever wrote it; what it means and its comments stay.

Keys stand in the order of the declarations' types, two spaces are a step, lists are blocks, texts of several lines
are block scalars, and an empty line stands between tools.
"""

from collections import Counter
from dataclasses import dataclass

from pegboard.config.problems import Problem, Problems
from pegboard.config.syntax.source import Source, quoted
from pegboard.config.syntax.xml_reader import read_xml
from pegboard.config.write.convert import REPORT, meaning
from pegboard.config.write.json_writer import write_json
from pegboard.config.write.order import in_order
from pegboard.config.write.read import Reading, Syntax, read
from pegboard.config.write.syntax import read_syntax
from pegboard.config.write.tree import comments_of
from pegboard.config.write.xml_house import house_xml
from pegboard.config.write.yaml_writer import write_yaml
from pegboard.errors import PegboardError

_UNREAD = frozenset({"PB001", "PB002", "PB003", "PB004", "PB005", "PB006", "PB007"})
"""A file with one of these is not written: it was not read whole."""


@dataclass(frozen=True, slots=True)
class Formatting:
    """A file in the house form."""

    before: str
    after: str
    """Equal to `before` where there is a problem."""
    problems: tuple[Problem, ...] = ()
    """Why it is not written anew."""
    is_changed: bool = False
    """Its bytes would change."""


def house_form(data: bytes, name: str, syntax: Syntax) -> Formatting:
    """Return the house form of the bytes of a file; `name` is how problems call it.

    Raises:
        PegboardError: what was written would mean something else.
    """
    reading = read(data, name, syntax)
    before = reading.source.text
    problems = Problems(problem for problem in reading.problems if problem.code in _UNREAD)
    if not problems and any(root.parts for root in reading.roots):
        after = _written(reading)
        if _is_same(reading, after):
            return Formatting(before, after, is_changed=after.encode() != data)
        raise PegboardError(f"{name} would mean something else in the house form: nothing was written.", hint=REPORT)
    return Formatting(before, before, tuple(quoted(problems, {name: reading.source})))


def _written(reading: Reading) -> str:
    text = reading.source.text.replace("\r\n", "\n").replace("\r", "\n")
    source = Source(reading.source.name, text)
    if reading.syntax == "xml":
        root = read_xml(source, Problems())
        assert root is not None
        return house_xml(root, source)
    branches = read_syntax(source) if reading.syntax == "yaml" else [*reading.roots]
    for branch in branches:
        in_order(branch)
    return write_yaml(branches) if reading.syntax == "yaml" else write_json(branches[0])


def _is_same(reading: Reading, after: str) -> bool:
    """Tell whether the text that was written means the same, has the same comments and the same problems."""
    again = read(after.encode(), reading.source.name, reading.syntax)
    return (
        meaning(again) == meaning(reading)
        and _comments(again) == _comments(reading)
        and _told(again.problems) == _told(reading.problems)
    )


def _comments(reading: Reading) -> Counter[str]:
    lines = (line for root in reading.roots for comment in comments_of(root) for line in comment.lines)
    return Counter("".join(line.split()) for line in lines if line.strip())


def _told(problems: Problems) -> Counter[tuple[str, str]]:
    return Counter((problem.code, problem.message) for problem in problems)
