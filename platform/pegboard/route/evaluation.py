"""How often the right tool is found: questions with the tool that each wants, and what became of them. Pure.

Not here: who asks them (`app/evaluating.py`), nor how a row of a file is read (`route/question_file.py`).
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import fmean, median
from typing import get_args, get_type_hints

from pegboard.catalog.tool import Routing, Tool, Toolset
from pegboard.errors import UsageError
from pegboard.route.decision import Decision
from pegboard.route.gating import plain
from pegboard.text import Json, did_you_mean

NO_TOOL = "(none)"
"""What a report calls it when no tool is wanted, or none was good enough."""
STRATEGIES: tuple[str, ...] = get_args(get_type_hints(Routing)["strategy"])
"""The strategies that a site may declare."""


@dataclass(frozen=True, slots=True)
class Case:
    """A question whose right tool is known."""

    question: str
    site: str
    expect: str | None
    """Name of the tool; None: no tool should be good enough."""
    is_example: bool = False
    """It is an example of that tool, and is asked as if it were not."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What became of a case."""

    case: Case
    took: str | None
    """The tool that was good enough; None: none was, and the fallback took the question if there is one."""
    model: str = ""
    """Who scored."""
    calls: int = 0
    tokens: int = 0
    """Of all calls, in and out."""
    milliseconds: float = 0.0
    trouble: str = ""
    """Why something stood in for what was asked, or why there is no decision; empty: nothing did."""
    is_decided: bool = True

    @property
    def is_right(self) -> bool:
        """It took what was wanted."""
        return self.is_decided and self.took == self.case.expect

    def to_json(self) -> dict[str, Json]:
        """Return it as `platform eval --json` prints it."""
        told: dict[str, Json] = {
            "question": self.case.question,
            "site": self.case.site,
            "expect": self.case.expect,
            "took": self.took,
            "right": self.is_right,
            "model": self.model,
            "calls": self.calls,
            "tokens": self.tokens,
            "milliseconds": round(self.milliseconds, 1),
        }
        return told | ({"trouble": self.trouble} if self.trouble else {})


@dataclass(frozen=True, slots=True)
class Tally:
    """Some judged cases, counted; there is one at least."""

    asked: int
    right: int
    calls: float
    """A question, on the average, as are the tokens: they add up to a bill."""
    tokens: float
    milliseconds: float
    """Of the question in the middle."""

    @classmethod
    def of(cls, judged: Sequence[Judged]) -> "Tally":
        """Count these."""
        return cls(
            asked=len(judged),
            right=sum(each.is_right for each in judged),
            calls=fmean(each.calls for each in judged),
            tokens=fmean(each.tokens for each in judged),
            milliseconds=median(each.milliseconds for each in judged),
        )

    @property
    def accuracy(self) -> float:
        """The share that is right, 0 to 1."""
        return self.right / self.asked

    def to_json(self) -> dict[str, Json]:
        """Return it as `platform eval --json` prints it."""
        return {
            "asked": self.asked,
            "right": self.right,
            "accuracy": round(self.accuracy, 4),
            "calls": round(self.calls, 2),
            "tokens": round(self.tokens, 1),
            "milliseconds": round(self.milliseconds, 1),
        }


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What one strategy made of all cases."""

    strategy: str | None
    """None: of each site the one that it declares."""
    judged: tuple[Judged, ...] = field(repr=False)
    """In the order of the cases; there is one at least."""

    @property
    def name(self) -> str:
        """What a report calls the strategy."""
        return self.strategy or "as declared"

    @property
    def total(self) -> Tally:
        """All sites together."""
        return Tally.of(self.judged)

    @property
    def by_site(self) -> dict[str, Tally]:
        """Each site by itself, in the order of the cases."""
        return {site: Tally.of(judged) for site, judged in self._sites().items()}

    @property
    def misses(self) -> list[Judged]:
        """The cases that are not right."""
        return [each for each in self.judged if not each.is_right]

    @property
    def troubles(self) -> Counter[str]:
        """How often something stood in for what was asked, or ended a question, by the reason."""
        return Counter(each.trouble for each in self.judged if each.trouble)

    def confusion(self) -> dict[str, dict[str, Counter[str]]]:
        """Count what was taken, by site and by what was wanted."""
        return {site: _confusion(judged) for site, judged in self._sites().items()}

    def to_json(self) -> dict[str, Json]:
        """Return it as `platform eval --json` prints it."""
        models: list[Json] = [*dict.fromkeys(each.model for each in self.judged if each.model)]
        return {
            "strategy": self.name,
            "models": models,
            **self.total.to_json(),
            "sites": {site: tally.to_json() for site, tally in self.by_site.items()},
            "confusion": {
                site: {wanted: dict[str, Json](took) for wanted, took in rows.items()}
                for site, rows in self.confusion().items()
            },
            "troubles": dict[str, Json](self.troubles),
            "questions": [each.to_json() for each in self.judged],
        }

    def _sites(self) -> Mapping[str, list[Judged]]:
        sites: dict[str, list[Judged]] = {}
        for each in self.judged:
            sites.setdefault(each.case.site, []).append(each)
        return sites


def _confusion(judged: Sequence[Judged]) -> dict[str, Counter[str]]:
    rows: dict[str, Counter[str]] = {}
    for each in judged:
        took = (each.took or NO_TOOL) if each.is_decided else "(no decision)"
        rows.setdefault(each.case.expect or NO_TOOL, Counter())[took] += 1
    return rows


def taken(decision: Decision) -> str | None:
    """Return the tool that was good enough; one that only the fallback brought was not."""
    if decision.tool is None or decision.decided_by in {"fallback", "none"}:
        return None
    return decision.tool.name


def examples_of(toolset: Toolset) -> Iterator[Case]:
    """Yield every declared example of a site, once a tool; not those of tools that are for several parts only."""
    for tool in plain(toolset).tools:
        for question in dict.fromkeys(filter(str.strip, tool.questions)):
            yield Case(question, toolset.site, tool.name, is_example=True)


def evenly(cases: Sequence[Case], most: int | None) -> list[Case]:
    """Return at most `most` of them, evenly spread; None: all."""
    if most is None or most >= len(cases):
        return list(cases)
    return [cases[number * len(cases) // most] for number in range(most)]


def unaware(toolset: Toolset, case: Case) -> Toolset:
    """Return the toolset as it would be if the case were no example in it."""
    if not case.is_example:
        return toolset
    tools = tuple(_without(tool, case.question) if tool.name == case.expect else tool for tool in toolset.tools)
    return replace(toolset, tools=tools)


def _without(tool: Tool, question: str) -> Tool:
    kept = {code: tuple(each for each in texts if each != question) for code, texts in tool.examples.items()}
    return replace(tool, examples={code: texts for code, texts in kept.items() if texts})


def by_strategy(toolset: Toolset, strategy: str | None) -> Toolset:
    """Return the toolset with another strategy; None: as it is.

    Raises:
        UsageError: there is no such strategy.
    """
    if strategy is None or strategy == toolset.routing.strategy:
        return toolset
    if strategy not in STRATEGIES:
        raise UsageError(f"There is no strategy {strategy!r}.", hint=did_you_mean(strategy, STRATEGIES))
    changed: dict[str, object] = {"strategy": strategy}
    return replace(toolset, routing=replace(toolset.routing, **changed))  # type: ignore[arg-type]
