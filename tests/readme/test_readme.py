"""Every command of the README is run in the words that stand there.

Only what would clash with the machine is moved: the home folder, the port, the data folder, and the address of the
model's endpoint, where a stand-in answers.
"""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PLATFORM = ROOT / ".venv/bin/platform"
LIMIT_SECONDS = 300

needs_environment = pytest.mark.skipif(
    not PLATFORM.exists(), reason="the README's commands run in the project's .venv: use scripts/test"
)
needs_curl = pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")


def blocks() -> list[str]:
    """Return the README's shell blocks."""
    return re.findall(r"^```sh\n(.*?)^```", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE | re.DOTALL)


def block_with(words: str) -> str:
    (found,) = [block for block in blocks() if words in block]
    return found


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return the environment of a user with an empty home folder and no key."""
    home = tmp_path_factory.mktemp("home")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("OPENAI_", "PEGBOARD_"))}
    return kept | {"HOME": str(home), "NO_COLOR": "1", "NO_PROXY": "*"}


@pytest.fixture(scope="module")
def demo(environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return the environment in which the demo's own data lie apart."""
    return environment | {"PEGBOARD_DATA": str(tmp_path_factory.mktemp("data"))}


def run(block: str, environment: dict[str, str]) -> str:
    """Run a block as it stands; return what it printed on stdout."""
    done = subprocess.run(
        ["sh", "-eu"],
        input=block,
        env=environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=LIMIT_SECONDS,
        check=False,
    )
    assert done.returncode == 0, f"{block}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@contextmanager
def serving(environment: dict[str, str]) -> Iterator[str]:
    """Run `scripts/serve`; yields the line that says ready, and checks that Ctrl-C leaves nothing behind."""
    with subprocess.Popen(
        ["scripts/serve"],
        env=environment,
        cwd=ROOT,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as server:
        assert server.stderr is not None
        ready = next((line for line in server.stderr if " ready at " in line), "")
        try:
            yield ready
        finally:
            os.killpg(server.pid, signal.SIGINT)
            server.communicate(timeout=60)
    assert server.returncode == 130


def test_every_block_of_the_readme_is_run_by_a_test_below() -> None:
    tested = (
        "scripts/serve ",
        "/ask?",
        "chat/completions",
        "用什么代替鸡蛋",
        "~/tea",
        "~/bakery",
        "platform list",
        "platform plan",
        "OPENAI_MODEL=",
    )
    assert [sum(words in block for words in tested) for block in blocks()] == [1] * len(blocks())
    assert len(blocks()) == len(tested)


@needs_environment
def test_the_two_commands_of_the_first_screen(demo: dict[str, str]) -> None:
    block = block_with("scripts/serve ")
    assert [line.split("#")[0].strip() for line in block.splitlines()] == ["scripts/serve", "scripts/test"]
    port = free_port()
    with serving(demo | {"PEGBOARD_PORT": str(port)}) as ready:
        assert f"http://127.0.0.1:{port}" in ready
        assert all(site in ready for site in ("kitchen", "shop", "help"))
    collected = run("scripts/test", demo | {"PYTEST_ADDOPTS": "--collect-only -q -p no:cacheprovider"})
    assert "tests/readme/test_readme.py::test_the_two_commands_of_the_first_screen" in collected


@needs_environment
@needs_curl
def test_asking_by_curl(demo: dict[str, str]) -> None:
    port = free_port()
    streamed, whole = block_with("/ask?").replace("8000", str(port)).splitlines()
    with serving(demo | {"PEGBOARD_PORT": str(port)}):
        events = [json.loads(line[6:]) for line in run(streamed, demo).splitlines() if line.startswith("data: ")]
        messages = json.loads(run(whole, demo))
    kinds = [event["message_type"] for event in events]
    assert (kinds[0], kinds[-1]) == ("begin-nlweb-response", "end-nlweb-response")
    (answer,) = [event for event in events if event["message_type"] == "nlws"]
    assert "Gluten-Free Penne" in answer["answer"]
    (answer,) = [message for message in messages if message["message_type"] == "nlws"]
    assert "Brambley Commuter 40" in answer["answer"]
    prices = [item["schema_object"]["offers"]["price"] for item in answer["items"]]
    assert prices
    assert max(prices) <= 100


@needs_environment
@needs_curl
def test_asking_by_chat_completions(demo: dict[str, str]) -> None:
    port = free_port()
    with serving(demo | {"PEGBOARD_PORT": str(port)}):
        said = json.loads(run(block_with("chat/completions").replace("8000", str(port)), demo))
    assert "Gluten-Free Penne" in said["choices"][0]["message"]["content"]


@needs_environment
def test_asking_by_the_command(demo: dict[str, str]) -> None:
    eggs, order, route = block_with("用什么代替鸡蛋").splitlines()
    assert "鸡蛋" in run(eggs, demo)
    assert "return" in run(order, demo).lower()
    explained = run(route, demo)
    assert "compare" in explained
    assert "recipe" not in explained


@needs_environment
def test_starting_a_project_of_ones_own(environment: dict[str, str]) -> None:
    said = run(block_with("~/tea"), environment)
    assert "No problems in 2 files: 1 site, 5 tools (0 disabled)\n" in said
    assert said.endswith("Sunday: 10:00 - 16:00\nweather: 明天下雨吗\n")


@needs_environment
def test_adding_a_tool(environment: dict[str, str]) -> None:
    said = run(block_with("~/bakery"), environment)
    assert "Old Town: 7:00 to 18:00, Sundays closed" in said
    assert said.count("Harbour") == 1
    assert said.rstrip().endswith("Harbour: 8:00 to 14:00, every day")


@needs_environment
def test_looking_at_what_is_inherited(demo: dict[str, str]) -> None:
    listed, shown = (run(line, demo) for line in block_with("platform list").splitlines())
    assert all(tool in listed for tool in ("recipe_substitutions", "accompaniment", "ensemble"))
    assert "tools.xml:" in shown


@needs_environment
def test_planning_and_running_several_steps(demo: dict[str, str]) -> None:
    plan, steps, runs, documents = (run(line, demo) for line in block_with("platform plan").splitlines())
    assert all(tool in plan for tool in ("calculator", "recipe_substitutions"))
    assert steps.startswith("# Soups for a cold day\n")
    assert "succeeded" in runs
    assert "Soups for a cold day" in documents


class StandIn(BaseHTTPRequestHandler):
    """An endpoint that finds every tool quite good, and answers in one sentence."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        said = '{"score": 75, "query": "twenty minutes"}' if "score" in json.dumps(asked) else "Miso salmon [1]."
        choice = {"index": 0, "finish_reason": "stop"}
        if asked.get("stream"):
            chunk = {
                "id": "1",
                "object": "chat.completion.chunk",
                "choices": [{**choice, "delta": {"content": said}}],
            }
            self.reply("text/event-stream", f"data: {json.dumps(chunk)}\n\ndata: [DONE]\n\n")
        else:
            message = {"role": "assistant", "content": said}
            body = {"id": "1", "object": "chat.completion", "choices": [{**choice, "message": message}]}
            self.reply("application/json", json.dumps(body))

    def reply(self, kind: str, text: str) -> None:
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(text.encode())))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def endpoint() -> Iterator[str]:
    """Serve the stand-in; return its base URL."""
    with ThreadingHTTPServer(("127.0.0.1", 0), StandIn) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
        server.shutdown()


@needs_environment
def test_using_a_model(demo: dict[str, str], endpoint: str) -> None:
    block = block_with("OPENAI_MODEL=")
    assert "http://127.0.0.1:11434/v1" in block
    said = run(block.replace("http://127.0.0.1:11434/v1", endpoint), demo)
    assert "Miso salmon [1]." in said


def test_the_declaration_of_the_first_screen_is_the_one_that_is_added_below() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    (shown,) = re.findall(r"^```yaml\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    lines = shown.splitlines()
    assert len(lines) - 1 <= 6
    assert all(line in block_with("~/bakery") for line in lines)


def test_the_numbers_of_the_demo_are_true() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    counts = {
        "recipes": len(list((ROOT / "demo/kitchen/recipes").iterdir())),
        "guides": len(list((ROOT / "demo/kitchen/guides").iterdir())),
        "products": len(list((ROOT / "demo/shop/products").iterdir())),
        "articles": len(list((ROOT / "demo/help").iterdir())),
    }
    for noun, count in counts.items():
        assert f"{count} {noun}" in text
