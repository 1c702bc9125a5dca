"""How many model calls a request costs on the demo, as a loopback endpoint counts them.

    python -m benchmarks.calls

The right tool scores 85: enough to be chosen, too little to end the scoring, so that every candidate is paid for.
Beside it stands what NLWeb takes for the same, counted in its source.
"""

import tempfile
from pathlib import Path

import anyio

from tests.app.counting import REQUESTS, counted_demo


async def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        async with counted_demo(Path(folder)) as demo:
            for request in REQUESTS:
                calls = await demo.calls(request)
                bare = await demo.calls(request, with_arguments=False)
                print(
                    f"{request.tool:8} {calls} calls with {demo.candidates} candidates, {bare} where the scoring reply "
                    f"carries no arguments; allowed {demo.candidates + request.beyond}, NLWeb {request.nlweb}"
                )


if __name__ == "__main__":
    anyio.run(main)
