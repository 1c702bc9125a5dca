"""How plans that models really wrote are read: TaskBench's predictions, and the faults that they are labelled with.

    python -m benchmarks.plans_read FOLDER [--disagreements]

FOLDER holds `real_llm_plans_taskbench.jsonl` (plans with labels in `issues`) and the tools, `tools_huggingface.jsonl`
and `tools_multimedia.jsonl`. TaskBench's shape is not one that is read: the converter here writes each plan in ours,
with ids `node-0`, `node-1` …, which is what its `<node-0>` refers to, and its links as `depends_on` by the name of the
tool. Printed are, of each label, how often it is given, found, and found where it is not given; with
`--disagreements` each of those, which docs/plans_taskbench.md gives the reasons of.
"""

import argparse
import json
import time
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pegboard.catalog.contract import Context, Result
from pegboard.catalog.tool import Routing, Tool, Toolset
from pegboard.plan.graph import Node, named_by
from pegboard.plan.references import names_in
from pegboard.planner.reading.naming import spelled
from pegboard.planner.reading.read import Read, read
from pegboard.text import Json

LABELS = (
    "unknown_tool", "arg_ref_self", "arg_ref_forward", "arg_ref_out_of_range", "dangling_link", "self_loop", "cycle",
    "duplicate_tool_name",
)  # fmt: skip


async def _nothing(context: Context, arguments: Mapping[str, Json]) -> Result:
    return Result("")


def toolset(domain: str, names: Sequence[str]) -> Toolset:
    """Return tools that take anything."""
    tools = tuple(
        Tool(
            name=name,
            type="Item",
            description="",
            examples={},
            prompt="",
            reply={},
            parameters={"type": "object"},
            output=None,
            handler="benchmarks:none",
            run=_nothing,
            read_only=True,
        )
        for name in names
    )
    return Toolset(domain, "", (), ("Item",), tools, Routing(), ())


def converted(plan: Mapping[str, Any]) -> str:
    """Return a plan of TaskBench as text in our shape.

    A link waits at the step that it leads to; one that leads to none, at the step that it comes from, so that its
    unknown end is seen.
    """
    tasks = [node["task"] for node in plan["task_nodes"]]
    waits: list[list[str]] = [[] for _ in tasks]
    for link in plan["task_links"]:
        ends = [place for place, task in enumerate(tasks) if spelled(task) == spelled(link["target"])]
        starts = [place for place, task in enumerate(tasks) if spelled(task) == spelled(link["source"])]
        for place in ends:
            waits[place].append(link["source"])
        for place in () if ends else starts or [0]:
            waits[place].append(link["target"])
    rows = [
        {"id": f"node-{place}", "tool": node["task"], "arguments": _arguments(node.get("arguments")), "depends_on": of}
        for place, (node, of) in enumerate(zip(plan["task_nodes"], waits, strict=True))
    ]
    return json.dumps({"steps": rows})


def _arguments(listed: Sequence[Any] | None) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for place, each in enumerate(listed or ()):
        named = isinstance(each, dict) and {"name", "value"} <= each.keys()
        key = str(each["name"]) if named else f"input{place}"
        found[key if key not in found else f"{key}{place}"] = each["value"] if named else each
    return found


def found_in(plan: Read, tasks: Collection[str]) -> set[str]:
    """Return the labels of what is wrong, and of what was mended or is only noted; `tasks` are named by its steps."""
    found = {_label(fault.code, fault.about, fault.nodes, plan) for fault in plan.faults}
    found |= {"unknown_tool" for mend in plan.mended if mend.rule == "tool"}
    found |= {"dangling_link" for mend in plan.mended if mend.rule == "owner" and mend.about not in tasks}
    return found | {
        "arg_ref_forward" for mend in plan.mended if mend.rule == "order" and _refers_forward(mend.node, plan)
    }


def _label(code: str, about: str, nodes: Sequence[str], plan: Read) -> str:
    if code in {"unknown_tool", "cycle"}:
        return code
    node = plan.plan.by_id[nodes[0]]
    is_argument = about in names_in(node.arguments)
    if code == "self":
        return "arg_ref_self" if is_argument else "self_loop"
    if code == "dangling":
        return "arg_ref_out_of_range" if is_argument else "dangling_link"
    return "duplicate_tool_name" if code == "unclear" else code


def _refers_forward(name: str, plan: Read) -> bool:
    places = {node.id: place for place, node in enumerate(plan.plan.nodes)}
    node: Node = plan.plan.by_id[name]
    return any(places.get(other, -1) > places[name] for other in names_in(node.arguments) & named_by(node))


@dataclass(frozen=True, slots=True)
class Compared:
    """One plan."""

    id: str
    given: frozenset[str]
    found: frozenset[str]
    plan: Read


def compared(folder: Path) -> Iterator[Compared]:
    """Read all plans; none may fail to be read."""
    toolsets = {
        domain: toolset(domain, [json.loads(line)["id"] for line in _lines(folder / f"tools_{domain}.jsonl")])
        for domain in ("huggingface", "multimedia")
    }
    for line in _lines(folder / "real_llm_plans_taskbench.jsonl"):
        row = json.loads(line)
        plan = read(converted(row["plan"]), toolsets[row["domain"]])
        tasks = [node["task"] for node in row["plan"]["task_nodes"]]
        yield Compared(row["id"], frozenset(row["issues"]), frozenset(found_in(plan, tasks)), plan)


def _lines(path: Path) -> list[str]:
    return path.read_text("utf-8").splitlines()


def main() -> None:
    """Read all plans, and print what is to be read off."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--disagreements", action="store_true")
    given = parser.parse_args()
    began = time.perf_counter()
    plans = list(compared(given.folder))
    seconds = time.perf_counter() - began
    print(f"{len(plans)} plans read, {1000 * seconds / len(plans):.2f} ms each")
    clean = [each for each in plans if not each.given]
    print(f"{sum(not each.plan.faults for each in clean)} of {len(clean)} clean plans accepted")
    print(f"mends: {dict(Counter(mend.rule for each in plans for mend in each.plan.mended))}")
    hits = wanted = said = 0
    for label in LABELS:
        both = sum(label in each.given & each.found for each in plans)
        labelled, found = (sum(label in of for of in side) for side in (_given(plans), _found(plans)))
        hits, wanted, said = hits + both, wanted + labelled, said + found
        print(f"{label:22} given {labelled:3}  found {found:3}  both {both:3}")
    print(f"precision {hits / said:.3f}, recall {hits / wanted:.3f}")
    for each in plans if given.disagreements else ():
        for label in sorted(each.given ^ each.found):
            print(f"{each.id}\t{label}\t{'given' if label in each.given else 'found'}")


def _given(plans: Sequence[Compared]) -> list[frozenset[str]]:
    return [each.given for each in plans]


def _found(plans: Sequence[Compared]) -> list[frozenset[str]]:
    return [each.found for each in plans]


if __name__ == "__main__":
    main()
