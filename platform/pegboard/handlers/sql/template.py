"""`Template`: a declared statement; it becomes a driver's text with all arguments bound.

It is a pure function of the declaration and the arguments: nothing here speaks to a database.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pegboard.catalog.kind import Misfit, Schema
from pegboard.config.blocks.sql import SqlDeclaration
from pegboard.errors import CallFailed
from pegboard.handlers.sql.pieces import Dialect, Piece, pieces
from pegboard.text import Json, did_you_mean, to_json

READING = ("SELECT", "WITH", "VALUES")
WRITING = (*READING, "INSERT", "UPDATE", "DELETE", "REPLACE", "MERGE")
_FIRST_WORD = re.compile(r"[\s(]*([A-Za-z_]+)")
_AFTER_IN = re.compile(r"\bIN\s*(\(\s*)?\Z", re.IGNORECASE)
_CLOSES = re.compile(r"\s*\)")
_MOST_IN_LIST = 1000
"""Values of a list that are bound one by one."""


@dataclass(frozen=True, slots=True)
class Bound:
    """A statement as a driver takes it."""

    sql: str
    values: Mapping[str, Json]
    """What is bound, by the names in the text."""
    is_explained: bool = False
    """The database is asked how it would run the statement, and does not run it."""

    def explained(self) -> "Bound":
        """Return it as what finds out whether the database can run it."""
        return Bound(f"EXPLAIN {self.sql}", self.values, is_explained=True)


@dataclass(frozen=True, slots=True)
class Template:
    """A statement that was read."""

    pieces: tuple[Piece, ...]
    """Without comments, and without a `;` at the end."""
    dialect: Dialect
    allowed: Mapping[str, tuple[str, ...]]
    """What may stand for `{name}`."""
    lists: Mapping[int, str] = field(default_factory=dict)
    """The positions of pieces that follow an `IN`: of the argument's name, with what has to be put around the list."""

    @classmethod
    def of(cls, block: SqlDeclaration, dialect: Dialect) -> "Template":
        """Read the statement of `block`; what is wrong with it is told by `misfits`."""
        found = _joined(pieces(block.statement, dialect))
        while found and (found[-1].role == "end" or not found[-1].text.strip()):
            found.pop()
        allowed = {one.name: tuple(one.allowed) for one in block.identifiers}
        return cls(tuple(found), dialect, allowed, dict(_lists(found)))

    @property
    def bound(self) -> tuple[str, ...]:
        """Names of the arguments that are bound, in the order of the text."""
        return tuple(dict.fromkeys(piece.text for piece in self.pieces if piece.role == "bound"))

    @property
    def chosen(self) -> tuple[str, ...]:
        """Names of the arguments that choose a piece, in the order of the text."""
        return tuple(dict.fromkeys(piece.text for piece in self.pieces if piece.role == "chosen"))

    @property
    def listed(self) -> frozenset[str]:
        """Names of the arguments of which each value is bound, because they follow an `IN`."""
        return frozenset(self.pieces[at].text for at in self.lists)

    def parameters(self) -> Schema:
        """Return the schema of the arguments, as far as the text tells it."""
        texts: dict[str, Json] = {"type": "array", "items": {"type": "string"}}
        properties: dict[str, Json] = {
            name: texts if name in self.listed else {"type": "string"} for name in self.bound
        }
        for name in self.chosen:
            options: list[Json] = [*self.allowed.get(name, ())]
            properties[name] = {"type": "string", "enum": options, "default": options[0]} if options else {}
        needed: list[Json] = [*self.bound]
        return {"type": "object", "properties": properties, "required": needed, "additionalProperties": False}

    def samples(self) -> Iterator[dict[str, Json]]:
        """Yield arguments without values, once for each text that may stand for a `{name}`."""
        empty: dict[str, Json] = {name: [None] for name in self.listed}
        yield empty
        for name in self.chosen:
            yield from ({**empty, name: text} for text in self.allowed[name][1:])

    def bind(self, arguments: Mapping[str, Json]) -> Bound:
        """Return the statement for `arguments`; one that is not given is NULL.

        Raises:
            CallFailed: an argument cannot stand where it does.
        """
        values: dict[str, Json] = {}
        said = "".join(self._said(at, arguments, values) for at in range(len(self.pieces)))
        return Bound(said, values)

    def _said(self, at: int, arguments: Mapping[str, Json], values: dict[str, Json]) -> str:
        piece = self.pieces[at]
        match piece.role:
            case "chosen":
                return self._literally(self._choice(piece.text, arguments.get(piece.text)))
            case "bound":
                given = arguments.get(piece.text)
                if at in self.lists:
                    return self._list(piece.text, given, self.lists[at], values)
                values[piece.text] = given if self._takes(given) else to_json(given)
                return self._placeholder(piece.text)
            case _:
                return self._literally(piece.text)

    def _takes(self, value: Json) -> bool:
        """Tell whether the driver takes a value as it is; others are bound as JSON text."""
        return not isinstance(value, dict) and (self.dialect == "postgresql" or not isinstance(value, list))

    def _list(self, name: str, given: Json, around: str, values: dict[str, Json]) -> str:
        each = given if isinstance(given, list) else [] if given is None else [given]
        if len(each) > _MOST_IN_LIST:
            raise CallFailed(
                f"The argument {name!r} has {len(each):,} values; at most {_MOST_IN_LIST:,} can be looked for."
            )
        if not each and self.dialect == "postgresql":
            raise CallFailed(f"The argument {name!r} has no value to look for.", hint="Give one at least.")
        names = [f"{name}${number}" for number in range(len(each))]
        values.update(
            (one, value if not isinstance(value, dict | list) else to_json(value))
            for one, value in zip(names, each, strict=True)
        )
        said = ", ".join(map(self._placeholder, names))
        return f"({said})" if around == "()" else said

    def _choice(self, name: str, given: Json) -> str:
        allowed = self.allowed[name]
        if given is None:
            return allowed[0]
        if not isinstance(given, str) or given not in allowed:
            raise CallFailed(
                f"The argument {name!r} is none of the values that the tool allows.",
                hint=did_you_mean(str(given), allowed),
            )
        return given

    def _placeholder(self, name: str) -> str:
        return f"%({name})s" if self.dialect == "postgresql" else f":{name}"

    def _literally(self, text: str) -> str:
        return text.replace("%", "%%") if self.dialect == "postgresql" else text


def _joined(found: Sequence[Piece]) -> list[Piece]:
    """Return the pieces with a blank for each comment, and no text beside a text."""
    joined: list[Piece] = []
    for piece in found:
        one = Piece("text", " ") if piece.is_comment else piece
        if one.role == "text" and joined and joined[-1].role == "text":
            one = Piece("text", joined.pop().text + one.text)
        joined.append(one)
    return joined


def _lists(found: Sequence[Piece]) -> list[tuple[int, str]]:
    """Return where an argument is all that follows an `IN`: `IN :names` and `IN (:names)`."""
    lists = []
    for at, piece in enumerate(found):
        before = found[at - 1].text if at and found[at - 1].role == "text" else ""
        match = _AFTER_IN.search(before)
        if piece.role != "bound" or not match:
            continue
        after = found[at + 1].text if at + 1 < len(found) and found[at + 1].role == "text" else ""
        if not match[1]:
            lists.append((at, "()"))
        elif _CLOSES.match(after):
            lists.append((at, ""))
    return lists


def misfits(template: Template, block: SqlDeclaration, declared: Schema | None) -> list[Misfit]:
    """Return all that is wrong with a statement and the arguments that are declared beside it."""
    place = ("statement",)
    found = [Misfit(place, *wrong) for wrong in _wrong(template.pieces, template.dialect)]
    first = _FIRST_WORD.match("".join(piece.text for piece in template.pieces[:1] if piece.role == "text"))
    word = first[1].upper() if first else ""
    if word not in WRITING:
        what = f"begins its statement with {word}" if word else "has no statement"
        found.append(Misfit(place, what, f"It can begin with {', '.join(WRITING)}."))
    elif word not in READING and not block.writes:
        hint = "Say `writes: true` if it shall."
        found.append(Misfit(place, f"changes its database by {word}, and does not say that it writes", hint))
    found += _unknown(template, declared)
    return found + _identifiers(template, block)


def _wrong(found: Sequence[Piece], dialect: Dialect) -> list[tuple[str, str]]:
    roles = {piece.role: piece.text for piece in reversed(found)}
    wrong = []
    if "broken" in roles:
        wrong.append(("opens a string, a name or a comment in its statement and never closes it", "Close it."))
    if "end" in roles:
        wrong.append(("has several statements in one", "Make a tool of each."))
    if "foreign" in roles:
        wrong.append((f"has {roles['foreign']!r} in its statement", "Write an argument as :name."))
    if dialect == "postgresql" and any("\x00" in piece.text for piece in found):
        wrong.append(("has a NUL character in its statement", "Leave it out."))
    return wrong


def _unknown(template: Template, declared: Schema | None) -> list[Misfit]:
    """Return arguments that only one of statement and declaration knows."""
    used = {*template.bound, *template.chosen}
    both = sorted({*template.bound} & {*template.chosen})
    found = [Misfit(("statement",), f"has {name!r} both as :{name} and as {{{name}}}", "Rename one.") for name in both]
    properties = declared.get("properties") if declared else None
    if not isinstance(properties, Mapping):
        return found
    for name in sorted(used - set(properties)):
        hint = did_you_mean(name, properties) or f"Declare {name!r} under `parameters`."
        found.append(Misfit(("statement",), f"binds the argument {name!r}, which its parameters do not have", hint))
    for name in sorted(set(properties) - used):
        hint = did_you_mean(name, used) or f"Write :{name} into the statement, or leave the argument out."
        found.append(Misfit(("statement",), f"has the argument {name!r}, which its statement does not use", hint))
    return found


def _identifiers(template: Template, block: SqlDeclaration) -> list[Misfit]:
    found = []
    for name in template.chosen:
        if name not in template.allowed:
            hint = f"Declare {name!r} under `identifiers`, with what is `allowed`; a value is bound by :{name}."
            found.append(
                Misfit(("statement",), f"has {{{name}}} in its statement, and does not say what may stand there", hint)
            )
    for at, one in enumerate(block.identifiers):
        if one.name not in template.chosen:
            message = f"declares what may stand for {{{one.name}}}, which its statement does not have"
            found.append(Misfit(("identifiers", at, "name"), message, did_you_mean(one.name, template.chosen)))
        for index, text in enumerate(one.allowed):
            parts = pieces(text, template.dialect)
            is_plain = all(piece.role in ("text", "quoted") and not piece.is_comment for piece in parts)
            if not text.strip() or not is_plain:
                message = f"allows {text!r} for {{{one.name}}}, which is no name and no order"
                found.append(
                    Misfit(("identifiers", at, "allowed", index), message, "Write a column, such as price DESC.")
                )
    return found
