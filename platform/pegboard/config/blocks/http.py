"""A tool that is an HTTP request, and a service that several such tools share."""

from typing import Any, Literal

from pydantic import Field

from pegboard.config.blocks.auth import AuthDeclaration
from pegboard.config.declaration import Declaration, Name


class HttpDeclaration(Declaration):
    """The request that a call makes; `{argument}` stands for an argument's value."""

    source: Name | None = None
    """The service, declared under `sources`; `url` is then a path below its base."""
    method: Literal["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] = "GET"
    """The request's method."""
    url: str = Field(min_length=1)
    """Address with `{argument}` in its path, each of them one segment, encoded."""
    query: dict[str, Any] = Field(default_factory=dict)
    """Parameters of the query; one whose argument is not given is left out."""
    headers: dict[str, str] = Field(default_factory=dict)
    """Headers to send."""
    body: Any = None
    """What is sent, as JSON: texts in it may be `{argument}`, which keeps the argument's type."""
    auth: AuthDeclaration | None = None
    """How the service is told who asks; without it, as the source says."""


class HttpSourceDeclaration(Declaration):
    """An HTTP service."""

    base_url: str
    """The address that all its tools' paths lie below."""
    headers: dict[str, str] = Field(default_factory=dict)
    """Headers to send with each request."""
    auth: AuthDeclaration | None = None
    """How the service is told who asks."""
