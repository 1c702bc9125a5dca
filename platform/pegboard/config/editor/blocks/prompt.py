"""Samples of the block `prompt`."""

from collections.abc import Mapping, Sequence

from pydantic import BaseModel

from pegboard.config.blocks.prompt import PromptDeclaration
from pegboard.text import Json

SAMPLES: Mapping[type[BaseModel], Mapping[str, Sequence[Json]]] = {
    PromptDeclaration: {
        "template": ["Translate this into {language}: {text}"],
        "system": ["You translate menus, and keep the names of dishes."],
        "max_tokens": [512],
    },
}
