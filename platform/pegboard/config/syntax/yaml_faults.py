"""What is wrong with the syntax of a YAML file, in words that say what to do."""

import re
from bisect import bisect_right
from collections.abc import Sequence

import yaml

from pegboard.config.problems import Problems
from pegboard.config.syntax.source import Source

_UNPRINTABLE = re.compile("[\x7f-\x84\x86-\x9f\ufeff]")
"""What YAML refuses besides the control characters that no document may hold."""
_BREAKS = re.compile("[\x85\u2028\u2029]")
"""What ends a line in YAML 1.1, and nowhere else: not in YAML 1.2, and in no editor."""
_CONFLICT = re.compile("^(?:<{7}|>{7}) ", re.MULTILINE)
"""Where git marks the sides of a conflict."""
_GLUED = re.compile(r"[ -]*([A-Za-z_]{1,40}:)[^\s:/]")
"""A line that begins with a key whose value stands at once behind the colon."""
_MOST_BREAKS = 20
"""Places of such characters that are reported."""
_HINTS = {
    "wants spaces": "Indent with spaces.",
    "cannot start any token": "Quote a text that begins with @, ` or %.",
    "mapping values are not allowed": "Quote a text that holds `: `, and check the indentation.",
    "mapping keys are not allowed": "Quote a text that begins with `? `.",
    "block sequence entries are not allowed": "Begin a list on a line of its own, or write it as [a, b].",
    "expected <document start>": "Begin each further document with the line `---`.",
    "did not find expected": "Check the indentation and that brackets and quotes are closed.",
    "could not find expected": "A key needs `: ` behind it, and its value must be indented below it.",
    "invalid Unicode character escape code": "Write the character itself, or leave it out.",
    "unknown escape character": "Write \\\\ for a backslash, or put the text into single quotes.",
    "unexpected end of stream": "A quote is not closed.",
    "incompatible YAML document": "Write %YAML 1.2, or remove the line.",
    "directive": "Remove the line.",
    "tag handle": "Quote a text that begins with !.",
}


def report_syntax(error: yaml.YAMLError, source: Source, problems: Problems) -> None:
    """Turn PyYAML's error into a problem."""
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    text = str(getattr(error, "problem", None) or getattr(error, "reason", None) or error)
    if mark is not None and source.text.startswith("\t", mark.index):
        text = "a tab stands where YAML wants spaces"
    # The last line end of a file ends a line; a place behind it would be on a line that no editor shows.
    end = len(source.text.rstrip("\r\n"))
    unprintable = _UNPRINTABLE.search(source.text)
    offset = min(mark.index, end) if mark is not None else unprintable.start() if unprintable else 0
    context = getattr(error, "context_mark", None)
    begin = context.index if context is not None else offset
    hint = _look_alike(source, begin, offset) or next((hint for words, hint in _HINTS.items() if words in text), "")
    also = (source.span(begin),) if begin < offset else ()
    problems.add("PB003", source.span(offset), f"YAML: {text}", hint=hint, also=also)


def _look_alike(source: Source, begin: int, offset: int) -> str:
    """Say what to do about characters that only look like those of YAML."""
    text = source.text
    if "${" in text[max(offset - 1, 0) : offset + 2]:
        return "Between { and }, quote a text that holds ${…}."
    if "\ufeff" in text[max(offset - 1, 0) : offset + 1]:
        return "A byte order mark stands inside the file: remove it."
    if _CONFLICT.search(text):
        return "Lines such as <<<<<<< and >>>>>>> are of a merge that is not settled: keep one side."
    number = source.span(offset).line
    for line in (source.span(begin).line, number - 1):
        if glued := _GLUED.match(source.line(line)):
            return f"Write a blank behind the colon of {glued[1]!r}, in line {line}."
    if any("：" in source.line(line).partition(": ")[0] for line in (number, number - 1, source.span(begin).line)):
        return "Write `: ` where the full-width `：` stands."
    return ""


def has_breaks(source: Source) -> bool:
    """Tell whether a file holds characters that end a line in YAML 1.1 only."""
    return _BREAKS.search(source.text) is not None


def report_breaks(source: Source, quoted: Sequence[tuple[int, int]], problems: Problems) -> None:
    """Report such characters outside of the texts in quotes, which stand at `quoted` in rising order."""
    starts = [start for start, _ in quoted]
    reported = 0
    for match in _BREAKS.finditer(source.text):
        before = bisect_right(starts, match.start()) - 1
        if before >= 0 and match.start() < quoted[before][1]:
            continue
        message = f"YAML: the character U+{ord(match[0]):04X} ends a line here, though no editor shows it so"
        problems.add("PB003", source.span(match.start()), message, hint="Remove it, or put the text into quotes.")
        reported += 1
        if reported == _MOST_BREAKS:
            return
