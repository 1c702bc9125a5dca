"""How well the embedded scorer routes, on public data.

    python benchmarks/embedded_scorer.py DATA

DATA holds `routing/` (clinc_router20_in_scope, router20_tools, metatool_single_10cand, metatool_tools,
zh_crosswoz_user_turns, and the intents of clinc150, banking77 and hwu64) and `oos/` (clinc_far_out,
clinc_router20_near_out) as JSON lines. The scorer is trained only on what a tool's author would write. BM25 and the
nearest example, over the same texts, stand beside it.
"""

import argparse
import json
import math
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import anyio
import numpy as np
from numpy.typing import NDArray

from pegboard.catalog.contract import Context, Result
from pegboard.catalog.tool import Routing, Tool, Toolset
from pegboard.llm.embedder import SentenceEncoder
from pegboard.route.embedded import EmbeddedScorer, train
from pegboard.text import Json, tokens, words_of_name

Rank = Callable[[str, Toolset], Awaitable[Sequence[float]]]
"""Scores the tools of a toolset for a question."""
OURS = "embedded scorer"
OUT_OF_SCOPE = {"far": "clinc_far_out", "near": "clinc_router20_near_out"}
SHORTLIST = 8
MANY = (
    ("CLINC150", "clinc150_intents", ("routing/clinc_router20_in_scope", "oos/clinc_router20_near_out")),
    ("BANKING77", "banking77_intents", ("routing/banking77",)),
    ("HWU64", "hwu64_intents", ("routing/hwu64",)),
)


TRAVEL = {
    "酒店": ("帮我找一家便宜的酒店", "酒店有早餐吗", "住一晚多少钱"),
    "餐馆": ("附近有什么好吃的餐馆", "这家餐厅有什么推荐菜", "人均消费多少"),
    "景点": ("推荐一个好玩的景点", "门票多少钱", "游玩要多长时间"),
    "地铁": ("怎么坐地铁过去", "离哪个地铁站最近", "从这里坐地铁到那里"),
    "出租": ("帮我叫一辆出租车", "打车去酒店", "车牌号是多少"),
}
"""What the author of five travel tools would write, by CrossWOZ's names of them."""


@dataclass(frozen=True)
class Asked:
    """A question and the tool that is right for it."""

    query: str
    tool: str


async def _never_run(context: Context, arguments: Mapping[str, Json]) -> Result:
    raise AssertionError("deciding runs no tool")


def make_tool(name: str, *, description: str = "", examples: Sequence[str] = ()) -> Tool:
    return Tool(
        name=name,
        type="Item",
        description=description,
        examples={"": tuple(examples)},
        prompt="",
        reply={"type": "object"},
        parameters={"type": "object"},
        output=None,
        handler="",
        run=_never_run,
    )


def make_toolset(tools: Sequence[Tool]) -> Toolset:
    return Toolset("benchmark", "", (), ("Item",), tuple(tools), Routing(fallback=""), ())


def read(path: Path) -> list[dict[str, Json]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def strings(value: Json) -> list[str]:
    return [str(one) for one in value] if isinstance(value, list) else []


def asked(rows: Sequence[Mapping[str, Json]]) -> list[Asked]:
    return [Asked(str(row["query"]), str(row.get("intent") or row.get("true_intent"))) for row in rows]


def tools_with_examples(path: Path) -> list[Tool]:
    return [make_tool(str(row.get("name") or row["intent"]), examples=strings(row["examples"])) for row in read(path)]


def texts_of(tool: Tool) -> tuple[str, ...]:
    return tuple(text for text in (*tool.questions, tool.description, words_of_name(tool.name)) if text)


def bm25(tools: Sequence[Tool]) -> Rank:
    """Rank by the words of all texts of a tool taken together (k1 1.2, b 0.75)."""
    counts = {tool.name: Counter(word for text in texts_of(tool) for word in tokens(text)) for tool in tools}
    frequency = Counter(word for words in counts.values() for word in words)
    mean = sum(words.total() for words in counts.values()) / len(counts)

    def weight(word: str, words: Counter[str]) -> float:
        rarity = math.log(1 + (len(tools) - frequency[word] + 0.5) / (frequency[word] + 0.5))
        return rarity * words[word] * 2.2 / (words[word] + 1.2 * (0.25 + 0.75 * words.total() / mean))

    async def rank(question: str, toolset: Toolset) -> Sequence[float]:
        words = sorted(set(tokens(question)))
        return [sum(weight(word, counts[tool.name]) for word in words) for tool in toolset.tools]

    return rank


def nearest(tools: Sequence[Tool], encoder: SentenceEncoder) -> Rank:
    """Rank by the text that is nearest in meaning."""
    vectors = {tool.name: encoder.encode(texts_of(tool)) for tool in tools}

    async def rank(question: str, toolset: Toolset) -> Sequence[float]:
        vector = encoder.encode([question])[0]
        return [float((vectors[tool.name] @ vector).max()) for tool in toolset.tools]

    return rank


def ours(tools: Sequence[Tool], encoder: SentenceEncoder) -> Rank:
    scorer = train(encoder, tools)

    async def rank(question: str, toolset: Toolset) -> Sequence[float]:
        return [score.value or 0.0 for score in await scorer.score(question, toolset)]

    return rank


def all_ranks(tools: Sequence[Tool], encoder: SentenceEncoder) -> dict[str, Rank]:
    return {"BM25": bm25(tools), "nearest example": nearest(tools, encoder), OURS: ours(tools, encoder)}


@dataclass(frozen=True)
class Answers:
    """What a ranking says of some questions: the best score of each, and whether its tool is right."""

    scores: NDArray[np.float64]
    right: NDArray[np.bool_]

    @property
    def top1(self) -> float:
        return 100 * float(self.right.mean())


async def answer(rank: Rank, toolset: Toolset, questions: Sequence[Asked]) -> Answers:
    rows = [await rank(question.query, toolset) for question in questions]
    chosen = [toolset.tools[int(np.argmax(row))].name for row in rows]
    right = [name == question.tool for name, question in zip(chosen, questions, strict=True)]
    return Answers(np.array([max(row) for row in rows]), np.array(right))


def auroc(inside: NDArray[np.float64], outside: NDArray[np.float64]) -> float:
    """Return how often a question in scope is scored above one that is not; ties count half."""
    high, low = inside[:, None], outside[None, :]
    return float((high > low).mean() + (high == low).mean() / 2)


async def report_router20(data: Path, encoder: SentenceEncoder) -> None:
    tools = tools_with_examples(data / "routing/router20_tools.jsonl")
    toolset = make_toolset(tools)
    questions = asked(read(data / "routing/clinc_router20_in_scope.jsonl"))
    strange = {kind: asked(read(data / f"oos/{file}.jsonl")) for kind, file in OUT_OF_SCOPE.items()}
    for name, rank in all_ranks(tools, encoder).items():
        inside = await answer(rank, toolset, questions)
        outside = {kind: (await answer(rank, toolset, some)).scores for kind, some in strange.items()}
        curves = "  ".join(f"AUROC {kind} {auroc(inside.scores, scores):.3f}" for kind, scores in outside.items())
        away = 100 * float((outside["far"] < np.quantile(inside.scores, 0.05)).mean())
        print(f"CLINC 20 tools  {name:15} top-1 {inside.top1:5.1f}  {curves}  far away at 95 % in {away:.0f} %")
        if name == OURS:
            report_cutoff(inside, outside)


def report_cutoff(inside: Answers, outside: Mapping[str, NDArray[np.float64]]) -> None:
    """Say what the calibrated cutoff of 70 does, and how sure 90 is."""
    passes, sure = inside.scores >= 70, inside.scores >= 90
    away = ", ".join(f"{100 * (scores < 70).mean():.0f} % {kind}" for kind, scores in outside.items())
    print(
        f"    at the cutoff {100 * (inside.right & passes).mean():.1f} % taken and right, "
        f"{100 * (~inside.right & passes).mean():.1f} % taken and wrong; sent away: {away}; "
        f"{inside.right[sure].sum()} of {sure.sum()} right at 90 and above"
    )


async def report_small(data: Path, encoder: SentenceEncoder) -> None:
    """Take 2 to 8 of the 20 tools, alone in their catalogue, ten times: what a small site is."""
    tools = tools_with_examples(data / "routing/router20_tools.jsonl")
    questions = asked(read(data / "routing/clinc_router20_in_scope.jsonl"))
    far = asked(read(data / "oos/clinc_far_out.jsonl"))
    random = np.random.default_rng(0)
    for size in (2, 3, 5, 8):
        draws = [sorted(random.choice(len(tools), size, replace=False)) for _ in range(10)]
        parts = [await _small([tools[index] for index in draw], questions, far, encoder) for draw in draws]
        taken, wrong, away_far, away_near = 100 * np.array(parts).mean(axis=0)
        print(
            f"CLINC {size} tools alone: {taken:.1f} % taken and right, {wrong:.1f} % taken and wrong; "
            f"sent away: {away_far:.0f} % far, {away_near:.0f} % of the other tools' questions"
        )


async def _small(
    tools: Sequence[Tool], questions: Sequence[Asked], far: Sequence[Asked], encoder: SentenceEncoder
) -> tuple[float, float, float, float]:
    rank, toolset, names = ours(tools, encoder), make_toolset(tools), {tool.name for tool in tools}
    inside = await answer(rank, toolset, [question for question in questions if question.tool in names])
    near = await answer(rank, toolset, [question for question in questions if question.tool not in names])
    away = await answer(rank, toolset, far)
    passes = inside.scores >= 70
    return (
        float((inside.right & passes).mean()),
        float((~inside.right & passes).mean()),
        float((away.scores < 70).mean()),
        float((near.scores < 70).mean()),
    )


async def report_metatool(data: Path, encoder: SentenceEncoder) -> None:
    tools = {
        str(row["name"]): make_tool(str(row["name"]), description=str(row["description"]))
        for row in read(data / "routing/metatool_tools.jsonl")
    }
    rows = read(data / "routing/metatool_single_10cand.jsonl")
    whole = make_toolset(list(tools.values()))
    for name, rank in all_ranks(whole.tools, encoder).items():
        hits, listed = [], []
        for row in rows:
            query, expect = str(row["query"]), strings(row["expect"])
            few = make_toolset([tools[candidate] for candidate in strings(row["candidates"])])
            hits.append(few.tools[int(np.argmax(await rank(query, few)))].name in expect)
            best = np.argsort(-np.array(await rank(query, whole)), kind="stable")[:SHORTLIST]
            listed.append(any(whole.tools[place].name in expect for place in best))
        top1, recall = (100 * float(np.mean(found)) for found in (hits, listed))
        print(
            f"MetaTool        {name:15} of 10 top-1 {top1:5.1f}  "
            f"of {len(tools)} among the first {SHORTLIST} {recall:.1f}"
        )


async def report_many(data: Path, encoder: SentenceEncoder) -> None:
    for title, intents, files in MANY:
        tools = tools_with_examples(data / f"routing/{intents}.jsonl")
        questions = asked([row for file in files for row in read(data / f"{file}.jsonl")])
        for name, rank in all_ranks(tools, encoder).items():
            print(f"{title:15} {name:15} top-1 {(await answer(rank, make_toolset(tools), questions)).top1:5.1f}")


async def report_crosswoz(data: Path, encoder: SentenceEncoder) -> None:
    """Take each turn that is about one domain by itself; many need the turns before them."""
    tools = [make_tool(name, examples=examples) for name, examples in TRAVEL.items()]
    toolset = make_toolset(tools)
    rows = [row for row in read(data / "routing/zh_crosswoz_user_turns.jsonl") if strings(row["domains"])[1:] == []]
    known = [row for row in rows if strings(row["domains"])[0] in TRAVEL]
    questions = [Asked(str(row["query"]), strings(row["domains"])[0]) for row in known]
    first = np.array([bool(row["first_turn"]) for row in known])
    for name, rank in all_ranks(tools, encoder).items():
        right = (await answer(rank, toolset, questions)).right
        print(
            f"CrossWOZ        {name:15} top-1 {100 * right.mean():5.1f} ({len(known)} turns)  "
            f"{100 * right[first].mean():.1f} ({first.sum()} first turns)"
        )


def many_tools(data: Path, size: int) -> list[Tool]:
    """Return so many tools of three examples each: those of all sets, over and over with other words behind."""
    files = ("clinc150_intents", "banking77_intents", "hwu64_intents", "router20_tools")
    known = [tool for file in files for tool in tools_with_examples(data / f"routing/{file}.jsonl")]
    tools = []
    for number in range(size):
        tool, turn = known[number % len(known)], number // len(known)
        examples = [example + turn * " again" for example in tool.questions]
        tools.append(make_tool(f"{tool.name}_{turn}", examples=examples))
    return tools


async def report_speed(data: Path, encoder: SentenceEncoder) -> None:
    """Say how much processor time training and a question take, the encoder's part of it beside."""
    query = "how much money do I have on my savings account"
    for size in (20, 1000):
        tools = many_tools(data, size)
        changed = [*tools[:5], make_tool("changed", examples=["a new example"]), *tools[6:]]
        moments = [time.process_time()]
        for tool in tools:
            encoder.encode(texts_of(tool))
        moments.append(time.process_time())
        scorer, toolset = train(encoder, tools), make_toolset(tools)
        scorer.prepare(toolset)
        moments.append(time.process_time())
        train(encoder, changed, before=scorer).prepare(make_toolset(changed))
        moments.append(time.process_time())
        encoding, training, again = np.diff(moments)
        asked, encoded = await _question_milliseconds(scorer, toolset, encoder, query)
        print(
            f"{size} tools: trained in {training:.2f} s (encoding {encoding:.2f}), one changed in {again:.2f} s; "
            f"a question {asked:.1f} ms (encoding {encoded:.1f})"
        )


async def _question_milliseconds(
    scorer: EmbeddedScorer, toolset: Toolset, encoder: SentenceEncoder, query: str
) -> tuple[float, float]:
    pairs = []
    for _ in range(99):
        started = time.process_time()
        await scorer.score(query, toolset)
        between = time.process_time()
        encoder.encode([query])
        pairs.append((between - started, time.process_time() - between))
    asked, encoded = 1000 * np.median(np.array(pairs), axis=0)
    return float(asked), float(encoded)


async def main(data: Path) -> None:
    encoder = SentenceEncoder()
    encoder.encode(["warm"])
    await report_speed(data, encoder)
    await report_router20(data, encoder)
    await report_small(data, encoder)
    await report_metatool(data, encoder)
    await report_many(data, encoder)
    await report_crosswoz(data, encoder)


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("data", type=Path)
    anyio.run(main, options.parse_args().data)
