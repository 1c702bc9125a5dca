"""How often the right tool is among the few that a model is asked about, on public data.

    python benchmarks/shortlist.py DATA

DATA holds `routing/` as `benchmarks/embedded_scorer.py` wants it. Of each question every tool of the set is a
candidate. BM25 stands beside the embedded scorer's ranking, and the two taken in turns.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

import anyio

from benchmarks.embedded_scorer import MANY, Asked, asked, bm25, make_tool, make_toolset, ours, read, strings
from benchmarks.embedded_scorer import tools_with_examples as tools_of
from pegboard.catalog.tool import Tool
from pegboard.llm.embedder import SentenceEncoder

SIZES = (1, 4, 8, 12, 16, 20)


def order(scores: Sequence[float]) -> list[int]:
    """Return the tools from the best to the worst."""
    return sorted(range(len(scores)), key=lambda index: -scores[index])


def in_turns(one: Sequence[int], other: Sequence[int]) -> list[int]:
    """Return the tools of two rankings, one of each in turn, each once."""
    return list(dict.fromkeys(index for pair in zip(one, other, strict=True) for index in pair))


async def report(title: str, tools: Sequence[Tool], questions: Sequence[Asked], encoder: SentenceEncoder) -> None:
    toolset, names = make_toolset(tools), [tool.name for tool in tools]
    rankings = {"embedded": ours(tools, encoder), "BM25": bm25(tools)}
    places: dict[str, list[int]] = {"embedded": [], "BM25": [], "in turns": []}
    for question in questions:
        orders = {name: order(await rank(question.query, toolset)) for name, rank in rankings.items()}
        orders["in turns"] = in_turns(orders["embedded"], orders["BM25"])
        for name, found in orders.items():
            places[name].append(found.index(names.index(question.tool)))
    for name, found in places.items():
        shares = "  ".join(f"{size}: {100 * sum(place < size for place in found) / len(found):5.1f}" for size in SIZES)
        print(f"{title:10} {len(tools):4} tools  {name:9} {shares}")


async def main(data: Path) -> None:
    encoder = SentenceEncoder()
    for title, intents, files in MANY:
        questions = asked([row for file in files for row in read(data / f"{file}.jsonl")])
        await report(title, tools_of(data / f"routing/{intents}.jsonl"), questions, encoder)
    rows = read(data / "routing/metatool_tools.jsonl")
    tools = [make_tool(str(row["name"]), description=str(row["description"])) for row in rows]
    single = read(data / "routing/metatool_single_10cand.jsonl")
    await report("MetaTool", tools, [Asked(str(row["query"]), strings(row["expect"])[0]) for row in single], encoder)


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("data", type=Path)
    anyio.run(main, options.parse_args().data)
