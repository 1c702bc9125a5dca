"""Runs whose history grows long, and whose results are large: what Temporal limits is not seen."""

import uuid
from functools import partial
from pathlib import Path

import anyio
import pytest

from pegboard.catalog.contract import Context, Result
from pegboard.errors import UsageError
from pegboard.run.temporal.opening import Address, opened_temporal
from pegboard.text import Json
from tests.run.running import Arguments, echo, events, limited, node, request, tools, world

pytestmark = pytest.mark.temporal

SIZES = {"short": 10, "long": 5_000, "huge": 3_000_000}


async def sized(context: Context, arguments: Arguments) -> Result:
    size = SIZES[str(arguments["size"])]
    return Result("x" * size, data={"text": "x" * size, "turn": await context.recorded("turn", partial(turn, size))})


async def turn(size: int) -> str:
    return "t" * size


async def test_a_run_goes_on_over_several_executions_and_is_one_for_whoever_follows(
    tmp_path: Path, temporal_address: str
) -> None:
    large = {"max_arguments_bytes": 1 << 24, "max_result_bytes": 1 << 24}
    made = [*tools(), limited("sized", sized, **large), limited("joined", echo, **large)]
    chain = [node(f"n{i}", *([f"n{i - 1}"] if i else [])) for i in range(12)]
    first = [node(name, tool="sized", arguments={"size": name}) for name in SIZES]
    last = node(
        "last", "n11", tool="joined", arguments={name: f"${{{name}.text}}" for name in SIZES} | {"turn": "${huge.turn}"}
    )
    where = Address(temporal_address, queue=f"long-{uuid.uuid4().hex}")
    with anyio.fail_after(60):
        async with opened_temporal(tmp_path, lambda request: world(made), where, turn_after=40) as engine:
            run = await engine.start(request(*first, *chain, last))
            ran = await engine.outcome(run)
            told = await events(engine, run)
            later = await events(engine, run, after=5)
            listed = [view.run for view in await engine.runs()]
            executions = [each async for each in engine._service.listed() if each.id == run]
    assert (ran.status, [each.reason for each in ran.nodes if each.state != "succeeded"]) == ("succeeded", [])
    texts: dict[str, Json] = {name: "x" * size for name, size in SIZES.items()}
    assert ran.nodes[-1].result == Result("done", data={**texts, "turn": "t" * SIZES["huge"]})
    assert [event.seq for event in told] == list(range(1, len(told) + 1))
    assert later == told[5:]
    assert listed in ([run], [])  # it is listed a moment later
    assert len(executions) != 1, "it went on in another"


async def test_a_plan_that_is_too_large_to_be_carried_is_refused(tmp_path: Path, temporal_address: str) -> None:
    where = Address(temporal_address, queue=f"large-{uuid.uuid4().hex}")
    async with opened_temporal(tmp_path, lambda request: world(tools()), where) as engine:
        with pytest.raises(UsageError, match="1,500,000 are allowed"):
            await engine.start(request(node("a"), inputs={"text": "x" * 2_000_000}))
