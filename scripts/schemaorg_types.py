"""Make `platform/pegboard/catalog/schemaorg.json` anew from the npm package `schema-dts`.

    npm pack schema-dts && tar xzf schema-dts-*.tgz
    .venv/bin/python scripts/schemaorg_types.py package/dist/schema.d.ts

Each class of schema.org with its parents; classes of other vocabularies are left out.
"""

import json
import re
import sys
from pathlib import Path

TARGET = Path(__file__).parent.parent / "platform/pegboard/catalog/schemaorg.json"

_LEAF = re.compile(r'^(?:export )?interface (\w+?)Leaf extends [\w, ]+? \{\s*\n\s*"@type": "([^"]+)"', re.MULTILINE)
_UNION = re.compile(r"^export type (\w+) = ([^;]*);", re.MULTILINE)
_TEXT_KINDS = {"PronounceableText"}


def graph(declarations: str) -> dict[str, list[str]]:
    """Return each class with its parents, read from the unions `type Parent = ParentLeaf | Child | ...`."""
    names = dict(_LEAF.findall(declarations))
    parents: dict[str, set[str]] = {name: set() for name in names.values()}
    for symbol, union in _UNION.findall(declarations):
        children = re.findall(r"\b\w+\b", re.sub(r'"[^"]*"', "", union)) if symbol in names else []
        for child in children:
            if child in names:
                parents[names[child]].add(names[symbol])
    own = {name for name in parents if ":" not in name} - _TEXT_KINDS
    return {name: sorted(parents[name] & own) for name in sorted(own)}


def main() -> None:
    """Write the file."""
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    classes = graph(Path(sys.argv[1]).read_text("utf-8"))
    lines = (f"  {json.dumps(name)}: {json.dumps(above)}" for name, above in classes.items())
    TARGET.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")
    sys.stdout.write(
        f"{len(classes)} classes, {sum(len(above) > 1 for above in classes.values())} with several parents\n"
    )


if __name__ == "__main__":
    main()
