"""How many arguments the rules find without a model, on public data.

    python benchmarks/arguments.py DATA

DATA holds `params/` as JSON lines: questions with tools, and the calls that are right (BFCL's lists of accepted
values, Seal-Tools' plain ones). Only questions that take one call are asked: each is bound to the right tool by
rules alone. A value is right if it is an accepted one, in any case and width; an optional one may be left out.
`wrong` counts arguments that were given and are not right, `asked back` questions where something required is missing.
"""

import argparse
import json
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pegboard.bind.repair import repair
from pegboard.bind.rules import extract
from pegboard.catalog.schema.faults import faults
from pegboard.text import language

Row = Mapping[str, Any]


@dataclass(frozen=True)
class Wanted:
    """A question, the schema of the right tool, and which values are right."""

    question: str
    schema: dict[str, Any]
    accepted: Mapping[str, list[Any]]


def read(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def of_bfcl(rows: list[Row]) -> Iterator[Wanted]:
    for row in rows:
        calls = row["expect"]["calls"]
        tools = {tool["name"]: tool["parameters"] for tool in row["tools"]}
        if len(calls) == 1 and calls[0]["tool"] in tools:
            yield Wanted(row["query"], tools[calls[0]["tool"]], calls[0]["accept"])


def folded(value: Any) -> Any:
    if isinstance(value, list):
        return [folded(one) for one in value]
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int | float):
        return float(value)
    return " ".join(unicodedata.normalize("NFKC", str(value)).casefold().split())


@dataclass
class Counts:
    """What came of one set of questions."""

    questions: int = 0
    right: int = 0
    asked_back: int = 0
    arguments: int = 0
    found: int = 0
    wrong: int = 0

    def add(self, wanted: Wanted) -> None:
        found = extract(wanted.question, wanted.schema, language=language(wanted.question))
        arguments = repair(found, wanted.schema)
        required = wanted.schema.get("required", [])
        good = {name: is_right(arguments.get(name), accepted) for name, accepted in wanted.accepted.items()}
        self.questions += 1
        self.arguments += len(required)
        self.found += sum(good.get(name, False) for name in required)
        self.wrong += sum(not good.get(name, False) for name in arguments)
        is_missing = any(fault.missing for fault in faults(dict(arguments), wanted.schema))
        self.asked_back += is_missing
        self.right += not is_missing and all(good.values()) and set(arguments) <= set(good)


def is_right(value: Any, accepted: list[Any]) -> bool:
    if value is None:
        return "" in accepted
    return folded(value) in [folded(one) for one in accepted if one != ""]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    folder = parser.parse_args().data / "params"
    print(f"{'set':24} {'questions':>9} {'right':>6} {'asked back':>10} {'required found':>14} {'wrong':>6}")
    for path in sorted(folder.glob("bfcl_*.jsonl")):
        counts = Counts()
        for wanted in of_bfcl(read(path)):
            counts.add(wanted)
        if counts.questions:
            row = (
                counts.questions,
                counts.right,
                counts.asked_back,
                f"{counts.found}/{counts.arguments}",
                counts.wrong,
            )
            print("{:24} {:>9} {:>6} {:>10} {:>14} {:>6}".format(path.stem, *row))


if __name__ == "__main__":
    main()
