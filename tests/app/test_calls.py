"""What a request costs in model calls, as the model's endpoint counts them."""

from collections.abc import AsyncIterator
from pathlib import Path

import anyio
import pytest

from tests.app.counting import REQUESTS, Counted, Request, counted_demo

pytestmark = pytest.mark.anyio


@pytest.fixture
async def demo(tmp_path: Path) -> AsyncIterator[Counted]:
    async with counted_demo(tmp_path) as counted:
        yield counted


@pytest.mark.parametrize("request_", REQUESTS, ids=lambda request: request.tool)
async def test_a_request_takes_a_call_for_each_candidate_and_few_more(demo: Counted, request_: Request) -> None:
    with anyio.fail_after(60):
        calls = await demo.calls(request_)
    assert demo.candidates <= calls <= demo.candidates + request_.beyond < request_.nlweb


@pytest.mark.parametrize("request_", REQUESTS[1:], ids=lambda request: request.tool)
async def test_arguments_that_no_scoring_reply_carries_cost_one_call_more(demo: Counted, request_: Request) -> None:
    with anyio.fail_after(60):
        with_them = await demo.calls(request_)
        without = await demo.calls(request_, with_arguments=False)
    assert without == with_them + 1 <= demo.candidates + request_.beyond
