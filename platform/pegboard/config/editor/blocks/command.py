"""Samples of the block `command`."""

from collections.abc import Mapping, Sequence

from pydantic import BaseModel

from pegboard.config.blocks.command import CommandDeclaration, FileArgumentDeclaration, SecretVariableDeclaration
from pegboard.text import Json

SAMPLES: Mapping[type[BaseModel], Mapping[str, Sequence[Json]]] = {
    FileArgumentDeclaration: {"argument": ["file"], "folder": ["documents"]},
    SecretVariableDeclaration: {"name": ["API_TOKEN"], "value": ["${SHOP_TOKEN}", "file:shop_token"]},
    CommandDeclaration: {
        "argv": [["wc", "-w", "{file}"]],
        "options_end": [True],
        "files": [[{"argument": "file", "folder": "documents"}]],
        "stdin": ["{text}"],
        "env": [{"TZ": "UTC"}],
        "secrets": [[{"name": "API_TOKEN", "value": "${SHOP_TOKEN}"}]],
        "folder": ["documents"],
        "json_output": [True],
        "error_when": [[2]],
        "show_errors": [True],
        "output_size": ["64KiB"],
        "cpu": ["2s"],
        "memory": ["256MiB"],
        "file_size": ["1MiB"],
        "open_files": [32],
        "processes": [64],
    },
}
