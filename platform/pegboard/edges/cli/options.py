"""The options that several commands share."""

from pathlib import Path
from typing import Annotated, Literal, TypeAlias

import typer

Config: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--config",
        "-c",
        metavar="PATH",
        help="A folder with tools.xml and tools.d/, or one file; this folder otherwise.",
    ),
]
Data: TypeAlias = Annotated[
    Path | None,
    typer.Option("--data", metavar="DIR", help="Where the index lies; .pegboard beside the declarations otherwise."),
]
Assigned: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="Give a server setting; may be repeated. See platform config."),
]
Site: TypeAlias = Annotated[
    str | None,
    typer.Option("--site", "-s", metavar="NAME", help="The site; the only or default one otherwise."),
]
AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="Print one JSON document instead of text.")]
NoServer: TypeAlias = Annotated[
    bool, typer.Option("--no-server", help="Do the work here, even if a server of this configuration runs.")
]
Tools: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--tool", "-t", metavar="NAME", help="Run this tool without scoring; repeated, the only candidates."),
]
Mode: TypeAlias = Annotated[
    Literal["chat", "tool", "knowledge", "plan"] | None,
    typer.Option(
        "--mode",
        help="By the tool that fits (tool), in steps (plan), by the site's content (knowledge), or words (chat).",
    ),
]
Strategy: TypeAlias = Annotated[
    Literal["score", "batch", "functions", "embedded", "cascade"] | None,
    typer.Option("--strategy", help="How the tool is chosen; as the site declares otherwise."),
]
Previous: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--prev", metavar="TEXT", help="An earlier question of the conversation; may be repeated. Needs a model."
    ),
]
Strategies: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--strategy", metavar="NAME", help="How tools are scored; repeated, side by side. Or as declared."),
]
Question: TypeAlias = Annotated[
    str,
    typer.Argument(metavar="QUESTION", help="The question; - reads it from stdin.", show_default=False),
]
