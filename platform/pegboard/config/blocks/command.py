"""A tool that is a program on this machine."""

from pydantic import Field

from pegboard.config.declaration import Declaration
from pegboard.config.duration import Seconds
from pegboard.config.secret.value import Secret, SecretText
from pegboard.config.sizes import Bytes


class FileArgumentDeclaration(Declaration):
    """An argument that names a file."""

    argument: str = Field(min_length=1)
    """The argument; where it stands in `argv`, the program gets the path of the file."""
    folder: str
    """The folder that the file lies in, or below; relative to this file."""


class SecretVariableDeclaration(Declaration):
    """A variable of the program's environment that carries a secret."""

    name: str = Field(min_length=1)
    """Of the variable."""
    value: SecretText = Field(default_factory=lambda: Secret(""))
    """The secret, as `${VARIABLE}` or `file:NAME`."""


class CommandDeclaration(Declaration):
    """The program that a call runs; the server's settings must allow it."""

    argv: list[str] = Field(min_length=1)
    """Program and arguments, no shell; `{argument}` stands for an argument's value."""
    options_end: bool = False
    """The program takes what follows `--` for no option: only there may a value begin with `-`."""
    files: list[FileArgumentDeclaration] = Field(default_factory=list)
    """The arguments that name a file."""
    stdin: str = ""
    """What the program reads; `{argument}` stands for an argument's value."""
    env: dict[str, str] = Field(default_factory=dict)
    """Variables of its environment: these, `PATH`, `LANG` and `HOME`, and no others."""
    secrets: list[SecretVariableDeclaration] = Field(default_factory=list)
    """Variables of its environment that carry a secret."""
    folder: str = ""
    """The folder that it runs in, relative to this file; without it, an empty one for each call."""
    json_output: bool = False
    """What it writes is one JSON document."""
    error_when: list[int] = Field(default_factory=list)
    """Exit codes that are failures; without them, all but 0."""
    show_errors: bool = False
    """The end of what it says on its error stream is part of a failure's message."""
    output_size: Bytes = 1 << 20
    """Most that is read of each of its streams; it is ended when it writes more."""
    cpu: Seconds = 10.0
    """How long it may compute; at least a second."""
    memory: Bytes = 1 << 30
    """How much memory it may address."""
    file_size: Bytes = 16 << 20
    """The largest file that it may write."""
    open_files: int = Field(default=64, ge=8, le=65_536)
    """How many files it may have open."""
    processes: int = Field(default=0, ge=0, le=65_536)
    """How many processes its user may have while it runs; 0: as many as the user may."""
