"""Accompaniment: what goes with a dish, from guides to pairing, the dish's own tips, and fitting recipes."""

import anyio

from pegboard.catalog.contract import Context, Found, Hit, Item, Passage, Result, tool
from pegboard.knowledge.wording.answering import answering
from pegboard.knowledge.wording.cite import Sources, marked
from pegboard.knowledge.wording.describe import digest, line
from pegboard.knowledge.wording.schema_org import texts
from pegboard.knowledge.wording.sentences import Said
from pegboard.knowledge.wording.stems import stems
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
    recipes = [] if said and _is_drink(accompaniment_type) else _recipes(context, found, main, said)
    if not said and not recipes:
        return Result(_words(context)["nothing"].format(main=main_item), status="not_found")
    return _told(context, said, recipes, main, main_item)


async def _main(context: Context, name: str) -> Item | None:
    hits = await context.search.named(name, limit=1)
    return hits[0].item if hits and hits[0].score >= _MEANT else None


async def _searched(context: Context, main: Item | None, name: str, kind: str) -> tuple[list[Passage], Found]:
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
    return [*passages[0], *passages[1]], found[0]


def _nature(main: Item) -> list[str]:
    """Return what kind of dish it is, so that a guide that does not know its name is found."""
    thing = main.schema_object
    return [*texts(thing.get("keywords"))[:3]]


def _advice(context: Context, passages: list[Passage], main: Item | None, asked: tuple[str, str]) -> list[Said]:
    """Return the dish's own tips on serving, then advice; `asked` is the dish and the kind of thing."""
    guides = {
        (passage.item.url, passage.heading): passage
        for passage in passages
        if passage.heading and not _is_recipe(passage.item) and _speaks_of_serving(passage)
    }
    of_kind = [p for p in guides.values() if _is_drink(f"{p.item.name} {p.heading}") == _is_drink(asked[1])]
    nature = " ".join(_nature(main)) if main else ""
    told = answering(f"{' '.join(asked)} {nature}", of_kind or list(guides.values()), most=_MOST, quoted=1)
    return [*_own_tips(context, main), *told]


def _speaks_of_serving(passage: Passage) -> bool:
    text = f"{passage.item.name} {passage.heading}".lower()
    return any(word in text for word in _OF_SERVING) and not any(word in text for word in _OF_REPLACING)


def _own_tips(context: Context, main: Item | None) -> list[Said]:
    if main is None:
        return []
    serving = set(stems(_words(context)["serving"]))
    tips = texts(main.schema_object.get("comment"))
    return [
        Said(tip, Passage(main, "", tip, 100.0), position)
        for position, tip in enumerate(tips)
        if serving & set(stems(tip)) or any(word in tip for word in _SERVED)
    ]


def _is_recipe(item: Item) -> bool:
    return bool(item.schema_object.get("recipeIngredient"))


def _is_drink(kind: str) -> bool:
    return any(word in f" {kind.lower()}" for word in _DRINKS)


def _recipes(context: Context, found: Found, main: Item | None, said: list[Said]) -> list[Hit]:
    """Return the best recipes of another kind than the dish; those that the advice names come first."""
    kind = texts(main.schema_object.get("recipeCategory")) if main else []
    fitting = [
        hit
        for hit in found.hits
        if _is_recipe(hit.item)
        and hit.item.language == context.language
        and (main is None or hit.item.url != main.url)
        and (not kind or texts(hit.item.schema_object.get("recipeCategory")) != kind)
    ]
    advised = set(stems(" ".join(piece.text for piece in said)))
    return sorted(fitting, key=lambda hit: -len(advised & set(stems(hit.item.name))))[:_MOST]


def _told(context: Context, said: list[Said], recipes: list[Hit], main: Item | None, name: str) -> Result:
    words, sources = _words(context), Sources()
    lines = []
    for piece in said:
        item = piece.passage.item
        mark = sources.cite(piece.passage.text, url=item.url, name=item.name)
        lines.append(marked(piece.text, mark))
    if recipes:
        lines.append(words["fitting"].format(main=main.name if main else name))
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
_SERVED = ("beside it", "alongside", "serve", "goes with", "搭配", "配上", "同吃", "一起吃", "配着")
_EN = {
    "query": "what goes with {main}: {kind}",
    "anything": "side dishes and drinks",
    "side": "salad or side dish",
    "recipes": "{kind} to serve with {main}",
    "serving": "serve beside alongside pair",
    "fitting": "Recipes of this site that go beside {main}:",
    "nothing": "This site says nothing about what goes with {main}.",
}
_ZH = {
    "query": "{main}配什么{kind}",
    "anything": "菜和饮料",
    "side": "配菜 凉菜",
    "recipes": "配{main}的{kind}",
    "serving": "搭配",
    "fitting": "本站适合配{main}的菜：",
    "nothing": "本站没有关于{main}配什么的内容。",
}
