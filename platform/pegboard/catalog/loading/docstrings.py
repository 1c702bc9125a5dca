"""What a docstring says of a function and its parameters, in the styles of Google, numpy and Sphinx.

Above it: `handler` and `annotations`, which read the same text from a function and from its source.
"""

import inspect
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

_SECTION = re.compile(r"(?:Args|Arguments|Parameters|Params|Keyword Args|Keyword Arguments|Other Parameters):\s*$")
_ANY_SECTION = re.compile(r"[A-Z][A-Za-z ]{2,30}:\s*$")
_GOOGLE = re.compile(r"(?P<indent>\s*)\*{0,2}(?P<name>\w+)\s*(?:\([^)]*\))?\s*:\s*(?P<text>.*)$")
_SPHINX = re.compile(
    r"\s*:(?:param|parameter|arg|argument|key|keyword)\s+(?:[^:]*\s)?\*{0,2}(?P<name>\w+)\s*:\s*(?P<text>.*)$"
)
_FIELD = re.compile(r"\s*:\w+[^:]*:")
_NUMPY_HEAD = re.compile(r"(?:Parameters|Other Parameters)\s*$")
_NUMPY = re.compile(r"\*{0,2}(?P<names>\w+(?:\s*,\s*\w+)*)\s*(?::.*)?$")
_SENTENCE = re.compile(r".+?(?:(?<!e\.g)(?<!i\.e)[.!?](?=\s|$)|[。！？]|$)")
_LONGEST = 2000
"""Characters of what is said of one parameter."""


@dataclass(frozen=True, slots=True)
class Said:
    """What a docstring says."""

    summary: str = ""
    """Its first sentence."""
    parameters: Mapping[str, str] = field(default_factory=dict)
    """What is said of each parameter, by its name."""


NOTHING = Said()


def said_in(docstring: str | None) -> Said:
    """Return what `docstring` says."""
    if not docstring or not docstring.strip():
        return NOTHING
    lines = inspect.cleandoc(docstring).splitlines()
    found = {**_google(lines), **_numpy(lines), **_sphinx(lines)}
    return Said(_summary(lines), {name: " ".join(text.split())[:_LONGEST] for name, text in found.items() if text})


def _summary(lines: Sequence[str]) -> str:
    """Return the first sentence of the first paragraph."""
    first: list[str] = []
    for line in lines:
        if not line.strip() or _SECTION.match(line) or _FIELD.match(line):
            break
        first.append(line.strip())
    match = _SENTENCE.match(" ".join(first))
    return match[0].strip() if match else ""


def _google(lines: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    name, depth, is_inside = "", 0, False
    for line in lines:
        if _ANY_SECTION.match(line):
            is_inside, name = _SECTION.match(line) is not None, ""
        elif is_inside and line.strip():
            indent = len(line) - len(line.lstrip())
            match = _GOOGLE.match(line)
            if not indent:
                is_inside = False
            elif match is not None and (not name or indent <= depth):
                name, depth = match["name"], indent
                found[name] = match["text"]
            elif name:
                found[name] += f" {line.strip()}"
    return found


def _numpy(lines: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    names: list[str] = []
    is_inside = False
    for line, below in zip(lines, [*lines[1:], ""], strict=True):
        if below.strip() and not below.strip("- "):
            is_inside, names = _NUMPY_HEAD.match(line) is not None, []
        elif not is_inside or not line.strip("- "):
            continue
        elif not line.startswith(" "):
            match = _NUMPY.match(line)
            names = re.split(r"\s*,\s*", match["names"]) if match else []
            found |= dict.fromkeys(names, "")
        else:
            found |= {name: f"{found[name]} {line.strip()}" for name in names}
    return found


def _sphinx(lines: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    name = ""
    for line in lines:
        if (match := _SPHINX.match(line)) is not None:
            name = match["name"]
            found[name] = match["text"]
        elif _FIELD.match(line) or not line.strip():
            name = ""
        elif name:
            found[name] += f" {line.strip()}"
    return found
