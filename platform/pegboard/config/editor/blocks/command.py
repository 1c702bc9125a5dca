"""Samples of the block `command`."""

from collections.abc import Mapping, Sequence

from pydantic import BaseModel

from pegboard.config.blocks.command import CommandDeclaration
from pegboard.text import Json

SAMPLES: Mapping[type[BaseModel], Mapping[str, Sequence[Json]]] = {
    CommandDeclaration: {"argv": [["wc", "-w", "{file}"]]},
}
