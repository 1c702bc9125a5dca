"""What every index promises; each test runs over all kinds."""

import threading
from collections.abc import Sequence

import anyio
import anyio.to_thread
import numpy as np
import pytest
from numpy.typing import NDArray

from pegboard.knowledge.index import Change, Index, Listed, Scope, Source, Stored
from pegboard.knowledge.words import terms
from pegboard.llm.hashed import HashedEmbedder
from pegboard.text import Json, to_json
from tests.knowledge.conftest import read_text, thing

EMBEDDER = HashedEmbedder()
ALL = Scope(("notes",))


def change(name: str, *things: dict[str, Json], digest: str = "1", base: str = "notes") -> Change:
    entries = read_text(to_json(list(things)), name, base).entries if things else ()
    texts = [f"{entry.item.name} {piece.text}" for entry in entries for piece in entry.pieces]
    return Change(Source(base, name, digest), entries, EMBEDDER.encode(texts))


def vector(text: str) -> NDArray[np.float32]:
    first: NDArray[np.float32] = EMBEDDER.encode([text])[0]
    return first


def named(index: Index, found: Sequence[int]) -> list[str]:
    items = index.items(found)
    return [items[id_].name for id_ in found]


APPLE = thing("Apple pie", description="A pie of sour apples.", url="u:apple")
PLUM = thing("Plum cake", description="A cake of plums, and of plums only.", url="u:plum")
TOMATO = thing("番茄炒蛋", description="番茄和鸡蛋一起炒。", url="u:tomato")


def test_an_empty_index_finds_nothing(index: Index) -> None:
    assert index.sources() == {}
    assert index.listing(["notes"]) == []
    assert index.by_vector(vector("pie"), ALL, limit=3) == []
    assert index.by_words(["pie"], ALL, limit=3) == []
    assert index.frequencies(["pie"]) == {"pie": 0, "": 0}
    assert index.items([1]) == {}
    assert index.passages([1]) == {}
    assert index.passages_of([1]) == {}


def test_what_is_put_in_is_there_as_it_was(index: Index) -> None:
    put = change("a.json", {**APPLE, "offers": {"price": 3, "priceCurrency": "USD"}, "keywords": ["vegan"]}, PLUM)
    index.replace([put])
    listing = index.listing(["notes"])
    assert [
        Listed(one.id, "notes", i.url, i.name, i.type, i.language, entry.names, entry.facts)
        for one, entry in zip(listing, put.entries, strict=True)
        for i in [entry.item]
    ] == listing
    assert list(index.items([one.id for one in listing]).values()) == [entry.item for entry in put.entries]
    assert index.sources() == {("notes", "a.json"): put.source}


def test_passages_are_given_in_their_order_with_their_terms(index: Index) -> None:
    long = thing("Long", description="First. ", text="Second. " * 200)
    put = change("a.json", long)
    index.replace([put])
    (item,) = (one.id for one in index.listing(["notes"]))
    held = index.passages_of([item])[item]
    assert [(stored.number, stored.heading, stored.text) for stored in held] == [
        (number, piece.heading, piece.text) for number, piece in enumerate(put.entries[0].pieces)
    ]
    assert held[0].terms == frozenset(terms("Long First."))
    assert index.passages([held[1].id]) == {held[1].id: held[1]}
    assert isinstance(held[1], Stored)


def test_replacing_a_source_leaves_nothing_of_what_it_held(index: Index) -> None:
    index.replace([change("a.json", APPLE, TOMATO), change("b.json", PLUM)])
    index.replace([change("a.json", {**APPLE, "name": "Pear pie"}, digest="2")])
    assert [one.name for one in index.listing(["notes"])] == ["Pear pie", "Plum cake"]
    assert index.frequencies(["番茄", "pear", "plum", ""])["番茄"] == 0
    assert index.by_words(["番茄"], ALL, limit=5) == []
    assert len(index.by_vector(vector("x"), ALL, limit=9)) == 2
    assert index.sources()["notes", "a.json"].digest == "2"


def test_removing_a_source_removes_all_that_it_held(index: Index) -> None:
    one, other = change("a.json", APPLE), change("b.json", PLUM)
    index.replace([one, other])
    index.remove([one.source])
    assert [item.name for item in index.listing(["notes"])] == ["Plum cake"]
    assert index.by_words(["apple"], ALL, limit=5) == []
    assert index.sources() == {("notes", "b.json"): other.source}


def test_a_source_that_holds_nothing_is_known_too(index: Index) -> None:
    put = Change(Source("notes", "bad.json", "1", is_faulty=True), (), EMBEDDER.encode([]))
    index.replace([put])
    assert index.sources() == {("notes", "bad.json"): put.source}
    assert index.listing(["notes"]) == []
    assert index.by_vector(vector("x"), ALL, limit=9) == []


def test_names_with_quotes_are_only_names(index: Index) -> None:
    put = change('it\'s "a"; DROP.json', APPLE, base="no'tes")
    index.replace([put])
    assert [item.name for item in index.listing(["no'tes"])] == ["Apple pie"]
    assert len(index.by_words(["apple"], Scope(("no'tes",)), limit=5)) == 1
    index.remove([put.source])
    assert index.sources() == {}


def test_the_nearest_passages_come_first(index: Index) -> None:
    index.replace([change("a.json", APPLE, PLUM, TOMATO)])
    found = index.by_vector(vector("cake of plums"), ALL, limit=2)
    assert named(index, [match.item for match in found])[0] == "Plum cake"
    assert len(found) == 2
    assert found[0].score >= found[1].score
    (own,) = index.by_vector(vector("Plum cake A cake of plums, and of plums only."), ALL, limit=1)
    assert own.score == pytest.approx(1.0, abs=1e-5)


def test_words_are_found_in_both_languages_the_better_match_first(index: Index) -> None:
    index.replace([change("a.json", APPLE, PLUM, TOMATO)])
    found = index.by_words(["plum", "of"], ALL, limit=5)
    assert named(index, [match.item for match in found]) == ["Plum cake", "Apple pie"]
    assert found[0].score > found[1].score
    for asked in (["番茄"], ["蛋"], ["nothing", "鸡蛋"]):
        assert named(index, [match.item for match in index.by_words(asked, ALL, limit=5)]) == ["番茄炒蛋"]
    assert index.by_words([], ALL, limit=5) == []
    assert index.by_words(["near", "or", "*", '"', "col:x"], ALL, limit=5) == []


def test_a_scope_keeps_everything_else_out(index: Index) -> None:
    index.replace([change("a.json", APPLE, PLUM), change("c.json", {**PLUM, "url": "u:other"}, base="other")])
    apple, plum = (one.id for one in index.listing(["notes"]))
    only = Scope(("notes",), frozenset({apple}))
    assert {match.item for match in index.by_vector(vector("plum"), only, limit=9)} == {apple}
    assert index.by_words(["plum"], only, limit=9) == []
    assert {match.item for match in index.by_words(["plum"], ALL, limit=9)} == {plum}
    assert index.by_vector(vector("plum"), Scope(("notes",), frozenset()), limit=9) == []
    assert index.by_words(["plum"], Scope(("notes",), frozenset()), limit=9) == []
    assert index.by_words(["plum"], Scope(("unknown",)), limit=9) == []
    assert len(index.by_words(["plum"], Scope(("notes", "other")), limit=9)) == 2


def test_the_listing_is_in_the_order_of_bases_sources_and_places(index: Index) -> None:
    index.replace([change("b.json", PLUM, APPLE), change("z.json", TOMATO, base="first"), change("a.json", TOMATO)])
    names = [item.name for item in index.listing(["first", "notes"])]
    assert names == ["番茄炒蛋", "番茄炒蛋", "Plum cake", "Apple pie"]


def test_frequencies_count_passages(index: Index) -> None:
    index.replace([change("a.json", APPLE, PLUM, TOMATO)])
    assert index.frequencies(["of", "plum", "番茄", "none"]) == {
        "of": 2,
        "plum": 1,
        "番茄": 1,
        "none": 0,
        "": 3,
    }


def test_the_generation_changes_with_the_content_and_only_then(index: Index) -> None:
    before = index.generation
    assert index.generation == before
    put = change("a.json", APPLE)
    index.replace([put])
    after = index.generation
    assert after != before
    index.listing(["notes"])
    assert index.generation == after
    index.remove([put.source])
    assert index.generation != after


@pytest.mark.anyio
async def test_threads_may_read_while_one_writes(index: Index) -> None:
    index.replace([change("a.json", APPLE)])
    seen: list[int] = []
    started = threading.Barrier(3)

    def write() -> None:
        started.wait()
        with index.writing():
            for number in range(5):
                index.replace([change(f"{number}.json", PLUM, TOMATO)])

    def read() -> None:
        started.wait()
        for _ in range(10):
            seen.append(len(index.by_vector(vector("pie"), ALL, limit=99)))

    with anyio.fail_after(60):
        async with anyio.create_task_group() as tasks:
            for work in (write, read, read):
                tasks.start_soon(anyio.to_thread.run_sync, work)
    assert all(count % 2 == 1 for count in seen)  # a source is whole or not there
    assert len(index.listing(["notes"])) == 11


def test_all_kinds_answer_alike(index: Index) -> None:
    index.replace([change("a.json", APPLE, PLUM, TOMATO)])
    words = named(index, [match.item for match in index.by_words(["pie", "cake", "蛋"], ALL, limit=9)])
    near = named(index, [match.item for match in index.by_vector(vector("sour apples 鸡蛋"), ALL, limit=9)])
    assert sorted(words) == sorted(near) == ["Apple pie", "Plum cake", "番茄炒蛋"]
    assert near[-1] == "Plum cake"
