"""Ask and route: by a running server of the same configuration where there is one, else in this process."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from pegboard.edges.cli.inquiry import Inquiry, Listener
from pegboard.edges.cli.opening import backend_of, opened, settings_of
from pegboard.text import Json

if TYPE_CHECKING:
    from pegboard.app import Settings
    from pegboard.catalog.contract import Question
    from pegboard.edges.served import Served
    from pegboard.events import Emit, Event


def routed(
    context: typer.Context, inquiry: Inquiry, *, config: Path | None, data: Path | None, no_server: bool
) -> dict[str, Json]:
    """Return the JSON of the decision."""
    import anyio

    from pegboard.edges.cli import remote

    settings = settings_of(context, config, data)

    async def work() -> dict[str, Json]:
        if not no_server and (url := await _server(context, settings)) is not None:
            return await remote.route(url, inquiry, seconds=settings.request_seconds)
        async with opened(context, settings) as served:
            return dict((await served.route(_question(served, inquiry))).to_json())

    return anyio.run(work)


def routed_by(
    context: typer.Context,
    inquiry: Inquiry,
    strategies: Sequence[str],
    *,
    config: Path | None,
    data: Path | None,
) -> dict[str, dict[str, Json]]:
    """Return the JSON of the decision by each strategy; always of this process, whatever server runs."""
    import anyio

    settings = settings_of(context, config, data)

    async def work() -> dict[str, dict[str, Json]]:
        async with opened(context, settings) as served:
            question = _question(served, inquiry)
            return {
                name: dict((await served.route(question, strategy=name)).to_json())
                for name in dict.fromkeys(strategies)
            }

    return anyio.run(work)


def answered(
    context: typer.Context,
    inquiry: Inquiry,
    listener: Listener,
    *,
    config: Path | None,
    data: Path | None,
    no_server: bool,
) -> dict[str, Json]:
    """Return the JSON of the answer; `listener` hears it come."""
    import anyio

    from pegboard.edges.cli import remote

    settings = settings_of(context, config, data)

    async def work() -> dict[str, Json]:
        if not no_server and (url := await _server(context, settings)) is not None:
            return await remote.ask(url, inquiry, listener, seconds=settings.request_seconds)
        async with opened(context, settings) as served:
            return dict((await served.ask(_question(served, inquiry), emit=_telling(listener))).to_json())

    return anyio.run(work)


async def _server(context: typer.Context, settings: "Settings") -> str | None:
    from pegboard.edges.cli.remote import running_server

    return await running_server(settings, backend_of(context).digest_of)


def _question(served: "Served", inquiry: Inquiry) -> "Question":
    site = served.site_for(inquiry.site, None)
    return served.question(
        inquiry.text,
        site=site,
        tools=inquiry.tools,
        previous=inquiry.previous,
        mode=inquiry.mode,
        strategy=inquiry.strategy,
    )


def _telling(listener: Listener) -> "Emit":
    from pegboard.events import AnswerPiece, Degraded, Noticed

    def emit(event: "Event") -> None:
        match event:
            case AnswerPiece():
                listener.piece(event.text)
            case Degraded():
                listener.notice(event.reason)
            case Noticed():
                listener.notice(event.message)
            case _:
                pass

    return emit
