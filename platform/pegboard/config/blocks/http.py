"""A tool that is an HTTP request, and a service that several such tools share."""

from typing import Any, Literal

from pydantic import Field

from pegboard.config.blocks.auth import AuthDeclaration
from pegboard.config.declaration import Declaration, Name
from pegboard.config.sizes import Bytes


class PagingDeclaration(Declaration):
    """How the pages behind the first are asked for: one of `link`, `next`, `cursor`, `page` and `offset`."""

    link: bool = False
    """The header `Link` names the next page (`rel="next"`)."""
    next: str = ""
    """JMESPath of the next page's address in the reply."""
    cursor: str = ""
    """JMESPath of a value in the reply that `parameter` takes for the next page."""
    page: int | None = None
    """`parameter` counts pages, and this is the number of the first."""
    offset: int | None = None
    """`parameter` counts items, and this is the number of the first."""
    parameter: str = ""
    """The parameter of the query that `cursor`, `page` or `offset` is given in."""
    items: str = "@"
    """JMESPath of a page's items in its reply."""
    max_pages: int = Field(default=5, ge=1, le=1000)
    """At most so many pages are asked for."""
    max_items: int = Field(default=200, ge=1, le=100_000)
    """At most so many items are kept."""


class HttpDeclaration(Declaration):
    """The request that a call makes; `{argument}` stands for an argument's value."""

    source: Name | None = None
    """The service, declared under `sources`; `url` is then a path below its base."""
    method: Literal["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] = "GET"
    """The request's method."""
    url: str = Field(min_length=1)
    """Address with `{argument}` in its path, each of them one segment, encoded; or one `{argument}` that is all of it,
    which then has to be public."""
    query: dict[str, Any] = Field(default_factory=dict)
    """Parameters of the query; one whose argument is not given is left out."""
    lists: Literal["repeat", "comma", "space", "pipe"] = "repeat"
    """How a list stands in the query."""
    headers: dict[str, str] = Field(default_factory=dict)
    """Headers to send; one whose argument is not given is left out."""
    body: Any = None
    """What is sent: texts in it may be `{argument}`, which keeps the argument's type."""
    body_as: Literal["json", "form", "multipart", "text"] = "json"
    """How the body is written."""
    auth: AuthDeclaration | None = None
    """How the service is told who asks; without it, as the source says."""
    reply: Literal["auto", "json", "text", "bytes"] = "auto"
    """How the reply is read; `auto` goes by its content type, and by what is to be picked from it."""
    pick: str = ""
    """JMESPath of the result in the reply."""
    text: str = ""
    """JMESPath of the result in words; it reads what was picked."""
    error_when: str = ""
    """JMESPath that is true of a reply that tells of a failure, whatever its status."""
    error_message: str = ""
    """JMESPath of what such a reply says."""
    retry_when: str = ""
    """JMESPath that is true of a failure that may pass: the same call may succeed later."""
    empty_when: str = ""
    """JMESPath that is true of a reply that holds nothing, which is no failure."""
    empty_message: str = "Nothing was found."
    """What is said then."""
    missing_is_empty: bool = False
    """The statuses 404 and 410 tell that there is nothing, which is no failure."""
    paging: PagingDeclaration | None = None
    """How the pages behind the first are asked for."""
    redirects: int = Field(default=0, ge=0, le=10)
    """So many redirects are followed; to another service go neither secrets nor a body."""
    max_size: Bytes = 4 << 20
    """A larger reply is a failure; no more of it is read."""


class HttpSourceDeclaration(Declaration):
    """An HTTP service."""

    base_url: str
    """The address that all its tools' paths lie below; empty: the service is off."""
    headers: dict[str, str] = Field(default_factory=dict)
    """Headers to send with each request."""
    auth: AuthDeclaration | None = None
    """How the service is told who asks."""
    missing: str = ""
    """What a call says while `base_url` is empty: what to set."""
