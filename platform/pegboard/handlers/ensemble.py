"""Ensemble: several searches at once, and a small plan out of the best of each: a meal, an outfit, a kit."""

from collections.abc import Sequence

import anyio

from pegboard.catalog.contract import Context, Hit, Item, Result, tool
from pegboard.knowledge.content import ARTICLES
from pegboard.knowledge.courses import Course, course_in, serves
from pegboard.knowledge.facets import facts_of
from pegboard.knowledge.values import object_of, text_of, texts_of
from pegboard.knowledge.wording.amounts import Money
from pegboard.knowledge.wording.cite import Sources
from pegboard.knowledge.wording.describe import digest, line
from pegboard.knowledge.wording.facts import facts
from pegboard.knowledge.wording.stems import asked_words, held_words, widened
from pegboard.knowledge.words import is_vague
from pegboard.text import Json

_MOST_PARTS = 8
_CANDIDATES = 20
"""Hits of each search: enough for every part to find one that no other part has taken."""
_ABOUT_AS_GOOD = 0.75
"""Part of the best one's score."""
_SURELY_MEANT = 60.0
_ALONE = 3
"""Items of a plan that has only one search."""

_TASK = (
    "Put a plan together from the evidence: one line for each part, with what it is and why the parts go "
    "together. "
    "Do not add anything that is not in the evidence."
)
_SEPARATORS = str.maketrans({"、": ",", "，": ",", ";": ",", "；": ",", "\n": ","})


@tool
async def ensemble(context: Context, queries: list[str] | None = None, ensemble_type: str = "") -> Result:
    """Search for each of `queries` and put the best of each together; without any, the parts of a meal."""
    parts = _parts(context, queries or [], ensemble_type)
    found = await _searched(context, parts)
    plan = _plan(context, parts, found)
    if not plan:
        return Result(_words(context)["nothing"], status="not_found")
    return _told(context, plan, [part for part in parts if part not in {name for name, _ in plan}])


def _parts(context: Context, queries: Sequence[str] | str, ensemble_type: str) -> list[str]:
    """Return what to search for, each once, in order."""
    listed = queries.translate(_SEPARATORS).split(",") if isinstance(queries, str) else list(queries)
    parts = list(dict.fromkeys(part.strip() for part in listed if part.strip()))[:_MOST_PARTS]
    if parts:
        return parts
    is_meal = context.type == "Recipe" or ensemble_type.strip().lower() in _MEALS
    return list(_words(context)["courses"].split("|")) if is_meal else [context.question]


async def _searched(context: Context, parts: Sequence[str]) -> list[tuple[Hit, ...]]:
    """Search for all parts at once; `found[i]` belongs to `parts[i]`."""
    found: list[tuple[Hit, ...]] = [() for _ in parts]

    async def find(slot: int, part: str) -> None:
        found[slot] = await _hits(context, part, is_alone=len(parts) == 1)

    async with anyio.create_task_group() as group:
        for slot, part in enumerate(parts):
            group.start_soon(find, slot, part)
    return found


async def _hits(context: Context, part: str, *, is_alone: bool) -> tuple[Hit, ...]:
    """Search for a part; for a course, for the kinds of dishes that serve for it, in either language."""
    course = course_in(part)
    if course is None:
        searched = await context.search.items(part, limit=_CANDIDATES)
        return () if searched.is_weak and not is_alone else searched.hits
    own, other = ("zh", "en") if context.language == "zh" else ("en", "zh")
    hits = (await context.search.items(part, limit=_CANDIDATES)).hits
    if hits and not any(_kinds(hit.item) for hit in hits):  # content that does not say what serves for what
        return hits
    for query in (_query(*course, own), _query(*course, other)):
        if serving := tuple(hit for hit in hits if serves(facts_of(hit.item.schema_object), course[1])):
            return serving
        hits = (await context.search.items(query, limit=_CANDIDATES)).hits
    return tuple(hit for hit in hits if serves(facts_of(hit.item.schema_object), course[1]))


def _query(before: str, course: Course, language: str) -> str:
    """Return what to search for: the qualities that are wanted, and the kinds of dishes that serve for a course."""
    kinds = [kind for kind in course.kinds if kind.isascii() == (language != "zh")]
    return f"{before}{'、'.join(kinds)}" if language == "zh" else f"{before} {' or '.join(kinds)}".strip()


def _plan(context: Context, parts: Sequence[str], found: Sequence[tuple[Hit, ...]]) -> list[tuple[str, Hit]]:
    """Return the best items of each part, none twice; the part with the least choice chooses first."""
    wanted = _ALONE if len(parts) == 1 else 1
    ranked = [
        _preferred(context, part, hits, is_alone=len(parts) == 1) for part, hits in zip(parts, found, strict=True)
    ]
    chosen: list[list[Hit]] = [[] for _ in parts]
    taken: set[str] = set()
    for slot in sorted(range(len(parts)), key=lambda slot: -_loss(ranked[slot])):
        chosen[slot] = [hit for hit in ranked[slot] if hit.item.url not in taken][:wanted]
        taken |= {hit.item.url for hit in chosen[slot]}
    return [(part, hit) for part, hits in zip(parts, chosen, strict=True) for hit in hits]


def _loss(ranked: Sequence[Hit]) -> float:
    """Return how much worse a part is served when another takes its first choice."""
    scores = [hit.score for hit in ranked[:2]]
    return scores[0] - scores[1] if len(scores) == 2 else 100.0


def _preferred(context: Context, part: str, hits: tuple[Hit, ...], *, is_alone: bool) -> list[Hit]:
    """Return the hits, first those of the kind that is named, about as good as the best, in stock, in the language.

    No articles on things where there are things.
    """
    things = [hit for hit in hits if hit.item.type not in ARTICLES] or list(hits)
    if not is_alone and course_in(part) is None and not is_vague(part):
        things = _named(context, part, things)
    words = set(asked_words(part))
    of_kind = {hit.item.url for hit in things if words & held_words(" ".join(_kinds(hit.item)))}
    best = max((hit.score for hit in things), default=0.0)

    def drawbacks(hit: Hit) -> int:
        is_other = bool(of_kind) and hit.item.url not in of_kind
        is_worse = hit.score < _ABOUT_AS_GOOD * best
        is_foreign = hit.item.language != context.language
        return 8 * is_other + 4 * is_worse + 2 * _is_sold_out(hit.item) + is_foreign

    return sorted(things, key=drawbacks)


def _named(context: Context, part: str, hits: Sequence[Hit]) -> list[Hit]:
    """Return the hits that go by a word of `part`; of another language, where words cannot tell, what scores well."""
    words = widened(asked_words(part))

    def is_named(item: Item) -> bool:
        said = [item.name, *_kinds(item), *texts_of(item.schema_object.get("keywords"))]
        return bool(words & held_words(" ".join(said)))

    def is_foreign(hit: Hit) -> bool:
        return hit.item.language != context.language and hit.score >= _SURELY_MEANT

    return [hit for hit in hits if is_named(hit.item) or is_foreign(hit)]


def _kinds(item: Item) -> list[str]:
    return [kind for key in ("recipeCategory", "category") for kind in texts_of(item.schema_object.get(key))]


def _is_sold_out(item: Item) -> bool:
    offers = object_of(item.schema_object.get("offers"))
    return text_of(offers.get("availability")).endswith(("OutOfStock", "SoldOut", "Discontinued"))


def _told(context: Context, plan: Sequence[tuple[str, Hit]], lost: Sequence[str]) -> Result:
    words, sources = _words(context), Sources()
    lines = [words["head"]]
    for part, hit in plan:
        mark = sources.cite(digest(hit.item, context.language), url=hit.item.url, name=hit.item.name)
        label = words["part"].format(part=_capital(part)) if len({name for name, _ in plan}) > 1 else ""
        lines.append(f"- {label}{line(hit.item, context.language)} {mark}")
    if total := _total([hit.item for _, hit in plan], context.language):
        lines.append(words["total"].format(total=total))
    lines += [words["lost"].format(part=part) for part in lost]
    return Result(
        "\n".join(lines),
        items=tuple(hit for _, hit in plan),
        evidence=sources.evidence,
        task=_TASK,
        data=_data(plan),
    )


def _total(items: Sequence[Item], language: str) -> str:
    """Return the sum of the prices, empty where one is missing or the currencies differ."""
    prices = [next((fact for fact in facts(item, language) if fact.aspect == "price"), None) for item in items]
    known = [fact for fact in prices if fact is not None and fact.amount is not None]
    if len(known) < max(len(items), 2) or len({fact.unit for fact in known}) > 1:
        return ""
    return str(Money(sum(fact.amount or 0.0 for fact in known), known[0].unit))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _data(plan: Sequence[tuple[str, Hit]]) -> Json:
    return [{"part": part, "name": hit.item.name, "url": hit.item.url} for part, hit in plan]


def _words(context: Context) -> dict[str, str]:
    return _ZH if context.language == "zh" else _EN


_MEALS = frozenset({"meal", "menu", "dinner", "lunch", "a meal", "餐", "菜单", "晚餐", "午餐", "家宴"})
_EN = {
    "head": "Put together from this site:",
    "part": "{part}: ",
    "total": "Together {total}.",
    "lost": "Nothing fits “{part}”.",
    "nothing": "Nothing on this site fits, so there is nothing to put together.",
    "courses": "starter or salad|main course|dessert",
}
_ZH = {
    "head": "用本站的内容搭配如下：",
    "part": "{part}——",
    "total": "合计 {total}。",
    "lost": "没有找到符合“{part}”的内容。",
    "nothing": "本站没有符合要求的内容，搭配不出来。",
    "courses": "凉菜或汤|主菜|甜品",
}
