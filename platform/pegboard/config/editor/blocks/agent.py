"""Samples of agents, and of the block `agent`."""

from collections.abc import Mapping, Sequence

from pydantic import BaseModel

from pegboard.config.blocks.agent import AgentBlockDeclaration, AgentDeclaration
from pegboard.text import Json

_BLOCK: Mapping[str, Sequence[Json]] = {
    "system": ["You find out what a visitor of our shop needs. Say where you have it from."],
    "tools": [["search", "details"], ["knowledge", "writer"], []],
    "model": ["big"],
    "max_iterations": [5],
    "max_tokens": [50_000],
    "max_context_tokens": [12_000],
    "timeout": ["2m"],
    "temperature": [0, 0.7],
    "max_depth": [2, 1],
}

SAMPLES: Mapping[type[BaseModel], Mapping[str, Sequence[Json]]] = {
    AgentBlockDeclaration: _BLOCK,
    AgentDeclaration: {
        "name": ["adviser"],
        "type": ["Item", "Recipe"],
        "enabled": [True, False],
        "description": ["Finds out which of our things fit together, and why."],
        "examples": [["what do I need for a garden party, and what does it cost?"]],
        "tags": [["content"]],
        "prompt": ["The user asks: {request.query}\n\nScore from 0 to 100 how much it takes to find that out.\n"],
        **_BLOCK,
        "read_only": [True],
        "call": [{"timeout": "5m"}],
        "pinned": [True],
        "override": ["merge", "replace"],
    },
}

CHOICES: Mapping[type[BaseModel], Mapping[str, Mapping[str, str]]] = {
    AgentDeclaration: {
        "override": {
            "merge": "The fields that are given override those of the inherited tool; the rest is inherited.",
            "replace": "The inherited tool is forgotten; this declaration is the whole tool.",
        },
    },
}
