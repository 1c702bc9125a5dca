"""Which sites each site extends, in what order; circles, unknown names and endless chains are found here."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from pegboard.catalog.findings import Findings
from pegboard.config.declarations import Declared, SiteDeclaration

DEEPEST = 64
"""Sites that may extend one another in a row."""

Sites: TypeAlias = Mapping[str, Declared[SiteDeclaration]]
"""By name."""

_Open: TypeAlias = tuple[Iterator[tuple[int, str]], list[str]]
"""What is still to be looked at of what a site extends, and what of it counts."""

_MOST_NAMED = 12


def lineages(sites: Sites, findings: Findings) -> dict[str, tuple[str, ...]]:
    """Return for each site all that it extends, the farthest first, each once, itself left out.

    An `extends` that leads nowhere, in a circle or too deep is reported and counts for nothing.
    """
    return _Lineages(sites, findings).all()


class _Lineages:
    def __init__(self, sites: Sites, findings: Findings) -> None:
        self._sites = sites
        self._findings = findings
        self._done: dict[str, tuple[str, ...]] = {}
        self._depth: dict[str, int] = {}

    def all(self) -> dict[str, tuple[str, ...]]:
        for name in self._sites:
            if name not in self._done:
                self._walk(name)
        return self._done

    def _walk(self, start: str) -> None:
        """Visit what `start` extends, the deepest first; no recursion, because chains may be long."""
        open_ = {start: self._opened(start)}
        while open_:
            name, (places, kept) = next(reversed(open_.items()))
            found = next(places, None)
            if found is None:
                del open_[name]
                self._finish(name, kept)
            elif self._may_extend(name, *found, open_):
                kept.append(found[1])
                if found[1] not in self._done:
                    open_[found[1]] = self._opened(found[1])

    def _opened(self, name: str) -> _Open:
        return iter(enumerate(self._sites[name].value.extends)), []

    def _may_extend(self, name: str, index: int, parent: str, above: Iterable[str]) -> bool:
        """Tell whether what `name` extends counts; `above` are the sites that are being visited, `name` the last."""
        place = self._sites[name].at("extends", index)
        if parent not in self._sites:
            hint = self._findings.near(parent, self._sites, noun="sites")
            self._findings.unknown("PB204", place, f"there is no site {parent!r} to extend", hint=hint)
        elif parent not in self._done and parent in above:
            visited = [*above]
            circle = [*visited[visited.index(parent) :], parent]
            whose = f"site {name!r} extends itself"
            message = whose if name == parent else f"{whose} through {parent!r}: {_row(circle)}"
            hint = "" if name == parent else "Remove one of them."
            self._findings.add("PB204", place, message, hint=hint)
        else:
            return True
        return False

    def _finish(self, name: str, parents: Sequence[str]) -> None:
        depth = 1 + max((self._depth[parent] for parent in parents), default=0)
        if depth > DEEPEST:
            message = f"site {name!r} extends more than {DEEPEST} sites in a row"
            self._findings.add("PB204", self._sites[name].at("extends"), message)
            depth, parents = 1, ()
        found: dict[str, None] = {}
        for parent in parents:
            found.update(dict.fromkeys(self._done[parent]))
            found[parent] = None
        self._done[name], self._depth[name] = tuple(found), depth


def _row(names: Sequence[str]) -> str:
    return " > ".join(names if len(names) <= _MOST_NAMED else [*names[: _MOST_NAMED - 1], "…", names[-1]])
