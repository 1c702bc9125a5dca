"""What deciding costs without a model: one embedded route at 20 tools, in a warm process.

    python benchmarks/route.py

Beside it stands a bare loop that does the same sums with nothing around them: the question encoded, one
product. Written for this benchmark: 20 tools with eight examples each, in English and Chinese.
"""

import statistics
import time
from collections.abc import Mapping, Sequence

import anyio
import numpy as np

from pegboard.catalog.contract import Context, Question, Result
from pegboard.catalog.tool import Routing, Tool, Toolset
from pegboard.events import silent
from pegboard.llm.embedder import SentenceEncoder
from pegboard.route.embedded import train
from pegboard.route.router import Router
from pegboard.text import Json

ROUNDS = 20
TOPICS = (
    ("weather", "天气"),
    ("train tickets", "火车票"),
    ("hotels", "酒店"),
    ("recipes", "菜谱"),
    ("exchange rates", "汇率"),
    ("news", "新闻"),
    ("translation", "翻译"),
    ("parcels", "快递"),
    ("films", "电影"),
    ("concerts", "音乐会"),
    ("museums", "博物馆"),
    ("restaurants", "餐厅"),
    ("taxis", "出租车"),
    ("pharmacies", "药店"),
    ("libraries", "图书馆"),
    ("bicycles", "自行车"),
    ("shares", "股票"),
    ("football", "足球"),
    ("gardens", "花园"),
    ("languages", "语言"),
)
ENGLISH = (
    "tell me about {} here",
    "which {} are there tomorrow",
    "find {} for two",
    "how much are {}",
    "more {} please",
)
CHINESE = ("有没有{}", "帮我查一下{}", "明天的{}怎么样")
QUESTIONS = (
    "will it rain in the north tomorrow?",
    "a room with breakfast for two nights",
    "去北京的火车什么时候开",
    "what can I cook with leftover rice",
    "how many euros is a hundred yuan",
    "附近哪里可以买药",
    "who won the match last night",
    "say thank you in Portuguese",
    "where is my parcel",
    "有什么好看的电影",
)


async def _never_run(context: Context, arguments: Mapping[str, Json]) -> Result:
    raise AssertionError("deciding runs no tool")


def make_tool(english: str, chinese: str) -> Tool:
    return Tool(
        name=english.replace(" ", "_"),
        type="Item",
        description=f"Finds {english}.",
        examples={
            "en": tuple(shape.format(english) for shape in ENGLISH),
            "zh": tuple(shape.format(chinese) for shape in CHINESE),
        },
        prompt="",
        reply={"type": "object"},
        parameters={"type": "object"},
        output=None,
        handler="",
        run=_never_run,
    )


def report(name: str, seconds: Sequence[float]) -> None:
    ordered = sorted(1000 * each for each in seconds)
    low, high = ordered[len(ordered) // 10], ordered[len(ordered) * 9 // 10]
    print(f"{name:14} median {statistics.median(ordered):.2f} ms, 10 to 90 %: {low:.2f} to {high:.2f} ms")


async def main() -> None:
    tools = tuple(make_tool(*topic) for topic in TOPICS)
    toolset = Toolset("benchmark", "", (), ("Item",), tools, Routing(fallback=""), ())
    encoder = SentenceEncoder()
    started = time.perf_counter()
    embedded = train(encoder, tools)
    embedded.prepare(toolset)
    print(f"encoder loaded, {len(tools)} tools trained in {time.perf_counter() - started:.2f} s")
    router = Router(embedded)
    weights = np.random.default_rng(0).normal(size=(len(tools), encoder.dimensions)).astype(np.float32)
    routed, bare = [], []
    for question in QUESTIONS * ROUNDS:
        started = time.perf_counter()
        await router.route(Question(question, "benchmark"), toolset, emit=silent, model=None)
        routed.append(time.perf_counter() - started)
        started = time.perf_counter()
        int((weights @ encoder.encode([question])[0]).argmax())
        bare.append(time.perf_counter() - started)
    report("embedded route", routed)
    report("bare loop", bare)


if __name__ == "__main__":
    anyio.run(main)
