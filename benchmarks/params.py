"""Whether calls that are right pass our check of arguments, and wrong ones made of them are refused by name.

    .venv/bin/python -m benchmarks.params FOLDER

FOLDER holds JSON lines: `bfcl_*.jsonl` (BFCL: tools with schemas, and calls with every value that is accepted for an
argument) and `seal_*.jsonl` (Seal-Tools: calls alone; the schema of a tool is made of what its calls give). The wrong
ones: a required argument dropped, an argument of another type, a value beyond an enumeration, an unknown argument.
"""

import argparse
import copy
import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pegboard.bind.repair import repair
from pegboard.catalog.schema.faults import checker, faults, valid_schema

Schema = dict[str, Any]

_TYPES = {
    "dict": "object", "hashmap": "object", "float": "number", "double": "number", "long": "integer", "int": "integer",
    "tuple": "array", "list": "array", "arraylist": "array", "str": "string", "char": "string", "bool": "boolean",
}  # fmt: skip
"""What function schemas for models call the types of JSON."""
_ANY = frozenset({"any", "object?"})
_OTHER = {"string": 7.5, "integer": "seven", "number": "seven", "boolean": "maybe", "array": 7, "object": 7}
"""A value of another type, one that no reading turns into the right one."""


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("folder", type=Path)
    folder: Path = parser.parse_args().folder
    for path in sorted(folder.glob("*.jsonl")):
        rows = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
        told: Counter[str] = Counter()
        calls = _of_bfcl(rows) if path.name.startswith("bfcl") else _of_seal(rows)
        for name, schema, arguments in calls:
            _judge(name, schema, arguments, told)
        print(f"{path.stem}: " + ", ".join(f"{count} {what}" for what, count in told.items()))


# From public data


def converted(schema: Any) -> Schema:
    """Return a function schema for models as a JSON Schema: `dict`, `float`, `tuple`, `any` are none of its types."""
    made: Schema = {key: value for key, value in schema.items() if key not in {"optional", "type"}}
    kind = schema.get("type")
    if isinstance(kind, str) and kind.lower() not in _ANY:
        made["type"] = _TYPES.get(kind.lower(), kind.lower())
    if isinstance(held := made.get("properties"), dict):
        made["properties"] = {name: converted(inner) for name, inner in held.items()}
    for key in ("items", "additionalProperties"):
        if isinstance(made.get(key), dict):
            made[key] = converted(made[key])
    return _with_default(made)


def _with_default(schema: Schema) -> Schema:
    """Return `schema` as taking its own default too: these often are null, or a word beyond the enumeration."""
    if "default" not in schema or not faults(schema["default"], schema):
        return schema
    return {"anyOf": [schema, {"const": schema["default"]}]}


def _of_bfcl(rows: list[dict[str, Any]]) -> Iterator[tuple[str, Schema, dict[str, Any]]]:
    """Yield each call that is accepted: every value of every argument once, beside the first of the others."""
    for row in rows:
        schemas = {tool["name"]: converted(tool["parameters"]) for tool in row["tools"]}
        for call in row["expect"]["calls"]:
            accepted = {name: [_plain(value) for value in values] for name, values in call["accept"].items()}
            first = {name: values[0] for name, values in accepted.items() if values and values[0] != ""}
            yield f"{row['id']} {call['tool']}", schemas[call["tool"]], first
            for name, values in accepted.items():
                for value in values[1:]:
                    if value != "":
                        yield f"{row['id']} {call['tool']}", schemas[call["tool"]], {**first, name: value}


def _plain(value: Any) -> Any:
    """Return the first accepted value of an object whose keys have lists of them."""
    if isinstance(value, dict):
        inner = {key: values[0] if isinstance(values, list) and values else values for key, values in value.items()}
        return {key: _plain(each) for key, each in inner.items() if each != ""}
    return [_plain(each) for each in value] if isinstance(value, list) else value


def _of_seal(rows: list[dict[str, Any]]) -> Iterator[tuple[str, Schema, dict[str, Any]]]:
    given: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        for step in row["steps"]:
            given[step["tool"]].append(step["args"])
    for tool, calls in given.items():
        schema = _made_of(calls)
        yield from ((f"seal {tool}", schema, arguments) for arguments in calls)


def _made_of(calls: list[dict[str, Any]]) -> Schema:
    names = dict.fromkeys(name for call in calls for name in call)
    kinds = {name: sorted({_kind(call[name]) for call in calls if name in call}) for name in names}
    properties = {name: {"type": each[0] if len(each) == 1 else each} for name, each in kinds.items()}
    required = [name for name in names if all(name in call for call in calls)]
    return {"type": "object", "properties": properties, "required": required}


def _kind(value: Any) -> str:
    kinds = {bool: "boolean", int: "integer", float: "number", str: "string", list: "array", dict: "object"}
    return kinds.get(type(value), "null")


# What our check says


def _judge(name: str, schema: Schema, arguments: dict[str, Any], told: Counter[str]) -> None:
    if problems := valid_schema(schema):
        told["schemas refused"] += 1
        print(f"  {name}: {problems[0]}")
    told["right calls"] += 1
    check = checker(schema)
    if (found := check(arguments)) and (mended := repair(arguments, schema)):
        told["refused"] += 1
        is_mended = not faults(mended, schema)
        told["of them mended"] += is_mended
        print(f"  {name}: {found[0].message[:170]} Mended: {is_mended}.")
    for kind, place, wrong in _wrong_ones(schema, arguments):
        told["wrong calls"] += 1
        faulty = check(wrong)
        told["named"] += any(fault.pointer == place for fault in faulty)
        if not any(fault.pointer == place and place.rpartition("/")[2] in fault.message for fault in faulty):
            print(f"  {name}: {kind} at {place} is told as {[fault.message for fault in faulty]}")


def _wrong_ones(schema: Mapping[str, Any], arguments: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield calls that are wrong in one place: how, the JSON pointer of the place, the arguments."""
    required = schema.get("required", ())
    for name, value in arguments.items():
        if name in required:
            yield "dropped", f"/{name}", {key: each for key, each in arguments.items() if key != name}
        inner = schema.get("properties", {}).get(name, {})
        inner = inner.get("anyOf", [inner])[0]
        if (kind := inner.get("type")) in _OTHER:
            yield "type", f"/{name}", {**arguments, name: _OTHER[kind]}
        if "enum" in inner:
            yield "enum", f"/{name}", {**arguments, name: f"{inner['enum'][0]}, or not"}
        if isinstance(value, dict) and "properties" in inner:
            for how, place, below in _wrong_ones(inner, value):
                yield how, f"/{name}{place}", {**copy.deepcopy(arguments), name: below}
        if isinstance(value, list) and value and inner.get("items", {}).get("type") in _OTHER:
            yield "type", f"/{name}/0", {**arguments, name: [_OTHER[inner["items"]["type"]], *value[1:]]}


if __name__ == "__main__":
    main()
