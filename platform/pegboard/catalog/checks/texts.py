"""Texts of a declaration: prompts and their placeholders, what nobody sees, what is empty or too long."""

from collections.abc import Iterator, Mapping

from pegboard.catalog import placeholders
from pegboard.catalog.findings import Findings
from pegboard.catalog.invisible import hidden_in, name_of, spellings_of
from pegboard.config.declaration import Declaration
from pegboard.config.declarations import Declared, Kind, ToolDeclaration
from pegboard.config.syntax.node import Path
from pegboard.text import spelled

LONGEST_DESCRIPTION = 8 * 1024
"""Bytes of UTF-8 that a description may have: it goes into every prompt, and into every client's list."""


def check_texts(declared: Declared[Kind], noun: str, findings: Findings) -> None:
    """Report texts of a tool, a site, a type or a knowledge base that hide characters or are too long."""
    whose = f"{noun} {getattr(declared.value, 'name', '')!r}"
    for path, text in _texts(declared.value) if findings.may_hide(declared) else ():
        if (character := hidden_in(text)) is not None:
            place = findings.within(declared.at(*path), text, character, spellings_of(character))
            shown = spelled([step for step in path if step != ""])
            message = f"{shown} of {whose} holds {name_of(character)}, which nobody sees"
            hint = "Remove it: a model reads it, and a search takes it for a letter."
            findings.add("PB311", place, message, hint=hint, dialect=declared.dialect)
    _check_length(declared, whose, findings)


def _check_length(declared: Declared[Kind], whose: str, findings: Findings) -> None:
    size = len(getattr(declared.value, "description", "").encode("utf-8", "replace"))
    if size > LONGEST_DESCRIPTION:
        message = (
            f"the description of {whose} has {size:,} bytes; more than {LONGEST_DESCRIPTION:,} crowd the prompt out"
        )
        hint = "Say what it does in a sentence or two, and the rest in `prompt` or `examples`."
        findings.add("PB310", declared.at("description"), message, hint=hint, dialect=declared.dialect)


def _texts(value: object, path: Path = ()) -> Iterator[tuple[Path, str]]:
    """Yield every text that a document gives below `value`; the tools of a site are declarations of their own."""
    match value:
        case str():
            yield path, value
        case Declaration():
            for key in value.model_fields_set - {"tools"}:
                yield from _texts(getattr(value, key), (*path, key))
        case Mapping():
            for key, inner in value.items():
                yield from _texts(inner, (*path, key))
        case list():
            for index, inner in enumerate(value):
                yield from _texts(inner, (*path, index))
        case _:
            pass


def check_examples(tool: Declared[ToolDeclaration], findings: Findings) -> None:
    """Report examples without a word in them."""
    for language, questions in tool.value.examples.items():
        for index, question in enumerate(questions):
            if not question.strip():
                place = tool.at("examples", language, index)
                message = f"an example of tool {tool.value.name!r} is blank"
                findings.add("PB104", place, message, hint="Write a question, or remove it.", dialect=tool.dialect)


def check_prompt(tool: Declared[ToolDeclaration], findings: Findings) -> None:
    """Report a scoring prompt without the question, and placeholders that nothing fills, at their own place."""
    prompt = tool.value.prompt
    if not prompt:
        return
    named = dict.fromkeys(placeholders.variables(prompt))
    if not placeholders.QUESTION & named.keys():
        message = f"the prompt of tool {tool.value.name!r} does not hold the question"
        hint = "Put {request.query} where it belongs."
        findings.add("PB304", tool.at("prompt"), message, hint=hint, dialect=tool.dialect)
    for name in named:
        if name not in placeholders.KNOWN:
            place = findings.within(tool.at("prompt"), prompt, f"{{{name}}}")
            message = f"the prompt of tool {tool.value.name!r} holds {{{name}}}, which nothing fills"
            hint = findings.near(name, sorted(placeholders.KNOWN))
            findings.add("PB305", place, message, hint=hint, dialect=tool.dialect)
