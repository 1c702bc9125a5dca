"""A question -> the conditions in it, and the question without them.

Pure and linear in the length of the question. A condition on something that the content does not say of its
items is no condition: its words stay in the question.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import re2

from pegboard.catalog.contract import Filter, Order
from pegboard.knowledge import quantities
from pegboard.knowledge.counts import find_count
from pegboard.knowledge.coverage import Coverage
from pegboard.knowledge.facets import DIET_CALLED
from pegboard.knowledge.negations import find_unwanted
from pegboard.knowledge.orders import find_orders
from pegboard.knowledge.quantities import NUMBER, Quantity, Reader
from pegboard.knowledge.wishes import Span, find_wishes

Operator = Literal["<", "<=", ">", ">="]
Match: TypeAlias = Any
"""Of RE2, which ships no types."""

_BEFORE: dict[Operator, tuple[str, ...]] = {
    "<": ("under", "below", "less than", "fewer than", "lower than", "cheaper than", "shorter than",
           "quicker than",
          "faster than", "<", "低于", "少于", "小于", "不到", "不足", "便宜于", "短于"),
    "<=": ("at most", "no more than", "not more than", "no longer than", "not over", "not above",
           "not exceeding",
           "up to", "within", "maximum of", "max of", "maximum", "max", "in under", "in less than",
           "a budget of",
           "budget of", "budget", "in", "<=", "≤", "不超过", "不高于", "不多于", "不大于", "最多", "至多",
           "顶多",
           "最高", "预算", "控制在"),
    ">": ("over", "above", "more than", "greater than", "higher than", "longer than", "exceeding", ">",
           "高于",
          "超过", "多于", "大于", "贵于", "长于"),
    ">=": ("at least", "no less than", "not less than", "not under", "not below", "minimum of", "minimum",
           "min",
           "starting at", "starting from", "from", ">=", "≥", "至少", "最少", "起码", "不低于", "不少于",
           "不小于"),
}  # fmt: skip
_AFTER: dict[Operator, tuple[str, ...]] = {
    "<": (),
    "<=": ("or less", "or under", "or below", "or fewer", "or cheaper", "or lower", "max", "maximum",
           "at most",
           "tops", "及以下", "或以下", "以下", "之下", "及以内", "以内", "之内", "内", "就能做好", "能做好",
           "就能搞定",
           "能搞定", "搞定"),
    ">": (),
    ">=": ("or more", "or above", "or over", "or higher", "or better", "or up", "and up", "and above",
           "and over",
           "and more", "plus", "+", "及以上", "或以上", "以上", "之上", "往上", "起"),
}  # fmt: skip
_BEFORE_WORDS: dict[str, Operator] = {word: op for op, known in _BEFORE.items() for word in known}
_AFTER_WORDS: dict[str, Operator] = {word: op for op, known in _AFTER.items() for word in known}


def _either(words: dict[str, Operator]) -> str:
    ordered = sorted(words, key=len, reverse=True)
    spelled = (word.replace(" ", r"\s+") for word in ordered if word[0].isascii() and word[0].isalpha())
    others = (re2.escape(word) for word in ordered if not (word[0].isascii() and word[0].isalpha()))
    return rf"\b(?:{'|'.join(spelled)})\b|{'|'.join(others)}"


_IN_BEFORE, _IN_AFTER = _either(_BEFORE_WORDS), _either(_AFTER_WORDS)
_ONLY_FOR = {"in": "time", "from": "price", "起": "price"}
"""Words that set a limit with one measure only."""
_LEAD = (
    r"(?:(?:\b(?:that|which)\s+)?(?:\b(?:can be|is|are|be)\s+)?\b(?:takes?|taking|costs?|costing"
    r"|priced(?:\s+at)?|ready|done|made|cooks?|cooked|prepared|with(?:\s+an?)?(?:\s+(?:price|cost|time))?(?:\s+of)?|for|has|have|having"
    r"|on|of)\s+)?"
    r"(?:(?:价格|价钱|售价|总价|单价|热量|卡路里|用时|耗时|时间|总时间)?(?:在|是|要|为)?)?"
)
_TAIL = (
    r"(?:\s*\b(?:per|a|each)\s+(?:serving|portion)\b|\s*\b(?:in total|total)\b|每份)?(?:之间)?"
    r"(?:(?:就?能|可以)?(?:做好|做完|做出来|搞定|完成|上桌))?的?"
)
_MEASURES: tuple[tuple[str, str, Reader], ...] = (
    ("time", quantities.TIME, quantities.minutes),
    ("calories", quantities.ENERGY, quantities.kilocalories),
    ("price", quantities.MONEY, quantities.money),
    ("rating", quantities.STARS, quantities.stars),
)
_RANGES = {
    field: re2.compile(
        rf"(?i){_LEAD}(?:\b(?:between|from)\s+|介于)?({quantity}|{NUMBER})\s*(?:\band\b|\bto\b|[-–—~～]|到|至|和)\s*"
        rf"({quantity}){_TAIL}"
    )
    for field, quantity, _ in _MEASURES
}
_LIMITS = {
    field: re2.compile(rf"(?i){_LEAD}({_IN_BEFORE})\s*({quantity})\s?({_IN_AFTER})?{_TAIL}")
    for field, quantity, _ in _MEASURES
}
_ENDED = {field: re2.compile(rf"(?i){_LEAD}({quantity})\s?({_IN_AFTER}){_TAIL}") for field, quantity, _ in _MEASURES}
_RATED = re2.compile(
    rf"(?i)(?:\bthat\s+are\s+|\bwith\s+an?\s+)?(?:\b(?:rated|ratings?|scored?)\b(?:\s+of)?|评分|评价|打分|口碑分?)\s*在?\s*"
    rf"({_IN_BEFORE})?\s*(\d(?:\.\d+)?|[一二三四五](?:点[一二三四五六七八九])?|one|two|three|four|five)"
    rf"\s?(?:stars?\b|分|星)?\s?({_IN_AFTER})?(?:的)?"
)
_ABOUT = re2.compile(
    rf"(?i){_LEAD}(?:\b(?:about|around|roughly|approximately)\s+|大约|大概|差不多)({quantities.MONEY})(?:左右|上下)?(?:的)?"
    rf"|({quantities.MONEY})\s?(?:左右|上下)(?:的)?"
)
_BARE_PRICE = re2.compile(
    r"(?i)\b(?:for\s+)?(under|below|less\s+than|cheaper\s+than|over|above|more\s+than)\s+(\d[\d,]{0,10}(?:\.\d{1,2})?k?)\s*(?:please)?\s*[?.!]?\s*$"
)
_QUICK = re2.compile(r"(?i)\b(?:quick|speedy)\b|快手|快速")
_QUICK_MINUTES = 30.0
_STOCK = re2.compile(
    r"(?i)(\b(?:back|not|isn't|aren't|out\s+of)\s+)?(?:\b(?:that\s+(?:is|are)|which\s+(?:is|are)|currently)\s+)?"
    r"(?:\bin\s+stock\b|\bavailable\s+now\b|\bcurrently\s+available\b|有现货|有货|现货)(?:的)?"
)
_DIET = re2.compile(
    r"(?i)(\b(?:not|non|isn't|aren't)[\s-]+|不是|非)?("
    + "|".join(
        rf"\b{re2.escape(name)}\b" if name.isascii() else re2.escape(name)
        for name in sorted(DIET_CALLED, key=len, reverse=True)
    )
    + r")(?:[ -]friendly\b)?(?:的)?"
)
_DANGLING = re2.compile(
    r"(?i)^(?:[\s,，。、;；的]|and\b|but\b|with\b)+|(?:[\s,，、;；]|\b(?:and|but|that|which|with|for|in|or|are|is)\b)+$"
)
_MEANINGS = {
    "$": ("USD", frozenset({"AUD", "CAD", "HKD", "NZD", "SGD", "TWD"})),
    "¥": ("CNY", frozenset({"HKD", "JPY", "MOP", "TWD"})),
}
"""What a sign means, and what it means where the content has one of these and not the first."""
_NUMBER = re2.compile(f"(?i){NUMBER}")


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read from a question."""

    rest: str
    """The question without the words of its conditions; empty if there is nothing else in it."""
    filters: tuple[Filter, ...]
    """In the order of their words."""
    order: Order | None = None
    """What shall come first, such as the cheapest."""
    unjudged: tuple[str, ...] = ()
    """Words that say a condition which the content cannot be asked: `not too sweet`."""
    wanted: int | None = None
    """How many things, where it says."""


def read(question: str, coverage: Coverage | None = None) -> Reading:
    """Read the conditions of a question; `coverage` says what the content can be asked (None: everything)."""
    claimed = list(_conditions(question, coverage))
    filters = [one for _, _, found in sorted(claimed, key=lambda span: span[0]) for one in found]
    unjudged = []
    for one in find_unwanted(question, coverage):
        if _is_free(one.start, one.end, claimed):
            claimed.append((one.start, one.end, ()))
            filters += [one.condition] if one.condition else []
            unjudged += [] if one.condition else [one.words]
    order = None
    for start, end, found_order in find_orders(question, coverage):
        if order is None and _is_free(start, end, claimed):
            claimed.append((start, end, ()))
            order = found_order
    count = find_count(question)
    if count is not None and _is_free(count.start, count.end, claimed):
        claimed.append((count.start, count.end, ()))
    else:
        count = None
    claimed.sort(key=lambda span: span[0])
    return Reading(_rest(question, claimed), tuple(filters), order, tuple(unjudged), count.wanted if count else None)


def _conditions(question: str, coverage: Coverage | None) -> list[Span]:
    claimed: list[Span] = []
    for find in (_between, _limited, _rated, _about, _bare_price, _quick, _in_stock, find_wishes, _diets):
        for start, end, found in find(question, coverage):
            is_known = all(coverage is None or coverage.knows(one) for one in found)
            if is_known and _is_free(start, end, claimed):
                claimed.append((start, end, found))
    return claimed


def _is_free(start: int, end: int, claimed: list[Span]) -> bool:
    return all(end <= other[0] or start >= other[1] for other in claimed)


def _rest(question: str, claimed: list[Span]) -> str:
    if not claimed:
        return question.strip()
    kept, at = [], 0
    for start, end, _ in claimed:
        kept.append(question[at:start])
        at = end
    rest = " ".join(" ".join([*kept, question[at:]]).split())
    while (shorter := _DANGLING.sub("", rest)) != rest:
        rest = shorter
    return rest


def _flat(words: str) -> str:
    return " ".join(words.lower().split())


def _unit(quantity: Quantity, coverage: Coverage | None) -> str:
    """Return the unit of a quantity; a sign that several currencies share means the content's."""
    if quantity.unit not in _MEANINGS:
        return quantity.unit
    usual, others = _MEANINGS[quantity.unit]
    known = coverage.currencies if coverage else frozenset({usual})
    if usual in known:
        return usual
    if known == {""}:  # the content never says which
        return ""
    return next(iter(known & others)) if len(known & others) == 1 else usual


def _between(question: str, coverage: Coverage | None) -> Iterator[Span]:
    for field, _, reader in _MEASURES:
        for match in _RANGES[field].finditer(question):
            high = reader(match[2])
            low = _low(match[1], match[2], reader)
            if high is None or low is None or low.unit != high.unit or low.value > high.value:
                continue
            unit, words = _unit(high, coverage), match[0].strip()
            least = Filter(field, ">=", low.value, unit, words)
            yield match.start(), match.end(), (least, Filter(field, "<=", high.value, unit, words))


def _low(low: str, high: str, reader: Reader) -> Quantity | None:
    """Read the lower end of a range, which may leave the unit to the upper: `20 to 50 dollars`."""
    number = _NUMBER.fullmatch(low.strip())
    upper = _NUMBER.search(high)
    if number is None or upper is None:
        return reader(low)
    return reader(high[: upper.start()] + number[0] + high[upper.end() :])


def _limited(question: str, coverage: Coverage | None) -> Iterator[Span]:
    for field, _, reader in _MEASURES:
        for match in _LIMITS[field].finditer(question):
            if _ONLY_FOR.get(_flat(match[1]), field) == field:
                yield from _limit(match, _BEFORE_WORDS[_flat(match[1])], field, reader(match[2]), coverage)
        for match in _ENDED[field].finditer(question):
            yield from _limit(match, _AFTER_WORDS[_flat(match[2])], field, reader(match[1]), coverage)


def _limit(
    match: Match, operator: Operator, field: str, quantity: Quantity | None, coverage: Coverage | None
) -> Iterator[Span]:
    if quantity is not None:
        condition = Filter(field, operator, quantity.value, _unit(quantity, coverage), match[0].strip())
        yield match.start(), match.end(), (condition,)


def _rated(question: str, coverage: Coverage | None) -> Iterator[Span]:
    for match in _RATED.finditer(question):
        before, after = match[1], match[3]
        operator = _BEFORE_WORDS[_flat(before)] if before else _AFTER_WORDS[_flat(after)] if after else ">="
        yield from _limit(match, operator, "rating", quantities.stars(f"{match[2]} stars"), coverage)


def _about(question: str, coverage: Coverage | None) -> Iterator[Span]:
    """Read `about $50` and `500元左右`: a fifth more or less."""
    for match in _ABOUT.finditer(question):
        if (amount := quantities.money(match[1] or match[2])) is not None:
            unit, words = _unit(amount, coverage), match[0].strip()
            low, high = round(amount.value * 0.8, 2), round(amount.value * 1.2, 2)
            ends = (Filter("price", ">=", low, unit, words), Filter("price", "<=", high, unit, words))
            yield match.start(), match.end(), ends


def _bare_price(question: str, coverage: Coverage | None) -> Iterator[Span]:
    """Read `headphones under 100`, where the content has one currency for the question's language."""
    if (match := _BARE_PRICE.search(question)) and (value := quantities.number(match[2])) is not None:
        unit = _unit(Quantity(value, "$"), coverage)
        operator = _BEFORE_WORDS[_flat(match[1])]
        yield match.start(), match.end(), (Filter("price", operator, value, unit, match[0].strip()),)


def _quick(question: str, _: Coverage | None) -> Iterator[Span]:
    """Read `quick`, which says a time where things have times."""
    for match in _QUICK.finditer(question):
        yield match.start(), match.end(), (Filter("time", "<=", _QUICK_MINUTES, "minutes", match[0]),)


def _in_stock(question: str, _: Coverage | None) -> Iterator[Span]:
    for match in _STOCK.finditer(question):
        if not match[1]:
            yield match.start(), match.end(), (Filter("available", "=", "yes", "", match[0].strip()),)


def _diets(question: str, _: Coverage | None) -> Iterator[Span]:
    for match in _DIET.finditer(question):
        operator: Literal["=", "not"] = "not" if match[1] else "="
        condition = Filter("diet", operator, DIET_CALLED[match[2].lower()], "", match[0].strip())
        yield match.start(), match.end(), (condition,)
