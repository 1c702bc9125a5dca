"""What may be kept, and which documents fit a query: the rules that every store keeps to."""

import hashlib
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import replace
from urllib.parse import urlsplit

from pegboard.catalog.contract import Cited, Document, Draft
from pegboard.catalog.invisible import hidden_in, name_of
from pegboard.memory.documents.store import Bounds, DocumentRefused, DocumentTooLarge
from pegboard.text import folded, to_json, tokens

LONGEST_TITLE = 200
MOST_SOURCES = 100
_LONGEST_SOURCE = 2000
_LINK = re.compile(r"\[([^\[\]\n]{1,300})\]\((https?://[^\s()<>]{1,2000})\)")


def fit(draft: Draft, bounds: Bounds) -> Draft:
    """Return a draft as it is kept: its title in one line, its sources with those that its text links to.

    Raises:
        DocumentRefused: it cannot be kept.
    """
    title = _title(draft.title)
    text = draft.text.replace("\r\n", "\n")
    if not text.strip():
        raise DocumentRefused(f"The document {title!r} has no text.", hint="Give it one, in Markdown.")
    size = _size(text, title)
    if size > bounds.document_bytes:
        message = f"The document {title!r} has {size:,} bytes; {bounds.document_bytes:,} may be kept."
        raise DocumentTooLarge(message, hint="Split it, or raise the setting document_size.")
    given = tuple(map(_source, draft.sources))  # the text cites them by their places
    known = {each.url for each in given}
    linked = {each.url: each for each in map(_source, _linked(text)) if each.url not in known}
    return replace(draft, title=title, text=text, sources=(*given, *linked.values())[:MOST_SOURCES])


def once_of(draft: Draft) -> str | None:
    """Return what a write is known by when it is done again; None: it belongs to no run.

    One node may write several documents, and one document several times: so its title and its text belong to it.
    """
    if not draft.key:
        return None
    return hashlib.sha256(to_json([draft.key, folded(draft.title), draft.text]).encode()).hexdigest()


def is_same(draft: Draft, latest: Document) -> bool:
    """Tell whether a draft says what the latest version says."""
    return (draft.title, draft.text, draft.sources) == (latest.title, latest.text, latest.sources)


def fitting(query: str, documents: Iterable[Document]) -> list[Document]:
    """Return those with words of `query` in their titles, those first that have most of them, then the latest."""
    wanted = {*tokens(query)} or {folded(query)}
    scored = [(len(wanted & {*tokens(each.title), folded(each.title)}), each) for each in documents]
    return [each for score, each in sorted(scored, key=lambda one: (-one[0], *latest_first(one[1]))) if score]


def latest_first(document: Document) -> tuple[float, str]:
    """Return what documents are sorted by."""
    return (-document.updated, document.id)


def run_and_node(key: str) -> tuple[str, str]:
    """Split the key of a call into its run and its node."""
    run, _, node = key.rpartition(":")
    return run, node if run else ""


def _title(given: str) -> str:
    title = " ".join(given.split())
    if not title:
        raise DocumentRefused("A document needs a title.", hint="Name what it is about, in a few words.")
    if len(title) > LONGEST_TITLE:
        message = f"The title has {len(title):,} characters; {LONGEST_TITLE} may be kept."
        raise DocumentRefused(message, hint="Say the rest in the text.")
    strange = next((each for each in title if unicodedata.category(each) in {"Cc", "Cs", "Co", "Cn"}), None)
    strange = strange or hidden_in(title)
    if strange is not None:
        message = f"The title holds {name_of(strange)}, which nobody can read."
        raise DocumentRefused(message, hint="Leave it out.")
    return unicodedata.normalize("NFC", title)


def _size(text: str, title: str) -> int:
    """Return the bytes of a text.

    Raises:
        DocumentRefused: it holds what no store keeps.
    """
    if "\x00" in text:
        message = f"The text of {title!r} holds a NUL character (U+0000), which cannot be kept."
        raise DocumentRefused(message, hint="Leave it out.")
    try:
        return len(text.encode())
    except UnicodeEncodeError as error:
        message = f"The text of {title!r} holds half a character ({name_of(text[error.start])})."
        raise DocumentRefused(message, hint="Leave it out, or write the whole character.") from error


def _linked(text: str) -> Iterable[Cited]:
    return (Cited(url, " ".join(name.split())) for name, url in _LINK.findall(text))


def _source(given: Cited) -> Cited:
    """Return a source as it is kept: in one line, without what no store keeps; an address that is none is left out."""
    url, name = (_plain(each)[:_LONGEST_SOURCE] for each in (given.url, given.name))
    return Cited(url if _is_address(url) else "", name or url)


def _plain(text: str) -> str:
    flat = " ".join(text.replace("\x00", " ").split())
    return flat.encode("utf-8", "replace").decode()


def _is_address(url: str) -> bool:
    """Tell whether a page may link to it: of the web, of our own, or by its place here; never `javascript:`."""
    try:
        return urlsplit(url).scheme in {"http", "https", "pegboard", ""}
    except ValueError:
        return False
