"""Search: the items of a site that fit a question, and the conditions that were read from it."""

import re

from pegboard.catalog.contract import Context, Filter, Found, Hit, Result, tool
from pegboard.knowledge.wording.amounts import listed
from pegboard.knowledge.wording.cite import Sources
from pegboard.knowledge.wording.describe import digest, line
from pegboard.text import Json

_TOLD = 5
"""Items that the text tells of; the results hold all."""
_FAR_BELOW = 0.6
"""An item whose score is below this part of the best one's is not told of; those in the visitor's language
come first.
"""

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
    if found.hits:
        return _told(context, found)
    if found.filters:
        loosened = await context.search.items(_without(wanted, found.filters), limit=3)
        return _nothing(context, wanted, found.filters, loosened.hits)
    return _nothing(context, wanted, (), ())


def _told(context: Context, found: Found) -> Result:
    words, sources = _words(context), Sources()
    enough = found.hits[0].score * _FAR_BELOW
    good = [hit for hit in found.hits if hit.score >= enough]
    told = sorted(good, key=lambda hit: hit.item.language != context.language)[:_TOLD]
    lines = _lines(context, told, sources)
    if found.filters:
        head = words["with"].format(conditions=_conditions(context, found.filters))
    else:
        head = words["one"] if len(told) == 1 else words["several"]
    return Result(
        "\n".join([head, *lines]),
        items=found.hits,
        evidence=sources.evidence,
        task=_TASK,
        data=_data(found.hits, found.filters),
    )


def _nothing(context: Context, wanted: str, filters: tuple[Filter, ...], near: tuple[Hit, ...]) -> Result:
    words, sources = _words(context), Sources()
    if not filters:
        return Result(words["nothing"].format(wanted=wanted), data=_data((), ()), status="not_found")
    text = words["unmet"].format(conditions=_conditions(context, filters))
    if near:
        text = "\n".join([f"{text}{words['nearest']}", *_lines(context, near, sources)])
    return Result(text, items=near, evidence=sources.evidence, data=_data(near, filters), status="not_found")


def _lines(context: Context, hits: list[Hit] | tuple[Hit, ...], sources: Sources) -> list[str]:
    return [
        f"- {line(hit.item, context.language)} "
        + sources.cite(digest(hit.item, context.language), url=hit.item.url, name=hit.item.name)
        for hit in hits
    ]


def _without(wanted: str, filters: tuple[Filter, ...]) -> str:
    """Return the query without the words that were read as conditions."""
    for condition in filters:
        wanted = wanted.replace(condition.words, " ")
    return re.sub(r"\s+", " ", wanted).strip(" ,.，。的") or wanted


def _conditions(context: Context, filters: tuple[Filter, ...]) -> str:
    quoted = [f"“{condition.words.removesuffix('的')}”" for condition in filters]
    return listed(dict.fromkeys(quoted), context.language)


def _data(hits: tuple[Hit, ...], filters: tuple[Filter, ...]) -> Json:
    return {
        "items": [{"name": hit.item.name, "url": hit.item.url, "score": hit.score} for hit in hits],
        "filters": [
            {"field": each.field, "operator": each.operator, "value": each.value, "unit": each.unit} for each in filters
        ],
    }


def _words(context: Context) -> dict[str, str]:
    return _ZH if context.language == "zh" else _EN


_EN = {
    "one": "This fits best:",
    "several": "These fit best:",
    "with": "With the condition {conditions}, these fit best:",
    "nothing": "Nothing on this site fits “{wanted}”.",
    "unmet": "Nothing on this site meets the condition {conditions}.",
    "nearest": " Without it, these come nearest:",
    "empty": "This site has no content to search yet.",
}
_ZH = {
    "one": "最符合的是：",
    "several": "最符合的有：",
    "with": "按条件{conditions}筛选，最符合的有：",
    "nothing": "本站没有找到与“{wanted}”相符的内容。",
    "unmet": "本站没有满足条件{conditions}的内容。",
    "nearest": "不加这个条件的话，最接近的有：",
    "empty": "本站还没有可以搜索的内容。",
}
