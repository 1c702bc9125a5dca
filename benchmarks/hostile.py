"""What the worst documents cost: each is checked in a fresh process, seconds and memory, worst first.

    python -m benchmarks.hostile              all of them
    python -m benchmarks.hostile yaml dup     those whose name holds one of these words

Seconds are those of the check itself (documents read, catalog built), without the imports; those of the processor
are less where other processes run beside it. Memory is the
highest that the process held, less what it held for a trivial valid document. The promise is 1 s and 100 MB.
"""

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from benchmarks.hostile_documents import (
    ANY_DOCUMENTS,
    JSON_DOCUMENTS,
    JSON_TOKENS,
    XML_DOCUMENTS,
    XML_TOKENS,
    Document,
    filled,
)
from benchmarks.hostile_yaml import YAML_DOCUMENTS, YAML_TOKENS
from pegboard.catalog.load import check
from pegboard.config.server.settings import Settings

_PATIENCE = 10
"""Seconds after which a check is given up."""

TRIVIAL = "tools: [{name: clock, description: Tells the time.}]\n"


class Measured(NamedTuple):
    """What checking a document took."""

    seconds: float
    processor: float
    """Seconds of the processor."""
    most_bytes: int
    problems: int
    first: str
    """The first problem."""


def inputs() -> dict[str, Document]:
    """Return every hostile document by its name, which begins with its suffix."""
    found = dict[str, Document]()
    for suffix, tokens, named in (
        ("yaml", YAML_TOKENS, YAML_DOCUMENTS),
        ("json", JSON_TOKENS, JSON_DOCUMENTS),
        ("xml", XML_TOKENS, XML_DOCUMENTS),
    ):
        found |= {f"{suffix} token {token!r}": filled(token) for token in tokens}
        found |= {f"{suffix} {name}": document for name, document in {**named, **ANY_DOCUMENTS}.items()}
    return found


def measure(path: Path) -> None:
    """Check the document at `path` in this process, and print what it took."""
    settings = Settings(root=path.parent, config=path, data=path.parent)
    started, began = time.perf_counter(), time.process_time()
    report = check(settings)
    seconds, processor = time.perf_counter() - started, time.process_time() - began
    first = str(report.problems[0])[:160] if report.problems else ""
    print(json.dumps([seconds, processor, _most_bytes(), len(report.problems), first]))


def _most_bytes() -> int:
    """Return the most memory that this process held, since it was started anew where the system tells that."""
    status = Path("/proc/self/status")
    if status.exists():
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) << 10
    unit = 1 if sys.platform == "darwin" else 1 << 10
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def _in_fresh_process(folder: Path, suffix: str, data: bytes) -> Measured:
    path = folder / f"tools.{suffix}"
    path.write_bytes(data)
    command = [sys.executable, "-m", "benchmarks.hostile", "--measure", str(path)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=_PATIENCE)
    except subprocess.TimeoutExpired:
        return Measured(_PATIENCE, _PATIENCE, 0, 0, "NOT DONE")
    if done.returncode:
        return Measured(0, 0, 0, 0, f"FAILED: {done.stderr.strip().splitlines()[-1]}")
    return Measured(*json.loads(done.stdout))


def main(words: list[str]) -> None:
    """Measure each document, and print the worst first."""
    rows = list[tuple[str, Measured]]()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        base = min(_in_fresh_process(folder, "yaml", TRIVIAL.encode()).most_bytes for _ in range(3))
        for title, document in inputs().items():
            if not words or any(word in title for word in words):
                rows.append((title, _in_fresh_process(folder, title.partition(" ")[0], document())))
                print(f"{rows[-1][1].seconds:.2f} {title}", file=sys.stderr, flush=True)
    print(f"a trivial document: {base / 1e6:.0f} MB\n\nseconds  of processor      MB  problems  document")
    for title, row in sorted(rows, key=lambda row: -max(row[1].seconds, (row[1].most_bytes - base) / 1e8)):
        megabytes = (row.most_bytes - base) / 1e6
        print(f"{row.seconds:7.2f} {row.processor:13.2f} {megabytes:7.1f} {row.problems:9}  {title}: {row.first}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--measure"]:
        measure(Path(sys.argv[2]))
    else:
        main(sys.argv[1:])
