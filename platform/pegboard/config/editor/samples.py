"""A value for every field, and what each choice means: what editors show and complete.

They stand beside the declarations, not in them, so that the shape can be read at one glance. A test finds a field
that has none, and a sample that its own field refuses.
"""

from collections.abc import Mapping, Sequence

from pydantic import BaseModel

from pegboard.config.calling import BreakerDeclaration, CallDeclaration
from pegboard.config.declarations import (
    BudgetDeclaration,
    CascadeDeclaration,
    Document,
    KnowledgeDeclaration,
    ModelDeclaration,
    RolesDeclaration,
    RouteDeclaration,
    RuleDeclaration,
    SiteDeclaration,
    ToolDeclaration,
    TypeDeclaration,
)
from pegboard.config.editor.blocks import agent, auth, command, flow, http, mcp, openapi, prompt, python, source, sql
from pegboard.text import Json

_HOURS: dict[str, Json] = {
    "name": "opening_hours",
    "description": "Says when we are open.",
    "examples": {"en": ["are you open on Sunday?"], "zh": ["你们周日开门吗"]},
    "handler": "my_tools:opening_hours",
    "read_only": True,
}

_BLOCKS = (agent, auth, command, flow, http, mcp, openapi, prompt, python, source, sql)

SAMPLES: Mapping[type[BaseModel], Mapping[str, Sequence[Json]]] = {
    **{model: samples for block in _BLOCKS for model, samples in block.SAMPLES.items()},
    Document: {
        "version": ["1"],
        "dialect": ["own", "nlweb"],
        "types": [[{"name": "Cocktail", "parents": ["Recipe"]}]],
        "tools": [[_HOURS]],
        "sites": [[{"name": "kitchen", "domains": ["kitchen.example", "*.kitchen.example"], "types": ["Recipe"]}]],
        "knowledge": [[{"name": "kitchen", "sources": ["content"]}]],
        "models": [
            [{"name": "local", "base_url": "http://127.0.0.1:8080/v1", "default": True}],
            [{"name": "big", "model": "gpt-5-mini", "key": "${BIG_KEY}", "requests_per_minute": 600}],
        ],
        "sources": [[{"name": "shop", "http": {"base_url": "https://api.shop.example/v1"}}]],
        "flows": [
            [
                {
                    "name": "dinner",
                    "parameters": {"dish": "name of the dish"},
                    "nodes": [{"id": "recipe", "tool": "details", "arguments": {"item": "${inputs.dish}"}}],
                }
            ]
        ],
        "agents": [
            [
                {
                    "name": "adviser",
                    "description": "Finds out which of our things fit together.",
                    "system": "You find out what a visitor of our shop needs.",
                    "tools": ["search", "details"],
                }
            ]
        ],
        "call": [{"timeout": "5s", "retries": 2}],
    },
    ToolDeclaration: {
        "name": ["opening_hours"],
        "type": ["Item", "Recipe", "Product", "Article"],
        "enabled": [True, False],
        "description": ["Says when one of our shops is open."],
        "examples": [["are you open on Sunday?"], {"en": ["are you open on Sunday?"], "zh": ["你们周日开门吗"]}],
        "tags": [["content"], ["sums", "时间"]],
        "prompt": [
            "A visitor asks: {request.query}\n\n"
            "Score from 0 to 100 how well the opening hours of our shops answer that. "
            "Reply with the score and the shop that is meant.\n"
        ],
        "returns": [{"score": "integer between 0 and 100", "shop": "name of the shop, as the visitor writes it"}],
        "parameters": [{"type": "object", "properties": {"shop": {"type": "string"}}, "required": ["shop"]}],
        "output": [{"type": "object", "properties": {"opens": {"type": "string"}, "closes": {"type": "string"}}}],
        "handler": [
            "my_tools:opening_hours",
            "pegboard.handlers.search:search",
            "pegboard.handlers.details:details",
            "pegboard.handlers.compare:compare",
            "pegboard.handlers.ensemble:ensemble",
            "pegboard.handlers.recipe_substitutions:recipe_substitutions",
            "pegboard.handlers.accompaniment:accompaniment",
            "pegboard.handlers.knowledge:knowledge",
            "pegboard.handlers.documents:write_document",
            "pegboard.handlers.calculator:calculator",
            "pegboard.handlers.clock:clock",
        ],
        "http": [{"source": "shop", "url": "/orders/{number}"}],
        "openapi": [{"source": "petstore", "operation": "getPetById"}],
        "mcp": [{"source": "files", "tool": "read_file"}],
        "sql": [{"source": "orders", "statement": "SELECT status FROM orders WHERE number = :number"}],
        "ask": [{"template": "Translate this into {language}: {text}"}],
        "command": [{"argv": ["wc", "-w", "{file}"]}],
        "flow": [{"nodes": [{"id": "found", "tool": "search", "arguments": {"query": "${inputs.dish}"}}]}],
        "agent": [{"system": "You find out what a visitor needs.", "tools": ["search", "details"]}],
        "python": [{"isolate": "process"}],
        "read_only": [True, False],
        "call": [{"timeout": "5s"}],
        "allow_secrets": [True],
        "override": ["merge", "replace"],
        "pinned": [True],
        "place": ["last", "inline"],
        "speculate": [{"query": "{request.query}"}],
        "untrusted": [True, False],
        "destructive": [True, False],
        "external": [True, False],
        "keep": ["equal", "always"],
    },
    CallDeclaration: {
        "timeout": ["5s", "800ms", "1m"],
        "network_timeout": ["2s"],
        "retries": [2],
        "idempotent": [True],
        "rate": ["10/s", "100/m", "1000/h"],
        "max_parallel": [4],
        "queue": [20, 0],
        "cache": ["5m"],
        "breaker": [{"failures": 5, "rest": "30s"}],
        "per_request": [1],
        "approval": ["never", "always"],
        "on_unknown": ["again", "fail"],
        "redact": [["password"]],
        "max_arguments": ["64KiB"],
        "max_result": ["1MiB"],
        "fallback": ["search", ""],
        "output_policy": ["reject", "warn", "repair"],
    },
    BreakerDeclaration: {"failures": [5], "rest": ["30s"]},
    RouteDeclaration: {
        "strategy": ["score", "batch", "functions", "embedded", "cascade"],
        "early_stop": [90],
        "cutoff": [70],
        "single_score": [100],
        "fallback": ["search", ""],
        "grace": ["150ms"],
        "timeout": ["10s"],
        "plan_timeout": ["30s", "2m"],
        "budget": [{"calls": 20, "tokens": 20000}],
        "shortlist": [12],
        "rules": [[{"tool": "calculator", "keywords": ["%", "plus", "加"], "pattern": "^[0-9+*/ ().-]+$"}]],
        "cascade": [{"sure": 90, "margin": 15, "floor": 20, "most": 3}],
    },
    RuleDeclaration: {
        "tool": ["calculator"],
        "keywords": [["%", "plus", "加"]],
        "pattern": ["^[0-9+*/ ().-]+$"],
    },
    BudgetDeclaration: {"calls": [20], "tokens": [20000], "time": ["20s"]},
    RolesDeclaration: {"scorer": ["small"], "writer": ["big"], "planner": ["big"]},
    CascadeDeclaration: {"sure": [90], "margin": [15], "floor": [20], "most": [3]},
    SiteDeclaration: {
        "name": ["kitchen", "shop.example"],
        "description": ["Recipes and kitchen guides, in English and Chinese."],
        "domains": [["kitchen.example", "*.kitchen.example"]],
        "types": [["Recipe", "Article"]],
        "extends": [["base"]],
        "inherit": [True, False],
        "exclude": [["ensemble"]],
        "include_tags": [["content"]],
        "exclude_tags": [["sums", "时间"]],
        "tools": [[{"name": "search", "examples": ["a quick dinner"]}]],
        "agents": [["researcher", "writer", "archivist"]],
        "knowledge": [["kitchen"]],
        "allow_secrets": [True],
        "default": [True],
        "route": [{"early_stop": 90, "cutoff": 70, "fallback": "search", "grace": "150ms", "timeout": "10s"}],
        "models": [{"scorer": "small", "writer": "big"}],
        "call": [{"timeout": "5s"}],
    },
    TypeDeclaration: {
        "name": ["Cocktail"],
        "parents": [["Recipe"]],
        "description": ["A mixed drink."],
        "call": [{"timeout": "5s"}],
    },
    KnowledgeDeclaration: {
        "name": ["kitchen"],
        "sources": [["content"], ["recipes/*.json", "guides/**/*.md"]],
        "documents": [True],
        "description": ["Recipes and guides."],
        "on_error": ["disable", "fail"],
    },
    ModelDeclaration: {
        "name": ["small", "big"],
        "model": ["qwen2.5-7b", "gpt-5-mini"],
        "base_url": ["http://127.0.0.1:8080/v1", "http://127.0.0.1:11434/v1"],
        "key": ["${MODEL_KEY}", "file:model_key"],
        "scoring": ["auto", "number", "yes_no"],
        "reply": ["auto", "json_schema", "json_object", "text"],
        "timeout": ["30s"],
        "retries": [2, 0],
        "max_parallel": [8],
        "requests_per_minute": [600],
        "tokens_per_minute": [200000],
        "cache": ["10m"],
        "fallback": ["big"],
        "default": [True],
    },
}
"""Values of each field, the most usual first."""

CHOICES: Mapping[type[BaseModel], Mapping[str, Mapping[str, str]]] = {
    **{model: choices for block in _BLOCKS for model, choices in getattr(block, "CHOICES", {}).items()},
    Document: {
        "version": {"1": "The shape of documents that this schema describes."},
        "dialect": {
            "own": "What cannot work is an error.",
            "nlweb": "As in NLWeb's tools.xml: an override replaces, and what NLWeb is used to is a warning.",
        },
    },
    ToolDeclaration: {
        "override": {
            "merge": "The fields that are given override those of the inherited tool; the rest is inherited.",
            "replace": "The inherited tool is forgotten; this declaration is the whole tool.",
        },
        "place": {
            "last": "The author's prompt points to the question, which stands below it: what providers can cache.",
            "inline": "The question stands in the author's prompt, where `{request.query}` does.",
        },
        "keep": {
            "equal": "What was started early is used if the tool is chosen with the same arguments.",
            "always": "It is used if the tool is chosen; nobody looks for other arguments.",
        },
    },
    CallDeclaration: {
        "approval": {
            "never": "Calls are made as they are asked for.",
            "always": "A call that nobody has approved is refused.",
        },
        "output_policy": {
            "reject": "The call fails, and says what the schema refuses.",
            "warn": "The result is used as it is; a notice and the log say what the schema refuses.",
            "repair": 'It is made to fit where that is plain, such as `3` for `"3"`; else the call fails.',
        },
        "on_unknown": {
            "again": "It is made again: at least once.",
            "fail": "Its node fails: at most once.",
        },
    },
    RouteDeclaration: {
        "strategy": {
            "score": "The model scores every candidate, one call each; without a model, the embedded scorer does.",
            "batch": "The model scores all candidates in one call.",
            "functions": "The model is offered the candidates as functions; what it calls is taken.",
            "cascade": "The embedded scorer first; the model scores the few between which that is unsure.",
            "embedded": "The embedded scorer always, never a model: no cost, a few milliseconds.",
        },
    },
    KnowledgeDeclaration: {
        "on_error": {
            "disable": "Answers come from the other sources; a warning names this one.",
            "fail": "Nothing is served until it can be read.",
        },
    },
    ModelDeclaration: {
        "scoring": {
            "auto": "By one word where the model's name tells of 9 billion parameters or fewer, else by a number.",
            "number": "It says a number from 0 to 100, and may give the arguments with it: for large models.",
            "yes_no": "It says Yes or No, and the probability of that word is the score: for small models.",
        },
        "reply": {
            "auto": "By a JSON Schema at first; what the endpoint refuses is left out from then on.",
            "json_schema": "By a JSON Schema.",
            "json_object": "By the wish for some JSON object.",
            "text": "In words alone.",
        },
    },
}
"""What each value of a field with choices means."""
