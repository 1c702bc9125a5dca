"""What the indexes that lie on disk promise besides: to be there again, and to heal."""

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path

import pytest

from pegboard.errors import Unreachable, UsageError
from pegboard.knowledge.index import Index, Scope
from pegboard.knowledge.open import LARGE_BYTES, open_index
from pegboard.knowledge.refresh import refresh
from pegboard.llm.hashed import HashedEmbedder
from tests.knowledge.conftest import KINDS, open_at, thing, write_things

ON_DISK = KINDS[1:]
Open = Callable[..., Index]


@pytest.fixture(params=ON_DISK)
def open_again(request: pytest.FixtureRequest, tmp_path: Path) -> Open:
    """Return what opens an index of one kind, each time the same one."""

    def open_(embedder: str = HashedEmbedder.name) -> Index:
        return open_at(tmp_path / "index", kind=request.param, embedder=embedder)

    return open_


@pytest.fixture
def content(tmp_path: Path) -> Path:
    folder = tmp_path / "content"
    write_things(folder, *(thing(f"Note {n}", description=f"It says {n}.") for n in range(120)))
    return folder


def names(index: Index) -> list[str]:
    return sorted(item.name for item in index.listing(["notes"]))


def test_an_index_is_there_again_when_it_is_opened_again(open_again: Open, content: Path) -> None:
    first = open_again()
    report = refresh(first, {"notes": [content]}, HashedEmbedder())
    before = names(first)
    first.close()
    again = open_again()
    assert (again.notice, names(again), report.added) == ("", before, 120)
    assert refresh(again, {"notes": [content]}, HashedEmbedder()).unchanged == 120


def test_an_index_of_another_embedder_is_built_anew_and_says_so(open_again: Open, content: Path) -> None:
    first = open_again()
    refresh(first, {"notes": [content]}, HashedEmbedder())
    first.close()
    other = open_again(embedder="another")
    assert "vectors of 'hashed-words-1', and 'another' is wanted" in other.notice
    assert other.sources() == {}


def test_an_index_of_another_shape_is_built_anew_and_says_so(
    open_again: Open, content: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pegboard.knowledge.stored.SHAPE", 0)
    first = open_again()
    refresh(first, {"notes": [content]}, HashedEmbedder())
    first.close()
    monkeypatch.undo()
    again = open_again()
    assert "is of another shape: it is built anew" in again.notice
    assert refresh(again, {"notes": [content]}, HashedEmbedder()).added == 120


@pytest.mark.parametrize("damage", ["garbage", "cut"])
def test_a_damaged_index_is_built_anew_and_says_so(
    open_again: Open, content: Path, tmp_path: Path, damage: str
) -> None:
    first = open_again()
    refresh(first, {"notes": [content]}, HashedEmbedder())
    first.close()
    for file in (tmp_path / "index").rglob("*"):
        if file.is_file() and file.name != "lock":
            size = file.stat().st_size
            file.write_bytes(b"\xff" * size if damage == "garbage" else file.read_bytes()[: size // 3])
    again = open_again()
    assert "is damaged: it is built anew" in again.notice
    assert refresh(again, {"notes": [content]}, HashedEmbedder()).added == 120
    assert len(names(again)) == 120


@pytest.mark.parametrize(
    "damage",
    [
        "DROP TABLE words",
        "DROP TABLE items",
        "DROP TRIGGER forget_words",
        "ALTER TABLE items RENAME COLUMN body TO other",
        "DELETE FROM words_data WHERE id > 10",
        "DELETE FROM words WHERE rowid < 9",
        "DELETE FROM sources WHERE id = 3",
        "DELETE FROM items WHERE id = 3",
        "UPDATE items SET head = '{' WHERE id = 3",
        "UPDATE items SET body = '[]' WHERE id = 3",
        "UPDATE passages SET vector = x'00' WHERE id = 3",
        "UPDATE passages SET vector = 'text' WHERE id = 3",
    ],
)
def test_damage_inside_of_sqlite_s_file_is_found_when_it_is_opened(content: Path, tmp_path: Path, damage: str) -> None:
    first = open_at(tmp_path / "index", kind="sqlite")
    refresh(first, {"notes": [content]}, HashedEmbedder())
    first.close()
    with closing(sqlite3.connect(tmp_path / "index" / "index.sqlite")) as connection:
        connection.executescript(damage)
    again = open_at(tmp_path / "index", kind="sqlite")
    assert "is damaged: it is built anew" in again.notice
    assert refresh(again, {"notes": [content]}, HashedEmbedder()).added == 120


@pytest.mark.lancedb
@pytest.mark.parametrize("lost", ["part_0_tokens.lance", "part_0_invert.lance", "part_0_docs.lance"])
def test_lancedb_s_index_of_words_is_looked_at_when_it_is_opened(content: Path, tmp_path: Path, lost: str) -> None:
    pytest.importorskip("lancedb")
    first = open_at(tmp_path / "index", kind="lancedb")
    refresh(first, {"notes": [content]}, HashedEmbedder())
    first.close()
    for file in (tmp_path / "index").rglob(lost):
        file.unlink()
    again = open_at(tmp_path / "index", kind="lancedb")
    assert "is damaged: it is built anew" in again.notice
    assert refresh(again, {"notes": [content]}, HashedEmbedder()).added == 120
    assert again.by_words(["note"], Scope(("notes",)), limit=1) != []


def test_a_text_that_is_no_utf_8_any_more_is_read_as_far_as_it_goes(content: Path, tmp_path: Path) -> None:
    index = open_at(tmp_path / "index", kind="sqlite")
    refresh(index, {"notes": [content]}, HashedEmbedder())
    with closing(sqlite3.connect(tmp_path / "index" / "index.sqlite")) as connection:
        connection.executescript("UPDATE passages SET text = CAST(x'61ff62' AS TEXT) WHERE id = 3")
    assert index.passages([3])[3].text == "a\ufffdb"


@pytest.mark.parametrize("lost", ["-wal", "-shm"])
def test_an_index_whose_side_file_is_lost_is_usable(content: Path, tmp_path: Path, lost: str) -> None:
    command = [sys.executable, "-c", KILLED, str(tmp_path / "index"), "sqlite", str(content)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as killed:
        assert killed.stdout is not None
        assert killed.stdout.readline() == "stuck\n"
        os.kill(killed.pid, signal.SIGKILL)
    (tmp_path / "index" / f"index.sqlite{lost}").unlink()
    index = open_at(tmp_path / "index", kind="sqlite")
    refresh(index, {"notes": [content]}, HashedEmbedder())
    assert len(names(index)) == 120


KILLED = """
import sys
from pathlib import Path
from pegboard.knowledge.refresh import refresh
from pegboard.llm.hashed import HashedEmbedder
from pegboard.knowledge.open import open_index

class Stuck(HashedEmbedder):
    batches = 0
    def encode(self, texts):
        self.batches += 1
        if self.batches == 2:
            print("stuck", flush=True)
            sys.stdin.read()
        return super().encode(texts)

folder, kind, content = sys.argv[1:]
index = open_index(Path(folder), kind=kind, embedder=HashedEmbedder.name, dimensions=64)
refresh(index, {"notes": [Path(content)]}, Stuck())
"""


@pytest.mark.parametrize("kind", ON_DISK)
def test_a_refresh_that_is_killed_is_finished_by_the_next(kind: str, content: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-c", KILLED, str(tmp_path / "index"), kind, str(content)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as killed:
        assert killed.stdout is not None
        assert killed.stdout.readline() == "stuck\n"
        os.kill(killed.pid, signal.SIGKILL)
    index = open_at(tmp_path / "index", kind=kind)
    half = len(names(index))
    assert 0 < half < 120
    report = refresh(index, {"notes": [content]}, HashedEmbedder())
    assert (index.notice, report.unchanged, report.added) == ("", half, 120 - half)
    assert len(names(index)) == 120


TWICE = """
import sys
from pathlib import Path
from pegboard.knowledge.refresh import refresh
from pegboard.llm.hashed import HashedEmbedder
from pegboard.knowledge.open import open_index

folder, kind, content = sys.argv[1:]
index = open_index(Path(folder), kind=kind, embedder=HashedEmbedder.name, dimensions=64)
report = refresh(index, {"notes": [Path(content)]}, HashedEmbedder())
print(report.added, report.unchanged, len(index.listing(["notes"])))
"""


@pytest.mark.parametrize("kind", ON_DISK)
def test_two_processes_do_the_work_once(kind: str, content: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-c", TWICE, str(tmp_path / "index"), kind, str(content)]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    said = sorted(process.communicate(timeout=120)[0].strip() for process in running)
    assert said == ["0 120 120", "120 0 120"]


def test_a_reader_sees_what_another_index_object_writes(open_again: Open, content: Path) -> None:
    writer, reader = open_again(), open_again()
    before = reader.generation
    refresh(writer, {"notes": [content]}, HashedEmbedder())
    assert reader.generation != before
    assert len(names(reader)) == 120


def test_a_second_writer_waits_and_then_gives_up(open_again: Open) -> None:
    one, other = open_again(), open_again()
    with one.writing(), pytest.raises(Unreachable, match="Another process"), other.writing(timeout_seconds=0.05):
        pass
    with other.writing(timeout_seconds=0.05):
        pass


@pytest.mark.parametrize("garbage", [b"x", b"\xff" * 5000, b"SQLite format 3\x00" + b"\xff" * 5000])
def test_a_damaged_lock_is_mended_and_locks(open_again: Open, content: Path, tmp_path: Path, garbage: bytes) -> None:
    (tmp_path / "index").mkdir()
    (tmp_path / "index" / "lock").write_bytes(garbage)
    one, other = open_again(), open_again()
    assert refresh(one, {"notes": [content]}, HashedEmbedder()).added == 120
    with one.writing(), pytest.raises(Unreachable, match="Another process"), other.writing(timeout_seconds=0.05):
        pass


def test_auto_is_sqlite_until_the_content_is_large(tmp_path: Path) -> None:
    def kind(folder: str, content_bytes: int) -> str:
        index = open_index(
            tmp_path / folder, kind="auto", embedder="e", dimensions=8, content_bytes=lambda: content_bytes
        )
        return type(index).__name__

    large = "LancedbIndex" if find_spec("lancedb") else "SqliteIndex"
    assert (kind("a", 0), kind("b", LARGE_BYTES), kind("c", LARGE_BYTES + 1)) == (
        "SqliteIndex",
        "SqliteIndex",
        large,
    )


def test_an_unknown_kind_says_what_there_is(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no index 'sqlight'\. Did you mean 'sqlite'"):
        open_index(tmp_path, kind="sqlight", embedder="e", dimensions=8)
