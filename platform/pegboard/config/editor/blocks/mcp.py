"""Samples of the block `mcp`."""

from collections.abc import Mapping, Sequence

from pydantic import BaseModel

from pegboard.config.blocks.mcp import McpDeclaration, McpSourceDeclaration, McpVariableDeclaration
from pegboard.text import Json

SAMPLES: Mapping[type[BaseModel], Mapping[str, Sequence[Json]]] = {
    McpDeclaration: {"source": ["files"], "tool": ["read_file"]},
    McpVariableDeclaration: {"name": ["FILES_TOKEN"], "value": ["${FILES_TOKEN}", "file:files_token"]},
    McpSourceDeclaration: {
        "url": ["https://mcp.shop.example/mcp"],
        "command": [["mcp-server-files", "--root", "data"]],
        "env": [{"LOG_LEVEL": "warning"}],
        "secrets": [[{"name": "FILES_TOKEN", "value": "${FILES_TOKEN}"}]],
        "cwd": ["data"],
        "headers": [{"Accept-Language": "en"}],
        "auth": [{"bearer": "${FILES_TOKEN}"}],
        "tools": [["read_*", "list_files"]],
        "exclude": [["write_*"]],
        "pins": ["pins/files.json"],
        "trust_hints": [True],
    },
}
