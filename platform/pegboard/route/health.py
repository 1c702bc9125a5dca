"""`SiteHealth`: how well a site's tools are told apart, by asking each example without having learned it.

Pure: what each example was taken for goes in, a report comes out. Not here: the leaving out (`route/head.py`), and
what asks for it (`EmbeddedScorer.health`).
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from pegboard.text import Json, clipped


@dataclass(frozen=True, slots=True)
class Taken:
    """What an example was taken for when it was left out."""

    example: str
    tool: int
    """The tool that it was declared for, by its place in the toolset."""
    taken: int
    margin: float
    """How much better than its own tool fits the other that fits best; below zero where its own does."""


@dataclass(frozen=True, slots=True)
class ToolHealth:
    """How well one tool is told apart from the others of its site."""

    tool: str
    examples: int
    right: int
    """How many of them lead to the tool when they are left out."""
    confused_with: str = ""
    """The tool that most of the others lead to; empty if none does."""
    overlap: str = ""
    """The example that is furthest on the wrong side."""

    @property
    def accuracy(self) -> float | None:
        """The share that is right, 0 to 1; None without examples."""
        return self.right / self.examples if self.examples else None

    def to_json(self) -> dict[str, Json]:
        """Return the tool as `platform check --health --json` shows it."""
        return {
            "tool": self.tool,
            "examples": self.examples,
            "right": self.right,
            "accuracy": None if self.accuracy is None else round(self.accuracy, 3),
            "confused_with": self.confused_with or None,
            "overlap": self.overlap or None,
        }


@dataclass(frozen=True, slots=True)
class SiteHealth:
    """How well all tools of a site are told apart."""

    site: str
    tools: tuple[ToolHealth, ...]
    overlaps: tuple[str, ...]
    """A sentence for each tool that is taken for another, the worst first: `details and search overlap: '…'`."""
    note: str = ""
    """Why there are no figures; empty where there are."""

    def __str__(self) -> str:
        examples, right = (sum(getattr(tool, name) for tool in self.tools) for name in ("examples", "right"))
        if self.note or not examples:
            return f"health of {self.site}: {self.note or 'there are no examples'}"
        worst = f"; {self.overlaps[0]}" if self.overlaps else ""
        return f"health of {self.site}: {right} of {examples} examples lead to their tool when left out{worst}"

    def to_json(self) -> dict[str, Json]:
        """Return the site as `platform check --health --json` shows it."""
        return {
            "site": self.site,
            "tools": [tool.to_json() for tool in self.tools],
            "overlaps": list(self.overlaps),
            "note": self.note or None,
        }


def examined(site: str, tools: Sequence[str], examples: Sequence[Taken]) -> SiteHealth:
    """Return the health of a site from what each of its examples was taken for; of equal ones, the first counts."""
    by_tool: dict[int, list[Taken]] = {place: [] for place in range(len(tools))}
    for example in examples:
        by_tool[example.tool].append(example)
    wrong = {place: [each for each in asked if each.taken != place] for place, asked in by_tool.items()}
    worst = {place: max(strays, key=lambda each: each.margin) for place, strays in wrong.items() if strays}
    sentences = [
        f"{tools[stray.tool]} and {tools[stray.taken]} overlap: {clipped(stray.example, 80)!r}"
        for stray in sorted(worst.values(), key=lambda each: -each.margin)
    ]
    return SiteHealth(
        site,
        tuple(_of_tool(tools, place, asked, wrong[place], worst.get(place)) for place, asked in by_tool.items()),
        tuple(sentences),
    )


def _of_tool(
    tools: Sequence[str], place: int, asked: Sequence[Taken], wrong: Sequence[Taken], worst: Taken | None
) -> ToolHealth:
    if worst is None:
        return ToolHealth(tools[place], len(asked), len(asked))
    confused = Counter(each.taken for each in wrong).most_common(1)[0][0]
    return ToolHealth(tools[place], len(asked), len(asked) - len(wrong), tools[confused], worst.example)
