"""What a run uses of models is told, survives its process, and is counted once; on every engine."""

from pathlib import Path

import anyio

from pegboard.catalog.contract import Context, Result
from pegboard.llm.usage import Budget, Used, count_call, count_tokens
from pegboard.run.engine import Engine
from tests.run.opening import Opening
from tests.run.running import Arguments, limited, node, request, states, tools

PLANNED = Used(2, 300, 40)


async def asking(context: Context, arguments: Arguments) -> Result:
    """Ask a model once."""
    count_call()
    count_tokens(10, 1)
    return Result("done")


async def agent(context: Context, arguments: Arguments) -> Result:
    """Ask a model, and let tools do so."""
    count_call()
    count_tokens(100, 10)
    await context.run([{"id": "i", "tool": "asking"}, {"id": "j", "tool": "asking"}])
    return Result("done")


async def test_all_that_was_used_is_told_its_plan_and_runs_within_too(engine: Opening) -> None:
    asked = request(node("a", tool="asking"), node("b", tool="agent"), node("c"), used=PLANNED)
    with anyio.fail_after(30):
        async with engine(None, tools(asking=asking, agent=agent)) as opened:
            run = await opened.start(asked)
            await opened.outcome(run)
            view = await opened.show(run)
            inner = [await opened.show(each) for each in view.inside]
    assert view.used == PLANNED.plus(Used(1, 10, 1)).plus(Used(1, 100, 10)).plus(Used(2, 20, 2))
    assert [each.used for each in inner] == [Used(2, 20, 2)]
    assert view.to_json()["usage"] == {"model_calls": 6, "tokens_in": 430, "tokens_out": 53}


async def test_what_was_used_before_a_restart_counts_once_and_for_the_budget(engine: Opening, tmp_path: Path) -> None:
    made = [*tools(asking=asking), limited("write", asking, approval="always")]
    asked = request(
        node("a", tool="asking"), node("w", "a", tool="write"), node("z", "w", tool="asking"),
        used=PLANNED, budget=Budget(calls=4),
    )  # fmt: skip
    with anyio.fail_after(30):
        async with engine(tmp_path, made) as opened:
            run = await opened.start(asked)
            await _held(opened, run)
            assert (await opened.show(run)).used == PLANNED.plus(Used(1, 10, 1))
        async with engine(tmp_path, made) as opened:
            assert (await opened.show(run)).used == PLANNED.plus(Used(1, 10, 1))
            await opened.approve(run)
            await opened.resume(run)
            ran = await opened.outcome(run)
            assert (await opened.show(run)).used == PLANNED.plus(Used(2, 20, 2))
    assert states(ran) == {"a": "succeeded", "w": "succeeded", "z": "failed"}
    assert "budget of 4 model calls" in ran.nodes[2].reason


async def _held(opened: Engine, run: str) -> None:
    """Wait until a run waits for an approval."""
    while True:
        if (await opened.show(run)).is_held:
            return
        await anyio.sleep(0.02)
