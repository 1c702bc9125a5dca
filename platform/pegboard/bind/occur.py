"""Which values stand in a question: those declared `x-from-query` must, and are dropped where they do not.

Case, width, blanks and the formats of numbers make no difference. A model that fills in an order number which nobody
named is caught here, before the number is looked up.
"""

import re
import unicodedata
from collections.abc import Mapping

import re2

from pegboard.bind.measures import measured
from pegboard.bind.scalars import as_date
from pegboard.catalog.schema.returns import FROM_QUERY
from pegboard.catalog.tool import Schema
from pegboard.knowledge.quantities import NUMBER, number
from pegboard.llm.references import alternatives, parts, properties
from pegboard.text import Json, tokens

_NUMBER = re2.compile(f"(?i){NUMBER}")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_DATE = re.compile(
    r"\d{4}\s*[-/.年]\s*\d{1,2}\s*[-/.月]\s*\d{1,2}\s*[日号]?|\d{1,2}[/.]\d{1,2}[/.]\d{4}"
    r"|\d{1,2}(?:st|nd|rd|th)?\s+(?:of\s+)?[a-z]{3,9}\.?,?\s+\d{4}|[a-z]{3,9}\.?\s+\d{1,2}(?:st|nd|rd|th)?,?\s+\d{4}",
    re.IGNORECASE,
)
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_LONGEST_READ = 4_000
"""Characters of a question in which numbers and dates are looked for."""


def occurring(arguments: Mapping[str, Json], schema: Schema, question: str) -> dict[str, Json]:
    """Return `arguments` without the values that are declared to stand in `question` and do not."""
    kept = _kept(dict(arguments), schema, schema, question, "")
    return kept if isinstance(kept, dict) else {}


class _Dropped:
    """What is left of a value that does not occur."""


_DROPPED = _Dropped()


def _kept(value: Json, schema: Json | Schema, root: Schema, question: str, name: str) -> Json | _Dropped:
    found = parts(schema, root)
    found += [inner for part in list(found) for one in alternatives(part) for inner in parts(one, root)]
    if any(part.get(FROM_QUERY) is True for part in found):
        return _occurring_part(value, found[0], question, name)
    if isinstance(value, dict):
        declared = dict(properties(found))
        made = {key: _kept(inner, declared.get(key), root, question, key) for key, inner in value.items()}
        return {key: inner for key, inner in made.items() if not isinstance(inner, _Dropped)}
    items = next((part["items"] for part in found if "items" in part), None)
    if isinstance(value, list) and items is not None:
        entries = [_kept(one, items, root, question, name) for one in value]
        return [one for one in entries if not isinstance(one, _Dropped)]
    return value


def _occurring_part(value: Json, schema: Schema, question: str, name: str) -> Json | _Dropped:
    """Return the value if it occurs; of a list those entries that do, of an object those values."""
    if isinstance(value, list):
        entries = [one for one in value if occurs(one, question, schema, name)]
        return entries if entries else _DROPPED
    if isinstance(value, dict):
        kept = {key: one for key, one in value.items() if occurs(one, question, schema, key)}
        return kept if kept else _DROPPED
    return value if occurs(value, question, schema, name) else _DROPPED


def occurs(value: Json, question: str, schema: Schema | None = None, name: str = "") -> bool:
    """Tell whether `value` stands in `question`; true, false and null cannot, and are never missed.

    `schema` and `name` are those of its parameter: a unit that they name (`height_cm`) is converted.
    """
    if value is None or isinstance(value, bool):
        return True
    if isinstance(value, int | float):
        return _number_occurs(float(value), question, schema or {}, name)
    if isinstance(value, str):
        return _text_occurs(value, question)
    inner = value.values() if isinstance(value, Mapping) else value
    return all(occurs(one, question, schema, name) for one in inner)


def _number_occurs(value: float, question: str, schema: Schema, name: str) -> bool:
    text = _flat(question)[:_LONGEST_READ]
    said = {number(match[0]) for match in _NUMBER.finditer(text)}
    is_share = "%" in text and round(value * 100, 6) in said
    return abs(value) in said or is_share or measured(text, name, schema) == value


def _text_occurs(value: str, question: str) -> bool:
    text, said = _flat(value), _flat(question)
    if not text or _stands_in(text, said):
        return True
    wanted, words = [*tokens(text)], [*tokens(said)]
    if wanted and f" {' '.join(wanted)} " in f" {' '.join(words)} ":
        return True
    if _NOT_ASCII.search(text) and "".join(text.split()) in "".join(said.split()):
        return True
    day = as_date(value)
    return day is not None and day in {as_date(match[0]) for match in _DATE.finditer(said[:_LONGEST_READ])}


def _flat(text: str) -> str:
    return _THOUSANDS.sub("", " ".join(unicodedata.normalize("NFKC", text).casefold().split()))


def _stands_in(text: str, said: str) -> bool:
    """Tell whether `text` stands in `said`, not as a piece of a longer Latin word or number."""
    start = said.find(text)
    while start >= 0:
        before, after = said[start - 1 : start], said[start + len(text) : start + len(text) + 1]
        if not (_joins(before, text[0]) or _joins(text[-1], after)):
            return True
        start = said.find(text, start + 1)
    return False


def _joins(left: str, right: str) -> bool:
    return left.isascii() and right.isascii() and left.isalnum() and right.isalnum()
