"""Details: what is asked of one item that the question names."""

import re
from contextlib import suppress
from difflib import SequenceMatcher

from pegboard.catalog.contract import Context, Hit, Item, Passage, Result, tool
from pegboard.errors import UnknownTool
from pegboard.knowledge.names import is_near
from pegboard.knowledge.orders import is_superlative
from pegboard.knowledge.values import texts_of
from pegboard.knowledge.wording.amounts import listed
from pegboard.knowledge.wording.answering import measuring, sharing
from pegboard.knowledge.wording.aspects import asked, relevant, without_asked, without_name
from pegboard.knowledge.wording.cite import Sources, marked
from pegboard.knowledge.wording.describe import digest, overview
from pegboard.knowledge.wording.facts import Fact, facts
from pegboard.knowledge.wording.sentences import sentences
from pegboard.knowledge.wording.stems import asked_words, held_words, stems
from pegboard.knowledge.wording.verdict import verdict
from pegboard.text import Json

_MEANT = 50.0
"""A name whose score is lower means another thing."""
_SURELY_MEANT = 75.0
"""A name that is meant although the question also asks for the first of an order."""
_SEARCH = "search"
"""The tool that finds things by a description; a site may have none."""
_QUOTED = frozenset({"tips", "reviews", "steps"})
"""Facts whose sentences are searched for what no fact is about."""
_MARKED = frozenset({"diet", "ingredients", "tips"})
"""What keywords such as `nut-free` and `freezer-friendly` tell."""
_NUMBER = re.compile(r"^\d+\. ")
_MARK = re.compile(r"[\s-]+(?:free|friendly)\b|^(?:不含|无|可|含)")
"""What a keyword adds to the word that is asked for."""
_ALL_OF_IT = re.compile(
    r"\b(?:whole|full|complete|entire) recipe\b|(?:完整|全部)的?(?:做法|菜谱|食谱|配方)", re.IGNORECASE
)
_SPECIFICATIONS = re.compile(r"\bspecs?\b|\bspecifications?\b|参数|规格", re.IGNORECASE)
_WHOLE = re.compile(r"\b(?:total|whole|overall|altogether|cook|prepare)\w*|总共|一共|总|做[好完]?")
"""Words that ask for the time of all the work."""
_MOST = 3
"""Facts of one aspect, or sentences, that an answer quotes."""

_TASK = "Answer what is asked of the item, from the evidence only, in one to three sentences or a short list."


@tool
async def details(context: Context, item_name: str, details_requested: str = "") -> Result:
    """Tell what is asked of the item that `item_name` means; without a request, what matters most of it."""
    hits = await _named(context, item_name)
    if is_superlative(context.question) and not (hits and hits[0].score >= _SURELY_MEANT):
        with suppress(UnknownTool):  # "the longest battery life" names nothing, it looks for something
            return await context.call(_SEARCH, {"query": context.question})
    if not hits or hits[0].score < _MEANT:
        return _unknown(context, item_name, hits)
    item = hits[0].item
    said = _said_of(item.name, _bare(item_name), context.question)
    question = without_name(f"{details_requested}\n{context.question}", item.name, *said)
    asked_whether = without_name(context.question, item.name, *said)
    sources = Sources()
    told = verdict(item, asked_whether, context.language) or _told(context, item, question)
    mark = sources.cite(_evidence(item, told, context.language), url=item.url, name=item.name)
    text = "\n".join(marked(sentence, mark) for sentence in told)
    near = tuple(hit for hit in hits if hit.score >= _MEANT)
    return Result(
        f"{_heading(context, item)}\n{text}",
        items=near,
        evidence=sources.evidence,
        task=_TASK,
        data={"name": item.name, "url": item.url, "facts": _data(facts(item, context.language))},
    )


async def _named(context: Context, item_name: str) -> list[Hit]:
    """Find the item; where that fails, by its name without what is asked of it: `戚风蛋糕` of `戚风蛋糕多少度`."""
    hits = await context.search.named(item_name)
    bare = _bare(item_name)
    if (hits and hits[0].score >= _MEANT) or bare == item_name.strip():
        return hits
    others = await context.search.named(bare)
    return others if others and others[0].score >= _MEANT else hits


def _bare(item_name: str) -> str:
    return without_asked(item_name).strip() or item_name.strip()


def _said_of(name: str, item_name: str, question: str) -> list[str]:
    """Return what a question says of a name; of a Chinese one the parts that stand in it, for nothing parts words."""
    if name.isascii():
        return [item_name]
    blocks = SequenceMatcher(None, question, name, autojunk=False).get_matching_blocks()
    return [question[block.a : block.a + block.size] for block in blocks if block.size > 1]


def _heading(context: Context, item: Item) -> str:
    return f"{item.name}：" if context.language == "zh" else f"{item.name}:"


def _told(context: Context, item: Item, question: str) -> list[str]:
    """Return the sentences that answer `question`, from facts, else from what is written of the item."""
    known, language = facts(item, context.language), context.language
    if _ALL_OF_IT.search(question):
        return _joined([fact for fact in known if fact.aspect in {"ingredients", "steps"}], language)
    if _SPECIFICATIONS.search(question) and (found := [fact for fact in known if fact.aspect == "property"]):
        return [fact.sentence for fact in found]
    if steps := _of_steps(known, question):
        return steps
    found = _few_of_each(relevant(question, known))
    aspects = {fact.aspect for fact in found}
    marks = _marks(item, question, language) if _MARKED.intersection(asked(question)) and "diet" not in aspects else []
    if aspects - {"tips"}:
        return [*marks, *_joined(found, language)]
    valued = _valued(known, question)
    if marks or not valued:
        quotes = [*marks, *_quotes(item, known, question)]
        if quotes:
            return quotes
    if "diet" in asked(question):
        return [_words(language)["diet"], *_joined([fact for fact in known if fact.aspect == "ingredients"], language)]
    if found:
        return [_words(language)["silent"]]
    return _joined(valued, language) or overview(item, language)


def _of_steps(known: list[Fact], question: str) -> list[str]:
    """Return what the steps say of a time or a temperature of one part of the work, such as the oven."""
    aspects, words = asked(question), _WHOLE.sub(" ", without_asked(question))
    steps = [_NUMBER.sub("", line) for fact in known if fact.aspect == "steps" for line in _lines(fact)]
    if "temperature" in aspects:
        return measuring("temperature", words, steps)
    return measuring("time", words, steps) if "time" in aspects and asked_words(words) else []


def _marks(item: Item, question: str, language: str) -> list[str]:
    """Return the keywords that the item goes by and the question speaks of, in a sentence: `nut-free`."""
    words = set(asked_words(question))
    found = [
        keyword
        for keyword in texts_of(item.schema_object.get("keywords"))
        if (bare := set(stems(_MARK.sub(" ", keyword.lower())))) and bare <= words
    ]
    return [_words(language)["marks"].format(marks=listed(found, language))] if found else []


def _valued(known: list[Fact], question: str) -> list[Fact]:
    """Return the specifications whose values hold a word of the question: `120 V` for `120 volts`."""
    words = set(asked_words(question))
    shared = [(len(words & held_words(fact.value)), fact) for fact in known if fact.aspect == "property"]
    most = max((count for count, _ in shared), default=0)
    return [fact for count, fact in shared if count and count == most][:_MOST]


def _few_of_each(found: list[Fact]) -> list[Fact]:
    """Return at most a few facts of each aspect."""
    kept: list[Fact] = []
    for fact in found:
        if sum(fact.aspect == other.aspect for other in kept) < _MOST:
            kept.append(fact)
    return kept


def _joined(found: list[Fact], language: str) -> list[str]:
    """Put short sentences into one line; lists, tips and reviews stay by themselves, after them."""
    short = [fact.sentence for fact in found if not _stands_alone(fact)]
    long = [fact.sentence for fact in found if _stands_alone(fact)]
    return [*([("" if language == "zh" else " ").join(short)] if short else []), *long]


def _stands_alone(fact: Fact) -> bool:
    return fact.aspect in {"tips", "reviews"} or "\n" in fact.sentence


def _quotes(item: Item, known: list[Fact], question: str) -> list[str]:
    """Return sentences of description, tips, steps and reviews that speak of what is asked."""
    written = [line for fact in known if fact.aspect in _QUOTED for line in _lines(fact)]
    lines = [*sentences(item.description), *(_NUMBER.sub("", line) for line in written)]
    passages = [Passage(item, "", line, 100.0) for line in lines]
    return [piece.text for piece in sharing(question, passages, most=_MOST)]


def _lines(fact: Fact) -> list[str]:
    return [line for line in fact.sentence.splitlines() if not line.endswith((":", "："))]


def _evidence(item: Item, told: list[str], language: str) -> str:
    """Return what was told, and the other facts for a model that wants to say more."""
    return "\n".join([*told, digest(item, language)])


def _data(known: list[Fact]) -> list[Json]:
    return [{"aspect": fact.aspect, "label": fact.label, "value": fact.value} for fact in known]


def _unknown(context: Context, item_name: str, near: list[Hit]) -> Result:
    zh = context.language == "zh"
    text = f"本站没有“{item_name}”。" if zh else f"This site has nothing called “{item_name}”."
    if near := [hit for hit in near if is_near(item_name, hit.item.name)]:
        names = listed([f"“{hit.item.name}”" for hit in near], context.language, last="或" if zh else "or")
        text += f"您是不是指{names}？" if zh else f" Did you mean {names}?"
    return Result(text, items=tuple(near), status="not_found")


def _words(language: str) -> dict[str, str]:
    return _ZH if language == "zh" else _EN


_EN = {
    "diet": "Its page does not say whether it suits that diet; judge by what is in it.",
    "silent": "Its page does not say.",
    "marks": "It is listed as {marks}.",
}
_ZH = {
    "diet": "页面上没有注明它是否适合这种饮食，可以看看配料。",
    "silent": "页面上没有说明这一点。",
    "marks": "它的标签是：{marks}。",
}
