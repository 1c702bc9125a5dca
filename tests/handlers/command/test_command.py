"""Tools that are a program: what they give, what they are refused, and that nothing of them stays."""

import base64
import os
import signal
import sys
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import anyio
import anyio.lowlevel
import pytest

from pegboard.catalog.contract import Result
from pegboard.catalog.kind import About, Misdeclared, Schema
from pegboard.config.blocks.command import CommandDeclaration
from pegboard.config.server.settings import Settings
from pegboard.errors import CallFailed, CallRefused, LimitReached, UpstreamFailed
from pegboard.handlers.command import command
from pegboard.text import Json
from tests.twins import context

pytestmark = [pytest.mark.anyio, pytest.mark.skipif(sys.platform == "win32", reason="programs run on POSIX only")]


@dataclass
class Bench:
    """A folder with programs of our own, all of which are allowed."""

    folder: Path

    def program(self, body: str, name: str = "program") -> str:
        """Write a program in Python, and return its path."""
        path = self.folder / name
        path.write_text(f"#!{sys.executable} -IS\nimport os, sys, time\n{body}\n", encoding="utf-8")
        path.chmod(0o755)
        return str(path)

    def tool(
        self, *argv: str, allowed: tuple[str, ...] | None = None, parameters: Schema | None = None, **block: Any
    ) -> command:
        commands = (argv[0],) if allowed is None else allowed
        settings = Settings(self.folder, self.folder, self.folder / ".pegboard", commands=commands)
        about = About("tool", "", settings, self.folder, parameters)
        return command(CommandDeclaration(argv=list(argv), **block), about)


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


async def called(tool: command, **arguments: Json) -> Result:
    with anyio.fail_after(20):
        result = await tool.call(context(), arguments)
    assert isinstance(result, Result)
    return result


ECHO = "print(repr(sys.argv[1:]))"


# What a program gets and gives


async def test_arguments_reach_the_program_one_by_one_and_no_shell_reads_them(bench: Bench) -> None:
    tool = bench.tool(bench.program(ECHO), "--city={city}", "{words}", "{missing}", "of {city}")
    hostile = "a b; $(id) `id` | cat > x && 'y' \"z\" *\n北京"
    result = await called(tool, city=hostile, words=["x", 5, "y z"])
    assert result.text == repr([f"--city={hostile}", "x", "5", "y z", f"of {hostile}"])
    assert result.data == {"output": f"{result.text}\n", "code": 0, "truncated": False}
    assert sorted(path.name for path in bench.folder.iterdir()) == ["program"]


async def test_a_program_found_by_name_runs(bench: Bench) -> None:
    assert (await called(bench.tool("wc", "-w", stdin="{text}"), text="one two three")).text.strip() == "3"


async def test_what_it_reads_is_a_template(bench: Bench) -> None:
    tool = bench.tool(bench.program("sys.stdout.write(sys.stdin.read())"), stdin="{a}-{b}-{a}", json_output=False)
    assert (await called(tool, a="ü", b=[1, {"x": None}])).text == 'ü-[1,{"x":null}]-ü'


async def test_a_program_that_reads_nothing_of_much_is_no_failure(bench: Bench) -> None:
    tool = bench.tool(bench.program("os.close(0); print('done')"), stdin="{text}")
    assert (await called(tool, text="x" * 1_000_000)).text == "done"


async def test_json_that_it_writes_is_the_result(bench: Bench) -> None:
    tool = bench.tool(bench.program('print(\'{"a": [1, "ü"]}\')'), json_output=True)
    result = await called(tool)
    assert (result.data, result.text) == ({"a": [1, "ü"]}, '{"a":[1,"ü"]}')


@pytest.mark.parametrize("written", ["", "no", "NaN", "[" * 100_000])
async def test_what_is_no_json_is_a_failure(bench: Bench, written: str) -> None:
    with pytest.raises(UpstreamFailed, match="no JSON"):
        await called(bench.tool(bench.program(f"sys.stdout.write({written!r})"), json_output=True))


async def test_output_in_no_charset_is_read_with_marks(bench: Bench) -> None:
    assert (await called(bench.tool(bench.program(r"os.write(1, b'a\xffb')")))).text == "a\ufffdb"


async def test_its_environment_holds_what_is_declared_and_no_more(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "hunter2")
    program = bench.program(
        "print(sorted(os.environ), os.environ['A'], os.environ['T'], os.getcwd() == os.environ['HOME'])"
    )
    tool = bench.tool(program, env={"A": "b"}, secrets=[{"name": "T", "value": "s3cret"}])
    result = await called(tool)
    assert result.text == "['A', 'HOME', 'LANG', 'PATH', 'T'] b *** True"
    assert "s3cret" not in str(tool.preview({}))


SECRET = "sup3r/s3cret+välue"
ENCODED = [
    SECRET,
    base64.b64encode(SECRET.encode()).decode(),
    base64.urlsafe_b64encode(SECRET.encode()).decode().rstrip("="),
    quote(SECRET, safe=""),
]


@pytest.mark.parametrize("spelling", ENCODED)
async def test_a_secret_is_masked_in_whatever_a_program_says(
    bench: Bench, caplog: pytest.LogCaptureFixture, spelling: str
) -> None:
    program = bench.program(
        f"for out in (sys.stdout, sys.stderr): out.buffer.write(('x ' + {spelling!r} + ' y').encode())\n"
        "sys.exit(int(sys.argv[1]))"
    )
    tool = bench.tool(program, "{code}", show_errors=True, secrets=[{"name": "T", "value": SECRET}])
    with caplog.at_level("WARNING"), pytest.raises(UpstreamFailed) as caught:
        await called(tool, code="3")
    result = await called(tool, code="0")
    shown = f"{result.text} {result.data} {caught.value} {caplog.text}"
    assert spelling.rstrip("=") not in shown
    assert shown.count("***") == 4


@pytest.mark.parametrize("written", ['{"a": "\\u0073up3rsecret"}', '["sup3rsecret"]', '{"sup3rsecret": 1}'])
async def test_no_escape_of_json_hides_a_secret(bench: Bench, written: str) -> None:
    program = bench.program(f"print({written!r})")
    result = await called(bench.tool(program, json_output=True, secrets=[{"name": "T", "value": "sup3rsecret"}]))
    assert "sup3rsecret" not in f"{result.text} {result.data}"
    assert "***" in result.text


async def test_many_files_of_a_call_are_removed_beside_everything_else(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[int] = []
    remove = tempfile.TemporaryDirectory.cleanup

    def noted(folder: "tempfile.TemporaryDirectory[str]") -> None:
        threads.append(threading.get_ident())
        remove(folder)

    monkeypatch.setattr(tempfile.TemporaryDirectory, "cleanup", noted)
    result = await called(bench.tool(bench.program("open('x', 'w').close(); print(os.getcwd())")))
    assert not await anyio.Path(result.text).exists()
    assert threads
    assert threading.get_ident() not in threads


async def test_the_folder_of_a_call_is_empty_and_gone_afterwards(bench: Bench) -> None:
    result = await called(bench.tool(bench.program("open('x', 'w').close(); print(os.listdir(), os.getcwd())")))
    listed, _, folder = result.text.partition(" ")
    assert (listed, os.path.exists(folder)) == ("['x']", False)  # noqa: ASYNC240, PTH110


async def test_a_declared_folder_is_where_it_runs(bench: Bench) -> None:
    (bench.folder / "docs").mkdir()
    result = await called(bench.tool(bench.program("print(os.getcwd())"), folder="docs"))
    assert result.text == os.path.realpath(bench.folder / "docs")  # noqa: ASYNC240


async def test_a_preview_shows_what_would_run(bench: Bench) -> None:
    program = bench.program(ECHO)
    assert bench.tool(program, "-n", "{n}", stdin="{text}", env={"A": "b"}).preview({"n": 3, "text": "x"}) == {
        "argv": [program, "-n", "3"],
        "stdin": "x",
        "folder": "an empty folder",
        "environment": ["A"],
    }


async def test_no_descriptor_of_ours_is_open_in_the_program(bench: Bench) -> None:
    with (bench.folder / "secret").open("w") as held:
        os.set_inheritable(held.fileno(), True)
        opened = "print([n for n in range(3, 64) if os.path.exists(f'/dev/fd/{n}') and n != 3])"
        assert (await called(bench.tool(bench.program(opened)))).text == "[]"


# What is refused


@pytest.mark.parametrize("value", ["-rf", "--output=/etc/x", "-"])
async def test_a_value_never_becomes_an_option(bench: Bench, value: str) -> None:
    tool = bench.tool(bench.program(ECHO), "{file}", "--", "{file}")
    with pytest.raises(CallRefused, match="would be read as an option"):
        await called(tool, file=value)
    with pytest.raises(CallRefused, match="would be read as an option"):
        await called(bench.tool(bench.program(ECHO), "{files}"), files=["x", value])


async def test_a_value_may_begin_with_a_dash_where_options_have_ended(bench: Bench) -> None:
    tool = bench.tool(bench.program(ECHO), "-n", "--", "{word}", options_end=True)
    assert (await called(tool, word="-rf")).text == "['-n', '--', '-rf']"
    with pytest.raises(CallRefused):
        await called(bench.tool(bench.program(ECHO), "{word}", "--", options_end=True), word="-rf")


async def test_an_empty_value_does_not_make_an_option_of_the_next(bench: Bench) -> None:
    with pytest.raises(CallRefused):
        await called(bench.tool(bench.program(ECHO), "{a}{b}"), a="", b="-x")


@pytest.mark.parametrize("value", ["a\x00b", "\ud800", "x" * 200_000, {"a": 1}, ["x"] * 2000])
async def test_what_no_program_can_be_given_is_refused(bench: Bench, value: Json) -> None:
    with pytest.raises(CallRefused):
        await called(bench.tool(bench.program(ECHO), "{v}"), v=value)


@pytest.mark.parametrize(
    "value",
    ["../secret", "/etc/passwd", "link", "sub", "", ".", "nowhere", "a\x00", "x" * 5000, 5, ["../secret"], "\ud800"],
)
async def test_only_files_of_the_declared_folder_are_named(bench: Bench, value: Json) -> None:
    docs = bench.folder / "docs"
    (docs / "sub").mkdir(parents=True)
    (bench.folder / "secret").write_text("hunter2")
    (docs / "a.txt").write_text("fine")
    (docs / "link").symlink_to(bench.folder / "secret")
    tool = bench.tool("cat", "{file}", files=[{"argument": "file", "folder": "docs"}])
    assert (await called(tool, file="a.txt")).text == "fine"
    assert (await called(tool, file=str(docs / "a.txt"))).text == "fine"
    with pytest.raises(CallRefused):
        await called(tool, file=value)


async def test_a_file_of_the_folder_that_it_runs_in_is_named_from_there(bench: Bench) -> None:
    (bench.folder / "docs" / "sub").mkdir(parents=True)
    (bench.folder / "docs" / "sub" / "-a.txt").write_text("one two")
    tool = bench.tool("wc", "-w", "{file}", files=[{"argument": "file", "folder": "docs"}], folder="docs")
    assert (await called(tool, file="sub/-a.txt")).text == "2 ./sub/-a.txt"


# Codes and caps


async def test_an_exit_code_is_a_failure_and_its_words_stay_here(bench: Bench) -> None:
    program = bench.program("sys.stderr.write('inner /path'); sys.exit(3)")
    with pytest.raises(UpstreamFailed, match=r"'program' ended with the code 3\.$"):
        await called(bench.tool(program))
    with pytest.raises(UpstreamFailed, match="ended with the code 3: inner /path"):
        await called(bench.tool(program, show_errors=True))


async def test_only_declared_codes_are_failures_where_some_are(bench: Bench) -> None:
    program = bench.program("print('none'); sys.exit(int(sys.argv[1]))")
    tool = bench.tool(program, "{code}", error_when=[2])
    assert (await called(tool, code="1")).data == {"output": "none\n", "code": 1, "truncated": False}
    with pytest.raises(UpstreamFailed):
        await called(tool, code="2")


async def test_it_is_read_no_further_than_its_cap_and_ended(bench: Bench) -> None:
    endless = bench.program("while True: sys.stdout.write('x' * 65536)")
    result = await called(bench.tool(endless, output_size="1KiB"))
    assert result.data == {"output": "x" * 1024, "code": -signal.SIGKILL, "truncated": True}
    with pytest.raises(LimitReached, match="more than the 1,024 bytes"):
        await called(bench.tool(endless, output_size="1KiB", json_output=True))
    noisy = bench.program("while True: sys.stderr.write('x' * 65536)")
    assert (await called(bench.tool(noisy, output_size="1KiB"))).text == "…"


@pytest.mark.parametrize(
    ("body", "block", "message"),
    [
        ("x = bytearray(1 << 30)", {"memory": "256MiB"}, "ended with the code 1"),
        ("f = open('f', 'wb')\nwhile True: f.write(bytes(65536))", {"file_size": "1MiB"}, "ended"),
        ("files = [open(__file__) for _ in range(50)]", {"open_files": 16}, "ended with the code 1"),
        ("while True: pass", {"cpu": "1s"}, "was ended by signal"),
    ],
)
async def test_limits_hold(bench: Bench, body: str, block: dict[str, Any], message: str) -> None:
    with pytest.raises(UpstreamFailed, match=message):
        await called(bench.tool(bench.program(body), **block))


async def test_a_program_that_cannot_be_started_is_said(bench: Bench) -> None:
    path = bench.folder / "broken"
    path.write_bytes(b"\x7fELF not really")
    path.chmod(0o755)
    with pytest.raises(CallFailed, match="'broken' cannot be started"):
        await called(bench.tool(str(path)))


async def test_a_program_that_became_another_is_not_run(bench: Bench) -> None:
    link = bench.folder / "link"
    link.symlink_to(bench.program(ECHO))
    tool = bench.tool(str(link))
    assert (await called(tool)).text == "[]"
    link.unlink()
    link.symlink_to("/bin/cat")
    with pytest.raises(CallRefused, match="another one"):
        await called(tool)


# Nothing stays

FORKS = """
import subprocess
child = subprocess.Popen([sys.executable, '-ISc', 'import time; time.sleep(1000)'])
with open('{pids}.new', 'w') as f: f.write(f'{{os.getpid()}} {{child.pid}}')
os.rename('{pids}.new', '{pids}')
"""


async def test_cancelling_kills_the_program_and_its_children(bench: Bench) -> None:
    pids = bench.folder / "pids"
    tool = bench.tool(bench.program(FORKS.format(pids=pids) + "time.sleep(1000)"))
    with anyio.fail_after(20):
        async with anyio.create_task_group() as group:
            group.start_soon(tool.call, context(), {})
            while not pids.exists():  # noqa: ASYNC110
                await anyio.sleep(0.005)
            group.cancel_scope.cancel()
        await _gone(pids)


async def test_what_a_program_leaves_behind_is_killed(bench: Bench) -> None:
    pids = bench.folder / "pids"
    assert (await called(bench.tool(bench.program(FORKS.format(pids=pids) + "print('done')")))).text == "done"
    with anyio.fail_after(20):
        await _gone(pids)


async def _gone(pids: Path) -> None:
    """Wait until none of the processes runs; one that is nobody's child but init's may stay a zombie for a moment."""
    for pid in map(int, pids.read_text().split()):  # noqa: ASYNC240
        while _runs(pid):
            await anyio.lowlevel.checkpoint()


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        state = Path(f"/proc/{pid}/stat")
        return not state.exists() or state.read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def children_of_this_process() -> set[str]:
    return {child for task in Path("/proc/self/task").glob("*/children") for child in task.read_text().split()}


async def test_forty_calls_leave_no_file_and_no_child(bench: Bench) -> None:
    tool = bench.tool("cat", stdin="{text}")
    await called(tool, text="x")
    before, children = sorted(os.listdir("/dev/fd")), children_of_this_process()  # noqa: PTH208
    with anyio.fail_after(60):
        for _ in range(4):
            async with anyio.create_task_group() as group:
                for _ in range(10):
                    group.start_soon(tool.call, context(), {"text": "x"})
    assert sorted(os.listdir("/dev/fd")) == before  # noqa: PTH208
    assert children_of_this_process() == children  # servers that other tests use are among them


# Declarations


def test_nothing_is_allowed_by_default(bench: Bench) -> None:
    with pytest.raises(Misdeclared, match="which the server's setting `commands` does not list") as caught:
        bench.tool("cat", allowed=())
    assert caught.value.misfits[0].path == ("argv", 0)
    assert 'commands = ["/' in caught.value.misfits[0].hint


@pytest.mark.parametrize("shell", ["sh", "bash", "env", "python3", "perl", "find"])
def test_what_runs_other_programs_is_allowed_by_its_whole_path_and_a_word_only(bench: Bench, shell: str) -> None:
    path = next((at for folder in ("/usr/bin", "/bin") if os.path.exists(at := f"{folder}/{shell}")), None)  # noqa: PTH110
    if path is None:
        pytest.skip(f"there is no {shell} here")
    for allowed in (shell, path, f"interpreter:{shell}"):
        with pytest.raises(Misdeclared, match="runs other programs or code"):
            bench.tool(shell, allowed=(allowed,))
    bench.tool(path, allowed=(f"interpreter:{path}",))


def test_a_link_to_a_shell_is_a_shell(bench: Bench) -> None:
    link = bench.folder / "harmless"
    link.symlink_to("/bin/sh")
    with pytest.raises(Misdeclared, match="runs other programs or code"):
        bench.tool(str(link))


def test_a_program_of_many_names_is_allowed_by_each_of_them_apart(bench: Bench) -> None:
    many = Path(bench.program(ECHO, "coreutils"))
    for name in ("ls", "rm"):
        (bench.folder / name).symlink_to(many)
    listed = str(bench.folder / "ls")
    bench.tool(listed, allowed=(listed,))
    with pytest.raises(Misdeclared, match="does not list"):
        bench.tool(str(bench.folder / "rm"), allowed=(listed,))


@pytest.mark.parametrize(
    ("argv", "block", "place", "message"),
    [
        (["{program}"], {}, ("argv", 0), "lets an argument choose the program"),
        (["no-such-program-anywhere"], {}, ("argv", 0), "is not there"),
        (["cat", "--{name}=x"], {}, ("argv", 1), "lets the argument 'name' choose an option"),
        (["cat", "-{name}"], {}, ("argv", 1), "lets the argument 'name' choose an option"),
        (["cat", "{file}"], {"options_end": True}, ("options_end",), "and has no `--`"),
        (["cat"], {"files": [{"argument": "f", "folder": "."}]}, ("files", 0, "argument"), "which is not in `argv`"),
        (["cat", "{f}"], {"files": [{"argument": "f", "folder": ".."}]}, ("files", 0, "folder"), "which lies outside"),
        (["cat", "{f}"], {"files": [{"argument": "f", "folder": "no"}]}, ("files", 0, "folder"), "which is not there"),
        (["cat"], {"folder": "/"}, ("folder",), "which lies outside"),
        (["cat"], {"env": {"LD_PRELOAD": "x"}}, ("env", "LD_PRELOAD"), "can load other code"),
        (["cat"], {"env": {"PATH": "evil"}}, ("env", "PATH"), "can load other code"),
        (["cat"], {"secrets": [{"name": "BASH_ENV"}]}, ("secrets", 0, "name"), "can load other code"),
        (["cat"], {"secrets": [{"name": "A=B"}]}, ("secrets", 0, "name"), "no name of a variable"),
    ],
)
def test_what_cannot_work_is_told_with_its_place(
    bench: Bench, argv: list[str], block: dict[str, Any], place: tuple[str | int, ...], message: str
) -> None:
    with pytest.raises(Misdeclared) as caught:
        bench.tool(*argv, **block)
    assert place in [misfit.path for misfit in caught.value.misfits if message in misfit.message]


def test_arguments_that_only_one_side_knows_are_told(bench: Bench) -> None:
    parameters: Schema = {"type": "object", "properties": {"city": {}, "day": {}}}
    with pytest.raises(Misdeclared) as caught:
        bench.tool("cat", "{citty}", parameters=parameters)
    told = [(misfit.path, misfit.message) for misfit in caught.value.misfits]
    assert (("argv", 1), "passes {citty} on, which its parameters do not have") in told
    assert (("argv",), "has the argument 'day', which its program does not get") in told
