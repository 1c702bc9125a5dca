"""What `platform plan` and `platform run` are told: a question, or a plan in a file, and what it is given."""

import json
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from pegboard.edges.cli.arguments import MOST_BYTES, read_stdin
from pegboard.edges.cli.driving import Drives, Here, Order
from pegboard.edges.cli.opening import backend_of, opened, settings_of
from pegboard.errors import UsageError
from pegboard.text import Json, read_json

Wanted: TypeAlias = Annotated[
    str | None,
    typer.Argument(metavar="QUESTION", help="What shall be done; - reads it from stdin.", show_default=False),
]
PlanFile: TypeAlias = Annotated[
    Path | None,
    typer.Option("--plan", metavar="FILE", help="A plan written as JSON, instead of a question; - reads stdin."),
]
Only: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--tool", "-t", metavar="NAME", help="Plan with this tool only; may be repeated."),
]
Input: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--input", "-i", metavar="K=V", help="What ${inputs.K} in the plan stands for; may be repeated."),
]


PLANNING = "planning"
"""What is told to be done until there is a plan."""


def order_of(
    question: str | None,
    file: Path | None,
    *,
    site: str | None,
    tools: Sequence[str] | None,
) -> Order:
    """Return what is asked for.

    Raises:
        UsageError: it is neither a question nor a plan, or `file` holds none.
    """
    if question is None and file is None:
        raise UsageError("There is nothing to do.", hint="Ask in quotes, or name a plan: --plan FILE.")
    if file is not None and tools:
        raise UsageError("--tool is for a question: a plan names its tools.")
    asked = "" if question is None else read_stdin() if question == "-" else question
    if file is not None:
        return Order(asked, plan_from(file), site)
    if asked.strip().endswith(".json") and Path(asked.strip()).is_file():
        raise UsageError(f"{asked.strip()} is a file.", hint=f"Say --plan {asked.strip()}.")
    if not asked.strip():
        raise UsageError("The question is empty.", hint="Write it in quotes.")
    return Order(asked, None, site, tuple(tools or ()))


def plan_from(file: Path) -> Json:
    """Read a plan: itself, or what `platform plan --json` has printed.

    Raises:
        UsageError: it cannot be read.
    """
    from pegboard.app import plan_in

    try:
        return plan_in(read_json(_text_of(file)))
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror}.") from error
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise UsageError(f"{file} holds no JSON: {error.msg} at {place}.") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{file} is not UTF-8 (byte {error.start}).") from error
    except ValueError as error:
        raise UsageError(f"{file} holds no JSON that can be read: {error}.") from error


def _text_of(file: Path) -> str:
    if str(file) == "-":
        return read_stdin()
    with file.open("rb") as opened:
        data = opened.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise UsageError(f"{file} holds more than {MOST_BYTES >> 20} MiB.", hint="A plan is not so long.")
    return data.decode("utf-8-sig")


def inputs_from(words: Sequence[str] | None) -> dict[str, Json]:
    """Read inputs; a value that is JSON is taken as that, any other as a text.

    Raises:
        UsageError: a word is not of the form K=V, or a name is there twice.
    """
    inputs: dict[str, Json] = {}
    for word in words or ():
        name, equals, text = word.partition("=")
        if not equals or not name.strip():
            raise UsageError(f"--input takes K=V, not {word!r}.", hint="Such as --input city=Paris.")
        if name.strip() in inputs:
            raise UsageError(f"Input {name.strip()!r} is given twice.")
        try:
            inputs[name.strip()] = read_json(text)
        except json.JSONDecodeError:
            inputs[name.strip()] = text
        except ValueError as error:
            raise UsageError(f"--input {name.strip()[:80]} cannot be read as JSON: {error}.") from error
    return inputs


@dataclass(frozen=True, slots=True)
class Planning:
    """Where a command plans and runs: by a running server of the same configuration, else in this process."""

    context: typer.Context
    config: Path | None
    data: Path | None
    no_server: bool

    def planned(self, order: Order) -> dict[str, Json]:
        """Return the JSON of a plan."""
        import anyio

        from pegboard.edges.cli.patience import patiently

        async def work() -> dict[str, Json]:
            async with self.opened() as drives:
                return await patiently(PLANNING, partial(drives.plan, order), sys.stderr)

        return anyio.run(work)

    @asynccontextmanager
    async def opened(self, *, only_by_server: bool = False) -> AsyncIterator[Drives]:
        """Open it.

        Raises:
            UsageError: no server runs, and only one would do.
        """
        from pegboard.edges.cli.remote import running_server
        from pegboard.edges.cli.remote_runs import runs_at

        settings = settings_of(self.context, self.config, self.data)
        url = None if self.no_server else await running_server(settings, backend_of(self.context).digest_of)
        if url is not None:
            async with runs_at(url, seconds=settings.request_seconds) as there:
                yield there
        elif only_by_server:
            hint = "Start one (platform serve), or leave out --detach."
            raise UsageError("No server of this configuration runs, which could drive the run on.", hint=hint)
        else:
            async with opened(self.context, settings) as served:
                yield Here(served)
