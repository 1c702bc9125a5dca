"""Knowledge: the sentences of the site's content that answer a question, each with its source."""

from pegboard.catalog.contract import Context, Hit, Passage, Result, tool
from pegboard.knowledge.wording.answering import answering, fitting
from pegboard.knowledge.wording.cite import Sources, marked
from pegboard.knowledge.wording.sentences import Said
from pegboard.knowledge.wording.stems import plainly

_MOST = 4
"""Sentences that an answer quotes."""
_SEARCHED = 40
_EVIDENCE = 5
"""Passages that a model sees."""
_TASK = (
    "Answer the question from the evidence only, in as few sentences as it needs; keep amounts, days and "
    "exceptions "
    "exactly. If the evidence does not answer it, say so."
)


@tool
async def knowledge(context: Context, query: str = "") -> Result:
    """Answer `query` (without it, the question itself) from the site's content."""
    if context.search.is_empty:
        return Result(_words(context)["empty"], status="no_knowledge")
    wanted = query.strip() or context.question
    passages = fitting(wanted, await _searched(context, wanted))
    if not passages:
        return Result(_words(context)["nothing"].format(wanted=wanted), status="not_found")
    return _told(answering(wanted, passages, most=_MOST), passages[:_EVIDENCE])


async def _searched(context: Context, wanted: str) -> list[Passage]:
    """Search for the question; what only its plainer form finds (`return` for `send back`) is added."""
    found: dict[tuple[str, str, str], Passage] = {}
    for query in dict.fromkeys([wanted.lower(), plainly(wanted)]):
        for passage in await context.search.passages(query, limit=_SEARCHED):
            found.setdefault((passage.item.url, passage.heading, passage.text), passage)
    return list(found.values())


def _told(said: list[Said], passages: list[Passage]) -> Result:
    sources = Sources()
    lines = []
    for piece in said:
        item = piece.passage.item
        mark = sources.cite(_evidence(piece.passage), url=item.url, name=item.name)
        lines.append(marked(piece.text, mark))
    for passage in passages:
        sources.cite(_evidence(passage), url=passage.item.url, name=passage.item.name)
    items: dict[str, Hit] = {}
    for passage in passages:
        items.setdefault(passage.item.url, Hit(passage.item, passage.score))
    return Result(
        "\n".join(lines),
        items=tuple(items.values()),
        evidence=sources.evidence,
        task=_TASK,
        data=[{"url": e.url, "name": e.name, "text": e.text} for e in sources.evidence],
    )


def _evidence(passage: Passage) -> str:
    return f"{passage.heading}\n{passage.text}" if passage.heading else passage.text


def _words(context: Context) -> dict[str, str]:
    return _ZH if context.language == "zh" else _EN


_EN = {
    "empty": "This site has no knowledge to answer from yet.",
    "nothing": "Nothing in this site's content answers “{wanted}”.",
}
_ZH = {
    "empty": "本站还没有可以用来回答的内容。",
    "nothing": "本站的内容没有回答“{wanted}”。",
}
