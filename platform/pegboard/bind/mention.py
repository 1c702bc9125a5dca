"""Names of things that a site has, in a question: which are mentioned, and where a name begins and ends.

Pure. Turns of phrase (`english`, `chinese`) say where a name may stand; the site's own names say how far it goes.
"""

import re
from collections.abc import Sequence

from pegboard.knowledge.wording.stems import stems

_NEAR = 0.5
"""Part of a name's words that must stand in the question for the name to be meant."""
_SMALL = frozenset({"the", "a", "an", "my", "of", "and", "with", "in", "for", "to", "on", "or", "at", "from", "is"})
_WORD = re.compile(r"[a-z0-9]+(?:['’-][a-z0-9]+)*|[\u4e00-\u9fff]", re.IGNORECASE)


def mentioned(question: str, names: Sequence[str]) -> list[str]:
    """Return those of `names` that `question` mentions, in the order of their mention.

    A name is mentioned when half of its words stand in the question, or those that it begins with, such as
    brand and model; of names that share words, the fullest.
    """
    said = stems(question)
    found: list[tuple[int, float, str]] = []
    for name in names:
        words = list(dict.fromkeys(stems(name)))
        shared = [word for word in words if word in said]
        begins = len(shared) >= 2 and shared[:2] == words[:2]
        if shared and (begins or len(shared) >= max(_NEAR * len(words), min(2, len(words)))):
            found.append((min(said.index(word) for word in shared), -len(shared) / len(words), name))
    kept: dict[int, str] = {}
    for start, _, name in sorted(found):
        kept.setdefault(start, name)
    return list(kept.values())


def within_name(candidate: str, names: Sequence[str]) -> str:
    """Return as much of `candidate` as one of `names` holds, from its first word in the name to its last.

    So `破晓羽绒服现在卖` ends where the name does. It stays as it is where no name shares two words with it, or all
    of its own.
    """
    words = list(_WORD.finditer(candidate))
    best: tuple[int, str] = (0, candidate)
    for name in names:
        known = {_plain(match[0]) for match in _WORD.finditer(name)}
        shared = [match for match in words if _plain(match[0]) in known and match[0].lower() not in _SMALL]
        if len(shared) > best[0] and (len(shared) > 1 or len(known) == 1):
            best = (len(shared), candidate[shared[0].start() : shared[-1].end()])
    return best[1]


def _plain(word: str) -> str:
    return word.lower().removesuffix("'s").removesuffix("’s").removesuffix("s")
