"""A tool that is a statement on a database, and the database."""

from pydantic import Field

from pegboard.config.declaration import Declaration, Name
from pegboard.config.secret.value import Secret, SecretText


class SqlDeclaration(Declaration):
    """The statement that a call runs."""

    source: Name
    """The database, declared under `sources`."""
    statement: str
    """SQL; `:argument` stands for an argument, which is always bound and never part of the text."""


class SqlSourceDeclaration(Declaration):
    """A database."""

    url: SecretText = Field(default_factory=lambda: Secret(""))
    """SQLAlchemy's address of it, such as `sqlite:///shop.db` or `${SHOP_DATABASE}`."""
