"""Help of a command before its parameters are read: typer reads even `--help` with pydantic, slowly."""

from collections.abc import Callable, Sequence
from itertools import takewhile
from typing import TYPE_CHECKING

import typer
from typer.core import TyperGroup

if TYPE_CHECKING:
    from typer._click.core import Context  # what the method that is overridden takes


SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


class QuickHelp(TyperGroup):
    """Commands that answer `--help` at once."""

    def parse_args(self, ctx: "Context", args: list[str]) -> list[str]:
        """Read the parameters, unless help of a command is asked for."""
        command = self.commands.get(args[0]) if args else None
        if isinstance(command, TyperGroup) and args[1:2] and args[1] in command.commands:
            return super().parse_args(ctx, args)
        if command is not None and _asks_for(ctx.help_option_names, args[1:]):
            own = typer.Context(command, info_name=args[0], parent=ctx)
            typer.echo(command.get_help(own))
            raise typer.Exit
        return super().parse_args(ctx, args)


def group_of(about: str, commands: Sequence[tuple[str, Callable[..., None], str]]) -> typer.Typer:
    """Return a command that is several: the name, the function and the epilog of each."""
    app = typer.Typer(cls=QuickHelp, help=about, rich_markup_mode=None, no_args_is_help=True, context_settings=SETTINGS)
    for name, function, epilog in commands:
        app.command(name, epilog=epilog)(function)
    return app


def _asks_for(options: Sequence[str], args: Sequence[str]) -> bool:
    """Tell whether one of `options` is among `args`, before the `--` that ends them."""
    return any(arg in options for arg in takewhile(lambda arg: arg != "--", args))
