"""A tool that is an operation of an OpenAPI document, and a source whose every operation is a tool."""

from pydantic import Field

from pegboard.config.blocks.auth import AuthDeclaration
from pegboard.config.declaration import Declaration, Name


class OpenapiDeclaration(Declaration):
    """One operation of a source."""

    source: Name
    """The source, declared under `sources`, that has the document."""
    operation: str
    """The operation's id."""


class OpenapiSourceDeclaration(Declaration):
    """An OpenAPI document whose operations are tools."""

    document: str
    """The document, JSON or YAML, relative to this file; nothing of it is ever fetched."""
    sha256: str = ""
    """Digest of the document: when it is another, nothing of it is served until it is imported again."""
    base_url: str = ""
    """The service's address; without it, the document's first server."""
    auth: AuthDeclaration | None = None
    """How the service is told who asks."""
    operations: list[str] = Field(default_factory=list)
    """Ids of operations, or patterns such as `get*`; without it, all."""
    tags: list[str] = Field(default_factory=list)
    """Only operations with one of these tags; without it, all."""
    exclude: list[str] = Field(default_factory=list)
    """Ids of operations, or patterns, that are no tools."""
