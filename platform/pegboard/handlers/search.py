"""Search: the items of a site that fit a question, and the conditions that were read from it."""

import re
from collections.abc import Sequence

from pegboard.catalog.contract import Context, Filter, Found, Hit, Result, tool
from pegboard.knowledge.content import ARTICLES
from pegboard.knowledge.facets import facts_of, fits
from pegboard.knowledge.wording.amounts import listed
from pegboard.knowledge.wording.cite import Sources
from pegboard.knowledge.wording.conditions import applied, first, unapplied
from pegboard.knowledge.wording.describe import digest, line
from pegboard.text import Json

_TOLD = 5
"""Items that the text tells of where the question does not say how many; the results hold all."""
_NEAREST = 2
"""Items that are named where nothing fits well."""
_AS_NEAR = 0.85
"""Of the nearest one's score."""

_TASK = (
    "Recommend from the evidence what fits the question, best first, one short sentence each that says why "
    "it "
    "fits. If nothing really fits, say so."
)


@tool
async def search(context: Context, query: str = "") -> Result:
    """Find the items of the site that fit `query`; without it, the question itself."""
    wanted = query.strip() or context.question
    if context.search.is_empty:
        return Result(_words(context)["empty"], status="no_knowledge")
    found = await context.search.items(wanted)
    if not found.hits:
        return await _nothing(context, wanted, found)
    hits = _readable(context, found.hits)
    return _near(context, wanted, found, hits) if found.is_weak else _told(context, found, hits)


def _readable(context: Context, hits: Sequence[Hit]) -> tuple[Hit, ...]:
    """Return the hits in the visitor's language; the others too where there are none."""
    return tuple(hit for hit in hits if hit.item.language == context.language) or tuple(hits)


def _told(context: Context, found: Found, hits: tuple[Hit, ...]) -> Result:
    words, sources = _words(context), Sources()
    told = hits[: found.wanted or _TOLD]
    said = applied(found.filters, context.language)
    if found.order is not None:
        head = words["ordered"].format(order=_capital(first(found.order, context.language)))
    else:
        head = words["one"] if len(told) == 1 else words["several"]
    conditions = words["with"].format(conditions=words["comma"].join(said)) if said else ""
    lines = [f"{head}{conditions}{words['colon']}", *_lines(context, told, sources)]
    return Result(
        "\n".join([*lines, *_short(context, found, len(told)), *_unapplied(context, found)]),
        items=hits,
        evidence=sources.evidence,
        task=_TASK,
        data=_data(hits, found),
    )


def _near(context: Context, wanted: str, found: Found, hits: tuple[Hit, ...]) -> Result:
    """Say that nothing fits well, and what comes nearest."""
    words, sources = _words(context), Sources()
    near = hits[:_NEAREST]
    head = words["weak"] if len(near) > 1 else words["weak_one"]
    lines = [head.format(wanted=wanted), *_lines(context, near, sources)]
    return Result(
        "\n".join([*lines, *_unapplied(context, found)]),
        items=near,
        evidence=sources.evidence,
        task=_TASK,
        data=_data(near, found),
    )


async def _nothing(context: Context, wanted: str, found: Found) -> Result:
    words, sources = _words(context), Sources()
    if not found.filters:
        return Result(words["nothing"].format(wanted=wanted), data=_data((), found), status="not_found")
    said = applied(found.filters, context.language)
    loosened = await context.search.items(_without(wanted, found.filters))
    things = [hit for hit in loosened.hits if hit.item.type not in ARTICLES] or loosened.hits
    safe = [hit for hit in things if _keeps_wishes(hit, found.filters)]
    near = () if loosened.is_weak else _nearest(_readable(context, safe), found.filters)
    text = words["unmet" if len(said) == 1 else "all_unmet"].format(conditions=listed(said, context.language))
    if near:
        rest = words["nearest" if len(said) == 1 else "all_nearest"]
        text = "\n".join([f"{text}{rest}", *_lines(context, near, sources)])
    return Result(text, items=near, evidence=sources.evidence, data=_data(near, found), status="not_found")


def _keeps_wishes(hit: Hit, filters: Sequence[Filter]) -> bool:
    """Tell whether a hit has nothing that shall be left out: a limit may be missed a little, that may not."""
    facts = facts_of(hit.item.schema_object)
    return all(fits(facts, one) for one in filters if one.field in {"without", "diet", "called"})


def _nearest(hits: Sequence[Hit], filters: Sequence[Filter]) -> tuple[Hit, ...]:
    """Return the hits that come nearest to what was asked: about the best, those first that miss a limit by less."""
    best = max((hit.score for hit in hits), default=0.0)
    near = [hit for hit in hits if hit.score >= _AS_NEAR * best]
    return tuple(sorted(near, key=lambda hit: _missed(hit, filters))[:_NEAREST])


def _missed(hit: Hit, filters: Sequence[Filter]) -> float:
    facts = facts_of(hit.item.schema_object)
    known = {"time": facts.minutes, "calories": facts.calories, "rating": facts.rating}
    missed = 0.0
    for condition in filters:
        number = known.get(condition.field)
        if condition.field == "price":
            number = next((price.low for price in facts.prices if price.currency == condition.unit), None)
        if isinstance(condition.value, float) and number is not None:
            missed += abs(number - condition.value) / max(condition.value, 1.0)
    return missed


def _short(context: Context, found: Found, told: int) -> list[str]:
    """Say that there are fewer than the question asks for."""
    return (
        [_words(context)["short"].format(told, found.wanted)]
        if found.wanted is not None and told < found.wanted
        else []
    )


def _unapplied(context: Context, found: Found) -> list[str]:
    said = unapplied(found.unjudged, context.language)
    return [said] if said else []


def _lines(context: Context, hits: Sequence[Hit], sources: Sources) -> list[str]:
    return [
        f"- {line(hit.item, context.language)} "
        + sources.cite(digest(hit.item, context.language), url=hit.item.url, name=hit.item.name)
        for hit in hits
    ]


def _without(wanted: str, filters: Sequence[Filter]) -> str:
    """Return the query without the words that were read as conditions."""
    for condition in filters:
        wanted = wanted.replace(condition.words, " ")
    return re.sub(r"\s+", " ", wanted).strip(" ,.，。的") or wanted


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _data(hits: Sequence[Hit], found: Found) -> Json:
    order = found.order
    data: dict[str, Json] = {
        "items": [{"name": hit.item.name, "url": hit.item.url, "score": hit.score} for hit in hits],
        "filters": [
            {"field": each.field, "operator": each.operator, "value": each.value, "unit": each.unit}
            for each in found.filters
        ],
    }
    if order is not None:
        data["order"] = {"field": order.of or order.field, "falling": order.is_falling}
    if found.wanted is not None:
        data["wanted"] = found.wanted
    if found.unjudged:
        data["not_applied"] = list(found.unjudged)
    return data


def _words(context: Context) -> dict[str, str]:
    return _ZH if context.language == "zh" else _EN


_EN = {
    "one": "This fits best",
    "several": "These fit best",
    "ordered": "{order}",
    "with": " ({conditions})",
    "comma": ", ",
    "colon": ":",
    "weak": "Nothing on this site fits “{wanted}” well. These come nearest:",
    "weak_one": "Nothing on this site fits “{wanted}” well. This comes nearest:",
    "short": "That is all that fits: {} of the {} asked for.",
    "nothing": "Nothing on this site fits “{wanted}”.",
    "unmet": "Nothing on this site fits with this condition: {conditions}.",
    "all_unmet": "Nothing on this site fits with all of these conditions: {conditions}.",
    "nearest": " Without it, the nearest:",
    "all_nearest": " Without them, the nearest:",
    "empty": "This site has no content to search yet.",
}
_ZH = {
    "one": "最符合的是",
    "several": "最符合的有",
    "ordered": "{order}",
    "with": "（{conditions}）",
    "comma": "，",
    "colon": "：",
    "weak": "本站没有与“{wanted}”很相符的内容，比较接近的有：",
    "weak_one": "本站没有与“{wanted}”很相符的内容，比较接近的是：",
    "short": "符合的只有这些：要 {1} 个，找到 {0} 个。",
    "nothing": "本站没有找到与“{wanted}”相符的内容。",
    "unmet": "本站没有满足这个条件的内容：{conditions}。",
    "all_unmet": "本站没有同时满足这些条件的内容：{conditions}。",
    "nearest": "不加这个条件的话，最接近的有：",
    "all_nearest": "不加这些条件的话，最接近的有：",
    "empty": "本站还没有可以搜索的内容。",
}
