"""Where large results are kept: one contract for both stores, and what holds of files alone."""

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from pegboard.errors import UnknownResult, UsageError
from pegboard.run.results.keep import read_part
from pegboard.run.results.store import FileResults, MemoryResults, NoRoom, ResultStore, Stretch, media_type_of

Making = Callable[[int], ResultStore]


@pytest.fixture(params=["files", "memory"])
def making(request: pytest.FixtureRequest, tmp_path: Path) -> Making:
    """Return what makes a store that keeps results of so many bytes."""
    if request.param == "files":
        return lambda largest: FileResults(tmp_path / "results", largest=largest)
    return lambda largest: MemoryResults(largest=largest)


def test_what_is_put_is_read_by_its_reference(making: Making) -> None:
    store = making(100)
    ref = store.put(b"abcdef", "text/plain")
    assert media_type_of(ref) == "text/plain"
    assert store.read(ref, 0, 4) == Stretch(b"abcd", 6)
    assert store.read(ref, 4, 4) == Stretch(b"ef", 6)
    assert store.read(ref, 99, 4) == Stretch(b"", 6)


def test_the_same_content_is_kept_once_and_other_content_apart(making: Making) -> None:
    store = making(100)
    assert store.put(b"a", "text/plain") == store.put(b"a", "text/plain") != store.put(b"b", "text/plain")


def test_what_is_too_large_is_refused(making: Making) -> None:
    with pytest.raises(NoRoom, match="5 bytes; 4 may be kept"):
        making(4).put(b"abcde", "text/plain")


@pytest.mark.parametrize("ref", ["", "x", "../secret", "/etc/passwd", f"{'a' * 40}.json/../x", f"{'0' * 40}.json"])
def test_a_reference_that_nothing_is_kept_under_leads_nowhere(making: Making, ref: str) -> None:
    store = making(100)
    store.put(b"a", "text/plain")
    assert store.read(ref, 0, 10) is None
    with pytest.raises(UnknownResult):
        read_part(store, ref)


def test_a_name_beside_the_results_cannot_be_read(tmp_path: Path) -> None:
    store = FileResults(tmp_path / "results")
    store.put(b"a", "text/plain")
    (tmp_path / "results" / "note.txt").write_text("mine")
    (tmp_path / "secret.txt").write_text("secret")
    assert store.read("note.txt", 0, 10) is None
    assert store.read("../secret.txt", 0, 10) is None


def test_what_is_old_is_gone_and_removed(tmp_path: Path) -> None:
    store = FileResults(tmp_path, seconds=60.0)
    old = store.put(b"old", "text/plain")
    os.utime(tmp_path / old, (1_000_000, 1_000_000))
    assert store.read(old, 0, 10) is None
    new = store.put(b"new", "text/plain")
    assert [path.name for path in tmp_path.iterdir()] == [new]


def test_the_oldest_make_room_for_the_newest(tmp_path: Path) -> None:
    store = FileResults(tmp_path, total=10)
    refs, begun = [], time.time() - 100
    for number in range(4):
        refs.append(store.put(bytes([65 + number]) * 4, "text/plain"))
        os.utime(tmp_path / refs[-1], (begun + number, begun + number))
    assert [store.read(ref, 0, 1) is not None for ref in refs] == [False, False, True, True]


def test_a_draft_is_never_left_or_read(tmp_path: Path) -> None:
    store = FileResults(tmp_path / "results")
    store.put(b"abc", "application/json")
    assert [path.suffix for path in (tmp_path / "results").iterdir()] == [".json"]
    assert (tmp_path / "results").stat().st_mode & 0o077 == 0


def test_a_folder_that_cannot_be_written_is_no_room(tmp_path: Path) -> None:
    (tmp_path / "results").write_text("a file is in the way")
    with pytest.raises(NoRoom, match="cannot be written"):
        FileResults(tmp_path / "results").put(b"a", "text/plain")


@pytest.mark.parametrize("text", ["abcdefghij", "äöüßäöü", "天气很好今天", "a😀b😀c😀"])
@pytest.mark.parametrize("length", [1, 2, 3, 5])
def test_parts_put_together_are_the_whole_and_cut_no_character(text: str, length: int) -> None:
    store = MemoryResults()
    ref = store.put(text.encode(), "text/plain")
    read, offset = "", 0
    while True:
        part = read_part(store, ref, offset, length=length)
        assert "\ufffd" not in part.text
        assert part.offset == offset
        read += part.text
        if part.next_offset is None:
            break
        offset = part.next_offset
    assert read == text


def test_an_offset_inside_of_a_character_begins_at_the_next() -> None:
    store = MemoryResults()
    ref = store.put("天气".encode(), "text/plain")
    part = read_part(store, ref, 1)
    assert (part.offset, part.text, part.next_offset) == (3, "气", None)


def test_bytes_are_told_in_base64() -> None:
    store = MemoryResults()
    part = read_part(store, store.put(b"\x89PNG\xff", "image/png"))
    assert (part.media_type, part.text, part.content) == ("image/png", "iVBOR/8=", b"\x89PNG\xff")


def test_an_offset_below_zero_is_refused() -> None:
    store = MemoryResults()
    with pytest.raises(UsageError):
        read_part(store, store.put(b"a", "text/plain"), -1)
