"""MCP servers as sources of tools, over stdio and streamable HTTP: `tool` is the kind of their tools."""

from pegboard.handlers.mcp.kind import tool

__all__ = ["tool"]
