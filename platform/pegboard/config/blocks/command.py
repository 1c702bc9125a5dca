"""A tool that is a program on this machine."""

from pydantic import Field

from pegboard.config.declaration import Declaration


class CommandDeclaration(Declaration):
    """The program that a call runs; the server's settings must allow it."""

    argv: list[str] = Field(min_length=1)
    """Program and arguments, no shell; `{argument}` stands for an argument's value."""
