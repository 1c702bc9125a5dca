"""Recipe substitutions: what can stand in for an ingredient, and what becomes of the recipe."""

import re
from dataclasses import dataclass, replace

from pegboard.catalog.contract import Context, Hit, Item, Passage, Result, tool
from pegboard.knowledge.values import remarks_of, texts_of
from pegboard.knowledge.wording.answering import answering, fitting
from pegboard.knowledge.wording.cite import Sources, marked
from pegboard.knowledge.wording.describe import digest
from pegboard.knowledge.wording.sentences import Said, said
from pegboard.knowledge.wording.stems import asked_words, held_words, stems
from pegboard.text import Json

_MEANT = 50.0
"""A name whose score is lower means another recipe."""
_MOST = 4
"""Sentences that an answer quotes."""
_USES = 5
"""Uses of an ingredient that are told of when none is named."""
_SEARCHED = 24
_REPLACES = re.compile(r"\breplace\b|\binstead\b|\bsubstitut|代替|替代|换成|替换", re.IGNORECASE)

_TASK = (
    "Say what can replace the ingredient, how much of it, and what changes, from the evidence only. If the "
    "evidence "
    "gives nothing for this case, say so."
)


@dataclass(frozen=True, slots=True)
class _Use:
    """How a recipe uses an ingredient."""

    recipe: Item
    lines: tuple[str, ...]
    """Of its list of ingredients, those that name it."""
    tips: tuple[str, ...]
    """Of its author's tips, those that name it."""


@tool
async def recipe_substitutions(
    context: Context, ingredient: str = "", recipe_name: str = "", reason: str = ""
) -> Result:
    """Tell what can stand in for `ingredient`, in the named recipe if there is one."""
    ingredient = ingredient.strip() or reason.strip()
    if not ingredient:
        return await _by_question(context)
    use = await _use(context, recipe_name, ingredient)
    passages = await _searched(context, ingredient, recipe_name, reason)
    told = _general(passages, ingredient) if not recipe_name.strip() else []
    told = told or _fitting(passages, ingredient, f"{ingredient} {recipe_name} {context.question}")
    if not told and not (use and use.tips):
        return _nothing(context, ingredient, use)
    return _told(context, ingredient, told, use)


async def _by_question(context: Context) -> Result:
    """Answer from the guide's section that the question speaks of; ask for the ingredient if there is none."""
    found = await context.search.passages(context.question, limit=_SEARCHED)
    headed = [
        passage
        for passage in found
        if passage.heading
        and "recipeIngredient" not in passage.item.schema_object
        and _REPLACES.search(passage.text)
        and set(asked_words(context.question)) & held_words(passage.heading)
    ]
    told = answering(context.question, fitting(context.question, headed), most=_MOST, quoted=1)
    if not told:
        return Result(_words(context)["which"], status="needs_clarification")
    return _told(context, "", told, None)


async def _searched(context: Context, ingredient: str, recipe_name: str, reason: str) -> list[Passage]:
    """Return passages of guides that speak of the ingredient, best first."""
    known = [part for part in (recipe_name, reason) if part.strip() and part != ingredient]
    query = " ".join([_words(context)["query"].format(ingredient=ingredient), *known])
    found = await context.search.passages(query, limit=_SEARCHED)
    return [
        passage
        for passage in found
        if passage.heading
        and "recipeIngredient" not in passage.item.schema_object
        and _names(f"{passage.heading} {passage.text}", ingredient)
    ]


async def _use(context: Context, recipe_name: str, ingredient: str) -> _Use | None:
    """Return how the named recipe uses the ingredient; None if it is not, or only vaguely, named."""
    hits = await context.search.named(recipe_name, limit=1) if recipe_name.strip() else []
    if not hits or hits[0].score < _MEANT:
        return None
    thing = hits[0].item.schema_object
    use = _Use(
        hits[0].item,
        tuple(line for line in texts_of(thing.get("recipeIngredient")) if _names(line, ingredient)),
        tuple(tip for tip in remarks_of(thing.get("comment")) if _names(tip, ingredient)),
    )
    is_named = len(stems(recipe_name)) > 1
    return use if use.lines or use.tips or is_named else None


def _names(text: str, ingredient: str) -> bool:
    """Tell whether `text` speaks of the ingredient: all its words, or its characters in Chinese."""
    wanted = set(stems(ingredient))
    if not wanted or not ingredient.isascii():
        return ingredient.lower() in text.lower()
    return wanted <= set(stems(text))


def _general(passages: list[Passage], ingredient: str) -> list[Said]:
    """Return the first sentence of each section on the ingredient, one for each of several uses."""
    headed = _headed(passages, ingredient)
    own = [passage for passage in headed if passage.item.url == headed[0].item.url]
    firsts = [piece for passage in own[:_USES] for piece in said(passage)[:1]]
    return [replace(piece, text=_under_heading(piece)) for piece in firsts] if len(own) > 1 else []


def _under_heading(piece: Said) -> str:
    mark = "：" if piece.passage.item.language == "zh" else ": "
    return f"- {piece.passage.heading}{mark}{piece.text}"


def _headed(passages: list[Passage], ingredient: str) -> list[Passage]:
    """Return the sections headed by the ingredient; by a longer name such as 白脱牛奶 only without others."""
    headed = [passage for passage in passages if _names(passage.heading, ingredient)]
    itself = re.compile(rf"(?:^|[^\u4e00-\u9fff]|[的里和与及用])(?:{re.escape(ingredient)})", re.IGNORECASE)
    return [passage for passage in headed if itself.search(passage.heading)] or headed


def _fitting(passages: list[Passage], ingredient: str, question: str) -> list[Said]:
    """Return sentences of the passages that fit the dish best."""
    headed = _headed(passages, ingredient) or passages
    return answering(question, headed, most=_MOST, quoted=1)


def _told(context: Context, ingredient: str, told: list[Said], use: _Use | None) -> Result:
    """Put the guides' sentences and the recipe's together; the recipe's own tips go first."""
    sources = Sources()
    own = _own_lines(context, ingredient, use, sources) if use is not None and use.tips else []
    lines = [*own, *(_cited(piece, sources) for piece in told)]
    if use is not None and not own:
        lines += _own_lines(context, ingredient, use, sources)
    items = {piece.passage.item.url: Hit(piece.passage.item, piece.passage.score) for piece in told}
    if use is not None:
        items.setdefault(use.recipe.url, Hit(use.recipe, 100.0))
    return Result(
        "\n".join(lines),
        items=tuple(items.values()),
        evidence=sources.evidence,
        task=_TASK,
        data=_data(ingredient, use),
    )


def _own_lines(context: Context, ingredient: str, use: _Use, sources: Sources) -> list[str]:
    mark = sources.cite(digest(use.recipe, context.language), url=use.recipe.url, name=use.recipe.name)
    return [marked(line, mark) for line in _in_recipe(_words(context), ingredient, use)]


def _cited(piece: Said, sources: Sources) -> str:
    item = piece.passage.item
    return marked(piece.text, sources.cite(piece.passage.text, url=item.url, name=item.name))


def _in_recipe(words: dict[str, str], ingredient: str, use: _Use) -> list[str]:
    form = words["used"] if use.lines else words["unused"]
    used = form.format(recipe=use.recipe.name, lines=words["and"].join(use.lines), ingredient=ingredient)
    return [used, *(f"{words['tip']}{tip}" for tip in use.tips)]


def _nothing(context: Context, ingredient: str, use: _Use | None) -> Result:
    words, sources = _words(context), Sources()
    lines = [words["nothing"].format(ingredient=ingredient)]
    if use is not None:
        lines += _own_lines(context, ingredient, use, sources)
    items = (Hit(use.recipe, 100.0),) if use else ()
    return Result(
        "\n".join(lines),
        items=items,
        evidence=sources.evidence,
        data=_data(ingredient, use),
        status="not_found",
    )


def _data(ingredient: str, use: _Use | None) -> Json:
    if use is None:
        return {"ingredient": ingredient}
    return {"ingredient": ingredient, "recipe": use.recipe.name, "used": list(use.lines)}


def _words(context: Context) -> dict[str, str]:
    return _ZH if context.language == "zh" else _EN


_EN = {
    "query": "what to use instead of {ingredient}, substitute for {ingredient}",
    "used": "{recipe} uses {lines}.",
    "unused": "{recipe} does not list {ingredient} among its ingredients.",
    "tip": "A tip on that recipe: ",
    "and": "; ",
    "nothing": "This site says nothing about a substitute for {ingredient}.",
    "which": "Which ingredient do you want to replace?",
}
_ZH = {
    "query": "{ingredient}用什么代替 {ingredient}的替代品",
    "used": "{recipe}的用量是：{lines}。",
    "unused": "{recipe}的配料里没有{ingredient}。",
    "tip": "这道菜的小贴士：",
    "and": "；",
    "nothing": "本站没有关于用什么代替{ingredient}的内容。",
    "which": "您想替换哪一种食材？",
}
