"""What the block of a tool's declaration says (`http`, `sql` …), for whoever looks at the tool.

Secrets are masked, and so is what environment variables were put in: a variable may hold a secret wherever it stands.
"""

import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, cast

from pegboard.text import Json, to_json

if TYPE_CHECKING:
    from pydantic import BaseModel

    from pegboard.app import Tool

BLOCKS = ("http", "openapi", "mcp", "sql", "ask", "command", "flow", "agent")
"""The blocks that make a tool, by their keys in a declaration."""
_MASK = "***"
_SHIPPED = "pegboard/config/shipped/"
"""Where what ships is said to stand: it names no variables."""
_NAMED = re.compile(r"\$\{([A-Z_][A-Z0-9_]*)")
_SHORTEST_INSIDE = 4
"""Characters of a variable's value that is looked for inside of a text; a shorter one is only looked for as a whole."""


def block_of(tool: "Tool") -> str:
    """Return the key of the block that makes the tool; empty where none does."""
    return next((block for block in BLOCKS if block in tool.origin), "") if tool.block is not None else ""


def block_values(tool: "Tool") -> dict[str, Json]:
    """Return what the block says, each key by its path: `sql.statement`; steps by their ids: `flow.nodes.first`."""
    block = block_of(tool)
    if tool.block is None or not block:
        return {}
    said = hidden(tool.block, tool)
    assert isinstance(said, dict)
    values: dict[str, Json] = {}
    for key, value in said.items():
        if block == "flow" and key == "nodes" and isinstance(value, list):
            values |= {f"flow.nodes.{node['id']}": _step(node) for node in value if isinstance(node, dict)}
        else:
            values[f"{block}.{key}"] = value
    return values


def _step(node: dict[str, Json]) -> Json:
    """Return what a step of a flow does, for people: its tool with what it is given, then all the rest."""
    rest = {key: value for key, value in node.items() if key not in {"id", "tool", "agent", "arguments"}}
    told = f"{node.get('tool') or node.get('agent')} {to_json(node.get('arguments') or {})}"
    return " ".join(
        [told, *(f"{key}={value if isinstance(value, str) else to_json(value)}" for key, value in rest.items())]
    )


def hidden(value: "Json | BaseModel", tool: "Tool") -> Json:
    """Return a block, or a value of one, without what the variables hold that its documents name."""
    spans = (*tool.origin.values(), *(each.span for each in tool.overridden))
    dump = getattr(value, "model_dump", None)  # pydantic is slow to load, and most commands need none of it
    plain = cast("Json", value if dump is None else dump(mode="json", exclude_unset=True))
    return _hidden(plain, _put_in(span.file for span in spans))


def hidden_of(value: Json, files: Iterable[str]) -> Json:
    """Return a value of a block without what the variables hold that `files`, its documents, name."""
    texts = _put_in(files)
    return _hidden(value, texts) if texts else value


def maker(tool: "Tool") -> str:
    """Say what makes the tool, and where that stands: its own block, or the source that offers it."""
    block = block_of(tool)
    place = tool.origin[block]
    inner = [span for key, span in tool.origin.items() if key.startswith(f"{block}.")]
    if inner and all(span == place for span in inner):  # nobody wrote the block: it was made of what is offered
        return f"the source {getattr(tool.block, 'source', '')!r}, {place}"
    return f"the block `{block}`, {place}"


def _put_in(files: Iterable[str]) -> list[str]:
    """Return what the variables hold that these files name, the longest first; of all, where one cannot be read."""
    names: set[str] = set()
    for file in dict.fromkeys(files):
        if file.startswith(_SHIPPED):
            continue
        try:
            data = (Path.cwd() / file).read_bytes()
        except (OSError, ValueError):
            names.update(os.environ)
            continue
        names.update(_NAMED.findall(data.replace(b"\x00", b"").decode("latin-1")))  # UTF-16 too
    return sorted({value for name in names if (value := os.environ.get(name))}, key=len, reverse=True)


def _hidden(value: Json, texts: list[str]) -> Json:
    match value:
        case str():
            if value in texts:
                return _MASK
            for text in texts:
                value = value.replace(text, _MASK) if len(text) >= _SHORTEST_INSIDE else value
            return value
        case list():
            return [_hidden(each, texts) for each in value]
        case Mapping():
            return {str(_hidden(key, texts)): _hidden(each, texts) for key, each in value.items()}
        case _:
            return value
