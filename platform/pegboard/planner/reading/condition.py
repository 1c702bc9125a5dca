"""Conditions as models write them, as JMESPath over `{inputs, nodes}`. Pure."""

import re
from collections.abc import Callable

_REFERENCE = re.compile(r"\$\{\s*([A-Za-z_][\w-]*)((?:\.[A-Za-z_]\w*|\[\d+\])*)\s*\}")
_NODE = re.compile(r"""\bnodes\.(?:"([^"]{1,80})"|([A-Za-z_]\w*))""")
_BARE_VALUE = re.compile(r"(==|!=|<=|>=|<|>)\s*(-?\d+(?:\.\d+)?|true|false|null)(?![\w.])")
_PLAIN = re.compile(r"[A-Za-z_]\w*")


def condition(text: str, named: Callable[[str], str]) -> str:
    """Return `text` with the nodes as `named` calls them and values in backticks: `nodes.a.count > 3` lacks them.

    `named` returns the id of a step; empty where there is none of that name.
    """

    def below(name: str) -> str:
        found = named(name) or name
        return found if _PLAIN.fullmatch(found) else f'"{found}"'

    text = _REFERENCE.sub(lambda match: f"nodes.{below(match[1])}{match[2]}", text)
    text = _NODE.sub(lambda match: f"nodes.{below(match[1] or match[2])}", text)
    return _BARE_VALUE.sub(r"\1 `\2`", text)
