"""How often a question is found to be of several parts: `python -m benchmarks.parts [DATA]`.

Without DATA: the hand-written table `tests/route/parting/clauses.tsv` (precision and recall of the wording alone), and
the committed questions and examples of the demo sites, which are of one part. DATA holds `routing/` as
`benchmarks/embedded_scorer.py` wants it: each set by the wording, and with its own tools.
"""

import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import anyio

from benchmarks.embedded_scorer import MANY, make_tool, make_toolset, read, strings, tools_with_examples
from pegboard.app import catalog_of, settings_from
from pegboard.catalog.tool import Toolset
from pegboard.llm.embedder import SentenceEncoder
from pegboard.route.embedded import EmbeddedScorer, train
from pegboard.route.gating import plain, steps
from pegboard.route.parting.clauses import clauses
from pegboard.route.parting.parts import Parting, parts
from pegboard.text import language

ROOT = Path(__file__).parents[1]


def table() -> list[tuple[str, int]]:
    """Return the questions of the table, each with the number of its parts."""
    lines = (ROOT / "tests/route/parting/clauses.tsv").read_text("utf-8").splitlines()
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
    by = Parting(toolset, scorer.score)
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


def of_data(data: Path, encoder: SentenceEncoder) -> None:
    """Print it for public sets of one intent a question, then for MetaTool with the candidates of each question."""
    for title, intents, files in MANY:
        tools = tools_with_examples(data / f"routing/{intents}.jsonl")
        questions = [str(row["query"]) for file in files for row in read(data / f"{file}.jsonl")]
        told(title, questions, train(encoder, tools), make_toolset(tools))
    tools = [
        make_tool(str(row["name"]), description=str(row["description"]))
        for row in read(data / "routing/metatool_tools.jsonl")
    ]
    by_name, scorer = {tool.name: tool for tool in tools}, train(encoder, tools)
    for file in ("metatool_single_10cand", "metatool_multi_2of10"):
        rows = read(data / f"routing/{file}.jsonl")
        worded = found = 0
        for row in rows:
            toolset = make_toolset([by_name[name] for name in strings(row["candidates"]) if name in by_name])
            worded += len(clauses(str(row["query"]))) > 1
            found += len(anyio.run(several, [str(row["query"])], scorer, toolset))
        print(f"{file}: {len(rows)} questions; several parts by the wording {worded}, with their tools {found}")
    chinese = [str(row["query"]) for row in read(data / "routing/zh_crosswoz_user_turns.jsonl")]
    print(f"crosswoz: {len(chinese)} questions; by the wording {sum(len(clauses(text)) > 1 for text in chinese)}")


def main(data: Sequence[str]) -> None:
    """Print all of it."""
    rows = table()
    for code in ("en", "zh"):
        print(f"table, {code}: {judged([row for row in rows if language(row[0]) == code])}")
    catalog, encoder = catalog_of(settings_from(config=ROOT, environ={})), SentenceEncoder()
    scorer = train(encoder, [tool for toolset in catalog.sites.values() for tool in toolset.tools])
    asked = [json.loads(line) for line in (ROOT / "tests/route/questions.jsonl").read_text("utf-8").splitlines()]
    for name, toolset in catalog.sites.items():
        own = [question for tool in plain(toolset).tools for question in tool.questions]
        told(f"examples of {name}", own, scorer, steps(toolset))
        blind = [row["question"] for row in asked if row["site"] == name]
        told(f"questions of {name}", blind, scorer, steps(toolset))
    for folder in data:
        of_data(Path(folder), encoder)


if __name__ == "__main__":
    main(sys.argv[1:])
