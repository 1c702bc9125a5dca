"""Compare: two items side by side, and the differences that matter in words."""

from collections.abc import Sequence
from dataclasses import dataclass

import anyio

from pegboard.catalog.contract import Context, Hit, Item, Result, tool
from pegboard.knowledge.names import is_near
from pegboard.knowledge.wording.amounts import Money, listed, plain, spoken_minutes
from pegboard.knowledge.wording.aspects import asked, relevant, without_name
from pegboard.knowledge.wording.cite import Sources
from pegboard.knowledge.wording.describe import digest, short_name
from pegboard.knowledge.wording.facts import Fact, facts
from pegboard.text import Json, clipped

_MEANT = 50.0
"""A name whose score is lower means another thing."""
_SPECIFICATIONS = 5
"""Specifications that the text tells of; the table holds all."""
_WEIGHED = ("price", "time", "calories", "rating", "weight", "servings", "availability")
"""What people weigh, in the order in which it is told."""
_NOT_IN_TABLE = frozenset({"steps", "tips", "reviews", "ingredients", "sku", "date"})

_TASK = (
    "Compare the two items from the evidence only: say in a few sentences in what they differ where it "
    "matters, and "
    "which suits whom. If the question asks for a choice, name it and why."
)


@dataclass(frozen=True, slots=True)
class _Row:
    aspect: str
    label: str
    first: Fact | None
    second: Fact | None

    @property
    def differs(self) -> bool:
        return self.first is not None and self.second is not None and self.first.value != self.second.value


@tool
async def compare(context: Context, item1_name: str, item2_name: str, details_requested: str = "") -> Result:
    """Compare the items that the two names mean, in what is asked or else in what matters."""
    first, second = await _both(context, item1_name, item2_name)
    lost = [
        (name, hits) for name, hits in ((item1_name, first), (item2_name, second)) if not hits or hits[0].score < _MEANT
    ]
    if lost:
        return _unknown(context, lost, [*first[:1], *second[:1]])
    pair = _apart(first, second)
    if pair is None:
        return _same(context, first[0])
    return _compared(
        context,
        pair,
        without_name(f"{details_requested}\n{context.question}", *_names(pair, item1_name, item2_name)),
    )


async def _both(context: Context, *names: str) -> list[list[Hit]]:
    """Find both at once; `found[i]` belongs to `names[i]`."""
    found: list[list[Hit]] = [[] for _ in names]

    async def find(slot: int, name: str) -> None:
        found[slot] = await context.search.named(name)

    async with anyio.create_task_group() as group:
        for slot, name in enumerate(names):
            group.start_soon(find, slot, name)
    return found


def _apart(first: list[Hit], second: list[Hit]) -> tuple[Hit, Hit] | None:
    """Return two different items: when both names mean the same one, the next best of either."""
    pairs = [
        (one, other)
        for one in first
        for other in second
        if one.item.url != other.item.url and min(one.score, other.score) >= _MEANT
    ]
    return max(pairs, key=lambda pair: pair[0].score + pair[1].score) if pairs else None


def _names(pair: tuple[Hit, Hit], *given: str) -> tuple[str, ...]:
    return (*given, *(hit.item.name for hit in pair))


def _compared(context: Context, pair: tuple[Hit, Hit], question: str) -> Result:
    zh, sources = context.language == "zh", Sources()
    items = (pair[0].item, pair[1].item)
    marks = [sources.cite(digest(item, context.language), url=item.url, name=item.name) for item in items]
    rows = _rows(*(facts(item, context.language) for item in items))
    names = (short_name(items[0]), short_name(items[1]))
    told = [text for row in _told(rows, question) if (text := _sentence(row, names, zh))]
    head = (
        f"{items[0].name} {marks[0]} 与 {items[1].name} {marks[1]} 的比较："
        if zh
        else f"{items[0].name} {marks[0]} and {items[1].name} {marks[1]} compared:"
    )
    if not told:
        told = ["两者在可比的项目上没有差别。" if zh else "In what can be compared, they do not differ."]
    return Result(
        "\n".join([head, *(f"- {text}" for text in told)]),
        items=pair,
        evidence=sources.evidence,
        task=_TASK,
        data=_data(items, rows),
    )


def _rows(first: list[Fact], second: list[Fact]) -> list[_Row]:
    """Return the table: one row a property, the shared ones first."""
    keys: dict[tuple[str, str], list[Fact | None]] = {}
    for column, known in enumerate((first, second)):
        for fact in known:
            if fact.aspect not in _NOT_IN_TABLE:
                key = (fact.aspect, fact.label.casefold() if fact.aspect == "property" else "")
                cells = keys.setdefault(key, [None, None])
                cells[column] = cells[column] or fact
    rows = [_Row(aspect, _label(cells), cells[0], cells[1]) for (aspect, _), cells in keys.items()]
    return sorted(rows, key=lambda row: row.first is None or row.second is None)


def _label(cells: Sequence[Fact | None]) -> str:
    return next(fact.label for fact in cells if fact is not None)


def _told(rows: list[_Row], question: str) -> list[_Row]:
    """Choose what to tell: what is asked, what people weigh, specifications that differ."""
    cells = [fact for row in rows for fact in (row.first, row.second) if fact is not None]
    wanted = {(fact.aspect, fact.label) for fact in relevant(question, cells)}
    for_asked = [row for row in rows if {(f.aspect, f.label) for f in (row.first, row.second) if f} & wanted]
    weighed = [row for aspect in _WEIGHED for row in rows if row.aspect == aspect and row.differs]
    specific = [row for row in rows if row.aspect in {"property", "diet", "category", "cuisine"} and row.differs]
    if for_asked and asked(question):
        return list(dict.fromkeys([*for_asked, *weighed[:2]]))
    return list(dict.fromkeys([*for_asked, *weighed, *specific[:_SPECIFICATIONS]]))


def _sentence(row: _Row, names: tuple[str, str], zh: bool) -> str:
    """Say in what two items differ, or what only one of them says."""
    one, other = row.first, row.second
    if one is None or other is None:
        known, name, silent = (one, names[0], names[1]) if one else (other, names[1], names[0])
        if known is None:
            return ""
        if zh:
            return f"{row.label}：{name}为{_short(known)}；{silent}未注明。"
        return f"{row.label}: {name} – {_short(known)}; {silent} – not stated."
    if one.value == other.value:
        return f"{row.label}：两者都是{_short(one)}。" if zh else f"{row.label}: {_short(one)} for both."
    claim = (_CLAIMS_ZH if zh else _CLAIMS).get(row.aspect)
    if claim and one.amount is not None and other.amount is not None and one.unit == other.unit:
        return _by_amount(claim, row.aspect, one, other, names, zh)
    if zh:
        return f"{row.label}：{names[0]}为{_short(one)}；{names[1]}为{_short(other)}。"
    return f"{row.label}: {names[0]} – {_short(one)}; {names[1]} – {_short(other)}."


def _by_amount(claim: str, aspect: str, one: Fact, other: Fact, names: tuple[str, str], zh: bool) -> str:
    """Name the one that is ahead, and by how much."""
    low, high = one.amount or 0.0, other.amount or 0.0
    first_wins = (low > high) == (aspect in {"rating", "servings"})
    ahead, behind = (one, other) if first_wins else (other, one)
    winner, loser = names if first_wins else (names[1], names[0])
    gap = _gap(aspect, abs(low - high), one.unit, "zh" if zh else "en")
    return claim.format(winner=winner, loser=loser, ahead=ahead.value, behind=behind.value, gap=gap)


def _gap(aspect: str, amount: float, unit: str, language: str) -> str:
    if aspect == "price":
        return str(Money(amount, unit))
    if aspect == "time":
        return spoken_minutes(amount, language)
    return f"{plain(amount)} {unit}" if unit in {"kcal", "g"} else plain(amount)


_CLAIMS = {
    "price": "Cheaper by {gap}: the {winner}, at {ahead} against {behind}.",
    "time": "Quicker by {gap}: the {winner}, with {ahead} against {behind}.",
    "calories": "Fewer calories: the {winner}, with {ahead} a serving against {behind}.",
    "rating": "Rated higher: the {winner}, with {ahead} against {behind}.",
    "weight": "Weighs less: the {winner}, {ahead} against {behind}.",
    "servings": "Makes more: the {winner}, {ahead} against {behind}.",
}
_CLAIMS_ZH = {
    "price": "{winner}更便宜：{ahead}，{loser}为 {behind}，相差 {gap}。",
    "time": "{winner}更省时间：{ahead}，{loser}要 {behind}，相差 {gap}。",
    "calories": "{winner}热量更低：每份 {ahead}，{loser}为 {behind}。",
    "rating": "{winner}评分更高：{ahead}，{loser}为 {behind}。",
    "weight": "{winner}更轻：{ahead}，{loser}为 {behind}。",
    "servings": "{winner}份量更多：{ahead}，{loser}为 {behind}。",
}


def _short(fact: Fact) -> str:
    return clipped(fact.value, 90)


def _data(items: tuple[Item, Item], rows: list[_Row]) -> Json:
    return {
        "items": [{"name": item.name, "url": item.url} for item in items],
        "properties": [
            {
                "name": row.label,
                "values": [fact.value if fact else None for fact in (row.first, row.second)],
                "differs": row.differs,
            }
            for row in rows
        ],
    }


def _unknown(context: Context, lost: list[tuple[str, list[Hit]]], found: list[Hit]) -> Result:
    zh = context.language == "zh"
    parts = []
    for name, near in lost:
        text = f"本站没有“{name}”。" if zh else f"This site has nothing called “{name}”."
        if near := [hit for hit in near if is_near(name, hit.item.name)]:
            names = listed([f"“{hit.item.name}”" for hit in near], context.language, last="或" if zh else "or")
            text += f"最接近的是{names}。" if zh else f" The nearest are {names}."
        parts.append(text)
    unique = {hit.item.url: hit for hit in [*found, *(hit for _, near in lost for hit in near)]}
    return Result(("" if zh else " ").join(parts), items=tuple(unique.values()), status="not_found")


def _same(context: Context, hit: Hit) -> Result:
    zh = context.language == "zh"
    text = (
        f"两个名字指的都是“{hit.item.name}”，请再说一个要比较的。"
        if zh
        else f"Both names mean “{hit.item.name}”. Which other one shall it be compared with?"
    )
    return Result(text, items=(hit,), status="needs_clarification")
