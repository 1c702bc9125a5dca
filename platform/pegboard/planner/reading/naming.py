"""`Names`: which tool a model means by a name. Pure.

A name in other capitals, with other marks between its words or with a prefix of its provider's is a spelling of the
same; a slip is mended where one tool alone is near, and that changes nothing: a slip must not decide what is deleted.
"""

import difflib
import re
from collections.abc import Sequence

from pegboard.catalog.tool import Tool

_MARKS = re.compile(r"[\W_]+")
_PREFIX = re.compile(r"^.*(?:[.:/]|__)(?=[^.:/]+$)")
_LEAST_LIKENESS = 0.85
_SHORTEST = 4
_LONGEST = 100


class Names:
    """The tools of a plan by all spellings of their names."""

    def __init__(self, tools: Sequence[Tool]) -> None:
        self._exact = {tool.name: tool for tool in tools}
        self._spelled: dict[str, list[Tool]] = {}
        for tool in tools:
            self._spelled.setdefault(spelled(tool.name), []).append(tool)

    def found(self, name: str) -> Tool | None:
        """Return the tool that `name` means; None: none, or there is no telling which."""
        if tool := self._exact.get(name):
            return tool
        if not name or len(name) > _LONGEST:
            return None
        for spelling in dict.fromkeys((spelled(name), spelled(_PREFIX.sub("", name)))):
            if len(found := self._spelled.get(spelling, [])) == 1:
                return found[0]
        return self._near(spelled(name))

    def _near(self, spelling: str) -> Tool | None:
        if len(spelling) < _SHORTEST:
            return None
        found = difflib.get_close_matches(spelling, self._spelled, n=2, cutoff=_LEAST_LIKENESS)
        near = [tool for each in found for tool in self._spelled[each]]
        return near[0] if len(near) == 1 and near[0].read_only else None


def spelled(name: str) -> str:
    """Return what all spellings of a name have in common."""
    return _MARKS.sub("", name).casefold()
