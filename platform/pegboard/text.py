"""Text that goes in and out: JSON and paths in it, words, languages, near spellings.

Not here: anything that knows of tools or items.
"""

import difflib
import json
import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import NoReturn, TypeAlias, Union

Json: TypeAlias = Union[bool, int, float, str, list["Json"], dict[str, "Json"], None]  # noqa: UP007 (recursive)
"""Any JSON value."""

TRUTHS: Mapping[str, bool] = {
    **dict.fromkeys(("true", "yes", "on", "1"), True),
    **dict.fromkeys(("false", "no", "off", "0"), False),
}
"""How people write true and false, lower case."""

DEEPEST = 100
"""Levels of lists and objects in JSON that somebody sends; what works on it may go down into it by recursion."""

LONGEST_QUOTED = 100
"""Characters of a name that an error tells."""

_COMPACT = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
_MOST_NAMED = 12
_LONGEST_COMPARED = 100
"""Characters of a word that may be a slip of another."""
_MANY = 100
"""Choices that are all compared."""
_MOST_COMPARED = 20_000
_MOST_DIFFERENCE = 4
"""Characters that a slip adds or leaves out."""

_BLANK = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters and symbols by their class that nobody sees."""
_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af"
_CJK_RUN = re.compile(f"[{_CJK}]+")
_KANA = re.compile("[\u3040-\u30ff]")
_HANGUL = re.compile("[\uac00-\ud7af]")
_TOKEN = re.compile(rf"[{_CJK}]+|[^\W_{_CJK}]+(?:['\u2019][^\W\d_{_CJK}]+)?", re.UNICODE)
_WORD_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


def to_json(value: object, *, indent: int | None = None) -> str:
    """Write `value` as JSON: UTF-8 as it is, never escaped; compact unless `indent` is given."""
    text = _COMPACT.encode(value) if indent is None else json.dumps(value, ensure_ascii=False, indent=indent)
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def read_json(text: str) -> Json:
    """Read JSON that somebody has written, so that all that comes later can hold it, count with it and pass it on.

    Raises:
        ValueError: it is none (then a `json.JSONDecodeError`), or has `NaN`, a number that is too large, a key twice,
            half a surrogate pair, or more than `DEEPEST` levels; with a clause that says which.
    """
    try:
        value: Json = json.loads(text, parse_constant=_refuse_constant, object_pairs_hook=_without_doubles)
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None
    except json.JSONDecodeError:
        raise
    except ValueError as error:
        raise ValueError(_TOO_LARGE if "int_max_str_digits" in str(error) else str(error)) from None
    _refuse_unbounded(value)
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        escape = f"\\u{ord(error.object[error.start]):04x}"
        raise ValueError(f"{escape} is half of a surrogate pair and no character") from error
    return value


_TOO_DEEP = f"it is nested more than {DEEPEST} levels deep"
_TOO_LARGE = "a number in it is too large"


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")


def _without_doubles(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    held = dict(pairs)
    if len(held) < len(pairs):
        double = Counter(key for key, _ in pairs).most_common(1)[0][0]
        raise ValueError(f"the key {double[:80]!r} is there twice in one object")
    return held


def _refuse_unbounded(value: Json) -> None:
    level = [value]
    for _ in range(DEEPEST + 1):
        if any(isinstance(each, int | float) and not abs(each) <= sys.float_info.max for each in level):
            raise ValueError(_TOO_LARGE)
        held = [each for each in level if isinstance(each, dict | list)]
        if not held:
            return
        level = [inner for each in held for inner in (each.values() if isinstance(each, dict) else each)]
    raise ValueError(_TOO_DEEP)


def spelled(path: Sequence[str | int]) -> str:
    """Spell the path of a value, its keys and positions from the outside in: `filters[0].price`."""
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return text.removeprefix(".")


def tokens(text: str) -> Iterator[str]:
    """Yield lower-case words; a run of Chinese, Japanese or Korean gives its overlapping pairs."""
    for match in _TOKEN.finditer(text):
        run = match[0]
        if not _CJK_RUN.match(run):
            yield run.lower()
        elif len(run) == 1:
            yield run
        else:
            yield from (run[i : i + 2] for i in range(len(run) - 1))


def language(text: str) -> str:
    """Guess the language of `text`: `zh`, `ja`, `ko`, or `en` for all that is written in other scripts."""
    if _KANA.search(text):
        return "ja"
    if _HANGUL.search(text):
        return "ko"
    return "zh" if _CJK_RUN.search(text) else "en"


def words_of_name(name: str) -> str:
    """Spell a name in words: `recipe_substitutions` and `getWeather` become `recipe substitutions`, `get weather`."""
    return " ".join(part.lower() for part in _WORD_PARTS.findall(name)) or name


def folded(name: str) -> str:
    """Return what a name is compared by where capitals, blanks and widths of letters make no other name."""
    return "-".join(unicodedata.normalize("NFKC", name).casefold().split())


def nearest(word: str, choices: Iterable[str]) -> str | None:
    """Return the choice that `word` was probably meant to be, or None if none is near.

    A very long word is not looked up, nor are very many choices; among many, only those are compared that begin
    or end as the word does.
    """
    folded, known = word.lower().replace("-", "_"), list(choices)
    if len(folded) > _LONGEST_COMPARED or len(known) > _MOST_COMPARED:
        return None
    if len(known) > _MANY:
        known = [choice for choice in known if _may_be(folded, choice)]
    by_folded = {choice.lower().replace("-", "_"): choice for choice in known if len(choice) <= _LONGEST_COMPARED}
    found = difflib.get_close_matches(folded, by_folded, n=1, cutoff=0.6)
    return by_folded[found[0]] if found else None


def _may_be(folded: str, choice: str) -> bool:
    if abs(len(choice) - len(folded)) > _MOST_DIFFERENCE:
        return False
    return choice[:1].lower() == folded[:1] or choice[-3:].lower() == folded[-3:] or choice[1:3] == folded[1:3]


def did_you_mean(word: str, choices: Iterable[str], *, noun: str = "") -> str:
    """Say what `word` was probably meant to be, or what there is: a hint for an error."""
    known = sorted(choices) if isinstance(choices, AbstractSet) else list(choices)  # of a set, the same each time
    near = nearest(word, known)
    if near is not None:
        return f"Did you mean {near!r}?"
    if not known and not noun:
        return ""
    shown = list(dict.fromkeys(known[: 10 * _MOST_NAMED]))
    return f"Known{' ' + noun if noun else ''}: {named(shown) or 'none'}."


def named(names: Sequence[str]) -> str:
    """Put names in a row, no more and none longer than people read."""
    shown = (name if len(name) <= LONGEST_QUOTED else f"{name[: LONGEST_QUOTED - 1]}…" for name in names[:_MOST_NAMED])
    return ", ".join(shown) + (", …" if len(names) > _MOST_NAMED else "")


def quoted(name: str) -> str:
    """Return `name` as an error tells it, in quotes: its beginning, where it is longer than any name that is meant."""
    return repr(name) if len(name) <= LONGEST_QUOTED else repr(f"{name[: LONGEST_QUOTED - 1]}…")


def is_seen(text: str) -> bool:
    """Tell whether a reader sees anything of `text`: more than blanks, controls, marks of direction and fillers."""
    return any(unicodedata.category(each)[0] not in "CZ" and each not in _BLANK for each in text)


def sentence(text: str) -> str:
    """Return `text` with a full stop behind it, unless it ends as a sentence does."""
    return text if text.endswith((".", "?", "!", "…", "。", "？", "！")) else f"{text}."


def clipped(text: str, characters: int) -> str:
    """Cut `text` at the end of a word (or in a very long one) to at most `characters`, and mark the cut with `…`."""
    flat = " ".join(text.split())
    if len(flat) <= characters:
        return flat
    cut = flat[: characters - 1]
    space = cut.rfind(" ")
    return (cut[:space] if space > characters * 0.6 else cut).rstrip(" ,;:") + "…"
