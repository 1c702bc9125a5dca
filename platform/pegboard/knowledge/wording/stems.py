"""The words of a text that carry its meaning, cut to stems: enough to see that two texts speak of the same.

Chinese gives pairs of characters, without those of question words and particles; where a question is held against
a text (`asked_words`, `held_words`), also the words that `synonyms` knows.
"""

import re
from collections.abc import Iterable, Iterator

from pegboard.knowledge.wording.synonyms import GROUPS, PHRASES
from pegboard.text import tokens

_HAN = re.compile("[\u3400-\u9fff]")
_HAN_RUN = re.compile("[\u3400-\u9fff]+")
_EMPTY_HAN = frozenset(
    "的了吗么呢吧啊我你您他她它们是在有没什怎请可以想要能个这那和与或跟把被就都也还很哪几些为多少会给让做用"
)
_EMPTY_WORDS = """
    a about after all also am an and any anything are as at be been before by can can't cannot could did do does
    doesn't don't every for from get give go got had happen happens has have he her him his how i i'm if im in
    into is it it's its just know let like long make many may me might much must my need no not of off on one or
    our out over please shall she should show so some something still such take tell than that the their them
    then there there's these they this those to too until up us use very want was we were what what's when where
    which who why will with would you your
"""
_EMPTY_HAN_WORDS = """
    怎么办 怎么样 怎么 怎样 如何 什么 为什么 多少 多久 多长 时间 几天 几点 哪里 哪儿 可以 能不能 可不可以
    是不是 有没有 需要 应该 请问 一下 一个 意思 还能 如果 时候 以后 之后 之前 已经 不是 没有 出来
    下来 起来 回来 东西 情况 知道 告诉
"""
_EMPTY = frozenset(_EMPTY_WORDS.split())
_SUFFIXES = ("ments", "ment", "ings", "ing", "ies", "ied", "ers", "ed", "er", "es", "s", "e", "y")


def stem(word: str) -> str:
    """Cut an English word to its stem; any other word stays as it is."""
    if not word.isascii() or len(word) < 4 or word[0].isdigit():
        return word
    for suffix in _SUFFIXES:
        least = 5 if suffix in {"er", "ers"} else 3
        if word.endswith(suffix) and len(word) - len(suffix) >= least:
            cut = word[: -len(suffix)]
            is_doubled = len(suffix) > 1 and len(cut) > 3 and cut[-1] == cut[-2] and cut[-1] not in "lsz"
            return (cut[:-1] if is_doubled else cut)[:7]
    return word[:7]


def stems(text: str) -> list[str]:
    """Return the stems of the words that carry meaning, in their order."""
    return list(_stems(text))


def _stems(text: str) -> Iterator[str]:
    for token in tokens(text.replace("’", "'")):
        if _HAN.match(token):
            if not _EMPTY_HAN.intersection(token):
                yield token
        elif token not in _EMPTY and len(token) > 1:
            yield stem(token.removesuffix("'s"))


def widened(found: Iterable[str]) -> set[str]:
    """Return stems together with those of their synonyms."""
    known = set(found)
    for group in _GROUPS:
        if known & group:
            known = known | group
    return known


_GROUPS = tuple(frozenset(stems(group)) for group in GROUPS)


def asked_words(question: str) -> list[str]:
    """Return what `question` speaks of, each once: stems, known Chinese words, pairs of other characters."""
    text = plainly(question)
    found = [*stems(_HAN_RUN.sub(" ", text))]
    for run in _HAN_RUN.findall(text):
        found += _known_and_pairs(run)
    return list(dict.fromkeys(found)) or list(dict.fromkeys(stems(question)))


def _known_and_pairs(run: str) -> Iterator[str]:
    start = 0
    for match in _KNOWN_HAN.finditer(run):
        yield from _pairs(run[start : match.start()])
        if match[0] not in _KNOWN_EMPTY:
            yield match[0]
        start = match.end()
    yield from _pairs(run[start:])


def _pairs(run: str) -> Iterator[str]:
    for part in _EMPTY_HAN_CHARACTER.split(run):
        yield from (part[place : place + 2] for place in range(len(part) - 1))


def held_words(text: str) -> frozenset[str]:
    """Return every word and pair of characters in `text`, to look those of a question up in."""
    text = plainly(text)
    known = (word for run in _HAN_RUN.findall(text) for word in _KNOWN_HAN.findall(run))
    return frozenset([*stems(text), *known])


def kin(word: str) -> frozenset[str]:
    """Return the words that mean about the same as `word` of `asked_words`."""
    return _KIN.get(word, frozenset())


def plainly(text: str) -> str:
    """Return `text` in lower case, with turns of speech put plainly: `send it back` becomes `return`."""
    text = text.lower().replace("’", "'")
    for pattern, words in PHRASES:
        text = pattern.sub(words, text)
    return text


def _kin() -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for group in GROUPS:
        words = frozenset(word if _HAN.match(word) else part for word in group.split() for part in _parts(word))
        for word in words:
            found[word] = found.get(word, frozenset()) | (words - {word})
    return found


def _parts(word: str) -> list[str]:
    return [word] if _HAN.match(word) else stems(word)


_KNOWN_EMPTY = frozenset(_EMPTY_HAN_WORDS.split())
_EMPTY_HAN_CHARACTER = re.compile(f"[{''.join(sorted(_EMPTY_HAN))}到从以上下再又先后着过去来不对于个件里外前后]")
_KIN = _kin()
_KNOWN_HAN = re.compile(
    "|".join(sorted({word for word in _KIN if _HAN.match(word)} | _KNOWN_EMPTY, key=len, reverse=True))
)
