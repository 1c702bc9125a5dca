"""What an item says that it is: its name, its keywords, its kinds and its properties; and whether it is a word.

Pure. `claims_of` reads them once when the item is indexed. A word is said by a keyword, by a part of a property
(`wired` of `Fit: in-ear, wired`), by the label of a property that is not denied (`Noise cancelling: No`), by a kind
of thing (`Audio > Headphones`) or in the name. Running text is not looked at: it says of other things too.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from pegboard.knowledge.qualities import QUALITY_BY_NAME, Quality
from pegboard.knowledge.values import Object, many, number_of, text_of, texts_of
from pegboard.knowledge.words import singular, terms

_KINDS = ("category", "recipeCategory", "recipeCuisine", "genre")
_DATES = ("datePublished", "dateCreated", "releaseDate", "dateModified", "uploadDate")
_PARTS = re.compile(r"[,;；，、/()（）]|\s+(?:and|plus)\s+|\s+with\s+")
_KIND_PARTS = re.compile(r"[,;>/；，、]")
_DENIED = re.compile(r"(?:no|none|not|never|without|n/a|无|没有|否|不|未|非)(?![a-z])")
_GRAMS = {
    "g": 1.0, "gram": 1.0, "grams": 1.0, "kg": 1000.0, "kgm": 1000.0, "grm": 1.0, "oz": 28.349523, "lb": 453.59237,
    "lbs": 453.59237, "克": 1.0, "公斤": 1000.0, "千克": 1000.0,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Claims:
    """What an item says that it is, lower case."""

    name: str = ""
    keywords: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    """Its categories, from the widest to the narrowest, and its cuisine or genre."""
    properties: tuple[tuple[str, str], ...] = ()
    """Label and value of each."""
    grams: float | None = None
    """Its weight."""
    date: str = ""
    """When it appeared, ISO 8601."""


def claims_of(thing: Object) -> Claims:
    """Read what a JSON-LD object claims to be."""
    kinds = (part for key in _KINDS for text in texts_of(thing.get(key)) for part in _KIND_PARTS.split(text))
    keywords = (part for text in texts_of(thing.get("keywords")) for part in re.split("[,，;；]", text))
    entries = [entry for entry in many(thing.get("additionalProperty")) if isinstance(entry, dict)]
    properties = ((text_of(entry.get("name")), text_of({**entry, "name": None})) for entry in entries)
    return Claims(
        name=text_of(thing.get("name") or thing.get("headline")).lower(),
        keywords=_each(keywords),
        kinds=_each(kinds),
        properties=tuple((label.lower(), value.lower()) for label, value in properties if label and value),
        grams=_grams(text_of(thing.get("weight"))),
        date=next((text for key in _DATES if (text := text_of(thing.get(key)))), ""),
    )


def _each(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text for each in texts if (text := each.strip().lower())))


def _grams(weight: str) -> float | None:
    amount, unit = number_of(weight), weight.rstrip(".").split(" ")[-1].lower()
    return amount * _GRAMS[unit] if amount is not None and unit in _GRAMS else None


def words_of(claims: Claims) -> list[str]:
    """Return what a `without X` can be about: keywords, parts of properties, and labels that are not denied."""
    found = list(claims.keywords)
    for label, value in claims.properties:
        if _DENIED.match(value):
            continue
        found += [label, *(part for each in _PARTS.split(value) if (part := each.strip()))]
    return found


def denies(claims: Claims, asked: Iterable[str]) -> bool:
    """Tell whether an item says that it has not what the terms `asked` name: `Noise cancelling: No`."""
    wanted = frozenset(asked)
    for label, value in claims.properties:
        if _DENIED.match(value):
            named = frozenset(term for term in terms(label) if len(term) > 1)
            is_meant = bool(named & wanted) if not label.isascii() else named <= wanted
            if named and is_meant:
                return True
    return False


def named_kinds(asked: Iterable[str], claims: Claims) -> frozenset[str]:
    """Return those of the terms `asked` that name a kind of thing which the item is."""
    return frozenset(asked) & frozenset(terms("\n".join(claims.kinds)))


def says(claims: Claims, word: str) -> bool:
    """Tell whether an item says that it is `word`: the name of a quality, or a word of the content's own."""
    if quality := QUALITY_BY_NAME.get(word):
        return any(_speaks(quality, text) for text in (claims.name, *words_of(claims)))
    form = plain_form(word)
    claimed = (*words_of(claims), *claims.kinds)
    return any(plain_form(each) == form for each in claimed) or bool(_within(word).search(claims.name))


def plain_form(word: str) -> str:
    """Return a word without hyphens, in the singular: `In-Ears` becomes `in ear`."""
    return " ".join(singular(part) for part in word.lower().replace("-", " ").split())


def _speaks(quality: Quality, text: str) -> bool:
    return bool(_quality(quality.name).search(text))


@lru_cache(maxsize=512)
def _quality(name: str) -> re.Pattern[str]:
    quality = QUALITY_BY_NAME[name]
    latin = "|".join(re.escape(word) for word in quality.words)
    han = "|".join(quality.characters)
    return re.compile(rf"(?<!not )(?<!no )(?<!non-)(?<!-)\b(?:{latin})\b(?!-free)|(?<![不无非免没])(?:{han})")


@lru_cache(maxsize=512)
def _within(word: str) -> re.Pattern[str]:
    spelled = _spelled(word)
    return re.compile(rf"\b{spelled}\b" if word.isascii() else spelled)


def _spelled(word: str) -> str:
    """Return a pattern for the singular and the plural, with hyphens or spaces."""
    if not word.isascii():
        return re.escape(word)
    parts = [re.escape(part) for part in re.split(r"[\s-]+", word.strip())]
    last = parts[-1]
    if len(last) > 3 and last.endswith("s") and not last.endswith("ss"):
        last = last[:-1]
    return r"[\s-]".join([*parts[:-1], f"{last}(?:e?s)?"])
