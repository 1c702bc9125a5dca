"""A question -> the order that it wants, such as `cheapest` or `续航最长的`; and what items are ordered by.

Pure. An order by a property is read where the content has a property that goes by such a name.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from pegboard.catalog.contract import Order
from pegboard.knowledge.coverage import Coverage
from pegboard.knowledge.facets import Facts
from pegboard.knowledge.measures import Measure, measure
from pegboard.knowledge.wording.stems import stems, widened

Ordering: TypeAlias = tuple[int, int, Order]
"""Where the words of an order begin and end, and the order."""

_WORDS: Mapping[tuple[str, bool], tuple[str, str]] = {
    ("price", False): (
        r"cheapest|least\s+expensive|most\s+affordable|(?:(?:for|at|with)\s+)?(?:the\s+)?lowest[\s-]price[sd]?",
        "最便宜|最实惠|最划算|价格最低|价钱最低|售价最低",
    ),
    ("price", True): (r"most\s+expensive|priciest|dearest|highest[\s-]price[sd]?", "最贵|价格最高|售价最高"),
    ("time", False): (
        r"quickest|fastest|least\s+time|shortest\s+(?:time|(?:cooking|preparation|total)\s+time)",
        "最快(?:能?(?:做好|做完|上桌|完成))?|最省时|(?:用时|耗时|时间|总时间)最(?:短|少)",
    ),
    ("calories", False): (
        r"(?:fewest|lowest|least)[\s-]calorie[s]?|lowest\s+in\s+calories", "(?:热量|卡路里)最(?:低|少)",
    ),
    ("calories", True): (r"(?:most|highest)[\s-]calorie[s]?", "(?:热量|卡路里)最(?:高|多)"),
    ("rating", True): (
        r"(?:best|highest|top)[\s-](?:rated|reviewed|ratings?)|(?:best|highest)\s+(?:customer\s+)?(?:reviews?|score)",
        "(?:评分|评价|口碑|打分|得分)最(?:高|好)|最受好评",
    ),
    ("rating", False): (r"(?:worst|lowest)[\s-](?:rated|reviewed|ratings?)", "(?:评分|评价|口碑)最(?:低|差)"),
    ("weight", False): (r"lightest|lowest\s+weight|weigh(?:s|ing)?\s+(?:the\s+)?least", "最轻便?|重量最轻"),
    ("weight", True): (r"heaviest|weigh(?:s|ing)?\s+(?:the\s+)?most", "最重|重量最重"),
    ("date", True): (r"newest|latest|most\s+recent", "最新|最近发布"),
    ("date", False): (r"oldest", "最旧|最早"),
}  # fmt: skip
_LEAD = r"(?:\b(?:that|which)\s+)?(?:\b(?:with|has|have|having|is|are)\s+)?(?:\b(?:the|your|our)\s+)?"
_ORDERS = tuple(
    (field, is_falling, re.compile(rf"{_LEAD}\b(?:{english})\b|(?:{chinese})的?", re.IGNORECASE))
    for (field, is_falling), (english, chinese) in _WORDS.items()
)
_BY_ITSELF = {
    r"longest[\s-]lasting|lasts?\s+(?:the\s+)?longest|最(?:耐用|持久)": ("battery life", True),
    r"quietest|least\s+noisy|最安静": ("noise", False),
    r"loudest": ("output power", True),
    r"most\s+powerful|strongest": ("power", True),
    r"brightest|最亮": ("light output", True),
    r"(?:biggest|largest|roomiest)\s+(?=\w+s?\b)": ("volume", True),
}
_ALONE = tuple((re.compile(rf"{_LEAD}(?:{words})的?", re.IGNORECASE), of) for words, of in _BY_ITSELF.items())
_MOST = r"longest|largest|biggest|highest|greatest|most|best|widest|tallest|deepest|thickest|strongest|fastest"
_LEAST = r"shortest|smallest|lowest|least|fewest|narrowest|thinnest|weakest|slowest"
_OF_PROPERTY = re.compile(
    rf"{_LEAD}\b(?:(?P<most>{_MOST})|(?P<least>{_LEAST}))\s+(?P<of>[a-z]+(?:[\s-][a-z]+){{0,2}})", re.IGNORECASE
)
_HAN_OF_PROPERTY = re.compile(
    "(?P<of>[\u4e00-\u9fff]{2,6})最(?:(?P<most>长|大|高|多|强|久|宽|厚|亮|好)|(?P<least>短|小|低|少|弱|窄|薄|差))的?"
)


def find_orders(question: str, coverage: Coverage | None) -> Iterator[Ordering]:
    """Find the orders that a question wants, the likeliest first; without a `coverage`, of every field."""
    for field, is_falling, pattern in _ORDERS:
        if (match := pattern.search(question)) and (coverage is None or field in coverage.fields):
            yield match.start(), match.end(), Order(field, is_falling, match[0].strip())
    if coverage is None:
        return
    for pattern in (_OF_PROPERTY, _HAN_OF_PROPERTY):
        for match in pattern.finditer(question):
            yield from _of_property(match, coverage)
    for pattern, (of, is_falling) in _ALONE:
        if (match := pattern.search(question)) and labels_for(of, coverage.labels):
            yield match.start(), match.end(), Order("property", is_falling, match[0].strip(), of)


def is_superlative(question: str) -> bool:
    """Tell whether `question` asks for the first of an order, whatever the content can be ordered by."""
    patterns = [*(pattern for _, _, pattern in _ORDERS), *(pattern for pattern, _ in _ALONE)]
    return any(pattern.search(question) for pattern in (*patterns, _OF_PROPERTY, _HAN_OF_PROPERTY))


def _of_property(match: re.Match[str], coverage: Coverage) -> Iterator[Ordering]:
    """Read the property that is named: as many words as a label has, from the superlative on or up to it."""
    is_han = not match["of"].isascii()
    words = list(match["of"]) if is_han else match["of"].split()
    for length in range(len(words), 0, -1):
        of = "".join(words[-length:]) if is_han else " ".join(words[:length])
        if len(of) > 1 and labels_for(of, coverage.labels, is_whole=True):
            start = match.end("of") - len(of) if is_han else match.start()
            end = match.end() if is_han else match.start("of") + len(of)
            yield start, end, Order("property", bool(match["most"]), match.string[start:end].strip(), of)
            return


def labels_for(of: str, labels: Sequence[str] | frozenset[str], *, is_whole: bool = False) -> list[str]:
    """Return the labels of properties that `of` may mean, the nearest first.

    `is_whole`: every word of it must be in the label, or a word of the same meaning.
    """
    wanted = stems(of)
    near = [(word, widened([word])) for word in wanted]
    found = []
    for label in labels:
        own = set(stems(label))
        shared = sum(bool(others & own) for _, others in near)
        exact = sum(word in own for word, _ in near)
        if shared and (not is_whole or shared == len(near)):
            found.append(((-exact, -shared, len(own), label), label))
    return [label for _, label in sorted(found)]


def measured(facts: Facts, order: Order) -> list[Measure]:
    """Return what an item is ordered by: one measure, or of a price one a currency; none if it does not say."""
    numbers = {
        "time": facts.minutes, "calories": facts.calories, "rating": facts.rating, "weight": facts.claims.grams,
    }  # fmt: skip
    if order.field == "price":
        return [Measure(price.low, price.currency) for price in facts.prices]
    if order.field == "date":
        digits = "".join(c for c in facts.claims.date[:10] if c.isdigit())
        return [Measure(float(digits.ljust(8, "0")), "date")] if len(digits) >= 4 else []
    if order.field == "property":
        values = dict(facts.claims.properties)
        found = (measure(values[label]) for label in labels_for(order.of, list(values)))
        return [one for one in found if one is not None]
    number = numbers.get(order.field)
    return [] if number is None else [Measure(number, order.field)]
