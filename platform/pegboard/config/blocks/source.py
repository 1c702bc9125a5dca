"""A source: a service that tools reach, declared once; of some kinds, all that it offers are tools."""

from pydantic import Field

from pegboard.config.blocks.http import HttpSourceDeclaration
from pegboard.config.blocks.mcp import McpSourceDeclaration
from pegboard.config.blocks.openapi import OpenapiSourceDeclaration
from pegboard.config.blocks.sql import SqlSourceDeclaration
from pegboard.config.calling import CallDeclaration
from pegboard.config.declaration import Declaration, Name


class SourceDeclaration(Declaration):
    """A service; with one of `http`, `openapi`, `mcp` and `sql`."""

    name: Name
    """Unique: what tools call it."""
    description: str = ""
    """What it is, in one line."""
    type: str = "Item"
    """The type that owns the tools that it offers."""
    prefix: str = ""
    """What the names of its tools begin with."""
    call: CallDeclaration = Field(default_factory=CallDeclaration)
    """Limits of its tools' calls."""
    http: HttpSourceDeclaration | None = None
    """An HTTP service."""
    openapi: OpenapiSourceDeclaration | None = None
    """An OpenAPI document: each of its operations is a tool."""
    mcp: McpSourceDeclaration | None = None
    """An MCP server: each of its tools is one."""
    sql: SqlSourceDeclaration | None = None
    """A database."""
    untrusted: bool | None = None
    """What its tools return is the text of others, which may carry instructions; without it, true of all but `sql`."""
