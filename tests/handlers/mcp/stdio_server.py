"""A server over stdio that speaks the older MCP by hand, and misbehaves where it is asked to; started as a process.

Not the SDK's: it starts at once, and the SDK's cannot be made to do this.
"""

import json
import os
import subprocess
import sys
import threading
import time
from typing import Any

TOOLS = ["echo", "variables", "where", "crash", "hang", "babble", "flood", "offspring", "grow", "cancelled"]
cancelled: list[object] = []
growing: list[str] = []
sending = threading.Lock()


def send(**message: Any) -> None:
    with sending:
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        sys.stdout.flush()


def definition(name: str) -> dict[str, Any]:
    return {"name": name, "description": f"Does {name}.", "inputSchema": {"type": "object"}}


def done(number: object, value: str, **more: Any) -> None:
    send(id=number, result={"content": [{"type": "text", "text": value}], **more})


def call(number: object, name: str, arguments: dict[str, Any]) -> None:
    if name == "echo":
        done(number, str(arguments.get("text")))
    elif name == "variables":
        done(number, json.dumps(dict(os.environ)))
    elif name == "where":
        done(number, os.getcwd())  # noqa: PTH109
    elif name == "crash":
        os._exit(3)
    elif name == "babble":
        print("starting up ...", flush=True)
        print("token is", os.environ.get("TOKEN"), file=sys.stderr, flush=True)
        done(number, "said")
    elif name == "flood":
        sys.stdout.write("x" * (6 << 20))
        sys.stdout.flush()
    elif name == "offspring":
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], stdin=subprocess.DEVNULL)
        done(number, str(child.pid))
    elif name == "grow":
        growing.append("grown")
        send(method="notifications/tools/list_changed")
        done(number, "grown")
    elif name == "cancelled":
        done(number, json.dumps(cancelled))


def handle(message: dict[str, Any]) -> None:
    number, method, params = message.get("id"), message["method"], message.get("params") or {}
    if method == "initialize":
        about = {"name": "by hand", "version": "1"}
        capabilities = {"tools": {"listChanged": True}}
        result = {"protocolVersion": params["protocolVersion"], "capabilities": capabilities, "serverInfo": about}
        send(id=number, result=result)
    elif method == "tools/list":
        send(id=number, result={"tools": [definition(name) for name in [*TOOLS, *growing]]})
    elif method == "tools/call":
        call(number, params["name"], params.get("arguments") or {})
    elif method == "notifications/cancelled":
        cancelled.append(params["requestId"])
    elif number is not None:
        send(id=number, error={"code": -32601, "message": f"no {method}"})


def main() -> None:
    if "--deaf" in sys.argv:
        time.sleep(600)
    for line in sys.stdin:
        handle(json.loads(line))
    if "--stays" in sys.argv:
        time.sleep(600)


if __name__ == "__main__":
    main()
