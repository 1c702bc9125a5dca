"""A class of NLWeb's contract runs unchanged, and what it sends becomes a result."""

import logging
import re
from asyncio import create_task  # noqa: TID251 (what classes of NLWeb's do)
from typing import Any

import anyio
import pytest

from pegboard.catalog.contract import Hit, Item, Result
from pegboard.catalog.loading.messages import plain, result_of
from pegboard.catalog.loading.nlweb_class import NlwebHandler, runner
from pegboard.errors import CallFailed
from pegboard.run.outcome import Failed, Succeeded
from pegboard.run.step import step
from pegboard.text import Json
from tests.twins import a_tool, context


class Written:
    """What every class of NLWeb's begins with."""

    def __init__(self, params: dict[str, Any], handler: Any) -> None:
        self.params = params
        self.handler = handler

    async def send(self, kind: str, **fields: object) -> None:
        await self.handler.send_message({"message_type": kind, **fields})


async def run(kind: Any, arguments: dict[str, Json] | None = None, **known: Any) -> Result:
    return await runner(kind, "shop.written.Class")(context(**known), arguments or {})


RIESLING = {
    "@type": "Product", "url": "https://shop.example/riesling", "name": "Riesling", "site": "cellar",
    "siteUrl": "https://shop.example", "score": "88", "description": "Dry &amp; <b>cold</b>.",
    "schema_object": '{"@type": "Product", "sku": 7}',
}  # fmt: skip


async def test_items_words_and_messages_come_in_the_order_in_which_they_were_sent() -> None:
    class Pairings(Written):
        async def do(self) -> str:
            await self.send("intermediate_message", content="Looking in the cellar")
            await self.send("result", content=[RIESLING, {"name": "Cider", "score": 70}])
            await self.send("result", content=[RIESLING])
            await self.send("summary", content=f"Good with {self.params['dish']}.")
            return "what is returned is ignored, as there"

    found = await run(Pairings, {"dish": "trout"})
    assert found.items == (
        Hit(
            Item(
                url="https://shop.example/riesling",
                name="Riesling",
                site="cellar",
                type="Product",
                language="en",
                description="Dry & cold.",
                schema_object={"@type": "Product", "sku": 7},
            ),
            88.0,
        ),
        Hit(
            Item(url="", name="Cider", site="here", type="Item", language="en", description="", schema_object={}), 70.0
        ),
    )
    assert (found.text, found.status) == ("Good with trout.", "ok")
    assert isinstance(found.data, list)
    kinds = [message["message_type"] for message in found.data if isinstance(message, dict)]
    assert kinds == ["intermediate_message", "result", "result", "summary"]


@pytest.mark.parametrize(
    ("message", "text", "status"),
    [
        ({"message_type": "nlws", "answer": "Try it cold.", "items": [RIESLING]}, "Try it cold.", "ok"),
        ({"message_type": "summary", "content": "In short."}, "In short.", "ok"),
        ({"message_type": "result", "content": [RIESLING]}, "- Riesling: Dry & cold.", "ok"),
        ({"message_type": "result_batch", "results": [{"name": "A"}, {"name": "B"}]}, "- A\n- B", "ok"),
        (
            {"message_type": "item_details", "name": "Cider", "details": {"price_range": "4 to 6", "notes": ["dry", "cold"]}},
            "Cider\nprice range: 4 to 6\nnotes:\n- dry\n- cold",
            "ok",
        ),
        ({"message_type": "item_details", "name": "Cider", "details": "Dry."}, "Cider: Dry.", "ok"),
        (
            {"message_type": "compare_items", "item1": {"name": "A"}, "item2": {"name": "B"}, "comparison": {"taste": "alike"}},
            "taste: alike",
            "ok",
        ),
        (
            {
                "message_type": "ensemble_result",
                "result": {"success": True, "recommendations": {"theme": "Picnic", "items": [{"item": {"name": "Bread"}}]}},
            },
            "recommendations:\ntheme: Picnic\nitems:\n- Bread",
            "ok",
        ),
        (
            {
                "message_type": "substitution_suggestions",
                "content": "<div><h3>For eggs</h3><ul><li>Flax</li><li>Apple</li></ul><script>steal()</script></div>",
            },
            "For eggs\nFlax\nApple",
            "ok",
        ),
        ({"message_type": "intermediate_message", "content": "One moment"}, "One moment", "not_found"),
        ({"message_type": "no_results", "message": "Nothing fits."}, "Nothing fits.", "not_found"),
        ({"message_type": "ask_user", "content": "Red or white?"}, "Red or white?", "needs_clarification"),
        ({"message_type": "chart_result", "title": "Sales", "score": 4, "values": [1, 2]}, "title: Sales\nvalues:\n- 1\n- 2", "ok"),
        ({"message_type": "说明", "content": "配雷司令。"}, "配雷司令。", "ok"),
        ({}, "", "not_found"),
    ],
)  # fmt: skip
def test_each_kind_of_message_has_its_words(message: dict[str, Json], text: str, status: str) -> None:
    found = result_of("shop.Class", "here", [message])
    assert (found.text, found.status) == (text, status)
    assert found.data == [message]


@pytest.mark.parametrize(
    ("message", "names"),
    [
        ({"message_type": "compare_items", "item1": {"name": "A"}, "item2": {"name": "B"}}, ["A", "B"]),
        ({"message_type": "item_details", "name": "A", "url": "https://a.example"}, ["A"]),
        ({"message_type": "nlws", "answer": "x", "items": [{"name": "A"}, {"url": "no name"}, 7, None]}, ["A"]),
        ({"message_type": "ensemble_result", "result": {"recommendations": {"items": [{"item": {"name": "A"}}]}}}, ["A"]),
        ({"message_type": "ensemble_result", "result": {"recommendations": [{"name": "A"}]}}, ["A"]),
    ],
)  # fmt: skip
def test_items_are_found_in_every_kind_of_message(message: dict[str, Json], names: list[str]) -> None:
    assert [hit.item.name for hit in result_of("shop.Class", "here", [message]).items] == names


@pytest.mark.parametrize(
    ("given", "score"),
    [(88, 88.0), ("91.5", 91.5), ("high", 0.0), (None, 0.0), (1e999, 0.0), (-3, 0.0), (250, 100.0), ([1], 0.0)],
)
def test_a_score_is_read_whatever_it_looks_like(given: Any, score: float) -> None:
    (hit,) = result_of("shop.Class", "here", [plain({"content": [{"name": "A", "score": given}]})]).items
    assert hit.score == score


async def test_nothing_sent_is_nothing_found() -> None:
    class Silent(Written):
        async def do(self) -> None: ...

    assert await run(Silent) == Result(text="", data=[], status="not_found")


async def test_ranked_answers_that_were_left_are_shown_after_those_that_were_sent() -> None:
    class Ranking(Written):
        async def do(self) -> None:
            await self.send("result", content=[{"name": "A"}])
            self.handler.final_ranked_answers = [{"name": "B", "ranking": {"score": 60}}, {"name": "A"}]
            self.handler.query_done = True

    assert [(hit.item.name, hit.score) for hit in (await run(Ranking)).items] == [("A", 0.0), ("B", 60.0)]


async def test_a_class_sees_the_request_and_may_change_it_for_itself() -> None:
    seen: list[object] = []

    class Curious(Written):
        async def do(self) -> None:
            handler = self.handler
            seen.extend([handler.query, handler.decontextualized_query, handler.prev_queries, handler.site])
            seen.extend([handler.item_type, handler.query_params["query"], handler.query_done, self.params])
            handler.query = "something else"
            handler.query_params["site"] = "elsewhere"
            handler.my_own = 1

    request = context(question="wine for trout?")
    await runner(Curious, "shop.written.Curious")(request, {"a": 1})
    assert seen == ["wine for trout?", "wine for trout?", [], "here", "Item", "wine for trout?", False, {"a": 1}]
    assert (request.question, request.site) == ("wine for trout?", "here")


async def test_what_the_contract_does_not_have_is_named() -> None:
    class Reaching(Written):
        async def do(self) -> None:
            self.handler.retriever.search("x")

    said = "shop.written.Class asks for handler.retriever, which NLWeb's contract does not have here; there is decon"
    with pytest.raises(AttributeError, match=re.escape(said)):
        await run(Reaching)


async def test_messages_in_tasks_that_nobody_awaits_are_not_lost_and_not_late() -> None:
    class Hasty(Written):
        async def do(self) -> None:
            self.tasks = [
                create_task(self.handler.send_message({"message_type": "summary", "content": str(n)})) for n in (1, 2)
            ]
            self.tasks.append(create_task(self.later()))

        async def later(self) -> None:
            await anyio.lowlevel.checkpoint()
            await self.send("summary", content="3")

    assert (await run(Hasty)).text == "1\n\n2\n\n3"


async def test_a_message_after_the_end_is_dropped_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    ended, sent = anyio.Event(), anyio.Event()

    class Slow(Written):
        async def do(self) -> None:
            await self.send("summary", content="in time")
            self.task = create_task(self.later())

        async def later(self) -> None:
            await ended.wait()
            await self.send("summary", content="too late")
            sent.set()

    with anyio.fail_after(5), caplog.at_level(logging.WARNING):
        found = await run(Slow)
        ended.set()
        await sent.wait()
    assert found.text == "in time"
    assert "sent a message of type 'summary' after its call had ended" in caplog.text


async def test_a_message_is_as_it_was_when_it_was_sent() -> None:
    class Reusing(Written):
        async def do(self) -> None:
            message: dict[str, Any] = {"message_type": "result", "content": []}
            await self.handler.send_message(message)
            message["content"].append({"name": "late"})

    assert (await run(Reusing)).items == ()


@pytest.mark.parametrize("message", ["text", None, [("a", 1)], b"x"])
async def test_what_is_no_message_is_refused(message: Any) -> None:
    with pytest.raises(TypeError, match=r"shop\.Class sent .*; a message is a dict"):
        await NlwebHandler("shop.Class", context()).send_message(message)


def test_a_message_becomes_json() -> None:
    message = {1: {"a", }, "when": anyio.Event, "nan": float("nan"), "deep": ({"x": None},)}  # fmt: skip
    assert plain(message) == {"1": ["a"], "when": str(anyio.Event), "nan": None, "deep": [{"x": None}]}
    message["self"] = message
    with pytest.raises(TypeError, match="nested"):
        plain(message)


async def test_an_exception_is_the_failure_of_the_tool() -> None:
    class Broken(Written):
        async def do(self) -> None:
            await self.send("summary", content="half")
            raise RuntimeError("secret")

    outcome = await step(a_tool("broken", runner(Broken, "shop.Broken")), {}, context())
    assert isinstance(outcome, Failed)
    assert (outcome.kind, "secret" in outcome.message) == ("raised", False)


async def test_a_message_that_says_error_and_nothing_else_is_a_failure() -> None:
    class Sorry(Written):
        async def do(self) -> None:
            await self.send("error", error="The cellar is locked.")

    with pytest.raises(CallFailed, match=r"shop\.written\.Class reports an error: The cellar is locked\."):
        await run(Sorry)


async def test_an_error_beside_results_does_not_take_them_away() -> None:
    class Partly(Written):
        async def do(self) -> None:
            await self.send("error", error="One shelf is locked.")
            await self.send("result", content=[{"name": "A"}])

    found = await run(Partly)
    assert (found.text, found.status) == ("- A", "ok")


async def test_the_deadline_ends_it() -> None:
    ended = anyio.Event()

    class Endless(Written):
        async def do(self) -> None:
            try:
                await anyio.sleep_forever()
            finally:
                ended.set()

    with anyio.fail_after(5):
        tool = a_tool("endless", runner(Endless, "shop.Endless"), timeout_seconds=0.01)
        outcome = await step(tool, {}, context())
    assert isinstance(outcome, Failed)
    assert (outcome.kind, ended.is_set()) == ("timeout", True)


async def test_leaving_cancels_it() -> None:
    started, ended = anyio.Event(), anyio.Event()

    class Endless(Written):
        async def do(self) -> None:
            started.set()
            try:
                await anyio.sleep_forever()
            finally:
                ended.set()

    with anyio.fail_after(5):
        async with anyio.create_task_group() as group:
            group.start_soon(step, a_tool("endless", runner(Endless, "shop.Endless")), {}, context())
            await started.wait()
            group.cancel_scope.cancel()
    assert ended.is_set()


async def test_two_calls_at_once_do_not_mix() -> None:
    both = anyio.Event()
    running = 0

    class Counting(Written):
        async def do(self) -> None:
            nonlocal running
            running += 1
            if running == 2:
                both.set()
            await both.wait()
            await self.send("summary", content=self.params["n"])

    found: dict[str, Result] = {}

    async def one(number: str) -> None:
        outcome = await step(a_tool("count", runner(Counting, "shop.Counting")), {"n": number}, context())
        assert isinstance(outcome, Succeeded)
        found[number] = outcome.result

    with anyio.fail_after(5):
        async with anyio.create_task_group() as group:
            group.start_soon(one, "1")
            group.start_soon(one, "2")
    assert {number: result.text for number, result in found.items()} == {"1": "1", "2": "2"}
