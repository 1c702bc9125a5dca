"""Models by site and role, over a real endpoint on loopback: who is asked, what it costs, what goes wrong."""

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import pytest

from pegboard.app import open_app, open_serving, settings_from
from pegboard.app.application import App
from pegboard.app.models import Models
from pegboard.app.serving import Serving
from pegboard.errors import UsageError
from pegboard.events import Degraded, Event
from pegboard.llm.hashed import HashedEmbedder
from tests.app.conftest import recipe
from tests.llm.loopback import Answer, Asked, Behaviour, Loopback, chat, delta, events, loopback, says

TOOLS = """
tools:
  - name: search
    description: Finds soups.
    examples: [find soups, show me cakes]
    returns: {score: integer between 0 and 100, query: what to find}
    read_only: true
  - name: knowledge
    description: Answers from guides.
    examples: [how long does soup keep]
    returns: {score: integer between 0 and 100, query: the question}
    read_only: true
  - name: calculator
    examples: [what is 2 + 2]
    returns: {score: integer between 0 and 100, expression: the sum}
    read_only: true
knowledge:
  - {name: soups, sources: [food]}
"""
ONE = "models: [{{name: one, model: m, base_url: {url}, retries: 0, default: true}}]\nsites: [{{name: soups}}]\n"
QUESTION = "find soups, show me tomato soups"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "food").mkdir()
    for name, minutes in [("Tomato Soup", 20), ("Pea Soup", 45)]:
        (tmp_path / "food" / f"{name}.json").write_text(json.dumps(recipe(name, minutes)))
    return tmp_path


@asynccontextmanager
async def opened(folder: Path, document: str, environ: dict[str, str] | None = None) -> AsyncIterator[App]:
    (folder / "tools.yaml").write_text(document + TOOLS, "utf-8")
    settings = settings_from(config=folder, environ=environ or {})
    with anyio.fail_after(60):
        async with open_app(settings, embedder=HashedEmbedder()) as app:
            yield app


def tool_of(asked: Asked) -> str:
    """Return the tool that a scoring request is about; empty for another request."""
    lines = str(asked["messages"][0]["content"]).splitlines()
    return next((line.removeprefix("Tool: ") for line in lines if line.startswith("Tool: ")), "")


def good(name: str, **scores: int) -> Behaviour:
    """Return an endpoint that gives these scores, and writes an answer that says who wrote it."""

    async def behave(asked: Asked) -> Answer:
        if asked.get("stream"):
            told = {"choices": [], "usage": {"prompt_tokens": 100, "completion_tokens": 5}}
            return Answer(pieces=events(delta(f"Soup [1], says {name}."), delta(None, "stop"), told, "[DONE]"))
        score = scores.get(tool_of(asked), 5)
        return chat(json.dumps({"score": score, "query": "soup", "expression": "1"}))

    return behave


async def ask(app: App, question: str = QUESTION, **how: object) -> dict[str, object]:
    site = next(iter(app.catalog.sites))
    return dict((await app.ask(app.question(question, site=site), **how)).to_json())  # type: ignore[arg-type]


async def test_each_role_of_each_site_asks_its_own_profile_and_the_rest_the_default(folder: Path) -> None:
    async with loopback(good("one", search=80)) as one, loopback(good("two", search=80)) as two:
        document = (
            f"models:\n  - {{name: small, model: small-m, base_url: {one.url}, default: true}}\n"
            f"  - {{name: big, model: big-m, base_url: {two.url}, key: plain}}\n"
            "sites:\n  - {name: soups, models: {writer: big}}\n  - {name: others}\n"
        )
        async with opened(folder, document) as app:
            answer = await ask(app)
            assert (answer["tool"], answer["answer"], answer["model"]) == ("search", "Soup [1], says two.", "big-m")
            assert {asked["model"] for asked in one.asked} == {"small-m"}
            assert [asked.get("stream") for asked in two.asked] == [True]
            assert len(one.asked) == 3
            assert app.model_name == "small-m"
            assert app.models.planner("soups") is app.models.default is app.models.writer("others")


async def test_a_declared_default_replaces_the_model_of_the_environment(folder: Path) -> None:
    async with loopback(good("one")) as one, loopback(good("two")) as two:
        environ = {"OPENAI_BASE_URL": two.url, "OPENAI_MODEL": "e"}
        async with opened(folder, "sites: [{name: soups}]\n", environ) as app:
            assert app.model_name == "e"
        async with opened(folder, ONE.format(url=one.url), environ) as app:
            assert app.model_name == "m"
            await ask(app)
    assert two.asked == []


async def test_without_profile_and_environment_no_model_is_asked(folder: Path) -> None:
    async with opened(folder, "sites: [{name: soups}]\n") as app:
        answer = await ask(app)
        assert (app.model_name, app.models.every) == ("none", [])
        usage = answer["usage"]
        assert isinstance(usage, dict)
        assert {**usage, "milliseconds": 0} == {
            "model_calls": 0, "tokens_in": 0, "tokens_out": 0, "cached": 0, "milliseconds": 0
        }  # fmt: skip


async def test_an_answer_says_what_it_used(folder: Path) -> None:
    async with loopback(good("one", search=80)) as endpoint, opened(folder, ONE.format(url=endpoint.url)) as app:
        usage = (await ask(app))["usage"]
        assert isinstance(usage, dict)
        assert {**usage, "milliseconds": 0} == {
            "model_calls": 4, "tokens_in": 3 * 11 + 100, "tokens_out": 3 * 7 + 5, "cached": 0, "milliseconds": 0
        }  # fmt: skip


async def test_with_a_cache_the_same_question_is_scored_without_a_call(folder: Path) -> None:
    async with loopback(good("one", search=80)) as endpoint:
        document = ONE.format(url=endpoint.url).replace("retries: 0", "retries: 0, cache: 10m")
        async with opened(folder, document) as app:
            await ask(app)
            usage = (await ask(app))["usage"]
            assert isinstance(usage, dict)
            assert (usage["model_calls"], usage["cached"]) == (1, 3)


async def test_the_next_profile_of_a_chain_stands_in_and_the_answer_says_so(folder: Path) -> None:
    async with loopback(says(Answer({"error": "bad key"}, 401))) as one, loopback(good("two", search=80)) as two:
        document = (
            f"models:\n  - {{name: a, model: am, base_url: {one.url}, fallback: b, default: true}}\n"
            f"  - {{name: b, model: bm, base_url: {two.url}}}\nsites: [{{name: soups}}]\n"
        )
        async with opened(folder, document) as app:
            heard: list[Event] = []
            answer = await ask(app, emit=heard.append)
    assert (answer["tool"], answer["answer"], answer["model"]) == ("search", "Soup [1], says two.", "bm")
    degraded = f"Model profile 'b' stood in for 'a': {one.url} answered 401: bad key. Check the key"
    assert str(answer["degraded"]).startswith(degraded)
    assert len([event for event in heard if isinstance(event, Degraded)]) == 1


async def test_the_end_of_a_chain_is_the_embedded_default(folder: Path) -> None:
    document = (
        "models:\n  - {name: a, base_url: 'http://127.0.0.1:9/v1', retries: 0, fallback: b, default: true}\n"
        "  - {name: b, base_url: 'http://127.0.0.1:9/v2', retries: 0}\nsites: [{name: soups}]\n"
    )
    async with opened(folder, document) as app:
        answer = await ask(app)
    assert (answer["tool"], answer["model"]) == ("search", "none")
    assert "embedded scorer" in str(answer["degraded"])
    assert answer["answer"]


@pytest.mark.parametrize(
    ("budget", "calls", "model"),
    [("{calls: 0}", 0, "none"), ("{calls: 3}", 3, "none"), ("{calls: 4}", 4, "m"), ("{tokens: 40}", 3, "none")],
)
async def test_what_a_budget_does_not_allow_is_done_without_a_model(
    folder: Path, budget: str, calls: int, model: str
) -> None:
    async with loopback(good("one", search=80)) as endpoint:
        document = ONE.format(url=endpoint.url).replace("soups}", f"soups, route: {{budget: {budget}}}}}")
        async with opened(folder, document) as app:
            answer = await ask(app)
            assert (answer["tool"], answer["model"], len(endpoint.asked)) == ("search", model, calls)
            assert answer["answer"]
            assert ("budget of" in str(answer.get("degraded"))) == (model == "none")


async def no_model(folder: Path, behaviour: Behaviour) -> dict[str, object]:
    async with loopback(behaviour) as endpoint, opened(folder, ONE.format(url=endpoint.url)) as app:
        answer = await ask(app)
        assert endpoint.url in str(answer["degraded"])
        return answer


BAD = {
    "wrong key": (Answer({"error": {"message": "no such key"}}, 401), "Check the key"),
    "wrong model": (Answer({"error": {"message": "no such model"}}, 404), "name of the model"),
    "redirect loop": (Answer(b"", 302, headers=(("location", "/v1/chat/completions"),)), "redirects are not followed"),
    "page": (Answer(b"<html><body>Welcome", 200, "text/html"), "not JSON"),
    "server error": (Answer({"error": "oom"}, 500), "500"),
    "throttled": (Answer({"error": "slow down"}, 429, headers=(("retry-after", "3600"),)), "429"),
    "10 MB": (Answer(pieces=(b'{"a": "' + b"x" * (1 << 20), *([b"x" * (1 << 20)] * 9))), "longer than 4 MiB"),
    "no choice": (Answer({"choices": []}), "without a choice"),
    "empty list": (Answer([]), "list where a JSON object"),
    "breaks off": (Answer(pieces=(b'{"choi',), breaks_off=True), "broke"),
    "filtered": (chat("x", finish="content_filter"), "content filter"),
}


@pytest.mark.parametrize("name", BAD)
async def test_an_endpoint_that_is_wrong_is_stood_in_for_and_named(folder: Path, name: str) -> None:
    answer = await no_model(folder, says(BAD[name][0]))
    assert (answer["tool"], answer["model"]) == ("search", "none")
    assert BAD[name][1] in str(answer["degraded"])
    assert "Tomato Soup" in str(answer["answer"])
    assert "Traceback" not in str(answer)


@pytest.mark.parametrize(
    "reply", ["我觉得不合适", "NaN", '{"score": NaN}', "eighty-ish?", "[]", "null", "", '{"score": null}']
)
async def test_a_reply_that_is_no_score_leaves_its_tool_unscored(folder: Path, reply: str) -> None:
    async with loopback(says(chat(reply))) as endpoint, opened(folder, ONE.format(url=endpoint.url)) as app:
        decision = await app.route(app.question(QUESTION, site="soups"))
        assert decision.tool is not None
        assert all(candidate.reason for candidate in decision.candidates)


async def test_a_stream_that_stops_leaves_what_it_said_and_the_extract(folder: Path) -> None:
    scores = good("one", search=80)

    async def breaking(asked: Asked) -> Answer:
        if asked.get("stream"):
            return Answer(pieces=events(delta("The soup [1] is")), breaks_off=True)
        return await scores(asked)

    answer = await no_model(folder, breaking)
    assert str(answer["answer"]).startswith("The soup [1] is …")
    assert "Tomato Soup" in str(answer["answer"])
    assert answer["model"] == "none"


def hanging(reached: Callable[[Asked], bool]) -> Behaviour:
    """Return an endpoint that does not answer what `reached` says, and gives `search` 95."""
    scores = good("one", search=95)

    async def behave(asked: Asked) -> Answer:
        if reached(asked):
            await anyio.sleep_forever()
        return await scores(asked)

    return behave


async def test_after_an_early_stop_the_endpoint_has_no_request_open(folder: Path) -> None:
    gate = anyio.Event()

    async def behave(asked: Asked) -> Answer:
        if tool_of(asked) == "search":
            await gate.wait()
            return chat('{"score": 95, "query": "soup"}')
        await anyio.sleep_forever()
        raise AssertionError

    async with loopback(behave) as endpoint, opened(folder, ONE.format(url=endpoint.url)) as app:
        async with anyio.create_task_group() as group:
            group.start_soon(app.route, app.question(QUESTION, site="soups"))
            await endpoint.until(lambda: endpoint.open_requests == 3)
            gate.set()
        with anyio.fail_after(5):
            await endpoint.until(lambda: endpoint.open_requests == 0)
        assert len(endpoint.asked) == 3


async def leave(app: App, endpoint: Loopback) -> None:
    async with anyio.create_task_group() as group:
        group.start_soon(ask, app)
        await endpoint.until(lambda: endpoint.open_requests == 3)
        group.cancel_scope.cancel()


async def wait_for_the_deadline(app: App, endpoint: Loopback) -> None:
    decision = await app.route(app.question(QUESTION, site="soups"))
    assert decision.degraded


@pytest.mark.parametrize("end", [leave, wait_for_the_deadline])
async def test_who_leaves_and_what_comes_too_late_leaves_no_request_open(
    folder: Path, end: Callable[[App, Loopback], Awaitable[None]]
) -> None:
    async with loopback(hanging(lambda asked: True)) as endpoint:
        document = ONE.format(url=endpoint.url).replace("soups}", "soups, route: {timeout: 400ms}}")
        async with opened(folder, document) as app:
            await end(app, endpoint)
            with anyio.fail_after(5):
                await endpoint.until(lambda: endpoint.open_requests == 0)


async def test_two_who_ask_the_same_share_each_request_and_one_may_leave(folder: Path) -> None:
    gate = anyio.Event()
    scores = good("one", search=80)

    async def behave(asked: Asked) -> Answer:
        await gate.wait()
        return await scores(asked)

    async with loopback(behave) as endpoint, opened(folder, ONE.format(url=endpoint.url)) as app:
        scope = anyio.CancelScope()

        async def leaving() -> None:
            with scope:
                await app.route(app.question(QUESTION, site="soups"))

        async with anyio.create_task_group() as group:
            group.start_soon(leaving)
            await endpoint.until(lambda: endpoint.open_requests == 3)
            group.start_soon(app.route, app.question(QUESTION, site="soups"))
            await anyio.wait_all_tasks_blocked()
            scope.cancel()
            await anyio.wait_all_tasks_blocked()
            gate.set()
        assert len(endpoint.asked) == 3


async def test_two_questions_to_a_tool_share_all_that_comes_before_the_question(folder: Path) -> None:
    async with loopback(good("one", search=80)) as endpoint, opened(folder, ONE.format(url=endpoint.url)) as app:
        await app.route(app.question("find a tomato soup", site="soups"))
        await app.route(app.question("what about a pea soup, quickly?", site="soups"))
        prefixes: dict[str, set[str]] = {}
        for asked in endpoint.asked:
            sent = [message["content"] for message in asked["messages"]]
            prefixes.setdefault(tool_of(asked), set()).add(sent[0])
            assert "soup" in sent[1]
            assert "tomato" not in sent[0]
        assert {tool: len(texts) for tool, texts in prefixes.items()} == {"search": 1, "knowledge": 1, "calculator": 1}


# Reloads


@asynccontextmanager
async def served(folder: Path, document: str) -> AsyncIterator[Serving]:
    (folder / "tools.yaml").write_text(document + TOOLS, "utf-8")
    with anyio.fail_after(60):
        async with open_serving(settings_from(config=folder, environ={}), embedder=HashedEmbedder()) as serving:
            yield serving


async def test_a_reload_keeps_the_connections_of_profiles_that_did_not_change(folder: Path) -> None:
    async with loopback(good("one", search=80)) as endpoint:
        document = ONE.format(url=endpoint.url).replace("retries: 0", "retries: 0, cache: 10m")
        async with served(folder, document) as serving:
            await ask(serving.current)
            before = serving.current.models.default
            (folder / "tools.yaml").write_text(document + TOOLS.replace("Finds soups.", "Finds all soups."), "utf-8")
            assert (await serving.reload()).is_new
            assert serving.current.models.default is before
            await ask(serving.current)
            assert len(endpoint.asked) == 4 + 2  # what was scored before is known, but for the tool that has changed


async def test_a_dropped_profile_is_closed_when_no_request_uses_it_any_more(folder: Path) -> None:
    gate = anyio.Event()
    scores = good("one", search=80)

    async def behave(asked: Asked) -> Answer:
        await gate.wait()
        return await scores(asked)

    async with loopback(behave) as one, loopback(good("two", search=80)) as two:
        async with served(folder, ONE.format(url=one.url)) as serving:
            old = serving.current
            answers: list[dict[str, object]] = []

            async def ask_old() -> None:
                answers.append(await ask(old))

            async with anyio.create_task_group() as group:
                group.start_soon(ask_old)
                await one.until(lambda: one.open_requests == 3)
                (folder / "tools.yaml").write_text(ONE.format(url=two.url) + TOOLS, "utf-8")
                assert (await serving.reload()).is_new
                assert (await ask(serving.current))["model"] == "m"
                assert one.open_requests == 3
                gate.set()
            assert answers[0]["answer"] == "Soup [1], says one."
            await one.until(lambda: one.connections == 0)
            assert two.connections > 0
            assert (await ask(old))["answer"] == "Soup [1], says one."  # whoever still has it is answered
            await one.until(lambda: one.connections == 0)
        await two.until(lambda: two.connections == 0)


async def test_an_error_of_whoever_opens_an_app_stays_what_it_is(folder: Path) -> None:
    with pytest.raises(UsageError, match=r"^no$"):
        async with opened(folder, "sites: [{name: soups}]\n"):
            raise UsageError("no")


def test_no_models_are_none_for_every_role() -> None:
    models = Models()
    assert (models.scorer("a"), models.writer("a"), models.planner("a"), models.every) == (None, None, None, [])
