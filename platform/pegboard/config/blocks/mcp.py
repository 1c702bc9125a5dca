"""A tool of an MCP server, and an MCP server whose every tool is one."""

from pydantic import Field

from pegboard.config.blocks.auth import AuthDeclaration
from pegboard.config.declaration import Declaration, Name
from pegboard.config.secret.value import Secret, SecretText


class McpDeclaration(Declaration):
    """One tool of an MCP server."""

    source: Name
    """The server, declared under `sources`."""
    tool: str
    """What the server calls it."""


class McpVariableDeclaration(Declaration):
    """A variable of a server's environment that carries a secret."""

    name: str = Field(min_length=1)
    """Of the variable."""
    value: SecretText = Field(default_factory=lambda: Secret(""))
    """The secret, as `${VARIABLE}` or `file:NAME`."""


class McpSourceDeclaration(Declaration):
    """An MCP server whose tools are tools here."""

    url: str = ""
    """Address of a server that speaks streamable HTTP."""
    command: list[str] = Field(default_factory=list)
    """Program and arguments of a server that speaks over stdio; the setting `mcp_commands` must allow it."""
    env: dict[str, str] = Field(default_factory=dict)
    """Variables of the server's environment; of ours it gets the search path, the home folder and the language."""
    secrets: list[McpVariableDeclaration] = Field(default_factory=list)
    """Variables of the server's environment that carry secrets."""
    cwd: str = ""
    """The folder that the server starts in, relative to this file; without it, the configuration's."""
    headers: dict[str, str] = Field(default_factory=dict)
    """Headers to send to `url`."""
    auth: AuthDeclaration | None = None
    """How `url` is told who asks."""
    tools: list[str] = Field(default_factory=list)
    """Names of its tools, or patterns such as `read_*`; without it, all."""
    exclude: list[str] = Field(default_factory=list)
    """Names of its tools, or patterns, that are no tools here."""
    pins: str = ""
    """File of the approved definitions of its tools, relative to this file; without it, `pins/NAME.json`."""
    trust_hints: bool = False
    """Believe the server when it says that a tool changes nothing (`readOnlyHint`)."""
