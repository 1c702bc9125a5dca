"""What a parameter is for, decided from its name, its description and its schema, English and Chinese."""

import re
from collections.abc import Mapping
from typing import Literal, TypeAlias

from pegboard.llm.references import alternatives, kinds, parts
from pegboard.llm.together import together
from pegboard.text import Json, words_of_name

Role: TypeAlias = Literal[
    "query", "queries", "expression", "item", "dish", "main_item", "first_item", "second_item", "ingredient",
    "details", "place", "document",
    "reason", "accompaniment", "ensemble", "date", "number", "choice", "flag", "other",
]  # fmt: skip
"""`query`: the question itself; `item`: the thing that it names; `details`: what it asks of that thing;
`dish`: where an ingredient is to be replaced; `main_item`: what something shall go with; `document`: a text that has
been kept, by its title.
"""

_BY_NAME: tuple[tuple[Role, str], ...] = (
    ("first_item", r"\b(?:item|product|recipe|dish|movie|name|thing)s? ?(?:1|one|a)\b|\b(?:first|left) "
                   r"(?:item|product|name)"),
    ("second_item", r"\b(?:item|product|recipe|dish|movie|name|thing)s? ?(?:2|two|b)\b|\b(?:second|right) "
                    r"(?:item|product|name)"),
    ("expression", r"\bexpress|\bformula\b|\bcalculation\b|\bmath"),
    ("details", r"\bdetails?\b|\baspects?\b|\battributes?\b|\bfields?\b|\binformation\b"),
    ("ingredient", r"\bingredient"),
    ("accompaniment", r"\baccompaniment (?:type|kind)|\bpairing (?:type|kind)|^(?:accompaniment|pairing|"
                      r"drink|side)$"),
    ("ensemble", r"\bensemble (?:type|kind)|\boccasion\b|\bplan (?:type|kind)"),
    ("reason", r"\breason\b|\bwhy\b|\bdiet(?:ary)?\b|\brestriction"),
    ("place", r"\bplace\b|\bcity\b|\blocation\b|\btime ?zone\b|\btown\b|\bcountry\b|\bdestination\b|"
              r"\bwhere\b"),
    ("date", r"\bdate\b|\bday\b|\bwhen\b"),
    ("document", r"^document(?: (?:title|name|id))?$"),
    ("query", r"\bquer(?:y|ies)\b|\bquestion\b|^q$|^goal$|\bsearch\b|\bprompt\b|\bkeywords?\b|\btopic\b|"
              r"\bsubject\b|\bterms?\b"),
    ("main_item", r"\bmain (?:item|dish|course)"),
    ("item", r"\b(?:item|recipe|product|dish|movie|film|article|title)(?: name)?$|^name$"),
)  # fmt: skip
_BY_DESCRIPTION: tuple[tuple[Role, str], ...] = (
    ("expression", r"expression|to calculate|to work out|算式|表达式"),
    ("first_item", r"\bfirst (?:item|thing|product|of the two)|第一个"),
    ("second_item", r"\bsecond (?:item|thing|product|of the two)|第二个"),
    ("ingredient", r"ingredient (?:to|that)|要(?:替换|代替)的|食材"),
    ("place", r"\bcity\b|\bplace\b|\blocation\b|time zone|城市|地点|地方|时区"),
    ("item", r"\bname of (?:the|an?) (?:\w+ )?(?:item|recipe|product|dish|thing|article|movie)|名称|菜名|"
             r"商品名|片名"),
    ("query", r"search (?:query|for|terms?)|what to (?:search|look) for|user'?s (?:question|query|request)|"
              r"the question|查询|问题|关键词|搜索"),
)  # fmt: skip
_NAMES = tuple((role, re.compile(pattern)) for role, pattern in _BY_NAME)
_DESCRIPTIONS = tuple((role, re.compile(pattern, re.IGNORECASE)) for role, pattern in _BY_DESCRIPTION)


def roles(properties: Mapping[str, Mapping[str, Json]]) -> dict[str, Role]:
    """Return what each parameter is for; beside an ingredient, an item is the dish that it is in."""
    found = {name: role(name, schema) for name, schema in properties.items()}
    others = set(found.values())
    meant: Role = "dish" if "ingredient" in others else "main_item" if "accompaniment" in others else "item"
    return {name: meant if each == "item" else each for name, each in found.items()}


def parameters(schema: Mapping[str, Json]) -> dict[str, Mapping[str, Json]]:
    """Return the schema of each parameter: references followed, null left out of alternatives where one is left."""
    declared = schema.get("properties")
    known = declared if isinstance(declared, Mapping) else {}
    return {name: _whole(part, schema) for name, part in known.items() if isinstance(part, Mapping)}


def _whole(part: Mapping[str, Json], root: Mapping[str, Json]) -> Mapping[str, Json]:
    found = parts(part, root)
    whole = part if len(found) == 1 else together(found)
    options = [one for one in alternatives(whole) if isinstance(one, Mapping) and one.get("type") != "null"]
    if len(options) != 1:
        return whole
    return together([whole, *parts(options[0], root)])


def role(name: str, schema: Mapping[str, Json]) -> Role:
    """Return what the parameter `name` is for."""
    named = [kind for kind in kinds(schema) if kind != "null"]
    if isinstance(schema.get("enum"), list):
        return "choice"
    if named == ["boolean"]:
        return "flag"
    if named and {*named} <= {"integer", "number"}:
        return "number"
    if named == ["array"]:
        return "queries"
    if named and "string" not in named:
        return "other"
    if schema.get("format") in {"date", "date-time"}:
        return "date"
    return _of_text(words_of_name(name), str(schema.get("description", "")))


def _of_text(words: str, description: str) -> Role:
    if (by_name := next((found for found, pattern in _NAMES if pattern.search(words)), None)) is not None:
        return by_name
    return next((found for found, pattern in _DESCRIPTIONS if pattern.search(description)), "other")
