"""What may stand in braces in a scoring prompt.

A placeholder is `{word.word}`, or NLWeb's bare `{query}`; every other brace is a brace.
"""

import re
from collections.abc import Mapping

PLACEHOLDER = re.compile(r"\{(query|[A-Za-z_]\w*\.[A-Za-z_]\w*)\}")
"""Finds placeholders; group 1 is the variable."""

QUESTION = frozenset({"request.query", "query", "request.rawQuery"})
"""Those that stand for the question."""

KNOWN = QUESTION | {
    "request.site",
    "request.itemType",
    "site.itemType",
    "request.previousQueries",
    "tool.description",
    "tool.name",
    "request.prevAnswers",
    "request.contextUrl",
    "request.contextDescription",
    "request.answers",
    "request.top_k",
    "request.item_name",
    "request.details_requested",
    "tools.description",
}
"""Every variable that NLWeb's prompts may hold; what a request does not have is empty."""

BEFORE_ROUTING = QUESTION | {"request.site", "request.itemType", "site.itemType"}
"""Those that have a value before a tool is chosen."""


def variables(prompt: str) -> list[str]:
    """Return the variables that `prompt` names, in order."""
    return [match[1] for match in PLACEHOLDER.finditer(prompt)]


def filled(template: str, values: Mapping[str, str]) -> str:
    """Replace the placeholders that have a value, in one pass; any other brace stays a brace."""
    return PLACEHOLDER.sub(lambda match: values.get(match[1], match[0]), template)
