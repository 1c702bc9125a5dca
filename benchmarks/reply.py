"""How well broken replies are read, and how long hostile ones take, beside json-repair alone in the same run.

    python -m benchmarks.reply FOLDER       FOLDER holds the sets, as JSON lines (see `SETS`)
    python -m benchmarks.reply              only what is damaged here, and the times

Read right means equal to what is expected. A set without expectations counts what raised something else than
`ModelMalformed`. Times are medians of nine, interleaved, with the least and the most; the promise is 1 s.
"""

import base64
import json
import random
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TypeAlias, cast

from json_repair import repair_json

from pegboard.errors import ModelMalformed
from pegboard.llm.reply import read_json
from pegboard.text import Json

Reader: TypeAlias = Callable[[str], Json]
Case: TypeAlias = tuple[str, Json]
"""A text, and what it should be read as."""

ROUNDS = 9
PATIENCE_SECONDS = 5.0
"""What takes longer, its start included, is ended and not timed again."""
UNREAD = "(unread)"
FOREIGN = (AssertionError, AttributeError, LookupError, RuntimeError, TypeError, ValueError)
"""What json-repair raises on some texts."""
MUTATED = 20_000
SCATTERED = "{}[](),:\"'\\`“”#/*.-+eE019 \n\ufeff\x00\ud800😀tfnTFN汉，：<|>_$"
_STRING = re.compile(r'"([^"]*)"')

SETS = ("broken_json_core", "broken_json_disputed")
"""Rows of `input` and `expected`. Besides these `nst_jsontestsuite` (`b64`, `expect`) is read, where it is there."""

DOCUMENTS: tuple[Json, ...] = (
    {"score": 88, "reason": "asks for soup, and says so", "city": "北京", "tags": ["hot", "spicy, red"], "max": 2.5},
    [{"id": "n1", "tool": "search", "arguments": {"query": "lentils", "limit": 10}, "depends_on": [], "when": None}],
    {"answer": "第一，切菜；第二，下锅。", "is_done": True, "steps": [["cut", 1], ["cook", 20], []], "next": {}},
    {"path": "C:/recipes/soup.md", "url": "https://example.com/a?b=c#d", "empty": "", "none": None, "yes": False},
)


def damages(value: Json) -> Mapping[str, str]:
    """Write `value` as models do, in each way that can be told from its text to be this value."""
    text, spread = json.dumps(value, ensure_ascii=False), json.dumps(value, ensure_ascii=False, indent=2)
    return {
        "fenced, in prose": f"Sure! Here it is:\n```json\n{spread}\n```\nAnything else?",
        "thoughts before it": f"<think>Maybe {{}}? No.</think>\n{text}<|im_end|>",
        "trailing comma": spread[:-2] + "," + spread[-2:],
        "a comma missing at each line": spread.replace(",\n", "\n"),
        "Python's spelling": repr(value),
        "a comment at each line": spread.replace(",\n", ', // a remark, "quoted"\n'),
        "Chinese quotes": _STRING.sub(r"“\1”", text),
        "escaped once more": json.dumps(text, ensure_ascii=False)[1:-1],
        "last brackets missing": text.rstrip("}]"),
        "a brace too many": text + "}",
        "a word with quotes in it": spread.replace("soup", 'so "called" soup').replace("lentils", 'the "lentils"'),
    }


def damaged() -> Iterator[tuple[str, Case]]:
    """Yield each document in each damage, with the name of the damage."""
    for value in DOCUMENTS:
        for name, text in damages(value).items():
            is_reworded = name.startswith("a word")
            yield name, (text, _reworded(value) if is_reworded else value)


def _reworded(value: Json) -> Json:
    text = json.dumps(value).replace("soup", 'so \\"called\\" soup').replace("lentils", 'the \\"lentils\\"')
    return cast(Json, json.loads(text))


def beginnings() -> Iterator[Case]:
    """Yield each beginning of each document, with the whole."""
    for value in DOCUMENTS:
        text = json.dumps(value, ensure_ascii=False)
        yield from ((text[:length], value) for length in range(1, len(text)))


def is_part(value: Json, whole: Json) -> bool:
    """Say whether `value` is what a cut may leave of `whole`: nothing invented, nothing whole lost but at the end."""
    if isinstance(whole, dict):
        if not isinstance(value, dict) or list(value) != list(whole)[: len(value)]:
            return False
        return all(is_part(inner, whole[key]) for key, inner in value.items())
    if isinstance(whole, list):
        return isinstance(value, list) and all(map(is_part, value, whole)) and len(value) <= len(whole)
    if isinstance(whole, str):
        return isinstance(value, str) and whole.startswith(value)
    return type(value) in {int, float} if type(whole) in {int, float} else value is whole


def ours(text: str) -> Json:
    """Read `text` with the whole defence."""
    try:
        return read_json(text).value
    except ModelMalformed:
        return UNREAD


def library(text: str) -> Json:
    """Read `text` with json-repair alone."""
    return repair_json(text, return_objects=True)


READERS: Mapping[str, Reader] = {"pegboard": ours, "json-repair": library}


def _right(reader: Reader, cases: list[Case], judge: Callable[[Json, Json], bool]) -> str:
    right = raised = 0
    for text, wanted in cases:
        try:
            right += judge(reader(text), wanted)
        except FOREIGN:
            raised += 1
    return f"{right:4} of {len(cases):4} {100 * right / len(cases):6.1f} %" + (f", {raised} raised" if raised else "")


def _equal(value: Json, wanted: Json) -> bool:
    return value == wanted


def accuracy(folder: Path | None) -> None:
    """Print how many texts each reader reads right."""
    sets = {name: [(str(row["input"]), row["expected"]) for row in _rows(folder, name)] for name in SETS}
    good = [row for row in _rows(folder, "nst_jsontestsuite") if row["expect"] == "accept" and "b64" in row]
    texts = [base64.b64decode(str(row["b64"])).decode() for row in good]
    sets["nst, to be accepted"] = [(text, json.loads(text)) for text in texts]
    for name, case in damaged():
        sets.setdefault(name, []).append(case)
    for name, cases in sets.items():
        if cases:
            print(f"{name:30}" + "".join(f"  {who}: {_right(it, cases, _equal)}" for who, it in READERS.items()))
    cut = list(beginnings())
    print(
        f"{'each beginning, as a part':30}"
        + "".join(f"  {who}: {_right(it, cut, is_part)}" for who, it in READERS.items())
    )


def _rows(folder: Path | None, name: str) -> list[dict[str, Json]]:
    path = folder / f"{name}.jsonl" if folder else None
    return [json.loads(line) for line in path.read_text().splitlines()] if path and path.exists() else []


def mutated() -> Iterator[str]:
    """Yield texts at random and damaged documents cut, doubled and scattered at random, the same in each run."""
    chance, texts = random.Random(20), [text for _, (text, _) in damaged()]
    for number in range(MUTATED):
        if number % 4 == 0:
            yield "".join(chance.choices(SCATTERED, k=chance.randint(0, 80)))
            continue
        text = chance.choice(texts)
        for _ in range(chance.randint(1, 6)):
            start, end = sorted(chance.choices(range(len(text) + 1), k=2))
            text = chance.choice((text[:start] + text[end:], text[:end] + chance.choice(SCATTERED) + text[start:]))
        yield text


def foreign() -> None:
    """Print how many texts at random raise something else than they may."""
    raised = 0
    for text in mutated():
        try:
            ours(text)
        except FOREIGN:
            raised += 1
    print(f"{'at random':30}  pegboard: {raised} of {MUTATED} raised something foreign")


def hostile() -> Mapping[str, str]:
    """Return texts that are slow to read, each under its name."""
    return {
        "100,000 brackets": "[" * 100_000,
        "100,000 objects": '{"a":' * 100_000,
        "5 MB of garbage": "{[\"'\\,:x1 " * 500_000,
        "1 MB of garbage": "{[\"'\\,:x1 " * 100_000,
        "128 KB of quotes": "[1," + '"' * 131_000,
        "128 KB of commas and spaces": '{"a": "b"' + " ,   " * 26_000,
        "128 KB of open strings": '[\\""a":' + '"#"x" ' * 21_800,
        "128 KB of thoughts": "<think></think>" * 8_700,
        "16 KB of open objects": '{"a":"b","' * 1_600,
        "16 KB of stray brackets": "{" + "]{ x x x x x x" * 1_140,
        "4 KB of stray brackets": "{" + "]{ x x x x x x" * 290,
        "4 KB of keys": '"x" 1e{' * 580,
        "1 MB of tokens at the end": "x" + "\t</s>" * 200_000,
        "1 KB, slowest to be repaired": '\\",{"a": "b"c", ' + "]...｛'{\"" * 120,
        "2 KB, slowest to be repaired": "```. -[" + "\n1e],{ x x x x x x" * 95,
    }


def times() -> None:
    """Print what each reader takes for each hostile text, in a process of its own, which can be ended."""
    for name in hostile():
        taken: dict[str, list[float]] = {who: [] for who in READERS}
        for _ in range(ROUNDS):
            for who, rounds in taken.items():
                if PATIENCE_SECONDS not in rounds:
                    rounds.append(_in_fresh_process(who, name))
        print(f"{name:30}" + "".join(f"  {who}: {_spread(rounds)}" for who, rounds in taken.items()), flush=True)


def _in_fresh_process(who: str, name: str) -> float:
    command = [sys.executable, "-m", "benchmarks.reply", "--measure", who, name]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=PATIENCE_SECONDS)
    except subprocess.TimeoutExpired:
        return PATIENCE_SECONDS
    return float(done.stdout)


def measure(who: str, name: str) -> None:
    """Print what one reader takes for one hostile text."""
    reader, text = READERS[who], hostile()[name]
    reader("{'a': b}")
    started = time.perf_counter()
    with suppress(*FOREIGN):
        reader(text)
    print(time.perf_counter() - started)


def _spread(rounds: list[float]) -> str:
    if PATIENCE_SECONDS in rounds:
        return f"not done in {PATIENCE_SECONDS:g} s".ljust(28)
    return f"{statistics.median(rounds):7.3f} s ({min(rounds):.3f} to {max(rounds):.3f})"


def main(arguments: list[str]) -> None:
    """Measure accuracy on the folder that `arguments` name, then times."""
    folder = Path(arguments[0]) if arguments else None
    accuracy(folder)
    foreign()
    times()


if __name__ == "__main__":
    if sys.argv[1:2] == ["--measure"]:
        measure(*sys.argv[2:4])
    else:
        main(sys.argv[1:])
