r"""`Placeholders`: references in the styles that models have learnt, written as ours: `${node.path}`.

Read are `${n1.path}`, `{{n1.path}}`, `$n1.path`, `$1`, `#E1`, `<node-1>.path` and `<GENERATED>-1`, where they lead to a
step: by its id, by its tool where one step alone calls that, or, where steps have no ids, by its position. What is
plainly meant as one and leads to nothing becomes a reference of ours all the same, so that it is found to dangle; a
`$5` in a sentence stays what it is. Pure.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from pegboard.plan.references import INPUTS
from pegboard.planner.reading.ids import Ids, legal
from pegboard.planner.reading.mend import Findings
from pegboard.planner.reading.naming import spelled
from pegboard.text import Json, clipped

_PATH = r"(?:\.[A-Za-z_][\w-]*|\.\d{1,9}|\[\d{1,9}\])*"
_STYLES = re.compile(
    r"\$\$\{"
    r"|\$\{\s*(?P<ours>[^{}$]{1,200}?)\s*\}"
    r"|\{\{\s*(?P<double>[^{}$]{1,200}?)\s*\}\}"
    rf"|<(?P<angle>[\w .-]{{1,64}})>(?P<number>-\d{{1,4}}(?!\d))?(?P<angle_path>{_PATH})"
    rf"|(?<![\w$])\$(?P<dollar>[A-Za-z_][\w-]*|\d{{1,4}}(?![\d,]|\.\d))(?P<dollar_path>{_PATH})\$?"
    r"|#(?P<evidence>E\d{1,4})(?!\w)"
)
_LOOKS_LIKE = re.compile(r"\$\{|\$\w|\{\{|<[\w .-]{1,64}>|#E\d")
"""What could be a reference of any style."""
_NAME_AND_PATH = re.compile(r"(?P<name>[^.\[\]]+)(?P<path>(?:\.[^\s.\[\]{}$]+|\[\d{1,9}\])*)")
_POSITION = re.compile(r"(?:node|step|task|n|e|var)?[ _-]?(\d{1,4})", re.IGNORECASE)
_AROUND = ("steps", "nodes", "outputs", "results", "tasks")
"""What stands before the step in `{{steps.n1.output}}`."""
_LONGEST_SHOWN = 60

Style: TypeAlias = Literal["ours", "double", "angle", "dollar", "evidence"]
_Counted: TypeAlias = Literal["dollar", "other"]
"""Positions by how they are counted: `$1` is the first step wherever it can be."""


def looks_like_reference(value: Json) -> bool:
    """Tell whether any text of `value` holds what could be a reference of any style."""
    return any(_LOOKS_LIKE.search(text) for text in texts_in(value))


def texts_in(value: Json) -> Iterator[str]:
    """Yield all texts of `value`."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from texts_in(inner)


@dataclass(frozen=True, slots=True)
class _Written:
    """A reference as it was written."""

    style: Style
    name: str
    path: str
    whole: str
    is_alone: bool
    """The text is nothing else."""

    @property
    def counted(self) -> _Counted:
        return "dollar" if self.style == "dollar" else "other"

    @property
    def position(self) -> int | None:
        """The position that its name is, or may be."""
        match = _POSITION.fullmatch(self.name)
        return int(match[1]) if match else None


@dataclass
class Placeholders:
    """The references of one plan."""

    ids: Ids
    tools: Sequence[tuple[str, ...]]
    """`tools[i]` is what step i calls, as it is named and as it was written."""
    findings: Findings
    known: Mapping[str, str] = field(default_factory=dict)
    """What else may be referred to, races and the like, by its name as it was written: as it is called."""
    _first: dict[_Counted, int | None] = field(default_factory=lambda: {"dollar": 1, "other": 1})
    """What the first step is numbered in positions; None: there is no telling."""
    _calling: dict[str, list[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Note who calls what."""
        for step, tools in zip(self.ids.all, self.tools, strict=True):
            for name in {spelled(tool) for tool in tools} - {""}:
                self._calling.setdefault(name, []).append(step)

    def learn(self, arguments: Sequence[Json]) -> None:
        """Find out from which number positions are counted; `arguments[i]` belongs to step i."""
        found: dict[_Counted, list[tuple[int, int]]] = {"dollar": [], "other": []}
        for place, value in enumerate(arguments):
            for written in (each for text in texts_in(value) for each in _all_in(text)):
                if (number := written.position) is not None and self._is_by_position(written):
                    found[written.counted].append((place, number))
        for kind, uses in found.items():
            self._first[kind] = self._first_of(kind, uses)

    def _first_of(self, kind: _Counted, uses: list[tuple[int, int]]) -> int | None:
        """Return what the first step is numbered, by what the references to earlier steps allow; None: no telling."""
        fitting = [first for first in (1, 0) if all(0 <= number - first < place for place, number in uses)]
        if not uses or len(fitting) == 1 or (fitting and kind == "dollar"):
            return fitting[0]
        if fitting:
            return None
        return 0 if any(number == 0 for _, number in uses) else 1

    def written(self, value: Json, node: str) -> Json:
        """Return `value`, of the step `node`, with its references as ours are written."""
        if isinstance(value, str):
            return _STYLES.sub(self._replacing(value, node), value)
        if isinstance(value, dict):
            return {key: self.written(inner, node) for key, inner in value.items()}
        return [self.written(inner, node) for inner in value] if isinstance(value, list) else value

    def _replacing(self, text: str, node: str) -> Callable[[re.Match[str]], str]:
        def replace(match: re.Match[str]) -> str:
            written = _read(match, text)
            return match[0] if written is None else self._ours(written, node)

        return replace

    def _ours(self, written: _Written, node: str) -> str:
        if self._is_undecided(written, node):
            return written.whole
        name, path = self._without_frame(written)
        target = self._target(written, name, node)
        if not target:
            if not self._is_plainly_meant(written):
                return written.whole
            target = legal(name)
        ours = f"${{{target}{path}}}"
        if ours != written.whole and written.whole.replace(" ", "") != ours:
            shown = clipped(written.whole, _LONGEST_SHOWN)
            self.findings.mend("reference", f"Step {node!r}: {shown} is written {ours}.", node)
        return ours

    def _without_frame(self, written: _Written) -> tuple[str, str]:
        """Return name and path; `steps.n1.output` is `n1` and `output`."""
        if written.name.lower() not in _AROUND or self.step(written.name):
            return written.name, written.path
        inner = _NAME_AND_PATH.fullmatch(written.path.removeprefix("."))
        return (inner["name"], inner["path"]) if inner else (written.name, written.path)

    def _target(self, written: _Written, name: str, node: str) -> str:
        if written.style == "ours" and name in self.known:
            return self.known[name]
        if self._is_by_position(written) and (number := written.position) is not None:
            return self._at(written, number, node)
        return self.step(name) if written.style != "dollar" or not name.isdigit() else self._by_number(written)

    def _by_number(self, written: _Written) -> str:
        """Return the step of which `$2` is the id; in a sentence it may be a price."""
        return self.step(written.name) if written.is_alone else ""

    def _is_by_position(self, written: _Written) -> bool:
        if self.ids.are_given or written.position is None:
            return False
        return not (written.style in {"ours", "double"} and self.ids.named(written.name))

    def _is_undecided(self, written: _Written, node: str) -> bool:
        """Tell whether `written` is a position of which nobody can tell from where it is counted; that is a fault."""
        if not self._is_by_position(written) or self._first[written.counted] is not None:
            return False
        message = f"Step {node!r}: {clipped(written.whole, _LONGEST_SHOWN)} may be counted from 0 or from 1."
        self.findings.fault("unclear", node, message, "Give each step an id, and refer to that.", written.whole)
        return True

    def _at(self, written: _Written, number: int, node: str) -> str:
        first = self._first[written.counted]
        assert first is not None  # or else it is undecided
        shown = clipped(written.whole, _LONGEST_SHOWN)
        place = number - first
        if not 0 <= place < len(self.ids.all):
            return "" if written.style == "dollar" and not written.is_alone else f"n{number}"
        self.findings.mend("position", f"Step {node!r}: {shown} is counted from {first}.", node)
        return self.ids.all[place]

    def step(self, name: str) -> str:
        """Return the step of that id, or else the only one that calls the tool of that name; empty: there is none."""
        if found := self.known.get(name) or self.ids.named(name):
            return found
        calling = self.calling(name)
        return calling[0] if len(calling) == 1 else ""

    def calling(self, name: str) -> list[str]:
        """Return the steps that call the tool of that name."""
        return self._calling.get(spelled(name), [])

    def _is_plainly_meant(self, written: _Written) -> bool:
        """Tell whether a reference that leads to nothing is one."""
        match written.style:
            case "ours":
                return written.name not in {INPUTS, *self.known}
            case "angle" | "evidence":
                return written.position is not None
            case "double":
                return written.position is not None and written.is_alone
            case "dollar":
                return written.is_alone and written.name.isdigit() and not self.ids.are_given


def _all_in(text: str) -> Iterator[_Written]:
    for match in _STYLES.finditer(text):
        if (written := _read(match, text)) is not None:
            yield written


def _read(match: re.Match[str], text: str) -> _Written | None:
    is_alone = match[0] == text.strip()
    if match["angle"]:
        name = match["angle"].strip() + (match["number"] or "")
        name = name.removeprefix("GENERATED-") if match["number"] else name
        return _Written("angle", name, match["angle_path"], match[0], is_alone)
    if match["dollar"]:
        return _Written("dollar", match["dollar"], match["dollar_path"], match[0], is_alone)
    if match["evidence"]:
        return _Written("evidence", match["evidence"], "", match[0], is_alone)
    style: Style = "ours" if match["ours"] else "double"
    inside = _NAME_AND_PATH.fullmatch((match["ours"] or match["double"] or "").strip())
    return _Written(style, inside["name"].strip(), inside["path"], match[0], is_alone) if inside else None
