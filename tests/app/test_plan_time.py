"""A question whose plan runs out of time is answered by what was done until then, and says what was not."""

import json
from pathlib import Path
from typing import Any

import anyio
import pytest

from pegboard.app import open_app, settings_from
from pegboard.errors import DeadlineExceeded
from pegboard.llm.hashed import HashedEmbedder
from pegboard.llm.model import Prompt
from pegboard.llm.scripted import ScriptedModel

DOCUMENT = """
tools:
  - {name: calculator, description: Works out sums., examples: [what is 2 + 3], read_only: true}
  - name: endless
    description: Never ends.
    examples: [wait for ever]
    handler: "tests.app.handlers_that_wait:endless"
    call: {timeout: 60s}
  - {name: plan, examples: ["do this, then that"], call: {timeout: 60s}}
sites:
  - {name: sums}
"""
SUM: dict[str, Any] = {"id": "n1", "tool": "calculator", "arguments": {"expression": "2 + 3"}}
WAITS: dict[str, Any] = {"id": "n2", "tool": "endless"}
AFTER: dict[str, Any] = {"id": "n3", "tool": "calculator", "arguments": {"expression": "${n2.text}"}}


def planner(*steps: dict[str, Any]) -> ScriptedModel:
    """Return a model that plans `steps`, and says that it is five."""

    def said(prompt: Prompt) -> str:
        return json.dumps({"steps": steps}) if "depends_on" in prompt.system else "It is 5."

    return ScriptedModel(said)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "tools.yaml").write_text(DOCUMENT)
    (tmp_path / "pegboard.toml").write_text(
        'handler_prefixes = ["tests.app.handlers_that_wait"]\nrequest_timeout = "4s"\n'
    )
    return tmp_path


@pytest.mark.parametrize("how", [{"mode": "plan"}, {"tools": ["plan"]}])
async def test_what_was_done_in_time_is_the_answer_and_the_rest_is_said(folder: Path, how: dict[str, Any]) -> None:
    settings = settings_from(config=folder, environ={})
    with anyio.fail_after(30):
        async with open_app(settings, embedder=HashedEmbedder(), model=planner(SUM, WAITS, AFTER)) as app:
            answer = await app.ask(app.question("2 + 3, then wait", site="sums", **how))
            (view,) = [each for each in await app.runs.runs() if not each.parent]
            run = await app.runs.show(view.run)
    assert answer.text.startswith("2 + 3 = 5\n\nNot everything could be done:\n- endless: the run took longer than ")
    assert "The time was over before these steps of the plan had ended: endless, calculator" in answer.degraded
    assert "request_timeout" in answer.degraded
    assert {each.id: each.state for each in run.nodes} == {"n1": "succeeded", "n2": "cancelled", "n3": "cancelled"}
    assert run.status == "cancelled"
    assert run.to_json()["usage"] == {key: answer.usage[key] for key in ("model_calls", "tokens_in", "tokens_out")}


async def test_where_nothing_was_done_the_request_fails_and_says_what_to_do(folder: Path) -> None:
    settings = settings_from(config=folder, environ={})
    with anyio.fail_after(30):
        async with open_app(settings, embedder=HashedEmbedder(), model=planner(WAITS)) as app:
            with pytest.raises(DeadlineExceeded, match="endless") as raised:
                await app.ask(app.question("wait", site="sums", mode="plan"))
    assert "platform run" in raised.value.hint
