"""The twin of the SQL store: documents in memory, as long as it lives itself."""

import secrets
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from pegboard.catalog.contract import Document, Draft, Listing
from pegboard.memory.documents.draft import fit, fitting, is_same, latest_first, once_of, run_and_node
from pegboard.memory.documents.store import Bounds, full, unknown
from pegboard.text import folded


@dataclass(slots=True)
class MemoryDocuments:
    """Fulfils `store.DocumentStore`."""

    bounds: Bounds = field(default_factory=Bounds)
    now: Callable[[], float] = time.time
    _versions: dict[str, list[Document]] = field(default_factory=dict)
    _bases: dict[str, str] = field(default_factory=dict)
    _once: dict[tuple[str, str], tuple[str, int]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def write(self, site: str, draft: Draft, *, base: str = "") -> Document:
        draft = fit(draft, self.bounds)
        once = once_of(draft)
        with self._lock:
            if once is not None and (site, once) in self._once:
                id_, version = self._once[site, once]
                return self._joined(id_, base, version)
            found = self._of_title(site, draft.title)
            if found is not None and is_same(draft, self._versions[found][-1]):
                return self._joined(found, base)
            self._check(site, draft, is_new=found is None)
            id_ = found or secrets.token_hex(8)
            document = self._added(id_, site, draft)
            if once is not None:
                self._once[site, once] = (id_, document.version)
            return self._joined(id_, base)

    def read(self, site: str | None, which: str, *, version: int | None = None) -> Document:
        with self._lock:
            id_ = self._found(site, which)
            if version is not None and not 1 <= version <= len(self._versions[id_]):
                raise unknown(which, version=version)
            return self._shown(id_, version)

    def list(self, site: str | None, *, query: str = "", limit: int = 20) -> Listing:
        with self._lock:
            every = [replace(each, text="") for each in self._latest() if site in {None, each.site}]
        found = fitting(query, every) if query.strip() else sorted(every, key=latest_first)
        return Listing(tuple(found[:limit]), len(found))

    def remove(self, site: str | None, which: str) -> Document:
        with self._lock:
            id_ = self._found(site, which)
            removed = self._shown(id_)
            del self._versions[id_]
            self._once = {key: value for key, value in self._once.items() if value[0] != id_}
            return removed

    def known(self, id: str | None = None) -> tuple[Document, ...]:
        with self._lock:
            return tuple(each for each in self._latest() if each.base and id in {None, each.id})

    def close(self) -> None:
        """Do nothing: what is held goes with the holder."""

    def _joined(self, id_: str, base: str, version: int | None = None) -> Document:
        """Return a document, which belongs to the knowledge `base` from now on, if one is named."""
        if base:
            self._bases[id_] = base
        return self._shown(id_, version)

    def _added(self, id_: str, site: str, draft: Draft) -> Document:
        now, earlier = self.now(), self._versions.setdefault(id_, [])
        run, node = run_and_node(draft.key)
        document = Document(
            id_,
            site,
            draft.title,
            version=len(earlier) + 1,
            latest=len(earlier) + 1,
            created=earlier[0].created if earlier else now,
            updated=now,
            language=draft.language,
            bytes=len(draft.text.encode()),
            text=draft.text,
            sources=draft.sources,
            run=run,
            node=node,
        )
        earlier.append(document)
        return document

    def _check(self, site: str, draft: Draft, *, is_new: bool) -> None:
        own = [each for versions in self._versions.values() for each in versions if each.site == site]
        if is_new and len({each.id for each in own}) >= self.bounds.documents:
            raise full(site, f"it has {self.bounds.documents:,} (documents_kept)")
        if sum(each.bytes for each in own) + len(draft.text.encode()) > self.bounds.total_bytes:
            raise full(site, f"their versions have more than {self.bounds.total_bytes:,} bytes (documents_size)")

    def _shown(self, id_: str, version: int | None = None) -> Document:
        versions = self._versions[id_]
        return replace(versions[(version or len(versions)) - 1], latest=len(versions), base=self._bases.get(id_, ""))

    def _latest(self) -> Iterator[Document]:
        return (self._shown(id_) for id_ in self._versions)

    def _of_title(self, site: str, title: str) -> str | None:
        wanted = folded(title)
        return next((each.id for each in self._latest() if each.site == site and folded(each.title) == wanted), None)

    def _found(self, site: str | None, which: str) -> str:
        if which in self._versions and site in {None, self._versions[which][0].site}:
            return which
        found = self._of_title(site, which) if site is not None else None
        if found is None:
            raise unknown(which)
        return found
