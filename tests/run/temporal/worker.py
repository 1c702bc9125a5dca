"""A worker of its own process, for tests that kill it: `python -m tests.run.temporal.worker ADDRESS QUEUE FOLDER`.

It says `ready` when it does nodes. Each call is a line of the file `calls` in FOLDER.
"""

import sys
from pathlib import Path

import anyio

from benchmarks.kill import planning, site
from pegboard.run.temporal.opening import Address, opened_temporal
from tests.run.running import world

HEARTBEAT_SECONDS = 1.0


async def work(address: str, queue: str, folder: Path) -> None:
    calls = folder / "calls"
    made, solving = site(calls), planning(calls)
    where = Address(address, queue=queue)
    context = world(made, solving=solving)
    async with opened_temporal(folder, lambda request: context, where, heartbeat_seconds=HEARTBEAT_SECONDS):
        print("ready", flush=True)
        await anyio.sleep_forever()


if __name__ == "__main__":
    anyio.run(work, sys.argv[1], sys.argv[2], Path(sys.argv[3]))
