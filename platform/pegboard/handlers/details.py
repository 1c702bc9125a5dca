"""Details: what is asked of one item that the question names."""

from pegboard.catalog.contract import Context, Evidence, Hit, Item, Passage, Result, tool
from pegboard.knowledge.wording.amounts import listed
from pegboard.knowledge.wording.answering import answering
from pegboard.knowledge.wording.aspects import asked, relevant, without_name
from pegboard.knowledge.wording.cite import Sources, marked
from pegboard.knowledge.wording.describe import digest, overview
from pegboard.knowledge.wording.facts import Fact, facts
from pegboard.knowledge.wording.sentences import sentences
from pegboard.text import Json

_MEANT = 50.0
"""A name whose score is lower means another thing."""
_QUOTED = frozenset({"tips", "reviews", "steps"})
"""Facts whose sentences are searched for what no fact is about."""
_MOST = 3
"""Facts of one aspect, or sentences, that an answer quotes."""

_TASK = "Answer what is asked of the item, from the evidence only, in one to three sentences or a short list."


@tool
async def details(context: Context, item_name: str, details_requested: str = "") -> Result:
    """Tell what is asked of the item that `item_name` means; without a request, what matters most of it."""
    hits = await context.search.named(item_name)
    if not hits or hits[0].score < _MEANT:
        return _unknown(context, item_name, hits)
    item = hits[0].item
    question = without_name(f"{details_requested}\n{context.question}", item.name, item_name)
    sources = Sources()
    told = _told(context, item, question)
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


def _heading(context: Context, item: Item) -> str:
    return f"{item.name}：" if context.language == "zh" else f"{item.name}:"


def _told(context: Context, item: Item, question: str) -> list[str]:
    """Return the sentences that answer `question`, from facts, else from what is written of the item."""
    known = facts(item, context.language)
    found = _few_of_each(relevant(question, known))
    answered = {fact.aspect for fact in found}
    if answered - {"tips"}:
        return _joined(found, context.language)
    if quotes := _quotes(item, known, question):
        return quotes
    if "diet" in asked(question):
        return [_silent(context.language), *_joined(_ingredients(known), context.language)]
    return _joined(found, context.language) or overview(item, context.language)


def _silent(language: str) -> str:
    return _ZH_SILENT if language == "zh" else _EN_SILENT


def _ingredients(known: list[Fact]) -> list[Fact]:
    return [fact for fact in known if fact.aspect == "ingredients"]


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
    written = [*sentences(item.description), *(fact.sentence for fact in known if fact.aspect in _QUOTED)]
    lines = [line for text in written for line in text.splitlines() if not line.endswith((":", "："))]
    passages = [Passage(item, "", line, 100.0) for line in lines]
    return [piece.text for piece in answering(question, passages, most=_MOST, needs_words=True)]


def _evidence(item: Item, told: list[str], language: str) -> str:
    """Return what was told, and the other facts for a model that wants to say more."""
    return "\n".join([*told, digest(item, language)])


def _data(known: list[Fact]) -> list[Json]:
    return [{"aspect": fact.aspect, "label": fact.label, "value": fact.value} for fact in known]


def _unknown(context: Context, item_name: str, near: list[Hit]) -> Result:
    zh = context.language == "zh"
    text = f"本站没有“{item_name}”。" if zh else f"This site has nothing called “{item_name}”."
    evidence: tuple[Evidence, ...] = ()
    if near:
        names = listed([f"“{hit.item.name}”" for hit in near], context.language, last="或" if zh else "or")
        text += f"您是不是指{names}？" if zh else f" Did you mean {names}?"
    return Result(text, items=tuple(near), evidence=evidence, status="not_found")


_EN_SILENT = "Its page does not say whether it suits that diet; judge by what is in it."
_ZH_SILENT = "页面上没有注明它是否适合这种饮食，可以看看配料。"
