"""What the local engine promises beyond the contract."""

import anyio

from tests.run.running import engine, node, request, tools


async def test_two_hundred_runs_at_once_all_come_to_an_end() -> None:
    chain = request(*(node(f"n{i}", *([f"n{i - 1}"] if i else [])) for i in range(10)))
    ends: list[str] = []
    with anyio.fail_after(60):
        async with engine(None, tools(), max_parallel=4) as opened, anyio.create_task_group() as group:

            async def one() -> None:
                ends.append((await opened.outcome(await opened.start(chain))).status)

            for _ in range(200):
                group.start_soon(one)
    assert ends == ["succeeded"] * 200
