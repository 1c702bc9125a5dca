"""What a step takes from the steps before it: references in the arguments that they fit. Pure.

Which argument that is, the roles of parameters tell (`bind/roles.py`): the name of a thing is that of the first thing
found, a text is what was said, a goal is the clause itself.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pegboard.bind.roles import Role, parameters, roles
from pegboard.catalog.schema.faults import faults
from pegboard.catalog.titles import title_for
from pegboard.catalog.tool import Tool
from pegboard.llm.references import alternatives, required
from pegboard.route.parting.duties import duty
from pegboard.text import Json, clipped, language, to_json

_GIVING_ITEMS = tuple(
    f"pegboard.handlers.{room}:"
    for room in ("search", "details", "compare", "accompaniment", "recipe_substitutions", "ensemble")
)
"""Rooms whose results are things of the site."""
_THINGS: frozenset[Role] = frozenset({"item", "dish", "main_item"})
_TEXTS = re.compile(r"^(?:text|content|body|material|materials|document|context|notes?|message|input|source_text)$")
_TITLES = re.compile(r"^(?:title|name|heading|subject|file_?name)$")
_PRONOUN = re.compile(
    r"(?:it|them|they|this|that|these|those|one|dishes?|recipes?|它|它们|这|这个|这些|那个|那道)", re.IGNORECASE
)
_SOURCES = re.compile(r"^(?:sources|references|citations|evidence)$")
_TITLE_CHARACTERS = 60


@dataclass(frozen=True, slots=True)
class Before:
    """A step that others may take something from."""

    node: str
    tool: Tool
    clause: str
    found_by: str = ""
    """The step that found the things that it is about; empty: it finds them itself."""

    @property
    def things(self) -> str:
        """The step whose things are meant by *them* after it; empty: none."""
        return self.found_by or (self.node if self.tool.handler.startswith(_GIVING_ITEMS) else "")


@dataclass(frozen=True, slots=True)
class Taken:
    """Arguments with references."""

    arguments: dict[str, Json]
    from_: tuple[str, ...]
    """The steps that they refer to."""
    is_needed: bool
    """Without what it takes the step has nothing to do."""


def chained(
    tool: Tool, clause: str, found: Mapping[str, Json], before: Sequence[Before], *, refers_back: bool
) -> Taken:
    """Return `found` with what `clause` leaves open taken from the steps before it, the nearest first."""
    arguments, needed = dict(found), set(required([tool.parameters]))
    things = next((step.things for step in reversed(before) if step.things), "")
    taken: list[str] = []
    is_needed = False
    for name, role in roles(parameters(tool.parameters)).items():
        value = arguments.get(name)
        is_open = value is None or _is_empty(value, clause)
        if name == "goal":
            arguments[name] = clause
        elif role in {"first_item", "second_item"} and things and (is_open or refers_back):
            arguments[name], is_needed = f"${{{things}.items[{int(role == 'second_item')}].name}}", True
            taken.append(things)
        elif role in _THINGS and things and is_open and (refers_back or name in needed):
            arguments[name], is_needed = f"${{{things}.items[0].name}}", True
            taken.append(things)
        elif role == "query" and refers_back and things:
            arguments[name] = f"{clause} ${{{things}.items[0].name}}"
            taken.append(things)
        elif _TEXTS.match(name) and before and is_open and (refers_back or name in needed):
            arguments[name], is_needed = f"${{{before[-1].node}.text}}", True
            taken.append(before[-1].node)
    return Taken(arguments, tuple(dict.fromkeys(taken)), is_needed)


def _is_empty(value: Json, clause: str) -> bool:
    """Tell whether a value says nothing: it is the clause itself, or a pronoun."""
    if not isinstance(value, str):
        return False
    said = re.sub(r"^(?:the|a|an)\s+", "", value.strip(" ?.!。？！"), flags=re.IGNORECASE)
    return said == clause.strip(" ?.!。？！") or bool(_PRONOUN.fullmatch(said))


def of_duty(tool: Tool, clause: str, found: Mapping[str, Json], material: Sequence[Before], *, question: str) -> Taken:
    """Return the arguments of a step that writes or keeps what the steps of `material` gave.

    Of several it goes on without one that failed: within a longer text, a reference to that is empty and not null.
    """
    texts = "\n\n".join(f"${{{step.node}.text}}" for step in material)
    cited: list[Json] = [f"${{{step.node}.evidence.*}}" for step in material]
    properties = parameters(tool.parameters)
    arguments: dict[str, Json] = {name: value for name, value in found.items() if not _is_empty(value, clause)}
    for name in properties:
        if name == "goal":
            arguments[name] = clause
        elif _TEXTS.match(name):
            arguments[name] = _pieces(material) if _takes_pieces(properties[name]) else texts
        elif _SOURCES.match(name) and _takes_evidence(properties[name]):
            arguments[name] = cited
        elif _TITLES.match(name):
            clauses = [step.clause for step in material if not duty(step.clause)]
            arguments[name] = title_for(question, clauses) or clipped(question, _TITLE_CHARACTERS)
    if not any(map(_TEXTS.match, properties)) and "goal" in properties:
        arguments["goal"] = f"{clause}:\n\n{texts}" if language(clause) != "zh" else f"{clause}：\n\n{texts}"
    return Taken(arguments, tuple(step.node for step in material), is_needed=len(material) == 1)


def _pieces(material: Sequence[Before]) -> list[Json]:
    """Return what the steps gave, each with what it rests on; of several each with its title."""
    pieces: list[Json] = []
    for step in material:
        title: dict[str, Json] = {"title": step.clause} if len(material) > 1 else {}
        pieces.append(title | {"text": f"${{{step.node}.text}}\n", "evidence": [f"${{{step.node}.evidence.*}}"]})
    return pieces


def _takes_pieces(schema: Mapping[str, Json]) -> bool:
    """Tell whether a text may be given in pieces, each with its title and evidence."""
    said = [to_json(one) for one in alternatives(schema) if isinstance(one, Mapping) and one.get("type") == "array"]
    return any("title" in one and "evidence" in one for one in said)


def _takes_evidence(schema: Mapping[str, Json]) -> bool:
    """Tell whether a list of what a text rests on may be given as results have it."""
    fact: Json = {"number": 1, "text": "fact", "url": "https://source.example", "name": "source"}
    return not faults([fact], schema)
