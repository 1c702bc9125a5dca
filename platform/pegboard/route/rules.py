"""Rules of a site: a word or a pattern in a question sends it to a tool before anything is scored. Pure.

Not here: whether a rule can be used at all (`catalog/toolsets/rules.py`).
"""

import unicodedata
from collections.abc import Collection, Sequence
from functools import lru_cache

from pegboard.catalog.schema.linear import compiled
from pegboard.catalog.tool import Rule
from pegboard.route.decision import AppliedRule


def first_rule(question: str, rules: Sequence[Rule], candidates: Collection[str]) -> tuple[str, AppliedRule] | None:
    """Return the tool of the first rule that applies, and the rule; None: none does.

    A rule whose tool is no candidate is passed over.
    """
    words = _folded(question) if rules else ""
    for number, rule in enumerate(rules, 1):
        if rule.tool in candidates and (matched := _matched(question, words, rule)):
            return rule.tool, AppliedRule(number, str(rule.place or ""), matched)
    return None


def _matched(question: str, words: str, rule: Rule) -> str:
    """Say what of `rule` the question holds; empty: nothing."""
    for keyword in rule.keywords:
        if holds_word(words, _folded(keyword)):
            return f"keyword {keyword!r}"
    whole = question.encode("utf-8", "replace").decode("utf-8")  # re2 takes no lone surrogates
    return f"pattern {rule.pattern!r}" if rule.pattern and compiled(rule.pattern).search(whole) else ""


def holds_word(text: str, word: str) -> bool:
    """Tell whether `word` stands in `text` as a whole word; both are folded.

    Where scripts have no blanks between words (Chinese, Japanese), and around signs such as `%`, any place will do.
    """
    start = text.find(word) if word else -1
    while start >= 0:
        end = start + len(word)
        if not (_joins(text, start) or _joins(text, end)):
            return True
        start = text.find(word, start + 1)
    return False


def _joins(text: str, place: int) -> bool:
    """Tell whether a word goes on from the character before `place` to the one at it."""
    return 0 < place < len(text) and _is_of_a_word(text[place - 1]) and _is_of_a_word(text[place])


@lru_cache(maxsize=4096)
def _is_of_a_word(character: str) -> bool:
    """Tell whether a letter or digit is one of those that blanks put apart."""
    if not (character.isalnum() or unicodedata.category(character) in ("Mn", "Mc") or character == "_"):
        return False
    return not unicodedata.name(character, "").startswith(
        ("CJK", "HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR")
    )


@lru_cache(maxsize=1024)
def _folded(text: str) -> str:
    """Return `text` in the one form in which words are compared: no capitals, no wide letters, single blanks."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
