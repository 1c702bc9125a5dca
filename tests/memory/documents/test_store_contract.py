"""What every store of documents promises."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Barrier

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pegboard.catalog.contract import Cited, Document, Draft
from pegboard.errors import LimitReached
from pegboard.memory.documents.held import MemoryDocuments
from pegboard.memory.documents.store import (
    Bounds,
    DocumentRefused,
    DocumentStore,
    DocumentTooLarge,
    UnknownDocument,
)
from tests.memory.documents.conftest import Open

REPORT = Draft(
    "北京天气 Report", "# 晴\n\nSee [Amap](https://amap.com/weather).", "zh", (Cited("", "a colleague"),), "r1:n2"
)


def titles(store: DocumentStore, site: str | None = "desk", query: str = "") -> list[str]:
    return [each.title for each in store.list(site, query=query).documents]


def test_what_is_written_is_read_by_its_id_and_by_its_title(store: DocumentStore) -> None:
    written = store.write("desk", REPORT)
    assert written == Document(
        id=written.id,
        site="desk",
        title="北京天气 Report",
        version=1,
        latest=1,
        created=written.created,
        updated=written.created,
        language="zh",
        bytes=len(REPORT.text.encode()),
        text=REPORT.text,
        sources=(Cited("", "a colleague"), Cited("https://amap.com/weather", "Amap")),
        run="r1",
        node="n2",
    )
    assert store.read("desk", written.id) == store.read("desk", "  北京天气   rePORT ") == written
    assert store.read(None, written.id) == written


def test_a_rewrite_of_the_same_title_is_a_new_version_and_nothing_is_lost(store: DocumentStore) -> None:
    first = store.write("desk", Draft("Weather", "Sun."))
    second = store.write("desk", Draft("weather", "Rain."))
    assert (second.id, second.version, second.latest, second.title) == (first.id, 2, 2, "weather")
    assert (second.created, second.updated > first.updated) == (first.created, True)
    assert store.read("desk", first.id).text == "Rain."
    assert store.read("desk", first.id, version=1) == replace(first, latest=2)
    with pytest.raises(UnknownDocument, match="no version 3"):
        store.read("desk", first.id, version=3)


def test_what_says_the_same_as_the_latest_version_is_not_written_again(store: DocumentStore) -> None:
    first = store.write("desk", Draft("Weather", "Sun."))
    assert store.write("desk", Draft("Weather", "Sun.")) == first
    assert store.write("desk", Draft("Weather", "Rain.")).version == 2
    assert store.write("desk", Draft("Weather", "Sun.")).version == 3


def test_the_same_key_writes_once_whatever_was_written_meanwhile(store: DocumentStore) -> None:
    first = store.write("desk", replace(REPORT, key="r:a"))
    store.write("desk", replace(REPORT, key="r:b", text="Later."))
    again = store.write("desk", replace(REPORT, key="r:a"))
    assert (again.id, again.version, again.text, again.latest) == (first.id, 1, REPORT.text, 2)


def test_one_node_may_write_several_documents_and_several_versions(store: DocumentStore) -> None:
    for draft in (Draft("A", "x", key="r:a"), Draft("B", "x", key="r:a"), Draft("A", "y", key="r:a")):
        store.write("desk", draft)
    assert [(each.title, each.latest) for each in store.list("desk").documents] == [("A", 2), ("B", 1)]


def test_one_site_never_reads_lists_or_removes_what_another_has(store: DocumentStore) -> None:
    own = store.write("desk", Draft("Secret", "Ours.", key="r:a"))
    other = store.write("shop", Draft("Secret", "Theirs.", key="r:a"))
    assert own.id != other.id
    assert (store.read("desk", "Secret").text, store.read("shop", "Secret").text) == ("Ours.", "Theirs.")
    assert [each.id for each in store.list("shop").documents] == [other.id]
    for forbidden in (store.read, store.remove):
        with pytest.raises(UnknownDocument):
            forbidden("shop", own.id)
    assert {each.id for each in store.list(None).documents} == {own.id, other.id}


def test_a_list_has_the_latest_first_without_texts_and_says_how_many_there_are(store: DocumentStore) -> None:
    for title in ("One", "Two", "Three"):
        store.write("desk", Draft(title, "x"))
    store.write("desk", Draft("One", "y"))
    found = store.list("desk", limit=2)
    assert ([each.title for each in found.documents], found.total) == (["One", "Three"], 3)
    assert [each.text for each in found.documents] == ["", ""]


def test_a_list_by_words_has_those_first_that_have_most_of_them(store: DocumentStore) -> None:
    for title in ("Soup for a cold day", "Weather in Paris", "Cold soup", "北京天气与汤"):
        store.write("desk", Draft(title, "x"))
    assert titles(store, query="cold soup today") == ["Cold soup", "Soup for a cold day"]
    assert titles(store, query="北京天气") == ["北京天气与汤"]
    assert titles(store, query="nothing of it") == []
    assert titles(store, query="%") == titles(store, query="' OR 1=1 --") == []


def test_what_is_removed_is_gone_with_all_versions_and_may_be_written_again(store: DocumentStore) -> None:
    first = store.write("desk", Draft("Weather", "Sun.", key="r:a"))
    store.write("desk", Draft("Weather", "Rain."))
    assert store.remove("desk", "weather").version == 2
    with pytest.raises(UnknownDocument):
        store.remove("desk", first.id)
    again = store.write("desk", Draft("Weather", "Sun.", key="r:a"))
    assert (again.version, again.id != first.id) == (1, True)


def test_what_belongs_to_a_knowledge_stays_in_it_in_its_latest_version(store: DocumentStore) -> None:
    store.write("desk", Draft("Other", "x"))
    first = store.write("desk", Draft("Weather", "Sun."), base="reports")
    assert store.known() == store.known(first.id) == (first,)
    second = store.write("desk", Draft("Weather", "Rain."))
    assert (second.base, store.known()) == ("reports", (second,))
    store.remove("desk", first.id)
    assert store.known() == ()


def test_what_is_there_already_can_still_become_part_of_a_knowledge(store: DocumentStore) -> None:
    store.write("desk", Draft("Weather", "Sun."))
    assert store.write("desk", Draft("Weather", "Sun."), base="reports").version == 1
    assert [each.base for each in store.known()] == ["reports"]


def test_a_text_that_is_too_large_is_refused_with_the_setting(opened: Open) -> None:
    store = opened(document_bytes=10)
    store.write("desk", Draft("Ten", "汤汤汤1"))
    with pytest.raises(DocumentTooLarge, match=r"11 bytes; 10 may be kept.*document_size"):
        store.write("desk", Draft("Eleven", "汤汤汤12"))


def test_a_site_that_is_full_takes_new_versions_and_no_new_documents_and_others_are_not_full(opened: Open) -> None:
    store = opened(documents=2)
    for title in ("One", "Two"):
        store.write("desk", Draft(title, "x"))
    with pytest.raises(LimitReached, match=r"'desk' keeps no more documents.*documents_kept"):
        store.write("desk", Draft("Three", "x"))
    store.write("desk", Draft("Two", "y"))
    store.write("shop", Draft("One", "x"))
    store.remove("desk", "One")
    store.write("desk", Draft("Three", "x"))
    assert titles(store) == ["Three", "Two"]


def test_all_versions_of_a_site_count_for_its_size(opened: Open) -> None:
    store = opened(total_bytes=10)
    store.write("desk", Draft("One", "12345"))
    store.write("desk", Draft("One", "54321"))
    with pytest.raises(LimitReached, match="documents_size"):
        store.write("desk", Draft("One", "1"))
    store.remove("desk", "One")
    store.write("desk", Draft("One", "1234567890"))


@pytest.mark.parametrize(
    ("title", "text", "said"),
    [
        ("", "x", "needs a title"),
        (" \n\t", "x", "needs a title"),
        ("t" * 201, "x", "201 characters"),
        ("a\x07b", "x", "U+0007"),
        ("a\x00b", "x", "U+0000"),
        ("a\u202eb", "x", "RIGHT-TO-LEFT OVERRIDE"),
        ("a\u200bb", "x", "ZERO WIDTH SPACE"),
        ("a\ud800", "x", "U+D800"),
        ("t", "", "has no text"),
        ("t", " \r\n ", "has no text"),
        ("t", "a\x00", "NUL"),
        ("t", "half \udc00", "U+DC00"),
        ("t", "x" * 10_000_000, "10,000,000 bytes; 1,048,576 may be kept"),
    ],
)
def test_what_cannot_be_kept_is_refused_by_name_and_nothing_is_written(
    store: DocumentStore, title: str, text: str, said: str
) -> None:
    with pytest.raises(DocumentRefused) as refused:
        store.write("desk", Draft(title, text))
    assert said in str(refused.value)
    assert store.list(None).total == 0


@pytest.mark.parametrize("version", [-1, 0, 2, 1 << 31, 10**30])
def test_a_version_that_nobody_wrote_is_unknown(store: DocumentStore, version: int) -> None:
    store.write("desk", Draft("Weather", "Sun."))
    with pytest.raises(UnknownDocument, match="no version"):
        store.read("desk", "Weather", version=version)


@pytest.mark.parametrize("which", ["", "\x00", "\ud800", "' OR 1=1 --", "x" * 100_000])
def test_a_name_that_nobody_gave_is_unknown(store: DocumentStore, which: str) -> None:
    store.write("desk", Draft("Weather", "Sun."))
    with pytest.raises(UnknownDocument, match="no document"):
        store.read("desk", which)


def test_a_title_is_kept_in_one_line_and_its_sources_in_their_places_without_dangerous_addresses(
    store: DocumentStore,
) -> None:
    told = (
        Cited("javascript:alert(1)", "evil\nline"),
        Cited("https://a.example", "A"),
        Cited("https://a.example", "B"),
    )
    text = "[again](https://a.example) and [more](https://b.example)"
    written = store.write("desk", Draft(" The\nweather  today ", text, sources=told))
    assert (written.title, written.sources) == (
        "The weather today",
        (Cited("", "evil line"), *told[1:], Cited("https://b.example", "more")),
    )


def test_writers_of_one_title_at_once_give_one_document_with_a_version_each(store: DocumentStore) -> None:
    together = Barrier(8)

    def write(number: int) -> Document:
        together.wait(timeout=20)
        return store.write("desk", Draft("Weather", f"Text {number}.", key=f"run:{number}"))

    with ThreadPoolExecutor(8) as pool:
        written = list(pool.map(write, range(8)))
    assert len({each.id for each in written}) == 1
    assert sorted(each.version for each in written) == [*range(1, 9)]
    texts = {store.read("desk", "Weather", version=number).text for number in range(1, 9)}
    assert texts == {f"Text {number}." for number in range(8)}


def test_the_same_write_done_by_several_at_once_is_done_once(store: DocumentStore) -> None:
    together = Barrier(6)

    def write(_: int) -> Document:
        together.wait(timeout=20)
        return store.write("desk", REPORT)

    with ThreadPoolExecutor(6) as pool:
        written = list(pool.map(write, range(6)))
    assert len({(each.id, each.version) for each in written}) == 1


def test_bounds_hold_for_those_who_write_at_once(opened: Open) -> None:
    store, together = opened(documents=3), Barrier(6)

    def write(number: int) -> bool:
        together.wait(timeout=20)
        try:
            store.write("desk", Draft(f"Title {number}", "x"))
        except LimitReached:
            return False
        return True

    with ThreadPoolExecutor(6) as pool:
        assert sum(pool.map(write, range(6))) == 3
    assert store.list("desk").total == 3


MOVES = st.lists(
    st.tuples(
        st.sampled_from(["write", "remove", "known"]),
        st.sampled_from(["desk", "shop"]),
        st.sampled_from(["A", "a", "B", "汤"]),
        st.sampled_from(["one", "two", "three"]),
        st.sampled_from(["", "r:1", "r:2"]),
    ),
    max_size=15,
)


@given(moves=MOVES)
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_is_done_every_store_shows_what_the_twin_shows(
    opened: Open, moves: list[tuple[str, str, str, str, str]]
) -> None:
    store, twin = opened(documents=2, total_bytes=12), MemoryDocuments(Bounds(documents=2, total_bytes=12))
    for each in store.list(None, limit=1000).documents:
        store.remove(None, each.id)
    for what, site, title, text, key in moves:
        outcomes = [_done(each, what, site, title, text, key) for each in (store, twin)]
        assert outcomes[0] == outcomes[1]
    for site in ("desk", "shop"):
        assert {_shown(each) for each in store.list(site).documents} == {_shown(e) for e in twin.list(site).documents}
    assert {_shown(each) for each in store.known()} == {_shown(each) for each in twin.known()}


def _done(store: DocumentStore, what: str, site: str, title: str, text: str, key: str) -> object:
    try:
        if what == "remove":
            return _shown(store.remove(site, title))
        return _shown(store.write(site, Draft(title, text, key=key), base="reports" if what == "known" else ""))
    except (LimitReached, UnknownDocument) as error:
        return type(error).__name__


def _shown(document: Document) -> tuple[object, ...]:
    return (
        document.site,
        document.title,
        document.version,
        document.latest,
        document.text,
        document.base,
        document.run,
    )
