"""Samples of the block `mcp`."""

from collections.abc import Mapping, Sequence

from pydantic import BaseModel

from pegboard.config.blocks.mcp import McpDeclaration, McpSourceDeclaration
from pegboard.text import Json

SAMPLES: Mapping[type[BaseModel], Mapping[str, Sequence[Json]]] = {
    McpDeclaration: {"source": ["files"], "tool": ["read_file"]},
    McpSourceDeclaration: {
        "url": ["https://mcp.shop.example/mcp"],
        "command": [["mcp-server-files", "--root", "data"]],
        "headers": [{"Accept-Language": "en"}],
        "auth": [{"bearer": "${FILES_TOKEN}"}],
        "tools": [["read_*", "list_files"]],
        "exclude": [["write_*"]],
        "pins": ["pins/files.json"],
    },
}
