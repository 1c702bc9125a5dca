"""One shape of an error at every edge."""

import json
import logging

import httpx2
import pytest

from pegboard.bind.check import checked
from pegboard.catalog.contract import Result
from pegboard.edges.cli.command import run
from pegboard.edges.cli.remote import error_of
from pegboard.edges.failure import error_json, restored
from pegboard.errors import (
    CallFailed,
    CallRefused,
    DeadlineExceeded,
    Failure,
    InvalidArguments,
    LimitReached,
    ModelTimedOut,
    PegboardError,
    UnknownTool,
    Unreachable,
    UpstreamFailed,
    UpstreamTimedOut,
)
from tests.edges.twin import TwinBackend
from tests.twins import a_tool

Output = pytest.CaptureFixture[str]


@pytest.mark.parametrize(
    ("error", "code", "who", "retryable"),
    [
        (UnknownTool("x"), "unknown_tool", "caller", False),
        (CallRefused("x"), "call_refused", "caller", False),
        (CallFailed("x"), "call_failed", "tool", False),
        (LimitReached("x"), "limit_reached", "limit", True),
        (DeadlineExceeded("x"), "deadline_exceeded", "limit", True),
        (UpstreamFailed("x"), "upstream_failed", "upstream", False),
        (UpstreamTimedOut("x", is_retryable=True), "upstream_timed_out", "upstream", True),
        (Unreachable("x"), "unreachable", "upstream", True),
        (ModelTimedOut("x"), "model_timed_out", "upstream", False),
        (PegboardError("x"), "internal_error", "tool", False),
    ],
)
def test_every_error_says_who_failed_and_whether_to_try_again(
    error: PegboardError, code: str, who: str, retryable: bool
) -> None:
    shown = error_json(error)
    assert (shown["code"], shown["who"], shown["retryable"]) == (code, who, retryable)
    assert error_json(error) == shown


def test_a_failure_that_says_which_limit_is_shown_as_it_says() -> None:
    error = LimitReached("Enough.", hint="Wait.")
    error.failure = Failure("limit", True, 2.5, "call.rate", "tools.yaml:3:5", "abc")
    assert error_json(error) == {
        "code": "limit_reached",
        "message": "Enough.",
        "who": "limit",
        "retryable": True,
        "limit": "call.rate",
        "declared_at": "tools.yaml:3:5",
        "retry_after_seconds": 2.5,
        "hint": "Wait.",
        "correlation_id": "abc",
    }
    told = restored(error_of({"status": 429, "detail": "Enough.", "hint": "Wait."}), error_json(error))
    assert told.failure == error.failure


def test_wrong_arguments_say_what_to_mend_by_json_pointer() -> None:
    async def never(context: object, arguments: object) -> Result:
        raise AssertionError

    with pytest.raises(InvalidArguments) as caught:
        checked(a_tool("t", never), {"n": "three"})
    faults = error_json(caught.value)["faults"]
    assert faults == [{"pointer": "/n", "message": "Argument 'n' is 'three'; wanted an integer."}]


async def test_a_problem_and_a_message_have_the_same_error(client: httpx2.AsyncClient) -> None:
    response = await client.get("/ask", params={"query": "fail now", "streaming": "false"})
    shown = response.json()["error"]
    assert (shown["code"], shown["message"], shown["who"]) == ("call_failed", "Tool 'search' failed.", "tool")
    assert shown == next(each for each in response.json()["messages"] if each["message_type"] == "error")["error"]


async def test_the_log_names_an_error_by_the_id_that_the_caller_has(
    client: httpx2.AsyncClient, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "pegboard"):
        known = (await client.get("/tools", params={"site": "shoop"})).json()["error"]
        defect = (await client.get("/ask", params={"query": "boom", "streaming": "false"})).json()["error"]
        lost = (await client.get("/nowhere")).json()["error"]
    assert known["correlation_id"] in caplog.text
    assert lost["correlation_id"] in caplog.text
    assert (lost["code"], lost["who"]) == ("not_found", "caller")
    assert defect["code"] == "internal_error"
    record = next(each for each in caplog.records if defect["correlation_id"] in each.getMessage())
    assert record.exc_info


def test_a_call_that_fails_with_json_tells_the_same_shape_on_stderr(backend: TwinBackend, capsys: Output) -> None:
    assert run(["call", "search", "query=fail", "--json"], backend=backend) == 1
    out, err = capsys.readouterr()
    error = json.loads(err)["error"]
    assert (out, error["code"], error["who"]) == ("", "call_failed", "tool")
    assert run(["call", "serch", "--json"], backend=backend) == 2
    assert json.loads(capsys.readouterr().err)["error"]["code"] == "unknown_tool"
