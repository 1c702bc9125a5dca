"""How a service is told who asks: always by a secret."""

from pydantic import Field

from pegboard.config.declaration import Declaration
from pegboard.config.secret.value import Secret, SecretText


class HeaderDeclaration(Declaration):
    """A header, or a parameter of the query, that carries a secret."""

    name: str = Field(min_length=1)
    """Of the header or the parameter."""
    value: SecretText = Field(default_factory=lambda: Secret(""))
    """The secret, as `${VARIABLE}` or `file:NAME`."""


class AuthDeclaration(Declaration):
    """How the service is told who asks; one of the ways."""

    bearer: SecretText | None = None
    """A token, sent as `Authorization: Bearer …`."""
    user: str = ""
    """With `password`: HTTP's basic authentication."""
    password: SecretText | None = None
    """The password of `user`."""
    header: HeaderDeclaration | None = None
    """A header of the service's own that carries the secret, such as `X-Api-Key`."""
    query: HeaderDeclaration | None = None
    """A parameter of the query that carries the secret, such as `key`."""
    missing: str = ""
    """What a call says while the secret is empty: where to get one, and which variable to set."""
