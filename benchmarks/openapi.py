"""What OpenAPI documents cost as tools: `python -m benchmarks.openapi FOLDER`, each document in a process of its own.

For each file of the folder (JSON or YAML, perhaps `.gz`): its operations, the deprecated ones too, imported as
`platform import openapi` does and loaded as `platform check` does; seconds and peak memory for both together; the
largest schema of arguments, whole and as a model sees it. A schema that is not valid, a name that is not legal or not
unique, or a limit that is broken ends it with exit code 1.
"""

import gzip
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import anyio
import jsonschema

from pegboard.app import check, draft_source, settings_from
from pegboard.catalog.tool import Tool
from pegboard.config.starter.wanted import NewSource
from pegboard.handlers.openapi.parse import parse
from pegboard.handlers.openapi.reading import read_document
from pegboard.text import Json, to_json

MOST_SECONDS = 10.0
MOST_MEGABYTES = 400.0
MOST_BYTES = 64 << 10


@dataclass(frozen=True, slots=True)
class Measured:
    """One document."""

    version: str
    operations: int
    tools: int
    seconds: float
    megabytes: float
    """Peak of the process, Python and the platform itself among it."""
    largest: int
    """Bytes of the largest schema of arguments."""
    largest_shown: int
    wrong: tuple[str, ...]


def measure(document: Path) -> Measured:
    """Import and load one document in this process."""
    data = document.read_bytes()
    data = gzip.decompress(data) if document.suffix == ".gz" else data
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"api{'.yaml' if '.yaml' in document.name else '.json'}"
        file.write_bytes(data)
        api = parse(read_document(data))
        deprecated = [each.id for each in api.operations.values() if each.deprecated]
        started = time.perf_counter()
        settings = settings_from(config=Path(folder), environ={})
        choice = {"operations": ["*", *deprecated]} if deprecated else {}
        draft = anyio.run(draft_source, settings, NewSource("openapi", str(file), "api", None, choice))
        for path, text in draft.files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        report = check(config=Path(folder), environ=os.environ)
        seconds = time.perf_counter() - started
        megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    tools = next(iter(report.catalog.sites.values())).tools
    problems = [str(problem) for problem in report.problems]
    return Measured(
        api.version,
        len(api.operations),
        len(tools),
        seconds,
        megabytes,
        max((_size(tool.parameters) for tool in tools), default=0),
        max((_size(tool.shown) for tool in tools), default=0),
        (*problems, *_wrong(tools)),
    )


def _size(schema: object) -> int:
    return len(to_json(schema).encode())


def _wrong(tools: Sequence[Tool]) -> list[str]:
    names = [tool.name for tool in tools]
    wrong = [f"{name!r} is no legal name" for name in names if not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", name)]
    wrong += [f"{name!r} is there twice" for name, times in Counter(names).items() if times > 1]
    for tool in tools:
        for schema in (tool.parameters, tool.shown, tool.reply):
            try:
                jsonschema.Draft202012Validator.check_schema(dict(schema))
            except jsonschema.SchemaError as error:
                wrong.append(f"{tool.name}: {error.message[:200]}")
    return wrong


def _beyond(found: dict[str, Json]) -> list[str]:
    limits = {"seconds": MOST_SECONDS, "megabytes": MOST_MEGABYTES, "largest_shown": float(MOST_BYTES)}
    over = [key for key, most in limits.items() if float(str(found[key])) > most]
    return over + (["tools"] if found["tools"] != found["operations"] else [])


def main(folder: Path) -> int:
    """Measure every document of a folder, and print a table."""
    is_bad = False
    print(f"{'document':60} {'version':>7} {'tools':>9} {'seconds':>7} {'MB':>5} {'schema':>8} {'shown':>8}")
    for document in sorted(folder.iterdir()):
        if document.name.startswith("_"):
            continue
        words = [sys.executable, "-m", "benchmarks.openapi", "--one", str(document)]
        done = subprocess.run(words, capture_output=True, text=True, timeout=600, check=False)
        if done.returncode:
            print(f"{document.name[:60]:60} {done.stderr.strip().splitlines()[-1]}")
            is_bad = True
            continue
        found = json.loads(done.stdout)
        tools = f"{found['tools']}/{found['operations']}"
        print(
            f"{document.name[:60]:60} {found['version']:>7} {tools:>9} {found['seconds']:7.2f} "
            f"{found['megabytes']:5.0f} {found['largest']:8,} {found['largest_shown']:8,}"
        )
        for each in (*found["wrong"], *_beyond(found)):
            print(f"    {each}")
            is_bad = True
    return int(is_bad)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        print(to_json(asdict(measure(Path(sys.argv[2])))))
    else:
        sys.exit(main(Path(sys.argv[1])))
