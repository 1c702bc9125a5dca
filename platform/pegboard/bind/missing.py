"""A question back to the user for what is missing, in the user's language."""

import re
from collections.abc import Sequence

from pegboard.bind.roles import Role, parameters, roles
from pegboard.catalog.signature import signature
from pegboard.catalog.tool import Schema, Tool
from pegboard.errors import InvalidArguments
from pegboard.knowledge.measures import unit_called
from pegboard.llm.together import choices
from pegboard.text import words_of_name

_MOST_CHOICES = 12
_FROM_QUERY = re.compile(r"\(from query\)", re.IGNORECASE)
"""The mark of `catalog/schema/returns.py`, which is not for visitors."""

_EN: dict[Role, str] = {
    "item": "Which item do you mean?",
    "dish": "Which recipe is it for?",
    "main_item": "What shall it go with?",
    "first_item": "Which two items shall be compared?",
    "second_item": "Which two items shall be compared?",
    "ingredient": "Which ingredient do you want to replace?",
    "place": "For which place?",
    "date": "Which date do you mean?",
    "expression": "What shall be calculated?",
    "query": "What are you looking for?",
}
_ZH: dict[Role, str] = {
    "item": "您指的是哪一个？",
    "dish": "是做哪道菜用的？",
    "main_item": "要和什么搭配？",
    "first_item": "要比较哪两个？",
    "second_item": "要比较哪两个？",
    "ingredient": "您想替换哪一种食材？",
    "place": "您问的是哪个地方？",
    "date": "您指的是哪一天？",
    "expression": "要算什么？",
    "query": "您想找什么？",
}


def question_back(tool: Tool, missing: Sequence[str], wrong: Sequence[str], language: str) -> InvalidArguments:
    """Return the error that asks the user for what is missing, or says what is wrong."""
    if not missing:
        return InvalidArguments(" ".join(wrong), hint=signature(tool))
    known = parameters(tool.parameters)
    is_for = roles(known)
    asked = dict.fromkeys(_ask(name, is_for.get(name, "other"), known.get(name, {}), language) for name in missing)
    return InvalidArguments(
        ("" if language == "zh" else " ").join(asked), hint=_hint(tool, missing, language), missing=missing
    )


def _ask(name: str, is_for: Role, schema: Schema, language: str) -> str:
    if (words := (_ZH if language == "zh" else _EN).get(is_for)) is not None:
        return words
    if (listed := choices(schema)) is not None:
        return _which(words_of_name(name), [str(choice) for choice in listed if choice is not None], language)
    described = _FROM_QUERY.sub("", str(schema.get("description", ""))).strip(" .。")
    within = _bounds(schema, language)
    *before, last = words_of_name(name).split()
    is_unit = bool(before) and unit_called(last) is not None
    if language == "zh":
        wanted = f"{' '.join(before)}（{last}）" if is_unit else " ".join([*before, last])
        return f"请告诉我{described or wanted}{within}。"
    wanted = f"{' '.join(before)} in {last}" if is_unit else " ".join([*before, last])
    said = f": {described[:1].lower()}{described[1:]}" if described else f" the {wanted}"
    return f"Please say{said}{within}."


def _bounds(schema: Schema, language: str) -> str:
    """Say between which numbers a value lies; empty where the schema sets no bound."""
    low, high = schema.get("minimum"), schema.get("maximum")
    is_zh = language == "zh"
    if low is None and high is None:
        return ""
    if low is None or high is None:
        words = ("最小", "最大") if is_zh else ("at least ", "at most ")
        said = f"{words[low is None]}{high if low is None else low}"
    else:
        said = f"{low}到{high}" if is_zh else f"{low} to {high}"
    return f"（{said}）" if is_zh else f" ({said})"


def _which(name: str, listed: Sequence[str], language: str) -> str:
    if language == "zh":
        return f"请选择{name}：{'、'.join(listed[:_MOST_CHOICES])}{'……' if len(listed) > _MOST_CHOICES else '。'}"
    *first, last = listed[:_MOST_CHOICES] if len(listed) <= _MOST_CHOICES else [*listed[:_MOST_CHOICES], "another"]
    return f"Which {name}: {', '.join(first)} or {last}?" if first else f"Which {name}? There is {last}."


def _hint(tool: Tool, missing: Sequence[str], language: str) -> str:
    names = ", ".join(missing)
    return f"（工具 {tool.name} 还缺参数：{names}）" if language == "zh" else f"(Tool {tool.name!r} needs {names}.)"
