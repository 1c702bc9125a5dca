"""How our judge of JSON Schema agrees with the JSON-Schema-Test-Suite, and what it does with real tools' schemas.

    .venv/bin/python -m benchmarks.schemas FOLDER [--remotes FOLDER]

FOLDER holds JSON lines: `draft2020_12_required.jsonl`, `draft2020_12_optional.jsonl`, `draft7.jsonl` (groups of the
suite: `schema`, `tests` with `data` and `valid`) and `mcp_tools.jsonl` (`name`, `inputSchema`). The suite's folder
`remotes` gives the documents that some groups refer to; without it those groups are refused, for nothing is fetched.
"""

import argparse
import json
import statistics
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pegboard.catalog.schema.faults import checker, valid_schema
from pegboard.catalog.schema.sound import unsound
from pegboard.llm.projection import Provider, projected

SUITE = ("draft2020_12_required", "draft2020_12_optional", "draft7")
PROVIDERS: tuple[Provider, ...] = ("strict", "subset")
DRAFT_7 = "http://json-schema.org/draft-07/schema#"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--remotes", type=Path, help="the suite's folder of that name")
    options = parser.parse_args()
    documents = dict(_documents(options.remotes)) if options.remotes else {}
    for name in SUITE:
        _print_suite(name, _rows(options.folder / f"{name}.jsonl"), documents)
    _print_tools(_rows(options.folder / "mcp_tools.jsonl"))


def _rows(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def _documents(folder: Path) -> Iterator[tuple[str, Any]]:
    """Yield the documents below `folder`, by the URI that the suite gives them."""
    for path in sorted(folder.rglob("*.json")):
        yield f"http://localhost:1234/{path.relative_to(folder).as_posix()}", json.loads(path.read_text("utf-8"))


# The suite


def _print_suite(name: str, groups: Sequence[dict[str, Any]], documents: Mapping[str, Any]) -> None:
    told: Counter[str] = Counter()
    disagreeing: list[str] = []
    for group in groups:
        schema = group["schema"] if isinstance(group["schema"], dict) else {"allOf": [group["schema"]]}
        if name == "draft7":
            schema = {"$schema": DRAFT_7, **schema}
        refused = [found.message for found in unsound(schema, documents)]
        check = checker(schema, documents=documents or None)
        wrong = [test for test in group["tests"] if (not check(test["data"])) != test["valid"]]
        kind = "needs a document" if group["remote_ref"] else "format" if "/format" in group["id"] else "other"
        told["tests"] += len(group["tests"])
        told["tests that agree"] += len(group["tests"]) - len(wrong)
        told["groups that agree"] += not wrong
        told["patterns beyond linear time"] += any("cannot be used" in message for message in refused)
        if wrong:
            first = refused[0] if refused else f"{wrong[0]['description']}: valid is {wrong[0]['valid']}"
            disagreeing.append(f"  {group['id']} ({kind}), {len(wrong)} of {len(group['tests'])}: {first[:140]}")
    share = 100 * told["tests that agree"] / told["tests"]
    print(
        f"{name}: {told['tests that agree']} of {told['tests']} tests ({share:.2f} %), {told['groups that agree']} of "
        f"{len(groups)} groups agree; patterns beyond linear time in {told['patterns beyond linear time']} groups"
    )
    for line in disagreeing:
        print(line)


# Real tools


def _print_tools(tools: Sequence[dict[str, Any]]) -> None:
    told: Counter[str] = Counter()
    sizes: list[int] = []
    checked: list[float] = []
    for tool in tools:
        schema = tool["inputSchema"]
        problems = valid_schema(schema)
        told["accepted"] += not problems
        for problem in problems:
            print(f"  {tool['id']}: {problem}")
        shapes = [projected(schema, provider) for provider in PROVIDERS]
        told["projected"] += not any(valid_schema(shape) for shape in shapes)
        sizes += [len(json.dumps(shape)) for shape in shapes]
        told["checked"] += _is_checked(tool, schema, checked)
        told["refer to themselves or $defs"] += '"$ref"' in json.dumps(schema)
    print(f"mcp_tools: {len(tools)} tools, " + ", ".join(f"{count} {what}" for what, count in told.items()))
    print(
        f"  largest projection {max(sizes):,} bytes; a check takes {1e6 * statistics.median(checked):.0f} µs (median)"
    )


def _is_checked(tool: dict[str, Any], schema: Mapping[str, Any], seconds: list[float]) -> bool:
    """Tell whether arguments that fit pass, and are refused without each one that is required."""
    check = checker(schema)
    fitting = sample(schema, schema, 0)
    started = time.perf_counter()
    found = check(fitting)
    seconds.append(time.perf_counter() - started)
    for fault in found:
        print(f"  {tool['id']}: {fault.pointer} {fault.message} in {json.dumps(fitting)[:200]}")
    without = ({key: value for key, value in fitting.items() if key != name} for name in schema.get("required", ()))
    refused = all(any(fault.missing for fault in check(each)) for each in without)
    return not found and refused


def sample(schema: Any, root: Mapping[str, Any], depth: int) -> Any:
    """Return a value that fits `schema`, of the usual keywords."""
    if not isinstance(schema, dict) or depth > 12:
        return {}
    if isinstance(reference := schema.get("$ref"), str):
        target: Any = root
        for step in reference.removeprefix("#/").split("/"):
            target = target[step]
        return sample(target, root, depth + 1)
    for keyword in ("anyOf", "oneOf", "allOf"):
        if schema.get(keyword) and "properties" not in schema:
            return sample(schema[keyword][0], root, depth + 1)
    if "const" in schema or schema.get("enum"):
        return schema.get("const", schema.get("enum", [None])[0])
    kind = schema.get("type", "object" if "properties" in schema else "string")
    return _of_kind(kind if isinstance(kind, str) else kind[0], schema, root, depth)


def _of_kind(kind: str, schema: Mapping[str, Any], root: Mapping[str, Any], depth: int) -> Any:
    if kind == "object":
        held = schema.get("properties", {})
        names = schema.get("required", ()) if depth else held
        return {name: sample(held.get(name, {}), root, depth + 1) for name in names}
    if kind == "array":
        return [sample(schema.get("items", {}), root, depth + 1)] * schema.get("minItems", 1)
    if kind in ("integer", "number"):
        return max(schema.get("minimum", 1), schema.get("exclusiveMinimum", 0) + 1)
    if kind == "string":
        fewest = schema.get("minLength", 0 if "pattern" in schema else 1)
        return given if isinstance(given := schema.get("default"), str) else "x" * fewest
    return None if kind == "null" else True


if __name__ == "__main__":
    main()
