"""Samples of the block `python`."""

from collections.abc import Mapping, Sequence

from pydantic import BaseModel

from pegboard.config.blocks.python import PythonDeclaration
from pegboard.text import Json

SAMPLES: Mapping[type[BaseModel], Mapping[str, Sequence[Json]]] = {
    PythonDeclaration: {"isolate": ["process", "thread"], "workers": [2]},
}
CHOICES: Mapping[type[BaseModel], Mapping[str, Mapping[str, str]]] = {
    PythonDeclaration: {
        "isolate": {
            "thread": "In the server, on its event loop or in a thread: quick, but what hangs cannot be stopped.",
            "process": "In a process of its own; the handler knows question, site and language, and no more.",
        },
    },
}
