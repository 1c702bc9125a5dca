"""A tool of an MCP server, and an MCP server whose every tool is one."""

from pydantic import Field

from pegboard.config.blocks.auth import AuthDeclaration
from pegboard.config.declaration import Declaration, Name


class McpDeclaration(Declaration):
    """One tool of an MCP server."""

    source: Name
    """The server, declared under `sources`."""
    tool: str
    """What the server calls it."""


class McpSourceDeclaration(Declaration):
    """An MCP server whose tools are tools here."""

    url: str = ""
    """Address of a server that speaks streamable HTTP."""
    command: list[str] = Field(default_factory=list)
    """Program and arguments of a server that speaks over stdio; the server's settings must allow it."""
    headers: dict[str, str] = Field(default_factory=dict)
    """Headers to send to `url`."""
    auth: AuthDeclaration | None = None
    """How `url` is told who asks."""
    tools: list[str] = Field(default_factory=list)
    """Names of its tools, or patterns such as `read_*`; without it, all."""
    exclude: list[str] = Field(default_factory=list)
    """Names of its tools, or patterns, that are no tools here."""
    pins: str = ""
    """The file that holds the approved definitions of its tools, relative to this file."""
