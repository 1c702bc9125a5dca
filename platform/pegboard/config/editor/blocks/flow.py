"""Samples of flows, and of the block `flow`."""

from collections.abc import Mapping, Sequence

from pydantic import BaseModel

from pegboard.config.blocks.flow import (
    FlowBlockDeclaration,
    FlowDeclaration,
    FlowNodeDeclaration,
    FlowOutputsDeclaration,
    FlowRaceDeclaration,
)
from pegboard.text import Json

_NODES: list[Json] = [
    {"id": "recipe", "tool": "details", "arguments": {"item": "${inputs.dish}"}},
    {"id": "drink", "tool": "accompaniment", "arguments": {"main": "${inputs.dish}"}, "on_failure": "continue"},
]
_TEXT = "${recipe.text}\n\nTo drink: ${drink.text}\n"

SAMPLES: Mapping[type[BaseModel], Mapping[str, Sequence[Json]]] = {
    FlowDeclaration: {
        "name": ["dinner"],
        "type": ["Recipe", "Item"],
        "enabled": [True, False],
        "description": ["Tells how a dish is made and what to drink with it."],
        "examples": [["how do I make risotto, and which wine goes with it?"]],
        "tags": [["content"]],
        "prompt": ["The user asks: {request.query}\n\nScore from 0 to 100 how well recipe and drink answer that.\n"],
        "parameters": [{"dish": "name of the dish"}],
        "nodes": [_NODES],
        "races": [[{"name": "weather", "in_turn": True}]],
        "outputs": [{"text": _TEXT}],
        "output": [{"minutes": "integer, how long it takes"}],
        "read_only": [True],
        "call": [{"timeout": "30s"}],
        "pinned": [True],
        "override": ["merge", "replace"],
    },
    FlowBlockDeclaration: {
        "nodes": [_NODES],
        "races": [[{"name": "weather", "favourite": "near", "head_start": "300ms"}]],
        "outputs": [{"text": _TEXT}],
    },
    FlowNodeDeclaration: {
        "id": ["recipe", "drink"],
        "tool": ["search", "details"],
        "agent": ["writer"],
        "goal": ["Write a menu of ${recipe.text}"],
        "arguments": [{"query": "${inputs.dish}"}, {"item": "${found.items[0].name}"}],
        "depends_on": [["recipe"]],
        "race_group": ["weather"],
        "when": ["inputs.guests > `4`", "nodes.found.items"],
        "needs": ["all", "any"],
        "on_failure": ["skip_dependents", "continue", "fail"],
        "fallback": ["other"],
    },
    FlowRaceDeclaration: {
        "name": ["weather"],
        "in_turn": [True],
        "favourite": ["near"],
        "head_start": ["300ms"],
        "timeout": ["5s"],
    },
    FlowOutputsDeclaration: {
        "text": [_TEXT],
        "data": [{"recipe": "${recipe.items[0].name}"}],
    },
}

CHOICES: Mapping[type[BaseModel], Mapping[str, Mapping[str, str]]] = {
    FlowNodeDeclaration: {
        "needs": {
            "all": "It runs when all that it waits for has come to something.",
            "any": "It runs when all that it waits for has ended, and one of it has come to something.",
        },
        "on_failure": {
            "skip_dependents": "Those that wait for it are left out.",
            "continue": "Those that wait for it run without what it would have given.",
            "fail": "The whole flow ends.",
        },
    },
    FlowDeclaration: {
        "override": {
            "merge": "The fields that are given override those of the inherited tool; the rest is inherited.",
            "replace": "The inherited tool is forgotten; this declaration is the whole tool.",
        },
    },
}
