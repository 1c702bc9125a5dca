"""What an agent is given besides its goal: texts, perhaps with a title and the evidence that they cite. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pegboard.catalog.citing import renumbered
from pegboard.catalog.contract import Evidence, Result
from pegboard.catalog.gathered import number
from pegboard.text import Json, to_json

SCHEMA: Mapping[str, Json] = {
    "description": "What it shall work with: a text, or several, each by itself or with its title and evidence.",
    "anyOf": [
        {"type": "string"},
        {
            "type": "array",
            "items": {
                "anyOf": [
                    {"type": "string"},
                    {
                        "type": "object",
                        "properties": {
                            "title": {"type": "string"},
                            "text": {"type": "string"},
                            "evidence": {"type": "array", "items": {"type": "object"}},
                        },
                        "required": ["text"],
                    },
                ]
            },
        },
    ],
}
SHOWN: Mapping[str, Json] = {"type": "string", "description": "The text that it shall work with."}
"""What a model is shown of it."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One of the texts."""

    title: str
    text: str
    """With citations of the whole's evidence alone."""


@dataclass(frozen=True, slots=True)
class Material:
    """All of it, under one numbering."""

    pieces: tuple[Piece, ...] = ()
    evidence: tuple[Evidence, ...] = ()

    @property
    def text(self) -> str:
        """What all pieces say."""
        return "\n\n".join(filter(None, (piece.text for piece in self.pieces)))


def read(value: Json) -> Material:
    """Read what was given; empty texts are none."""
    given = value if isinstance(value, list) else [] if value is None else [value]
    results = [_result(each) for each in given]
    titles = [_title(each) for each in given]
    numbered = number(results)
    is_cited = bool(numbered.evidence)  # then a mark of a text that brings no evidence would be taken for another's
    pieces = [
        Piece(title, renumbered(result.text, {}) if is_cited and not result.evidence else result.text)
        for title, result in zip(titles, numbered.results, strict=True)
        if result.text
    ]
    return Material(tuple(pieces), numbered.evidence)


def _title(given: Json) -> str:
    title = given.get("title") if isinstance(given, Mapping) else ""
    return title.strip() if isinstance(title, str) else ""


def _result(given: Json) -> Result:
    if not isinstance(given, Mapping):
        return Result(given.strip() if isinstance(given, str) else to_json(given))
    text, listed = given.get("text"), given.get("evidence")
    found = [_evidence(each, place) for place, each in enumerate(_list(listed), start=1) if isinstance(each, Mapping)]
    return Result(text.strip() if isinstance(text, str) else "", evidence=tuple(found))


def _list(value: Json) -> Sequence[Json]:
    return value if isinstance(value, list) else ()


def _evidence(held: Mapping[str, Json], place: int) -> Evidence:
    count = held.get("number")
    words = [str(held.get(key) or "") for key in ("text", "url", "name")]
    return Evidence(count if isinstance(count, int) else place, *words)
