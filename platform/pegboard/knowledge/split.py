"""An item -> its passages: pieces of text that read well alone and are short enough to compare by meaning.

An article is cut at its headings, an object into groups of properties that answer one kind of question each.
The first piece is always the overview: what the item is.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import re2

from pegboard.catalog.contract import Item
from pegboard.knowledge.labels import labels_of
from pegboard.knowledge.markdown import Section
from pegboard.knowledge.values import (
    Object,
    last_word,
    minutes_of,
    objects,
    remarks_of,
    steps_of,
    text_of,
    texts_of,
)
from pegboard.text import Json

MOST_CHARACTERS = 900
"""Of a piece; a single sentence that is longer is cut between words."""

_SENTENCE_END = re2.compile(r"[.!?][\"')\]”’]*\s+|[。！？；][”’」』）]*|\n+")
_LONG_TEXTS = ("articleBody", "text", "transcript", "reviewBody", "abstract")
_UNSAID = frozenset(
    {"@context", "@type", "@id", "@graph", "url", "image", "thumbnailUrl", "logo", "sameAs",
     "inLanguage", "name", "headline", "description", "keywords", "identifier", "mainEntityOfPage",
     "potentialAction", "isPartOf", "dateModified", "contentUrl", "embedUrl", "suitableForDiet",
     "gtin13", "recipeCategory", "recipeCuisine", "category", "genre", "brand", "author",
     "datePublished", "aggregateRating"}
)  # fmt: skip
"""Properties that say nothing in words, or that the overview says already."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A passage before it is stored."""

    heading: str
    """What it is about; empty for the overview."""
    text: str


def split_sections(item: Item, sections: Sequence[Section]) -> Iterator[Piece]:
    """Cut an article: its overview, then each section under its heading (a subsection under both)."""
    yield from _pieces("", [_overview(item)])
    above: dict[int, str] = {}
    for section in sections:
        above = {level: heading for level, heading in above.items() if level < section.level}
        is_title = section.level <= 1 and section.heading == item.name
        parents = [heading for level, heading in sorted(above.items()) if level > 1]
        heading = "" if is_title else " › ".join([*parents, section.heading] if section.heading else parents)
        above[section.level] = section.heading
        yield from _pieces(heading, section.text.split("\n\n"), between="\n\n")


def split_object(item: Item) -> Iterator[Piece]:
    """Cut a JSON-LD object; nothing if it says nothing but its name."""
    thing = item.schema_object
    words = labels_of(item.language)
    overview = _overview(item)
    if not overview and not (thing.keys() - _UNSAID):
        return
    yield from _pieces("", [overview or item.name])
    told = set(_UNSAID)
    for keys, heading, tell in _GROUPS:
        if any(thing.get(key) not in (None, "", [], {}) for key in keys):
            told.update(keys)
            yield from _pieces(words[heading], list(tell(thing, words)))
    yield from _pieces(words["facts"], list(_other_properties(thing, told, words)))


def cut(text: str, characters: int = MOST_CHARACTERS) -> list[str]:
    """Cut `text` at ends of sentences into parts of at most `characters`; a longer sentence between words."""
    parts: list[str] = []
    here = ""
    for sentence in _sentences(text, characters):
        if here and len(here) + len(sentence) > characters:
            parts.append(here.strip())
            here = ""
        here += sentence
    return [part for part in [*parts, here.strip()] if part]


def _sentences(text: str, characters: int) -> Iterator[str]:
    start = 0
    for match in _SENTENCE_END.finditer(text):
        yield from _fitting(text[start : match.end()], characters)
        start = match.end()
    yield from _fitting(text[start:], characters)


def _fitting(sentence: str, characters: int) -> Iterator[str]:
    while len(sentence) > characters:
        space = sentence.rfind(" ", 1, characters)
        end = space + 1 if space > characters // 2 else characters
        yield sentence[:end]
        sentence = sentence[end:]
    if sentence:
        yield sentence


def _pieces(heading: str, parts: Sequence[str], *, between: str = "\n") -> Iterator[Piece]:
    """Yield pieces of as many whole parts as fit; a part that is too long is cut."""
    here = ""
    for part in parts:
        for short in cut(part) if len(part) > MOST_CHARACTERS else [part.strip()]:
            if here and len(here) + len(between) + len(short) > MOST_CHARACTERS:
                yield Piece(heading, here)
                here = ""
            here = f"{here}{between}{short}" if here and short else here or short
    if here:
        yield Piece(heading, here)


def _overview(item: Item) -> str:
    """Return the description and what kind of thing it is."""
    thing = item.schema_object
    words = labels_of(item.language)
    lines = [text_of(thing.get("description") or thing.get("abstract"))]
    kinds = [text_of(thing.get(key)) for key in ("recipeCategory", "recipeCuisine", "category", "genre", "brand")]
    if kind := [kind for kind in kinds if kind]:
        lines.append(words["kind"] + words["comma"].join(kind))
    if keywords := texts_of(thing.get("keywords")):
        lines.append(words["about"] + words["comma"].join(keywords))
    if author := text_of(thing.get("author")):
        lines.append(words["author"] + author)
    lines += _rating(thing, words)
    return "\n".join(line for line in lines if line)


Words = Mapping[str, str]
Tell = Callable[[Object, Words], Iterator[str]]


def _ingredients(thing: Object, words: Words) -> Iterator[str]:
    if servings := " ".join(texts_of(thing.get("recipeYield"))[:1]):
        yield f"{words['yield']}{servings}"
    for ingredient in texts_of(thing.get("recipeIngredient") or thing.get("ingredients")):
        yield f"- {ingredient}"


def _steps(thing: Object, words: Words) -> Iterator[str]:
    steps = steps_of(thing.get("recipeInstructions") or thing.get("step"))
    is_numbered = len(steps) > 1
    for number, step in enumerate(steps, start=1):
        yield f"{number}. {step}" if is_numbered else step


def _times(thing: Object, words: Words) -> Iterator[str]:
    whole = _spoken(thing.get("totalTime") or thing.get("duration") or thing.get("timeRequired"), words)
    keys = ("prepTime", "cookTime")
    parts = words["comma"].join(f"{words[key]}{_spoken(thing[key], words)}" for key in keys if thing.get(key))
    if whole or parts:
        said = words["takes"].format(whole) if whole else ""
        yield (words["of which"].format(said, parts) if whole and parts else said or parts) + words["stop"]
    for nutrition in objects(thing.get("nutrition")):
        serving = text_of(nutrition.get("servingSize"))
        shown = [
            f"{words.get(key, key)}{text_of(value)}"
            for key, value in nutrition.items()
            if key not in ("@type", "@id", "servingSize")
        ]
        per = words["per"].format(serving) if serving else words["nutrition"]
        yield per + words["comma"].join(shown) + words["stop"]


def _rating(thing: Object, words: Words) -> Iterator[str]:
    for rating in objects(thing.get("aggregateRating"))[:1]:
        value, best = text_of(rating.get("ratingValue")), text_of(rating.get("bestRating")) or "5"
        count = text_of(rating.get("reviewCount") or rating.get("ratingCount"))
        yield (words["rated"].format(value, best) + (words["by"].format(count) if count else "") + words["stop"])


def _offers(thing: Object, words: Words) -> Iterator[str]:
    for offer in objects(thing.get("offers"))[:20]:
        low, high = text_of(offer.get("price") or offer.get("lowPrice")), text_of(offer.get("highPrice"))
        amount = " ".join(
            part for part in (f"{low}–{high}" if high else low, text_of(offer.get("priceCurrency"))) if part
        )
        stock = last_word(offer.get("availability"))
        said = [words["amount"] + amount] if amount else []
        said += [words.get(stock, stock)] if stock else []
        yield words["comma"].join(said) + words["stop"]


def _specifications(thing: Object, words: Words) -> Iterator[str]:
    for key in ("color", "material", "size", "weight", "width", "height", "depth", "model", "sku"):
        if value := text_of(thing.get(key)):
            yield f"- {words.get(key, key)}{words['colon']}{value}"
    for part in objects(thing.get("additionalProperty")):
        value = text_of({**part, "name": None})
        yield f"- {text_of(part.get('name'))}{words['colon']}{value}"


def _comments(thing: Object, _: Words) -> Iterator[str]:
    for remark in remarks_of(thing.get("comment")):
        yield f"- {remark}"


def _reviews(thing: Object, words: Words) -> Iterator[str]:
    for part in objects(thing.get("review")) + objects(thing.get("reviews")):
        stars = "".join(text_of(rating.get("ratingValue")) for rating in objects(part.get("reviewRating"))[:1])
        author = text_of(part.get("author"))
        said = text_of(part.get("reviewBody") or part.get("description"))
        head = words["comma"].join(part for part in (author, words["stars"].format(stars) if stars else "") if part)
        yield f"- {head}{words['colon']}{said}" if head else f"- {said}"


def _questions(thing: Object, words: Words) -> Iterator[str]:
    for part in objects(thing.get("mainEntity")) or ([dict(thing)] if thing.get("acceptedAnswer") else []):
        answers = texts_of(part.get("acceptedAnswer") or part.get("suggestedAnswer"))
        yield f"{text_of(part.get('name'))}\n" + "\n".join(answers)


def _long_texts(thing: Object, _: Words) -> Iterator[str]:
    for key in _LONG_TEXTS:
        for text in texts_of(thing.get(key)):
            yield from (line for line in text.split("\n") if line)


def _other_properties(thing: Object, told: set[str], words: Words) -> Iterator[str]:
    for key, value in thing.items():
        if key not in told and not key.startswith("@") and (text := text_of(value)):
            yield f"- {words.get(key) or _label(key)}{words['colon']}{text}"


def _label(key: str) -> str:
    """Return `date published` for `datePublished`."""
    return "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in key).strip()


def _spoken(value: Json, words: Words) -> str:
    minutes = minutes_of(value)
    if minutes is None:
        return text_of(value)
    hours, rest = divmod(round(minutes), 60)
    parts = [words["hours"].format(hours)] if hours else []
    parts += [words["minutes"].format(rest)] if rest or not hours else []
    return words["space"].join(parts)


_GROUPS: tuple[tuple[tuple[str, ...], str, Tell], ...] = (
    (("recipeIngredient", "ingredients", "recipeYield"), "ingredients", _ingredients),
    (("recipeInstructions", "step"), "steps", _steps),
    (("prepTime", "cookTime", "totalTime", "duration", "timeRequired", "nutrition"), "times", _times),
    (("comment",), "tips", _comments),
    (("color", "material", "size", "weight", "width", "height", "depth", "model", "sku",
      "additionalProperty"),
     "specifications", _specifications),
    (("offers",), "price", _offers),
    (("review", "reviews"), "reviews", _reviews),
    (("mainEntity", "acceptedAnswer", "suggestedAnswer"), "questions", _questions),
    (_LONG_TEXTS, "text", _long_texts),
)  # fmt: skip
"""Which properties go together, under which heading, and how they are told."""
