"""Limits of calls, through the whole application."""

import json
from pathlib import Path

import anyio
import pytest

from pegboard.app import open_app, open_serving, settings_from
from pegboard.config.server.settings import Settings
from pegboard.errors import CallFailed, CallRefused, InvalidArguments, LimitReached
from pegboard.events import Event
from pegboard.llm.hashed import HashedEmbedder

pytestmark = pytest.mark.anyio

DOCUMENT = """
tools:
  - name: failing
    description: Fails.
    handler: tests.app.handlers_that_limit:failing
    call: {breaker: {failures: 1, rest: 1h}}
  - name: sign_in
    description: Signs somebody in.
    handler: tests.app.handlers_that_limit:sign_in
    call: {approval: always, redact: [password]}
"""


@pytest.fixture
def configured(tmp_path: Path) -> Settings:
    (tmp_path / "tools.yaml").write_text(DOCUMENT)
    return settings_from(config=tmp_path, environ={}, handler_prefixes=("tests.app.handlers_that_limit",))


async def test_a_reload_that_changes_nothing_of_a_tool_keeps_its_breaker_open(configured: Settings) -> None:
    document = configured.root / "tools.yaml"
    with anyio.fail_after(60):
        async with open_serving(configured, embedder=HashedEmbedder()) as serving:
            with pytest.raises(CallFailed, match="inside its handler"):
                await serving.current.call("default", "failing", {})
            document.write_text("# moved\n\n" + DOCUMENT.replace("Signs somebody in", "Lets somebody in"))
            assert (await serving.reload()).is_new
            with pytest.raises(LimitReached, match=r"several times in a row \(call.breaker, .*tools.yaml:8:21\)"):
                await serving.current.call("default", "failing", {})
            document.write_text(DOCUMENT.replace("rest: 1h", "rest: 2h"))
            assert (await serving.reload()).is_new
            with pytest.raises(CallFailed, match="inside its handler"):
                await serving.current.call("default", "failing", {})


async def test_a_call_that_needs_approval_is_made_when_it_has_one_and_hides_what_is_secret(
    configured: Settings,
) -> None:
    heard: list[Event] = []
    given = {"name": "Ada", "password": "open sesame"}
    with anyio.fail_after(60):
        async with open_app(configured, embedder=HashedEmbedder()) as app:
            with pytest.raises(CallRefused, match="somebody has approved it") as caught:
                await app.call("default", "sign_in", given)
            answer = await app.call("default", "sign_in", given, approved=True, emit=heard.append)
            with pytest.raises(InvalidArguments) as wrong:
                await app.call("default", "sign_in", {"name": "Ada", "password": ["open sesame"]})
    assert caught.value.failure is not None
    assert caught.value.failure.who == "caller"
    assert answer.arguments == {"name": "Ada", "password": "***"}
    assert "sesame" not in json.dumps(answer.to_json()) + repr(heard) + str(wrong.value)
