"""Kept documents as content: what makes those that belong to a knowledge base found there.

The store of documents is the truth; the index follows it: `Settling` for one document at once, `Content` for all of a
base at each refresh. Not here: where documents are kept (`memory/documents`).
"""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from pegboard.catalog.contract import Document
from pegboard.knowledge.index import Index, Source
from pegboard.knowledge.read import File
from pegboard.knowledge.refresh import changes_of
from pegboard.llm.embedder import Embedder
from pegboard.memory.documents.store import DocumentStore

_FOLDER = "~documents"
"""Where they seem to lie in a base; no file of a folder begins so."""
_WAITING_SECONDS = 5.0
"""How long one document waits for another writer of the index; the next refresh does what it could not."""


@dataclass(frozen=True, slots=True)
class Content:
    """Fulfils `refresh.Besides`."""

    store: DocumentStore
    bases: Collection[str]
    """Those that documents may belong to."""

    def holds(self, source: Source) -> bool:
        return source.name.startswith(f"{_FOLDER}/")

    def files(self, base: str) -> Sequence[File]:
        if base not in self.bases:
            return ()
        return [file_of(each) for each in self.store.known() if each.base == base]


@dataclass(frozen=True, slots=True)
class Settling:
    """Makes the index hold what the store says of one document."""

    store: DocumentStore
    index: Index
    embedder: Embedder
    base: str

    def __call__(self, id: str) -> None:
        """Bring the document up to date, or take it out of the index if it is there no more; blocks.

        The store is read while others are kept out, so that the last of several writers leaves the last version.

        Raises:
            Unreachable: another process writes the index for longer than a call may wait.
        """
        with self.index.writing(timeout_seconds=_WAITING_SECONDS):
            files = [file_of(each) for each in self.store.known(id) if each.base == self.base]
            known = self.index.sources()
            if files:
                self.index.replace(changes_of(self.base, files, known, self.embedder))
            elif (source := known.get((self.base, _name(id)))) is not None:
                self.index.remove([source])


def file_of(document: Document) -> File:
    """Return a document as a file of content; what it says of itself at its beginning is text, and no front matter."""
    said = {"title": document.title, "language": document.language, "url": document.url}
    front = "\n".join(f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in said.items())
    name = _name(document.id)
    content = f"---\n{front}\n---\n\n{document.text}".encode()
    return File(Path(name), name, f"document {document.title!r}", content)


def _name(id: str) -> str:
    return f"{_FOLDER}/{id}.md"
