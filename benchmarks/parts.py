"""How often a question is found to be of several parts: `python -m benchmarks.parts [FOLDER ...]`.

Without a folder: the hand-written table `tests/route/clauses.tsv` (precision and recall of the wording alone), and the
committed question files and examples of the demo sites, which are of one part. With folders of JSON lines: each file's
`query` (or `question`), by the wording, and by the wording and the tools of the site `kitchen`.
"""

import json
import sys
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path

import anyio

from pegboard.app import catalog_of, settings_from
from pegboard.catalog.tool import Toolset
from pegboard.llm.embedder import SentenceEncoder
from pegboard.route.clauses import clauses
from pegboard.route.embedded import EmbeddedScorer, train
from pegboard.route.gating import plain, steps
from pegboard.route.parts import Parting, parts
from pegboard.text import language

ROOT = Path(__file__).parents[1]
MOST = 5_000
"""Questions of one file."""


def table() -> list[tuple[str, int]]:
    """Return the questions of the table, each with the number of its parts."""
    lines = (ROOT / "tests/route/clauses.tsv").read_text("utf-8").splitlines()
    told = [line.split("\t") for line in lines if line and not line.startswith("#")]
    return [(question, 1 if found == "-" else found.count(" | ") + 1) for found, question in told]


def judged(rows: Sequence[tuple[str, int]]) -> str:
    """Say how well the wording alone tells questions of several parts, and how many are parted into as many."""
    found = [(wanted, len(clauses(question))) for question, wanted in rows]
    hits = sum(wanted > 1 and got > 1 for wanted, got in found)
    said, there = sum(got > 1 for _, got in found), sum(wanted > 1 for wanted, _ in found)
    exact = sum(wanted == got for wanted, got in found)
    return f"{len(rows)} questions, precision {hits / said:.3f}, recall {hits / there:.3f}, as many parts {exact}"


async def several(questions: Iterable[str], scorer: EmbeddedScorer, toolset: Toolset) -> list[str]:
    """Return the questions that the wording and the tools of a site find to be of several parts."""
    by = Parting(toolset, partial(scorer.score, toolset=toolset))
    return [question for question in questions if await parts(question, by)]


def told(name: str, questions: Sequence[str], scorer: EmbeddedScorer, toolset: Toolset) -> None:
    """Print how many of `questions` are of several parts."""
    worded = sum(len(clauses(question)) > 1 for question in questions)
    found = anyio.run(several, questions, scorer, toolset)
    share = 100 / max(len(questions), 1)
    print(
        f"{name}: {len(questions)} questions; several parts by the wording {worded} ({worded * share:.2f} %), "
        f"with the tools of {toolset.site} {len(found)} ({len(found) * share:.2f} %)"
    )


def _queries(file: Path) -> list[str]:
    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()[:MOST]]
    asked = [row.get("query", row.get("question")) for row in rows if isinstance(row, dict)]
    return [text for text in asked if isinstance(text, str)]


def main(folders: Sequence[str]) -> None:
    """Print all of it."""
    rows = table()
    for code in ("en", "zh"):
        print(f"table, {code}: {judged([row for row in rows if language(row[0]) == code])}")
    catalog = catalog_of(settings_from(config=ROOT, environ={}))
    scorer = train(SentenceEncoder(), [tool for toolset in catalog.sites.values() for tool in toolset.tools])
    kitchen = steps(catalog.sites["kitchen"])
    for name, toolset in catalog.sites.items():
        own = [question for tool in plain(toolset).tools for question in tool.questions]
        told(f"examples of {name}", own, scorer, steps(toolset))
    told("tests/route/questions.jsonl", _queries(ROOT / "tests/route/questions.jsonl"), scorer, kitchen)
    for file in sorted(path for folder in folders for path in Path(folder).glob("*.jsonl")):
        if asked := _queries(file):
            told(file.name, asked, scorer, kitchen)


if __name__ == "__main__":
    main(sys.argv[1:])
