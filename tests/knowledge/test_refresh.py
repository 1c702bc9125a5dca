from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from pegboard.knowledge.index import Index
from pegboard.knowledge.memory_index import MemoryIndex
from pegboard.knowledge.refresh import Report, content_bytes, refresh
from pegboard.llm.hashed import HashedEmbedder
from pegboard.text import to_json
from tests.knowledge.conftest import thing, write_things


class Counting(HashedEmbedder):
    """Counts the texts that it is given."""

    texts = 0

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.texts += len(texts)
        return super().encode(texts)


@pytest.fixture
def content(tmp_path: Path) -> Path:
    folder = tmp_path / "content"
    write_things(folder, *(thing(f"Note {n}", description=f"It says {n}.") for n in range(3)))
    return folder


def names(index: Index) -> list[str]:
    return [item.name for item in index.listing(["notes"])]


def test_only_what_changed_is_embedded_again(content: Path) -> None:
    index, embedder = MemoryIndex(), Counting()
    assert refresh(index, {"notes": [content]}, embedder) == Report(3, 0, 0, 0, ())
    assert embedder.texts == 3
    assert refresh(index, {"notes": [content]}, embedder) == Report(0, 0, 0, 3, ())
    (content / "1.json").write_text(to_json(thing("Note new", description="x")), encoding="utf-8")
    (content / "2.json").unlink()
    write_things(content / "more", thing("Note more", description="y"))
    assert refresh(index, {"notes": [content]}, embedder) == Report(1, 1, 1, 1, ())
    assert embedder.texts == 5
    assert names(index) == ["Note 0", "Note new", "Note more"]


def test_a_base_that_is_no_longer_declared_is_forgotten(content: Path) -> None:
    index = MemoryIndex()
    refresh(index, {"notes": [content], "other": [content]}, HashedEmbedder())
    assert refresh(index, {"other": [content]}, HashedEmbedder()) == Report(0, 0, 3, 3, ())
    assert names(index) == []


def test_bad_files_are_reported_each_time_and_the_others_are_there(content: Path) -> None:
    (content / "bad.json").write_text('{"name": ', encoding="utf-8")
    (content / "half.jsonl").write_text('{"name": "Half", "description": "x"}\noops\n', encoding="utf-8")
    index, embedder = MemoryIndex(), Counting()
    reports = [refresh(index, {"notes": [content]}, embedder) for _ in range(2)]
    for report in reports:
        places = [(Path(problem.span.file).name, problem.span.line) for problem in report.problems]
        assert places == [("bad.json", 1), ("half.jsonl", 2)]
    assert embedder.texts == 4
    assert names(index) == ["Note 0", "Note 1", "Note 2", "Half"]
    assert [(report.added, report.unchanged) for report in reports] == [(5, 0), (0, 5)]


def test_a_bad_file_that_is_mended_is_indexed(content: Path) -> None:
    index = MemoryIndex()
    (content / "bad.json").write_text("{", encoding="utf-8")
    refresh(index, {"notes": [content]}, HashedEmbedder())
    (content / "bad.json").write_text(to_json(thing("Good", description="x")), encoding="utf-8")
    assert refresh(index, {"notes": [content]}, HashedEmbedder()) == Report(0, 1, 0, 3, ())
    assert "Good" in names(index)


def test_a_file_that_cannot_be_read_for_a_while_keeps_what_was_indexed(content: Path) -> None:
    index = MemoryIndex()
    refresh(index, {"notes": [content]}, HashedEmbedder())
    (content / "0.json").unlink()
    (content / "0.json").symlink_to(content / "nowhere.json")  # nobody can read it, root neither
    report = refresh(index, {"notes": [content]}, HashedEmbedder())
    assert [problem.message for problem in report.problems] == ["It cannot be read: No such file or directory."]
    assert names(index) == ["Note 0", "Note 1", "Note 2"]


def test_a_base_without_files_is_reported_and_empty(tmp_path: Path) -> None:
    index = MemoryIndex()
    report = refresh(index, {"notes": [tmp_path / "missing"]}, HashedEmbedder())
    assert (report.added, len(report.problems), names(index)) == (0, 1, [])


def test_an_address_that_two_items_have_is_reported(tmp_path: Path) -> None:
    same = {"description": "x", "url": "https://x.example/same"}
    write_things(tmp_path / "content", thing("One", **same), thing("Two", **same))
    report = refresh(MemoryIndex(), {"notes": [tmp_path / "content"]}, HashedEmbedder())
    assert [problem.message for problem in report.problems] == [
        "Another item has the address https://x.example/same already: 'Two'."
    ]


def test_progress_counts_the_changed_files_up_to_all_of_them(tmp_path: Path) -> None:
    write_things(tmp_path / "content", *(thing(f"N{n}", description="x") for n in range(150)))
    told: list[tuple[int, int]] = []
    refresh(
        MemoryIndex(),
        {"notes": [tmp_path / "content"]},
        HashedEmbedder(),
        progress=lambda *now: told.append(now),
    )
    assert told == [(64, 150), (128, 150), (150, 150)]


def test_the_size_of_the_content_is_that_of_its_files(content: Path) -> None:
    sizes = sum(path.stat().st_size for path in content.glob("*.json"))
    assert content_bytes({"notes": [content], "none": [content / "missing"]}) == sizes
