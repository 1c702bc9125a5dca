"""Small content, and an index of each kind to put it into."""

from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path

import pytest

from pegboard.knowledge.index import Index
from pegboard.knowledge.open import open_index
from pegboard.knowledge.read import Document, File, read_document
from pegboard.llm.embedder import SentenceEncoder
from pegboard.llm.hashed import HashedEmbedder
from pegboard.text import Json, to_json

DEMO = Path(__file__).parents[2] / "demo"
DEMO_BASES: Mapping[str, Sequence[Path]] = {
    "kitchen": [DEMO / "kitchen"],
    "shop": [DEMO / "shop"],
    "help": [DEMO / "help"],
}
KINDS = [
    "memory",
    "sqlite",
    pytest.param(
        "lancedb",
        marks=[
            pytest.mark.lancedb,
            pytest.mark.skipif(find_spec("lancedb") is None, reason="lancedb is not installed"),
        ],
    ),
]


@pytest.fixture(params=KINDS)
def index(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Index]:
    """Return an empty index, one of each kind."""
    opened = open_at(tmp_path / "index", kind=request.param)
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def encoder() -> SentenceEncoder:
    """Return the real embedder; it loads once."""
    return SentenceEncoder()


def open_at(folder: Path, *, kind: str = "sqlite", embedder: str = HashedEmbedder.name, dimensions: int = 64) -> Index:
    return open_index(folder, kind=kind, embedder=embedder, dimensions=dimensions)


def read_text(text: str, name: str = "note.json", base: str = "notes") -> Document:
    file = File(Path(name), name, name)
    return read_document(base, file, text.encode())


def thing(name: str, **values: Json) -> dict[str, Json]:
    return {"@context": "https://schema.org", "@type": "Thing", "name": name, **values}


def write_things(folder: Path, *things: dict[str, Json]) -> None:
    """Write each thing into a file of its own, named by its number."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, one in enumerate(things):
        (folder / f"{number}.json").write_text(to_json(one), encoding="utf-8")
