"""`Ids`: what the steps of a plan are called, and what a model calls them. Pure."""

import re
from collections.abc import Sequence

from pegboard.plan.graph import ID
from pegboard.plan.references import INPUTS
from pegboard.planner.reading.mend import Findings
from pegboard.planner.reading.naming import spelled
from pegboard.text import Json, clipped

_ILLEGAL = re.compile(r"[^a-z0-9_-]+")
_LONGEST = 60


class Ids:
    """The ids of the steps, in their order, and their other names."""

    def __init__(self, written: Sequence[Json], findings: Findings, taken: Sequence[str] = ()) -> None:
        """Take the ids as they were written; None: a step has none. `taken` are those that others have."""
        raws = ["" if raw is None or isinstance(raw, dict | list) else str(raw).strip() for raw in written]
        self.are_given = any(raws)
        self._by_raw: dict[str, str] = {}
        used = {raw for raw in raws if is_legal(raw)} | set(taken)
        for raw in dict.fromkeys(raws):
            if raw in taken:
                findings.fault("duplicate", raw, f"The id {raw!r} is that of an earlier step.", "Take a new one.")
            if raw and raw not in self._by_raw:
                self._by_raw[raw] = raw if is_legal(raw) else _free(legal(raw), used)
                used.add(self._by_raw[raw])
                if self._by_raw[raw] != raw:
                    findings.mend("id", f"The id {clipped(raw, 60)!r} is written {self._by_raw[raw]!r}.")
        self.all: list[str] = []
        """`all[i]` is the id of step i."""
        for place, raw in enumerate(raws, start=1):
            self.all.append(self._by_raw[raw] if raw else _free(f"n{place}", used))
            used.add(self.all[-1])
        self._known = set(self.all)
        self._spelled: dict[str, list[str]] = {}
        for each in self._known:
            self._spelled.setdefault(spelled(each), []).append(each)

    def is_written(self, name: str) -> bool:
        """Tell whether a step was written with exactly this id."""
        return name in self._by_raw

    def named(self, name: str) -> str:
        """Return the id of the step that is called `name`; empty: none is."""
        name = name.strip()
        if name in self._by_raw:
            return self._by_raw[name]
        if not name or legal(name) in self._known:
            return legal(name) if name else ""
        alike = self._spelled.get(spelled(name), [])
        return alike[0] if len(alike) == 1 else ""


def legal(raw: str) -> str:
    """Return `raw` as an id may be written."""
    text = _ILLEGAL.sub("-", raw.lower()).strip("-_")[:_LONGEST]
    if not text[:1].isalpha():
        text = f"n{text}"
    return f"n-{text}" if text == INPUTS else text


def is_legal(raw: str) -> bool:
    """Tell whether `raw` is an id as ids are written."""
    return re.fullmatch(ID, raw) is not None and raw != INPUTS


def _free(wanted: str, used: set[str]) -> str:
    name, count = wanted, 1
    while name in used:
        count += 1
        name = f"{wanted}_{count}"
    return name
