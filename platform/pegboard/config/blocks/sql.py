"""A tool that is a statement on a database, and the database."""

from pydantic import Field

from pegboard.config.declaration import Declaration, Name
from pegboard.config.duration import Seconds
from pegboard.config.secret.value import Secret, SecretText
from pegboard.config.sizes import Bytes


class IdentifierDeclaration(Declaration):
    """A piece of a statement that an argument chooses, such as the column to sort by."""

    name: Name
    """The argument; it stands as `{name}` in the statement."""
    allowed: list[str] = Field(min_length=1)
    """What may stand there, word for word; the first where the argument is not given."""


class SqlDeclaration(Declaration):
    """The statement that a call runs."""

    source: Name
    """The database, declared under `sources`."""
    statement: str
    """SQL; `:argument` stands for an argument, which is always bound and never part of the text."""
    identifiers: list[IdentifierDeclaration] = Field(default_factory=list)
    """The arguments that choose a piece of the statement."""
    one: bool = False
    """The result is one row, the first, and not a list of rows."""
    writes: bool = False
    """It changes the database; without this the database itself refuses every change."""
    rows: int = Field(default=1000, ge=1, le=100_000)
    """Most rows that are read."""
    size: Bytes = 1 << 20
    """Most that is read, as JSON."""
    timeout: Seconds = 5.0
    """How long the statement may take; never longer than the call."""


class SqlSourceDeclaration(Declaration):
    """A database."""

    url: SecretText = Field(default_factory=lambda: Secret(""))
    """SQLAlchemy's address of it, such as `${SHOP_DATABASE}`: postgresql://… or sqlite:///…"""
    file: str = ""
    """A file of SQLite's, instead of `url`; relative to this file."""
    connections: int = Field(default=4, ge=1, le=64)
    """Most connections at once; a call beyond waits for one."""
    connect_timeout: Seconds = 3.0
    """How long connecting may take."""
