"""Documents: keep what was written, list what the site keeps, read it, remove it."""

from datetime import UTC, datetime

from pegboard.catalog.citing import MARK
from pegboard.catalog.contract import Context, Document, Draft, Evidence, Result, Written, tool
from pegboard.catalog.documents import cited
from pegboard.errors import UsageError
from pegboard.events import Noticed
from pegboard.text import Json, clipped, language

_QUOTED = 2000
"""Characters of a document that are evidence."""
_MOST = 200


@tool
async def write_document(
    context: Context, title: str, text: str, ingest: bool = False, sources: list[dict[str, object]] | None = None
) -> Result:
    """Keep a text (Markdown) as a document of the site; the same title again is a new version of it.

    With `ingest`, later questions are answered from it. `sources` are what it rests on, each with `url` and `name`;
    `[2]` in the text is the second of them, or that whose `number` is 2.
    """
    words, rests_on = cited(text, sources or ())
    draft = Draft(title, words, language(text), rests_on, context.idempotency_key)
    written = await context.documents.write(draft, ingest=ingest)
    if written.notice:
        context.emit(Noticed(written.notice))
    return Result(_kept(context, written), data=_data(written))


@tool
async def list_documents(context: Context, query: str = "", limit: int = 20) -> Result:
    """List the site's documents, the latest first, or those with words of `query` in their titles."""
    most = max(1, min(limit, _MOST))
    found = await context.documents.list(query, limit=most)
    if not found.documents and query.strip() == context.question.strip():  # nobody has named any words of titles
        found = await context.documents.list(limit=most)
    words = _words(context)
    if not found.documents:
        text = words["none"] if not query.strip() else words["no_match"].format(query=query.strip())
        return Result(text, data=found.to_json(), status="not_found")
    lines = [f"- {_line(context, each)}" for each in found.documents]
    more = found.total - len(found.documents)
    lines += [words["more"].format(more=more)] if more > 0 else []
    return Result("\n".join([words["list"], *lines]), data=found.to_json())


@tool
async def read_document(context: Context, document: str, version: int = 0) -> Result:
    """Read a document of the site by its id or its title; `version` 0 is the latest."""
    try:
        found = await context.documents.read(document.strip(), version=version or None)
    except UsageError as error:
        return await _unknown(context, document, error)
    sources = found.sources if MARK.search(found.text) else ()
    evidence = [Evidence(place, each.name, each.url, each.name) for place, each in enumerate(sources, start=1)]
    itself = Evidence(len(evidence) + 1, clipped(found.text, _QUOTED), found.url, found.title)
    return Result(found.text, evidence=(*evidence, itself), data=found.to_json())


@tool
async def remove_document(context: Context, document: str) -> Result:
    """Remove a document of the site, by its id or its title, with all its versions."""
    try:
        removed = await context.documents.remove(document.strip())
    except UsageError as error:
        return await _unknown(context, document, error)
    told: dict[str, Json] = {"id": removed.id, "title": removed.title, "versions": removed.latest}
    return Result(_words(context)["removed"].format(title=removed.title, versions=removed.latest), data=told)


async def _unknown(context: Context, document: str, error: UsageError) -> Result:
    """Say that there is no such document, and which may be meant."""
    near = await context.documents.list(document, limit=3)
    lines = [_words(context)["unknown"].format(document=document.strip()[:200])]
    lines += [f"- {_line(context, each)}" for each in near.documents]
    return Result("\n".join(lines), data={"error": error.message}, status="not_found")


def _kept(context: Context, written: Written) -> str:
    words, document = _words(context), written.document
    which = "kept" if document.version == 1 else "again"
    lines = [words[which].format(title=document.title, version=document.version, url=document.url)]
    if written.notice:
        lines.append(written.notice)
    elif document.base:
        lines.append(words["known"])
    return "\n".join(lines)


def _data(written: Written) -> dict[str, Json]:
    told: dict[str, Json] = {**written.document.to_json(), "notice": written.notice}
    told.pop("text", None)
    return told


def _line(context: Context, document: Document) -> str:
    day = datetime.fromtimestamp(document.updated, UTC).date().isoformat()
    return _words(context)["line"].format(
        title=document.title, version=document.latest, day=day, id=document.id, url=document.url
    )


def _words(context: Context) -> dict[str, str]:
    return _ZH if context.language == "zh" else _EN


_EN = {
    "kept": "The document “{title}” is kept: {url}",
    "again": "The document “{title}” is kept as version {version}: {url}",
    "known": "Later questions are answered from it too.",
    "none": "This site keeps no documents yet.",
    "no_match": "This site keeps no document with “{query}” in its title.",
    "list": "These documents are kept:",
    "line": "{title} ({day}, version {version}): {url}",
    "more": "And {more} more.",
    "unknown": "This site keeps no document “{document}”.",
    "removed": "The document “{title}” is removed, with {versions} version(s).",
}
_ZH = {
    "kept": "文档“{title}”已保存：{url}",
    "again": "文档“{title}”已保存为第 {version} 版：{url}",
    "known": "以后的问题也会用到它。",
    "none": "本站还没有保存任何文档。",
    "no_match": "本站没有标题含“{query}”的文档。",
    "list": "本站保存的文档：",
    "line": "{title}（{day}，第 {version} 版）：{url}",
    "more": "另有 {more} 篇。",
    "unknown": "本站没有文档“{document}”。",
    "removed": "文档“{title}”及其 {versions} 个版本已删除。",
}
