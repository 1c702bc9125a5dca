"""`Findings`: what the checks of a configuration's meaning find, each once and at the narrowest place.

Not here: what is looked for. Below: `config.problems` keeps the problems, `config.source` the texts.
"""

import re
from collections import Counter
from collections.abc import Iterable

from pegboard.catalog.invisible import hidden_in
from pegboard.config.declarations import Declarations, Declared, Kind
from pegboard.config.problems import Dialect, Problem, Problems, severity_of
from pegboard.config.span import Span
from pegboard.text import did_you_mean

_MOST_HINTED = 100
"""Words for which a near one is looked for: of very many only the first are read, and looking costs time."""

_WRITTEN = re.compile(r"\\[uUx]|&#|\$\{")
"""By which a text may hold a character that its document does not show: escapes, variables."""
_LONGEST_ESCAPE = 16
"""Characters; a value may end within one."""

_EVERYWHERE = frozenset({"knowledge", "models", "sites", "tags", "types"})
"""Nouns whose choices are those of the whole configuration: one look is enough for all."""


_MOST_ERRORS = 1000
_MOST_WARNINGS = 1000
"""Of one document; the rest is not listed."""
_COSTS = {"PB301": 5}
"""Errors that count several times, because it takes long to find what is wrong."""
_MOST_SEARCHED = 8 << 20
"""Characters of documents in which narrow places are looked for, all together."""


class Enough(Exception):
    """So many errors were found that nobody looks for more; the problem that says so was added already."""


class Findings:
    """Takes what is wrong, for the documents of one configuration."""

    def __init__(self, declared: Declarations, problems: Problems) -> None:
        self._sources = declared.sources
        self._is_complete = declared.is_complete
        self._problems = problems
        self._found: set[tuple[str, Span, str]] = set()
        self._hints: dict[tuple[str, str], str] = {}
        self._looked = 0
        self._may_hide: dict[str, bool] = {}
        self._errors = 0
        self._warnings: Counter[str] = Counter()
        self._left_to_search = _MOST_SEARCHED

    def add(
        self,
        code: str,
        place: Span,
        message: str,
        *,
        hint: str = "",
        dialect: Dialect = "own",
        also: tuple[Span, ...] = (),
    ) -> None:
        """Add a problem, unless it was found before: what many sites inherit is wrong once.

        Raises:
            Enough: with it, there are more errors than anybody mends at once.
        """
        if (code, place, message) not in self._found and self._has_room(code, place.file, dialect):
            self._found.add((code, place, message))
            self._problems.add(code, place, message, hint=hint, dialect=dialect, also=also)

    def _has_room(self, code: str, file: str, dialect: Dialect) -> bool:
        """Count a problem; tell whether it is still listed."""
        if severity_of(code, dialect) == "warning":
            self._warnings[file] += 1
            if self._warnings[file] == _MOST_WARNINGS + 1:
                message = f"more than {_MOST_WARNINGS} warnings; the rest is not listed"
                self._problems.append(Problem(Span(file, 1, 1), "PB006", "warning", message))
            return self._warnings[file] <= _MOST_WARNINGS
        self._errors += _COSTS.get(code, 1)
        if self._errors <= _MOST_ERRORS:
            return True
        message = "there are so many errors that no more are looked for"
        self._problems.append(Problem(Span(file, 1, 1), "PB006", "error", message, "Mend those that are listed first."))
        raise Enough

    def unknown(self, code: str, place: Span, message: str, *, hint: str = "") -> None:
        """Add that a name is not there, unless it may stand in a document that could not be read."""
        if self._is_complete:
            self.add(code, place, message, hint=hint)

    def near(self, word: str, choices: Iterable[str], *, noun: str = "") -> str:
        """Say what `word` was meant to be, or what there is; empty after very many."""
        key = (noun, word)
        if noun in _EVERYWHERE and key in self._hints:
            return self._hints[key]
        if self._looked >= _MOST_HINTED:
            return ""
        self._looked += 1
        self._hints[key] = hint = did_you_mean(word, choices, noun=noun)
        return hint

    def may_hide(self, declared: Declared[Kind]) -> bool:
        """Tell whether a text of `declared` may hold a character that nobody sees: its document does, or an escape."""
        file = declared.span.file
        if file not in self._may_hide:
            text = self._sources[file].text if file in self._sources else "${"
            self._may_hide[file] = _WRITTEN.search(text) is not None or hidden_in(text) is not None
        return self._may_hide[file]

    def within(self, place: Span, value: str, part: str, spellings: str = "") -> Span:
        """Return where the first `part` of `value`, which stands at `place`, is in the document.

        `spellings` is a pattern of how else the document may write it, such as an escape. Where the text of the
        document and `value` do not agree on how often it is there (a variable, an escape of another kind),
        `place` is returned.
        """
        source = self._sources.get(place.file)
        if source is None or not place.end_line or self._left_to_search < 0:
            return place
        start, end = source.offset(place.line, place.column), source.offset(place.end_line, place.end_column)
        self._left_to_search -= end - start
        pattern = re.compile(f"{re.escape(part)}|{spellings}" if spellings else re.escape(part))
        behind = pattern.finditer(source.text, start, end + _LONGEST_ESCAPE)
        found = [match for match in behind if match.start() < end]
        if not found or len(found) != value.count(part):
            return place
        return source.span(found[0].start(), found[0].end())
