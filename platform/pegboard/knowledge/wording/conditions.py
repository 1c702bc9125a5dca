"""What a search applied, in plain words: `at most 20 minutes`, `in stock`, `cheapest first`."""

import re
from collections.abc import Sequence

from pegboard.catalog.contract import Filter, Order
from pegboard.knowledge.facets import DIETS
from pegboard.knowledge.foods import FAMILIES
from pegboard.knowledge.qualities import QUALITY_BY_NAME
from pegboard.knowledge.wording.amounts import Money, listed, plain

_LIMITS = {"<": "under", "<=": "at most", ">": "over", ">=": "at least"}
_LIMITS_ZH = {"<": "{}以下", "<=": "{}以内", ">": "超过{}", ">=": "{}以上"}
_LEAD = re.compile(r"^(?:(?:that|which|with|has|have|having|is|are|the|your|our)\s+)+", re.IGNORECASE)
_FIRST = {
    ("price", False): ("cheapest first", "按价格从低到高"),
    ("price", True): ("most expensive first", "按价格从高到低"),
    ("time", False): ("quickest first", "按用时从短到长"),
    ("time", True): ("longest first", "按用时从长到短"),
    ("calories", False): ("fewest calories first", "按热量从低到高"),
    ("calories", True): ("most calories first", "按热量从高到低"),
    ("rating", True): ("best rated first", "按评分从高到低"),
    ("rating", False): ("worst rated first", "按评分从低到高"),
    ("weight", False): ("lightest first", "按重量从轻到重"),
    ("weight", True): ("heaviest first", "按重量从重到轻"),
    ("date", True): ("newest first", "按时间从新到旧"),
    ("date", False): ("oldest first", "按时间从旧到新"),
}


def applied(filters: Sequence[Filter], language: str) -> list[str]:
    """Return what the filters ask for, each once, in their order; two limits of one field become a range."""
    told: list[str] = []
    filters = [one for one in filters if not any(_is_stricter(other, one) for other in filters)]
    for condition in filters:
        others = [one for one in filters if one.field == condition.field and one.operator != condition.operator]
        if condition.operator == ">=" and any(one.operator == "<=" for one in others):
            high = next(one for one in others if one.operator == "<=")
            told.append(_range(condition, high, language))
        elif not (condition.operator == "<=" and any(one.operator == ">=" for one in others)):
            told.append(_said(condition, language))
    return list(dict.fromkeys(told))


def _is_stricter(one: Filter, other: Filter) -> bool:
    """Tell whether `one` says more than `other`: at most 15 minutes, and at most 30."""
    if (one.field, one.unit) != (other.field, other.unit) or isinstance(one.value, str) or isinstance(other.value, str):
        return False
    if {one.operator, other.operator} <= {"<", "<="}:
        return one.value < other.value
    return {one.operator, other.operator} <= {">", ">="} and one.value > other.value


def first(order: Order, language: str) -> str:
    """Return the order in words: `cheapest first`, `longest battery life first`, `按续航从长到短`."""
    if order.field == "property":
        if language == "zh":
            return f"按{order.of}从{'高到低' if order.is_falling else '低到高'}"
        return f"{_LEAD.sub('', order.words).lower()} first"
    return _FIRST[order.field, order.is_falling][language == "zh"]


def unapplied(words: Sequence[str], language: str) -> str:
    """Return the sentence that says what was not applied; empty if all was."""
    if not words:
        return ""
    if language == "zh":
        return f"{listed([f'“{each}”' for each in words], 'zh')}无法判断，没有用来筛选：内容里没有这样的说明。"
    quoted = listed([f"“{each}”" for each in words], "en")
    return f"{quoted} could not be applied: the content does not tell."


def _range(low: Filter, high: Filter, language: str) -> str:
    ends = _amount(low, language), _amount(high, language)
    return f"{ends[0]} 到 {ends[1]}" if language == "zh" else f"{ends[0]} to {ends[1]}"


def _said(condition: Filter, language: str) -> str:
    zh, value = language == "zh", str(condition.value)
    match condition.field:
        case "available":
            return "有货" if zh else "in stock"
        case "diet":
            name = diet_called(value, language)
            return f"{'非' if zh else 'not '}{name}" if condition.operator == "not" else name
        case "without":
            return f"{'不含' if zh else 'without '}{food_called(value, language)}"
        case "called":
            name = quality_called(value, language)
            denial = ("不" if len(name) == 1 else "不是") if zh else "not "
            return f"{denial}{name}" if condition.operator == "not" else name
        case "rating":
            return _rated(condition, language)
    amount = _amount(condition, language)
    return _LIMITS_ZH[condition.operator].format(amount) if zh else f"{_LIMITS[condition.operator]} {amount}"


def _rated(condition: Filter, language: str) -> str:
    amount = plain(float(condition.value))
    if language == "zh":
        return "评分 " + _LIMITS_ZH[condition.operator].format(f"{amount} ")
    if condition.operator == ">=":
        return f"rated {amount} or better"
    return f"rated {_LIMITS[condition.operator]} {amount}"


def _amount(condition: Filter, language: str) -> str:
    value = float(condition.value)
    match condition.field:
        case "price":
            return str(Money(value, condition.unit))
        case "time":
            return _minutes(value, language)
    return f"{plain(value)} {'大卡' if language == 'zh' else condition.unit}"


def _minutes(amount: float, language: str) -> str:
    hours, minutes = divmod(round(amount), 60) if amount > 90 or amount == 60 else (0, round(amount))
    if language == "zh":
        parts = [(hours, "小时"), (minutes, "分钟")]
        return " ".join(f"{count} {unit}" for count, unit in parts if count)
    parts = [(hours, "hour"), (minutes, "minute")]
    return " ".join(f"{count} {unit}{'' if count == 1 else 's'}" for count, unit in parts if count)


def diet_called(name: str, language: str) -> str:
    """Return a diet of `facets.DIETS` in words."""
    return _chinese(DIETS.get(name, (name,))) if language == "zh" else name


def food_called(name: str, language: str) -> str:
    """Return a family of `foods`, or a plain food, in words."""
    family = next((family for family in FAMILIES if family.name == name), None)
    return _chinese(family.called) if family and language == "zh" else name


def quality_called(name: str, language: str) -> str:
    """Return a quality of `qualities`, or a word of the content's own, in words."""
    quality = QUALITY_BY_NAME.get(name)
    return _chinese(quality.characters) if quality and language == "zh" else name


def _chinese(names: Sequence[str]) -> str:
    return next((name for name in names if not name.isascii()), names[0])
