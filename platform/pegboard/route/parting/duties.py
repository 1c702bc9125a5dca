"""Clauses that are about what came before them and nothing else: write it up, keep it. Pure.

A clause of three characters (`保存`) says too little for the embedded scorer. What does such a duty is found by the
words of tools' names and descriptions.
"""

import re
from typing import Literal, TypeAlias
from weakref import WeakKeyDictionary

from pegboard.catalog.tool import Tool, Toolset
from pegboard.route.gating import kept
from pegboard.text import words_of_name

Duty: TypeAlias = Literal["write", "keep"]

_REPORT = (
    r"(?:report|summary|article|document|note|notes|memo|post|brief|briefing|essay|digest|overview|letter|newsletter)"
)
_WRITE = re.compile(
    rf"^(?:write|draft|compose|prepare|produce|create|generate|make|turn|put)\b.*\b{_REPORT}s?\b|^(?:write|sum)\b.{{0,20}}"
    r"\b(?:up|down)\b|^(?:summari[sz]e)\b.{0,40}$|^(?:写|整理|做|汇总|总结|生成|制作|起草|归纳|概括).{0,12}(?:报告|文档|文章|总结|摘要|笔记|"
    r"日报|周报|攻略|方案|文件)|^(?:总结|汇总|整理|归纳|概括)(?:一下|起来)?$",
    re.IGNORECASE,
)
_KEEP = re.compile(
    r"^(?:save|store|archive|keep|file|record)\b(?!.*\b(?:money|time|energy|calories)\b)"
    r"(?=\s*$|.*\b(?:it|them|that|this|result|results|report|document|file|note|notes|answer|everything|all|summary)\b)|"
    r"^(?:保存|存档|归档|存起来|存下来|存到|存成|记录下来|存入)",
    re.IGNORECASE,
)
_WRITES = re.compile(r"\bwrit\w*\b|\breport\w*\b|\bdraft\w*\b|撰写|写成|报告", re.IGNORECASE)
_KEEPS = re.compile(r"\b(?:sav\w+|stor\w+|archiv\w+|keep\w*|fil(?:e|es|ing))\b|保存|归档|存档", re.IGNORECASE)
_DOCUMENT = re.compile(
    r"\b(?:write|save|store|create|keep) (?:an? |the )?(?:document|report|note|file)s?\b", re.IGNORECASE
)

_KEEPING: WeakKeyDictionary[Toolset, Toolset] = WeakKeyDictionary()
_WRITING: WeakKeyDictionary[Toolset, Toolset] = WeakKeyDictionary()


def duty(clause: str) -> Duty | None:
    """Return which one `clause` is, with what is polite left out; None: it asks for something of its own."""
    if _KEEP.match(clause):
        return "keep"
    return "write" if _WRITE.match(clause) else None


def doing(wanted: Duty, toolset: Toolset) -> Tool | None:
    """Return the tool that does a duty: an agent, else what keeps a text as a document; None: the site has neither."""
    agents = [tool for tool in toolset.tools if tool.is_for_parts]
    documents = [tool for tool in toolset.tools if not tool.is_for_parts and _takes_text(tool)]
    by_name = re.compile("writ" if wanted == "write" else "archiv|sav|stor|keep")
    named = [tool for tool in agents if by_name.search(words_of_name(tool.name))]
    described = [tool for tool in agents if (_WRITES if wanted == "write" else _KEEPS).search(tool.description)]
    return next(iter([*named, *described, *documents]), None)


def able(toolset: Toolset, wanted: Duty) -> Toolset:
    """Return what may do a duty: what only reads keeps nothing, and what shows documents writes none."""
    if wanted == "keep":
        return kept(toolset, _KEEPING, lambda tool: not tool.read_only)
    return kept(
        toolset, _WRITING, lambda tool: not (tool.read_only and tool.handler.startswith("pegboard.handlers.documents:"))
    )


def _takes_text(tool: Tool) -> bool:
    """Tell whether a tool keeps the text that it is given."""
    declared = tool.parameters.get("properties")
    names = set(declared) if isinstance(declared, dict) else set()
    said = f"{words_of_name(tool.name)}. {tool.description}"
    return bool(names & {"text", "content", "body"}) and bool(_DOCUMENT.search(said) or _KEEPS.search(said))
