"""Accompaniment: what goes with a dish, from guides to pairing, the dish's own tips, and fitting recipes."""

import re

import anyio

from pegboard.catalog.contract import Context, Found, Hit, Item, Passage, Result, tool
from pegboard.knowledge.values import remarks_of, texts_of
from pegboard.knowledge.wording.answering import answering
from pegboard.knowledge.wording.aspects import asked
from pegboard.knowledge.wording.cite import Sources, marked
from pegboard.knowledge.wording.describe import digest, line
from pegboard.knowledge.wording.sentences import Said
from pegboard.knowledge.wording.stems import asked_words, held_words, stems
from pegboard.text import Json

_MEANT = 50.0
"""A name whose score is lower means another dish."""
_MOST = 3
"""Sentences, and recipes, that an answer names."""
_SEARCHED = 24

_TASK = (
    "Say what goes with the dish and why, from the evidence only; name recipes of the site that fit. Two "
    "to four "
    "sentences."
)


@tool
async def accompaniment(context: Context, main_item: str, accompaniment_type: str = "") -> Result:
    """Tell what goes with `main_item`; `accompaniment_type` is such as `wine`, `side dish` or `dessert`."""
    main = await _main(context, main_item)
    passages, found = await _searched(context, main, main_item, accompaniment_type)
    said = _advice(context, passages, main, (main_item, accompaniment_type))
    if said and not _is_drink(accompaniment_type):
        named = await context.search.items(" ".join(piece.text for piece in said))
        found = [*found, *(hit for hit in named.hits if _named_in(said, hit.item) > 1)]
    recipes = _recipes(context, found, main, (main_item, accompaniment_type), said)
    if not said and not recipes:
        return Result(_nothing(context, main_item, accompaniment_type), status="not_found")
    return _told(context, said, recipes, main, main_item)


async def _main(context: Context, name: str) -> Item | None:
    hits = await context.search.named(name, limit=1)
    return hits[0].item if hits and hits[0].score >= _MEANT else None


async def _searched(context: Context, main: Item | None, name: str, kind: str) -> tuple[list[Passage], list[Hit]]:
    """Search for advice and for recipes at once."""
    words = _words(context)
    passages: list[list[Passage]] = [[], []]
    found: list[Found] = [Found(())]

    async def advice(slot: int, subject: str) -> None:
        query = words["query"].format(main=subject, kind=kind or words["anything"])
        passages[slot] = await context.search.passages(query, limit=_SEARCHED)

    async def recipes() -> None:
        found[0] = await context.search.items(words["recipes"].format(main=name, kind=kind or words["side"]))

    async with anyio.create_task_group() as group:
        group.start_soon(advice, 0, name)
        if main is not None:
            group.start_soon(advice, 1, " ".join(_nature(main)))
        group.start_soon(recipes)
    return [*passages[0], *passages[1]], list(found[0].hits)


def _nature(main: Item) -> list[str]:
    """Return what kind of dish it is, so that a guide that does not know its name is found."""
    keywords = texts_of(main.schema_object.get("keywords"))
    return [keyword for keyword in keywords[:5] if "diet" not in asked(keyword)][:3]


def _advice(context: Context, passages: list[Passage], main: Item | None, wanted: tuple[str, str]) -> list[Said]:
    """Return the dish's own tips on serving, then advice; `wanted` is the dish and the kind of thing."""
    name, kind = wanted
    nature = _nature(main) if main else []
    guides = {
        (passage.item.url, passage.heading): passage
        for passage in passages
        if passage.heading and not _is_recipe(passage.item) and _speaks_of_serving(passage)
    }
    about = [passage for passage in guides.values() if _is_about(passage, name, nature)]
    of_kind = [p for p in about if _is_drink(f"{p.item.name} {p.heading}") == _is_drink(kind)]
    fitting = of_kind or ([] if kind else about)
    told = answering(f"{name} {kind} {' '.join(nature)}", fitting, most=_MOST, quoted=1)
    return [*_own_tips(context, main, kind), *told]


def _is_about(passage: Passage, name: str, nature: list[str]) -> bool:
    """Tell whether a passage speaks of the dish, by its name or by its kind: advice on another dish is none."""
    heading, whole = held_words(passage.heading), held_words(f"{passage.heading} {passage.text}")
    words = asked_words(_BESIDE.split(name)[0])
    if any(set(asked_words(kind)) & heading for kind in nature):
        return True
    if words and (words[-1] in heading or (not name.isascii() and heading.intersection(words))):
        return True  # the last word of a name says what it is: *Rainy Sunday Lasagna*
    return bool(words) and sum(word in whole for word in words) > len(words) / 2


def _speaks_of_serving(passage: Passage) -> bool:
    text = f"{passage.item.name} {passage.heading}".lower()
    return any(word in text for word in _OF_SERVING) and not any(word in text for word in _OF_REPLACING)


def _own_tips(context: Context, main: Item | None, kind: str) -> list[Said]:
    if main is None:
        return []
    serving = set(stems(_words(context)["serving"]))
    tips = remarks_of(main.schema_object.get("comment"))
    return [
        Said(tip, Passage(main, "", tip, 100.0), position)
        for position, tip in enumerate(tips)
        if (serving & set(stems(tip)) or any(word in tip for word in _SERVED))
        and (_is_drink(tip) or not _is_drink(kind))
    ]


def _is_recipe(item: Item) -> bool:
    return bool(item.schema_object.get("recipeIngredient"))


def _is_drink(kind: str) -> bool:
    return any(word in f" {kind.lower()}" for word in _DRINKS)


def _recipes(
    context: Context, found: list[Hit], main: Item | None, wanted: tuple[str, str], said: list[Said]
) -> list[Hit]:
    """Return the best recipes of another kind than the dish; those that the advice names come first."""
    name, kind = wanted
    own = {*_kinds(main), *_MAIN_COURSES} if main else _MAIN_COURSES
    fitting = {
        hit.item.url: hit
        for hit in found
        if _is_recipe(hit.item)
        and hit.item.language == context.language
        and (main is None or hit.item.url != main.url)
        and not own & _kinds(hit.item)
        and _is_drink(" ".join(_kinds(hit.item))) == _is_drink(kind)
        and not set(asked_words(name)) & held_words(hit.item.name)
    }
    return sorted(fitting.values(), key=lambda hit: -_named_in(said, hit.item))[:_MOST]


def _kinds(item: Item) -> set[str]:
    return {kind.lower() for kind in texts_of(item.schema_object.get("recipeCategory"))}


def _named_in(said: list[Said], item: Item) -> int:
    """Return how many words of a recipe's name the advice holds."""
    return len(set(stems(" ".join(piece.text for piece in said))) & set(stems(item.name)))


def _nothing(context: Context, name: str, kind: str) -> str:
    form = _words(context)["nothing_of" if kind else "nothing"]
    return form.format(main=name, kind=kind)


def _told(context: Context, said: list[Said], recipes: list[Hit], main: Item | None, name: str) -> Result:
    words, sources = _words(context), Sources()
    lines = []
    for piece in said:
        item = piece.passage.item
        mark = sources.cite(piece.passage.text, url=item.url, name=item.name)
        lines.append(marked(piece.text, mark))
    if recipes:
        lines.append(words["fitting"].format(main=name))
    for hit in recipes:
        mark = sources.cite(digest(hit.item, context.language), url=hit.item.url, name=hit.item.name)
        lines.append(f"- {line(hit.item, context.language)} {mark}")
    guides = {piece.passage.item.url: Hit(piece.passage.item, piece.passage.score) for piece in said}
    items = {**{hit.item.url: hit for hit in recipes}, **guides}
    return Result(
        "\n".join(lines),
        items=tuple(items.values()),
        evidence=sources.evidence,
        task=_TASK,
        data=_data(recipes, main),
    )


def _data(recipes: list[Hit], main: Item | None) -> Json:
    return {
        "main": main.name if main else None,
        "recipes": [{"name": hit.item.name, "url": hit.item.url} for hit in recipes],
    }


def _words(context: Context) -> dict[str, str]:
    return _ZH if context.language == "zh" else _EN


_OF_SERVING = ("serve", "goes with", "go with", "side", "drink", "pair", "with ", "配", "搭")
_OF_REPLACING = (
    "instead",
    "substitute",
    "stand-in",
    "swap",
    "missing",
    "without",
    "understud",
    "代替",
    "替代",
)
_DRINKS = ("wine", "drink", "beer", " tea", "cocktail", "酒", "饮", "茶")
_BESIDE = re.compile(r"\s(?:with|in|on|and)\s", re.IGNORECASE)
_MAIN_COURSES = {"main course", "main dish", "main", "主菜"}
_SERVED = ("beside it", "alongside", "serve", "goes with", "搭配", "配上", "同吃", "一起吃", "配着")
_EN = {
    "query": "what goes with {main}: {kind}",
    "anything": "side dishes and drinks",
    "side": "salad or side dish",
    "recipes": "{kind} to serve with {main}",
    "serving": "serve beside alongside pair",
    "fitting": "Recipes of this site that go beside {main}:",
    "nothing": "This site says nothing about what goes with {main}.",
    "nothing_of": "This site says nothing about which {kind} goes with {main}.",
}
_ZH = {
    "query": "{main}配什么{kind}",
    "anything": "菜和饮料",
    "side": "配菜 凉菜",
    "recipes": "配{main}的{kind}",
    "serving": "搭配",
    "fitting": "本站适合配{main}的菜：",
    "nothing": "本站没有关于{main}配什么的内容。",
    "nothing_of": "本站没有关于{main}配什么{kind}的内容。",
}
