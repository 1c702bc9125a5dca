"""A tool that is an operation of an OpenAPI document, and a source whose every operation is a tool."""

from pydantic import Field

from pegboard.config.blocks.auth import AuthDeclaration
from pegboard.config.declaration import Declaration, Name
from pegboard.config.secret.value import Secret, SecretText


class OpenapiDeclaration(Declaration):
    """One operation of a source."""

    source: Name
    """The source, declared under `sources`, that has the document."""
    operation: str = Field(min_length=1)
    """The operation's id, or its method and path: `GET /pets/{id}`."""


class CredentialDeclaration(Declaration):
    """The secret for one of the document's security schemes; where it goes, the document says."""

    scheme: str = Field(min_length=1)
    """The scheme, as the document calls it under `securitySchemes`."""
    value: SecretText = Field(default_factory=lambda: Secret(""))
    """The token, key or password, as `${VARIABLE}` or `file:NAME`; empty: requests go out without."""
    user: str = ""
    """For a scheme of user and password, the user."""


class OpenapiSourceDeclaration(Declaration):
    """An OpenAPI document whose operations are tools."""

    document: str = Field(min_length=1)
    """The document, JSON or YAML, relative to this file; nothing of it is ever fetched."""
    sha256: str = ""
    """Digest of the document: when it is another, nothing of it is served until it is imported again."""
    base_url: str = ""
    """The service's address, for all operations; without it, as the document says."""
    auth: AuthDeclaration | None = None
    """How the service is told who asks, where `security` does not say it."""
    security: list[CredentialDeclaration] = Field(default_factory=list)
    """Secrets by the document's security schemes; each operation is sent those that it asks for."""
    headers: dict[str, str] = Field(default_factory=dict)
    """Headers to send with each request, such as the version of the service; no caller is asked for them."""
    operations: list[str] = Field(default_factory=list)
    """Ids of operations, or patterns such as `get*`; without it, all but the deprecated ones."""
    tags: list[str] = Field(default_factory=list)
    """Only operations with one of these tags; without it, all."""
    exclude: list[str] = Field(default_factory=list)
    """Ids of operations, or patterns, that are no tools."""
