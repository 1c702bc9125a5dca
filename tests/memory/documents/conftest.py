"""The stores that the contract suite runs over."""

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from pegboard.memory.documents.held import MemoryDocuments
from pegboard.memory.documents.open import postgres_engine, sqlite_engine
from pegboard.memory.documents.sql import SqlDocuments
from pegboard.memory.documents.store import Bounds, DocumentStore
from pegboard.memory.documents.tables import METADATA
from tests.postgres import postgres

__all__ = ["postgres"]

Open = Callable[..., DocumentStore]


@pytest.fixture(params=["memory", "sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Open]:
    """Return a function that opens the store, with other bounds where some are given; its clock counts up."""
    clock = count(1000)
    stores: list[DocumentStore] = []

    def open_store(**bounds: int) -> DocumentStore:
        def now() -> float:
            return float(next(clock))

        store: DocumentStore
        match request.param:
            case "memory":
                store = MemoryDocuments(Bounds(**bounds), now)
            case "sqlite":
                store = SqlDocuments(sqlite_engine(tmp_path / "documents.db"), Bounds(**bounds), now=now)
            case _:
                engine = postgres_engine(request.getfixturevalue("postgres"))
                if not stores:
                    METADATA.drop_all(engine)
                store = SqlDocuments(engine, Bounds(**bounds), now=now)
        stores.append(store)
        return store

    yield open_store
    for store in stores:
        store.close()


@pytest.fixture
def store(opened: Open) -> DocumentStore:
    """Return an empty store."""
    return opened()
