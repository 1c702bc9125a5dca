"""Examples that two tools of one toolset share: no scorer can tell the tools apart by them."""

import re
import unicodedata
from typing import NamedTuple

from pegboard.catalog.findings import Findings
from pegboard.catalog.toolsets.layers import Stack
from pegboard.config.declarations import Declared, ToolDeclaration
from pegboard.config.span import Span
from pegboard.text import clipped

_MARKS = r"""\s.,;:!?'"()\[\]{}«»…¡¿‘’“”–—\-、。「」『』《》〈〉【】〔〕·・"""
_MARK = re.compile(rf"(?<!\d)[{_MARKS}]+|[{_MARKS}]+(?!\d)")
"""Blank space and the marks of sentences; between two digits they are part of a number or a sum."""


class _Example(NamedTuple):
    folded: str
    text: str
    tool: Declared[ToolDeclaration]
    language: str
    position: int

    @property
    def place(self) -> Span:
        return self.tool.at("examples", self.language, self.position)


class RepeatedExamples:
    """Looks through toolsets; what many of them inherit is read once."""

    def __init__(self, findings: Findings) -> None:
        self._findings = findings
        self._checked: set[tuple[Stack, ...]] = set()
        self._read: dict[int, list[_Example]] = {}

    def check(self, stacks: tuple[Stack, ...]) -> None:
        """Report examples of one tool among `stacks`, those of one toolset, that are another one's too."""
        if stacks in self._checked:
            return
        self._checked.add(stacks)
        first: dict[str, tuple[str, _Example]] = {}
        for stack in stacks:
            giver = stack.giver("examples")
            for example in self._examples(giver) if giver is not None else ():
                owner, other = first.setdefault(example.folded, (stack.name, example))
                if owner != stack.name:
                    self._report(stack.name, example, owner, other)

    def _report(self, name: str, example: _Example, owner: str, other: _Example) -> None:
        same = "" if example.text == other.text else f", which writes it {clipped(other.text, 60)!r}"
        message = f"{clipped(example.text, 60)!r} is an example of tool {name!r} and of tool {owner!r}{same}"
        hint = "Leave it to the tool that should answer it."
        self._findings.add(
            "PB307", example.place, message, hint=hint, dialect=example.tool.dialect, also=(other.place,)
        )

    def _examples(self, tool: Declared[ToolDeclaration]) -> list[_Example]:
        if id(tool) not in self._read:
            self._read[id(tool)] = [
                _Example(folded(text), text, tool, language, position)
                for language, questions in tool.value.examples.items()
                for position, text in enumerate(questions)
                if text.strip()
            ]
        return self._read[id(tool)]


def folded(example: str) -> str:
    """Return an example without what does not make it another question: case, width, blank space, marks."""
    text = (example if example.isascii() else unicodedata.normalize("NFKC", example)).casefold()
    return _MARK.sub("", " ".join(text.split())) or text
