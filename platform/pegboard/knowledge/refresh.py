"""Files -> index: what changed is read, embedded and replaced; what did not is left alone."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from pegboard.config.sources import Fence
from pegboard.config.span import Span
from pegboard.errors import PegboardError
from pegboard.knowledge.index import Change, Index, Source
from pegboard.knowledge.read import Document, File, Unread, digest_of, find_files, read_bytes, read_document
from pegboard.llm.embedder import Embedder

Progress = Callable[[int, int], None]
"""Told how many of the changed files are indexed, and how many there are."""

_PIECES_OF_A_BATCH = 64


@dataclass(frozen=True, slots=True)
class Report:
    """What a refresh did; all but `problems` count files."""

    added: int
    changed: int
    removed: int
    unchanged: int
    problems: tuple[Unread, ...]
    """What could not be read, in the order of bases and files."""

    def unread(self, bases: Collection[str]) -> list[Unread]:
        """Return what some bases lack because it could not be read."""
        return [problem for problem in self.problems if problem.base in bases]


@dataclass(frozen=True, slots=True)
class _Found:
    """A file whose content the index does not hold yet, or holds with a fault."""

    base: str
    file: File
    known: Source | None


class Besides(Protocol):
    """Content that lies in no file of the disk."""

    def holds(self, source: Source) -> bool:
        """Tell whether a source of the index is content of this kind."""
        ...

    def files(self, base: str) -> Sequence[File]:
        """Return the content of a base.

        Raises:
            PegboardError: it cannot be had now.
        """
        ...


def content_bytes(bases: Mapping[str, Sequence[Path]], within: Fence | None = None) -> int:
    """Return the size of all content files; what cannot be looked at counts nothing."""
    total = 0
    for sources in bases.values():
        for file in find_files(sources, within)[0]:
            try:
                total += file.path.stat().st_size
            except OSError:
                continue
    return total


def refresh(
    index: Index,
    bases: Mapping[str, Sequence[Path]],
    embedder: Embedder,
    *,
    progress: Progress | None = None,
    within: Fence | None = None,
    besides: Besides | None = None,
) -> Report:
    """Make `index` hold what the files of `bases` hold, and nothing else; what lies outside `within` is not read.

    What is `besides` belongs to the bases too; while it cannot be had, what was indexed of it stays.

    Blocks: call it in a thread. Ended at any moment, it leaves each file's content as it was or as it is, and the
    next refresh does the rest. A second one, of another process too, waits for the first.

    Raises:
        Unreachable: another process has been writing the index for ten minutes.
    """
    with index.writing():
        known = index.sources()
        problems: list[Unread] = []
        found, kept = _compare(bases, known, problems, within)
        if besides is not None:
            _compare_besides(besides, bases, known, problems, found, kept)
        gone = [source for key, source in known.items() if key not in kept]
        if gone:
            index.remove(gone)
        indexed = _index(index, found, embedder, progress, problems)
        problems += _duplicates(index, list(bases))
        fresh = sum(one.known is None for one in indexed)
        changed = len(indexed) - fresh
        return Report(fresh, changed, len(gone), len(kept) - len(indexed), tuple(sorted(problems, key=_place)))


def _compare(
    bases: Mapping[str, Sequence[Path]],
    known: Mapping[tuple[str, str], Source],
    problems: list[Unread],
    within: Fence | None,
) -> tuple[list[_Found], set[tuple[str, str]]]:
    """Return the files to read, and the keys of all sources that stay."""
    found: list[_Found] = []
    kept: set[tuple[str, str]] = set()
    for base, sources in bases.items():
        files, missing = find_files(sources, within)
        problems += _lacking(base, missing)
        _compare_files(base, files, known, problems, found, kept)
    return found, kept


def _compare_besides(
    besides: Besides,
    bases: Collection[str],
    known: Mapping[tuple[str, str], Source],
    problems: list[Unread],
    found: list[_Found],
    kept: set[tuple[str, str]],
) -> None:
    for base in bases:
        try:
            _compare_files(base, besides.files(base), known, problems, found, kept)
        except PegboardError as error:
            problems += _lacking(base, [Unread(Span(base, 0, 0), str(error))])
            kept |= {key for key, source in known.items() if source.base == base and besides.holds(source)}


def _compare_files(
    base: str,
    files: Sequence[File],
    known: Mapping[tuple[str, str], Source],
    problems: list[Unread],
    found: list[_Found],
    kept: set[tuple[str, str]],
) -> None:
    for file in files:
        key = (base, file.name)
        content = read_bytes(file)
        if isinstance(content, Unread):  # what was indexed of it stays until it can be read again
            problems += _lacking(base, [content])
            kept |= {key} & known.keys()
            continue
        kept.add(key)
        before = known.get(key)
        if before is None or before.is_faulty or before.digest != digest_of(content):
            found.append(_Found(base, file, before))


def _index(
    index: Index,
    found: Sequence[_Found],
    embedder: Embedder,
    progress: Progress | None,
    problems: list[Unread],
) -> list[_Found]:
    """Read and index files in batches; return those whose content was new to the index."""
    indexed: list[_Found] = []
    done = 0
    for batch in _batches(found, problems):
        for one, document in batch:
            problems += _lacking(one.base, document.problems)
        news = [(one, document) for one, document in batch if one.known is None or one.known.digest != document.digest]
        if news:
            index.replace(_changes(news, embedder))
            indexed += [one for one, _ in news]
        done += len(batch)
        if progress is not None:
            progress(done, len(found))
    return indexed


def _batches(found: Sequence[_Found], problems: list[Unread]) -> Iterator[list[tuple[_Found, Document]]]:
    batch: list[tuple[_Found, Document]] = []
    pieces = 0
    for one in found:
        content = read_bytes(one.file)  # again: all at once would not fit into memory
        if isinstance(content, Unread):
            problems += _lacking(one.base, [content])
            continue
        document = read_document(one.base, one.file, content)
        batch.append((one, document))
        pieces += sum(len(entry.pieces) for entry in document.entries)
        if pieces >= _PIECES_OF_A_BATCH:
            yield batch
            batch, pieces = [], 0
    if batch:
        yield batch


def _changes(news: Sequence[tuple[_Found, Document]], embedder: Embedder) -> list[Change]:
    texts = [
        f"{entry.item.name}. {piece.heading}. {piece.text}" if piece.heading else f"{entry.item.name}. {piece.text}"
        for _, document in news
        for entry in document.entries
        for piece in entry.pieces
    ]
    vectors = embedder.encode(texts)
    changes: list[Change] = []
    start = 0
    for one, document in news:
        end = start + sum(len(entry.pieces) for entry in document.entries)
        source = Source(one.base, one.file.name, document.digest, is_faulty=bool(document.problems))
        changes.append(Change(source, document.entries, vectors[start:end]))
        start = end
    return changes


def changes_of(
    base: str, files: Sequence[File], known: Mapping[tuple[str, str], Source], embedder: Embedder
) -> list[Change]:
    """Return what some files of a base hold and the index does not; `known` are the sources that it has."""
    news: list[tuple[_Found, Document]] = []
    for file in files:
        content, before = read_bytes(file), known.get((base, file.name))
        if isinstance(content, Unread) or (before is not None and before.digest == digest_of(content)):
            continue
        news.append((_Found(base, file, before), read_document(base, file, content)))
    return _changes(news, embedder) if news else []


def _lacking(base: str, problems: Sequence[Unread]) -> list[Unread]:
    """Return `problems` as those of a base."""
    return [replace(problem, base=base) for problem in problems]


def _duplicates(index: Index, bases: Sequence[str]) -> Iterator[Unread]:
    """Report addresses that several items of a base have: only one of them can be found."""
    seen: set[tuple[str, str]] = set()
    for item in index.listing(bases):
        key = (item.base, item.url)
        if key in seen:
            yield Unread(Span(item.base, 0, 0), f"Another item has the address {item.url} already: {item.name!r}.")
        seen.add(key)


def _place(problem: Unread) -> tuple[str, int, int]:
    return (problem.span.file, problem.span.line, problem.span.column)
