"""`Declaration`: what every declaration is, and the types that fields of several of them have.

Above it: the blocks of handler kinds (`blocks`), and the shape of documents (`declarations`).
"""

from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema

NAME_PATTERN = r"^[A-Za-z0-9_-]{1,64}$"
"""What a name may be: legal for function calling and for MCP."""

Name = Annotated[str, Field(pattern=NAME_PATTERN)]

SITE_NAME_PATTERN = r"^[A-Za-z0-9_.À-ÖØ-öø-῿Ⰰ-⿯々-〇ぁ-힣豈-﷏-]{1,64}$"
"""What the name of a site may be: letters of any script. NLWeb's sites are often named after their domain."""

SiteName = Annotated[str, Field(pattern=SITE_NAME_PATTERN)]

NAME_RULES = {
    NAME_PATTERN: "A name has 1 to 64 letters (A to Z, a to z), digits, `_` and `-`.",
    SITE_NAME_PATTERN: "The name of a site has 1 to 64 letters of any script, digits, `_`, `-` and `.`.",
}
"""The patterns in words, for whoever wrote another name."""


def _languages(value: object) -> object:
    """Read a plain list of examples as examples of any language."""
    return ({"": value} if value else {}) if isinstance(value, list) else value


_QUESTIONS: dict[str, Any] = {"type": "array", "items": {"type": "string", "minLength": 1}}

Tag = Annotated[str, Field(min_length=1, max_length=64)]
"""A word that groups tools, in any language."""

Examples = Annotated[
    dict[str, list[Annotated[str, Field(min_length=1)]]],
    BeforeValidator(_languages),
    WithJsonSchema({"anyOf": [_QUESTIONS, {"type": "object", "additionalProperties": _QUESTIONS}]}),
]
"""Questions by language code; the code `""` holds those of a plain list."""


@dataclass(frozen=True, slots=True)
class _TakesReferences:
    """Marks a field whose texts may hold `${node.path}`, which is put in when a plan runs, besides `${VARIABLE}`."""


TAKES_REFERENCES = _TakesReferences()


class Declaration(BaseModel):
    """What every declaration is: closed, and never changed after it was read."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True, hide_input_in_errors=True)


class Matched(Declaration):
    """What every tool is found by, however it is declared."""

    name: Name
    """Unique within its type: 1 to 64 letters, digits, `_` and `-`."""
    type: str = "Item"
    """A schema.org class, `Item` (all types), or a type of your own."""
    enabled: bool = True
    """`false` removes an inherited tool of this name."""
    description: str = ""
    """What it does, in a sentence or two."""
    examples: Examples = Field(default_factory=dict)
    """Questions that it should answer: a list, or lists by language."""
    tags: list[Tag] = Field(default_factory=list)
    """Words that group tools: a site may take or leave those of a tag."""
    prompt: str = ""
    """The scoring prompt, with `{request.query}`; without one a standard prompt is made."""
