"""A server in a process of its own: ready, used by commands, and stopped."""

import gc
import json
import os
import signal
import socket
from functools import partial
from pathlib import Path

import anyio
import anyio.lowlevel
import httpx2
import pytest

from pegboard.edges.cli.command import run
from pegboard.edges.cli.remote import running_server
from pegboard.edges.record import ServerRecord, read_record, remove_record, write_record
from pegboard.edges.web.server import PortTaken, serve, take_port, url_of
from pegboard.errors import UsageError
from tests.edges.conftest import Process, Start
from tests.edges.twin import TwinApp, TwinBackend, TwinServing
from tests.llm.loopback import Answer, loopback, says


def test_the_ready_line_names_url_sites_and_model(server: Process) -> None:
    assert server.ready == (f"pegboard 0.1.0 ready at {server.url} (sites: kitchen, shop; tools: 4; model: none)\n")
    assert httpx2.get(f"{server.url}/readyz", trust_env=False).json()["status"] == "ready"


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 0)])
def test_a_signal_stops_it_and_takes_its_note_away(server: Process, tmp_path: Path, number: int, code: int) -> None:
    record = read_record(tmp_path / ".pegboard")
    assert record == ServerRecord(server.url, server.popen.pid, "d1")
    assert server.end(number) == (code, "")
    assert read_record(tmp_path / ".pegboard") is None


def test_a_stream_in_flight_does_not_keep_it(server: Process) -> None:
    with httpx2.stream("GET", f"{server.url}/ask?query=wait", trust_env=False, timeout=30) as response:
        next(response.iter_lines())
        server.popen.send_signal(signal.SIGINT)
        server.popen.send_signal(signal.SIGINT)
        server.popen.wait(timeout=30)
    assert server.popen.returncode == 130


@pytest.mark.anyio
@pytest.mark.parametrize("streaming", ["true", "false"])
async def test_a_client_that_hangs_up_ends_its_work(app: TwinApp, streaming: str) -> None:
    url = anyio.Event()
    with anyio.fail_after(30), take_port("127.0.0.1", 0) as taken:
        async with anyio.create_task_group() as group:
            group.start_soon(partial(serve, TwinServing(app), taken, ready=lambda _: url.set()))
            await url.wait()
            request = f"GET /ask?query=wait&streaming={streaming} HTTP/1.1\r\nHost: localhost\r\n\r\n"
            async with await anyio.connect_tcp("127.0.0.1", taken.getsockname()[1]) as connection:
                await connection.send(request.encode())
                await app.waiting.wait()
            await app.cancelled.wait()
            signal.raise_signal(signal.SIGTERM)


@pytest.mark.anyio
async def test_while_it_serves_what_was_there_at_the_start_is_no_work_for_the_garbage_collector(app: TwinApp) -> None:
    with anyio.fail_after(30), take_port("127.0.0.1", 0) as taken:
        async with anyio.create_task_group() as group:
            group.start_soon(partial(serve, TwinServing(app), taken, ready=lambda _: None))
            while not gc.get_freeze_count():
                await anyio.lowlevel.checkpoint()
            signal.raise_signal(signal.SIGTERM)
    assert gc.get_freeze_count() == 0


def test_a_data_folder_that_cannot_be_written_is_told(start: Start, tmp_path: Path) -> None:
    (tmp_path / ".pegboard").write_text("in the way")
    process = start("serve", "--port", "0")
    assert process.popen.stderr is not None
    told = process.popen.stderr.readline()
    assert told.startswith("note: platform ask will not find this server")
    assert " ready at " in process.popen.stderr.readline()
    assert process.popen.stderr.readline().startswith("admin token: ")
    assert process.end(signal.SIGTERM) == (0, "")


def test_ask_and_route_use_the_server(
    server: Process, backend: TwinBackend, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["ask", "用什么代替鸡蛋", "--json"], backend=backend) == 0
    asked = json.loads(capsys.readouterr().out)
    assert run(["route", "eggs", "--json"], backend=backend) == 0
    routed = json.loads(capsys.readouterr().out)
    assert backend.app.asked == []
    assert run(["ask", "用什么代替鸡蛋", "--json", "--no-server"], backend=backend) == 0
    assert json.loads(capsys.readouterr().out) == asked
    assert run(["route", "eggs", "--json", "--no-server"], backend=backend) == 0
    assert json.loads(capsys.readouterr().out) == routed
    assert len(backend.app.asked) == 2


@pytest.mark.parametrize(
    ("arguments", "code", "complaint"),
    [
        (
            ["ask", "a", "--site", "kitchn"],
            2,
            "platform: There is no site 'kitchn'. Did you mean 'kitchen'?\n",
        ),
        (["route", "  "], 2, 'platform: The question is empty. Write it in quotes: platform ask "a quick dinner".\n'),
        (["ask", "fail now"], 1, "platform: Tool 'search' failed. Try again.\n"),
    ],
)
def test_errors_of_the_server_are_those_of_the_command(
    server: Process,
    backend: TwinBackend,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    code: int,
    complaint: str,
) -> None:
    assert run(arguments, backend=backend) == code
    assert capsys.readouterr() == ("", complaint)
    assert backend.app.asked == []


def test_a_server_of_other_documents_is_passed_over(server: Process, backend: TwinBackend) -> None:
    backend.digest = "d2"
    assert run(["ask", "eggs"], backend=backend) == 0
    assert len(backend.app.asked) == 1


def test_a_note_of_a_server_that_is_gone_is_passed_over(backend: TwinBackend) -> None:
    with take_port("127.0.0.1", 0) as free:
        url = url_of(free)
    write_record(backend.app.settings.data, ServerRecord(url, 1, "d1"))
    assert run(["ask", "eggs"], backend=backend) == 0
    assert len(backend.app.asked) == 1


@pytest.mark.parametrize(
    "answer",
    [
        Answer(endless=b"x" * 65536),
        Answer(b"[" * 9999),
        Answer(b"\xff"),
        Answer([]),
        Answer({"digest": 1}),
        Answer(b"", 302, headers=(("location", "/healthz"),)),
        Answer(pieces=(b"{",), breaks_off=True),
    ],
)
async def test_whoever_has_the_port_of_a_note_now_is_passed_over(app: TwinApp, answer: Answer) -> None:
    async with loopback(says(answer)) as other:
        write_record(app.settings.data, ServerRecord(other.url.removesuffix("/v1"), 1, "d1"))
        assert await running_server(app.settings, lambda _: "d1") is None
        assert [asked["path"] for asked in other.asked] == ["/healthz"]


def test_a_port_in_use_is_named_with_what_to_do(start: Start) -> None:
    with take_port("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        process = start("serve", "--port", str(port))
        out, err = process.popen.communicate(timeout=30)
    assert (process.popen.returncode, out) == (1, "")
    assert err == (
        f"platform: Port {port} of 127.0.0.1 is in use by another process. "
        f"Choose another with --port {port + 1}, or let a free one be found with --port 0.\n"
    )


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
def test_a_host_that_others_reach_must_be_meant(host: str) -> None:
    with pytest.raises(UsageError, match="--allow-unauthenticated"):
        take_port(host, 0)


def test_a_host_that_is_meant_is_taken() -> None:
    with take_port("0.0.0.0", 0, allow_unauthenticated=True) as taken:
        assert url_of(taken) == f"http://127.0.0.1:{taken.getsockname()[1]}"


def test_a_host_that_is_not_there_is_named() -> None:
    with pytest.raises(UsageError, match=r"The host 'no\.such\.host\.invalid' cannot be found"):
        take_port("no.such.host.invalid", 0)


@pytest.mark.skipif(not socket.has_ipv6, reason="needs IPv6")
def test_an_address_of_six_is_put_in_brackets() -> None:
    try:
        taken = take_port("::1", 0)
    except (UsageError, PortTaken):
        pytest.skip("this machine has no IPv6 loopback")
    with taken:
        assert url_of(taken) == f"http://[::1]:{taken.getsockname()[1]}"


NOTES = [
    "",
    "[]",
    "{}",
    "[" * 100_000,
    "\x00",
    '{"url": 1, "pid": "x", "digest": ""}',
    '{"url": "http://127.0.0.1:80", "pid": 1e999, "digest": "d"}',
    '{"url": "http://127.0.0.1:80", "pid": NaN, "digest": "d"}',
    '{"url": "http://127.0.0.1:80", "pid": -1, "digest": "d"}',
    '{"url": "http://127.0.0.1:80", "pid": 1, "digest": null}',
    '{"url": "http://127.0.0.1:80", "pid": 1, "digest": "' + "d" * 9999 + '"}',
    *(
        f'{{"url": "{url}", "pid": 1, "digest": "d"}}'
        for url in (
            "",
            "127.0.0.1:80",
            "http://127.0.0.1",
            "http://127.0.0.1:0",
            "http://127.0.0.1:99999",
            "http://127.0.0.1:x",
            "http://127.0.0.1:80/elsewhere",
            "http://127.0.0.1:80@attacker.example",
            "http://user@127.0.0.1:80",
            "https://127.0.0.1:80",
            "http://192.168.1.9:80",
            "http://attacker.example:80",
            "http://[::1%25lo]:80",
            "http://[::1:80",
        )
    ),
]


@pytest.mark.parametrize("text", NOTES)
def test_a_broken_note_is_none(backend: TwinBackend, text: str) -> None:
    data = backend.app.settings.data
    data.mkdir()
    (data / "server.json").write_text(text)
    assert read_record(data) is None
    assert run(["ask", "eggs"], backend=backend) == 0
    assert len(backend.app.asked) == 1


def test_a_note_that_is_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "server.json")
    assert read_record(tmp_path) is None


@pytest.mark.parametrize("url", ["http://127.0.0.1:8000", "http://[::1]:8000", "http://127.0.0.2:1"])
def test_a_note_is_read_back(tmp_path: Path, url: str) -> None:
    write_record(tmp_path, ServerRecord(url, 1, "d"))
    assert read_record(tmp_path) == ServerRecord(url, 1, "d")


def test_a_note_of_a_server_that_others_reach_is_passed_over_and_taken_away(tmp_path: Path) -> None:
    write_record(tmp_path, ServerRecord("http://192.168.1.9:8000", os.getpid(), "d"))
    assert read_record(tmp_path) is None
    remove_record(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_only_its_own_note_is_taken_away(tmp_path: Path) -> None:
    write_record(tmp_path, ServerRecord("http://127.0.0.1:1", 1, "d"))
    remove_record(tmp_path)
    assert read_record(tmp_path) is not None
    write_record(tmp_path, ServerRecord("http://127.0.0.1:1", os.getpid(), "d"))
    remove_record(tmp_path)
    assert list(tmp_path.iterdir()) == []
