from pathlib import Path

import anyio
import pytest

from pegboard.catalog.contract import Filter, Search
from pegboard.knowledge.index import Index
from pegboard.knowledge.refresh import refresh
from pegboard.knowledge.search import SiteSearch
from pegboard.llm.hashed import HashedEmbedder
from pegboard.text import Json, to_json
from tests.knowledge.conftest import thing, write_things

pytestmark = pytest.mark.anyio

CONTENT: tuple[dict[str, Json], ...] = (
    thing(
        "Tomato soup",
        description="A warm soup of tomatoes.",
        totalTime="PT20M",
        recipeIngredient=["tomatoes", "salt"],
        aggregateRating={"ratingValue": 4.1},
    ),
    thing(
        "Almond soup",
        description="A cold soup of almonds.",
        totalTime="PT2H",
        recipeIngredient=["almonds"],
        aggregateRating={"ratingValue": 4.9},
    ),
    thing("番茄炒蛋", description="番茄和鸡蛋一起炒。", totalTime="PT15M", recipeIngredient=["番茄", "鸡蛋"]),
    thing("Night lamp", description="A lamp to read by.", text="It lights for nine hours. " * 60),
)


async def search_of(index: Index, folder: Path, *content: dict[str, Json]) -> SiteSearch:
    write_things(folder, *content)
    refresh(index, {"notes": [folder]}, HashedEmbedder())
    return SiteSearch(index, HashedEmbedder(), ["notes"])


@pytest.fixture
async def search(index: Index, tmp_path: Path) -> SiteSearch:
    return await search_of(index, tmp_path / "content", *CONTENT)


async def found(search: Search, query: str) -> list[str]:
    return [hit.item.name for hit in (await search.items(query)).hits]


async def test_an_empty_site_is_empty_and_finds_nothing(index: Index) -> None:
    search: Search = SiteSearch(index, HashedEmbedder(), ["notes"])
    assert search.is_empty
    assert (await search.items("soup under $5")).hits == ()
    assert await search.named("soup") == []
    assert await search.passages("soup") == []


async def test_items_are_found_in_both_languages(search: SiteSearch) -> None:
    assert not search.is_empty
    assert (await found(search, "tomato soup"))[0] == "Tomato soup"
    assert (await found(search, "番茄"))[0] == "番茄炒蛋"


async def test_a_condition_filters_what_is_found(search: SiteSearch) -> None:
    answer = await search.items("soup under 30 minutes")
    assert [hit.item.name for hit in answer.hits] == ["Tomato soup"]
    assert answer.filters == (Filter("time", "<", 30.0, "minutes", "under 30 minutes"),)
    assert await found(search, "soup without nuts") == ["Tomato soup"]


async def test_a_condition_that_nothing_meets_leaves_nothing(search: SiteSearch) -> None:
    answer = await search.items("soup under 3 minutes")
    assert (answer.hits, len(answer.filters)) == ((), 1)


async def test_a_condition_that_the_content_never_answers_is_dropped(search: SiteSearch) -> None:
    answer = await search.items("tomato soup under $20")
    assert answer.hits[0].item.name == "Tomato soup"
    assert answer.filters == ()


async def test_conditions_alone_list_what_meets_them(search: SiteSearch) -> None:
    assert await found(search, "something under 30 minutes") == ["Tomato soup", "番茄炒蛋"]
    assert await found(search, "30分钟以内") == ["番茄炒蛋", "Tomato soup"]


async def test_a_question_that_the_content_has_nothing_for_finds_nothing(search: SiteSearch) -> None:
    assert await found(search, "quantum chromodynamics lattice") == []
    assert await search.passages("quantum chromodynamics lattice") == []


async def test_a_name_finds_its_item(search: SiteSearch) -> None:
    hits = await search.named("the almond soup")
    assert (hits[0].item.name, hits[0].score > 80) == ("Almond soup", True)
    assert all(hit.score < 50 for hit in await search.named("garden chair"))
    assert (await search.named("tomatoe soup"))[0].item.name == "Tomato soup"
    assert len(await search.named("soup", limit=1)) == 1


async def test_passages_are_of_several_items_and_at_most_three_of_one(search: SiteSearch) -> None:
    passages = await search.passages("night lamp lights for nine hours", limit=10)
    assert passages[0].item.name == "Night lamp"
    assert "nine hours" in passages[0].text
    assert [passage.score for passage in passages] == sorted((p.score for p in passages), reverse=True)
    assert sum(passage.item.name == "Night lamp" for passage in passages) == 3


async def test_the_limit_is_kept(search: SiteSearch) -> None:
    assert len((await search.items("soup", limit=1)).hits) == 1
    assert len(await search.passages("soup", limit=1)) == 1


async def test_bases_of_other_sites_are_not_searched(search: SiteSearch, index: Index) -> None:
    assert SiteSearch(index, HashedEmbedder(), ["other"]).is_empty
    assert await found(SiteSearch(index, HashedEmbedder(), ["other"]), "soup") == []


async def test_of_items_with_one_address_only_the_first_is_found(index: Index, tmp_path: Path) -> None:
    twins = (
        thing("Green tea", description="Tea.", url="u:1"),
        thing("Green tea two", description="Tea.", url="u:1"),
    )
    search = await search_of(index, tmp_path / "twins", *twins)
    assert await found(search, "green tea") == ["Green tea"]


async def test_new_content_is_found_by_the_next_question(search: SiteSearch, index: Index, tmp_path: Path) -> None:
    assert await found(search, "walnut bread") == []
    (tmp_path / "content" / "new.json").write_text(
        to_json(thing("Walnut bread", description="Bread with walnuts.")), encoding="utf-8"
    )
    refresh(index, {"notes": [tmp_path / "content"]}, HashedEmbedder())
    assert (await found(search, "walnut bread"))[0] == "Walnut bread"


async def test_many_may_ask_at_once(search: SiteSearch) -> None:
    answers: dict[str, list[str]] = {}

    async def ask(query: str) -> None:
        answers[query] = await found(search, query)

    queries = ["tomato soup", "番茄", "almond soup", "soup under 30 minutes"]
    with anyio.fail_after(30):
        async with anyio.create_task_group() as tasks:
            for query in queries:
                tasks.start_soon(ask, query)
    assert [answers[query][0] for query in queries] == [
        "Tomato soup",
        "番茄炒蛋",
        "Almond soup",
        "Tomato soup",
    ]


@pytest.mark.parametrize("query", ["", "   ", "?!", "the of and", "的了吗", "a" * 8000, "'\"*()", "NEAR/2 AND"])
async def test_any_question_is_answered(search: SiteSearch, query: str) -> None:
    assert isinstance((await search.items(query)).hits, tuple)
    assert isinstance(await search.named(query), list)
    assert isinstance(await search.passages(query), list)
