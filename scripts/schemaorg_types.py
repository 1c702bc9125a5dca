"""Make `platform/pegboard/catalog/schemaorg.json` anew from the npm package `schema-dts`.

    npm pack schema-dts && tar xzf schema-dts-*.tgz
    .venv/bin/python scripts/schemaorg_types.py package/dist/schema.d.ts

Each class of schema.org with its parents. Left out are classes of other vocabularies, the data types (`Text`,
`Duration`) and the members of enumerations (`Monday`): nothing on a site is one of these.
"""

import json
import re
import sys
from pathlib import Path

TARGET = Path(__file__).parent.parent / "platform/pegboard/catalog/schemaorg.json"

_LEAF = re.compile(
    r'^(?:export )?(?:interface (\w+?)Leaf extends [\w, ]+?|type (\w+?)Leaf = \w+ &) \{\s*\n\s*"@type": "([^"]+)"',
    re.MULTILINE,
)
"""A class; `Role` and those below it are types with parameters rather than interfaces."""
_PARAMETERS = re.compile(r"<[^<>]*>")
_UNION = re.compile(r"^export type (\w+) = ([^;]*);", re.MULTILINE)
_TEXT_KINDS = {"PronounceableText"}


def graph(declarations: str) -> dict[str, list[str]]:
    """Return each class with its parents, read from the unions `type Parent = ParentLeaf | Child | ...`."""
    plain = "\n".join(
        _PARAMETERS.sub("", line) if line.startswith("export type") else line for line in declarations.split("\n")
    )
    names = {first or second: name for first, second, name in _LEAF.findall(plain)}
    parents: dict[str, set[str]] = {name: set() for name in names.values()}
    for symbol, union in _UNION.findall(plain):
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
