"""Find what looks like a real credential in a text: keys by their well-known beginnings, passwords in URLs.

Few false positives are wanted: placeholders (`sk-your-key`, `AKIAIOSFODNN7EXAMPLE`, `postgres://app:${PASSWORD}@db`)
are none. Every search takes time in proportion to the text: each pattern begins with a literal, and what it reads
behind that is bounded, or cannot be read again from a later start.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

MASK = "***"
"""What is shown in the place of a secret."""

_BASE64 = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
_PLACEHOLDER = re.compile(r"example|placeholder|your|dummy|redacted|change.?me|x{4}|\*{3}|\.{3}|[<>{}…]", re.IGNORECASE)
_FEWEST_CHARACTERS = 8
"""A key made by a machine has more different characters than `sk-00000000000000000000`."""
_SECRET_NAME = re.compile(r"(?:^|[_.-])(?:(?:api|access|private|secret|model)_?-?key|token|secret|password|passwd)$")


@dataclass(frozen=True, slots=True)
class Credential:
    """A credential and where it stands in its text."""

    start: int
    end: int
    kind: str
    """What it is, in words: `an AWS access key`."""


@dataclass(frozen=True, slots=True)
class _Pattern:
    kind: str
    pattern: re.Pattern[str]
    """Group 1, where there is one, is the secret part."""
    accepts: Callable[[str, str], bool]
    """Judges the secret part, and the character before the match."""


def names_secret(key: str) -> bool:
    """Tell whether the value of a key is a secret by the key's name: `api_key`, `db-password`."""
    return _SECRET_NAME.search(key.lower()) is not None


def find(text: str) -> list[Credential]:
    """Return the credentials in `text`, in the order of their places."""
    found = [credential for each in _PATTERNS for credential in _matches(each, text)]
    found += _tokens(text)
    return sorted(found, key=lambda credential: credential.start)


def masked(text: str) -> str:
    """Return `text` with `***` for each credential in it."""
    kept, at = [], 0
    for credential in find(text):
        if credential.start >= at:
            kept += [text[at : credential.start], MASK]
            at = credential.end
    return "".join([*kept, text[at:]]) if kept else text


def _matches(each: _Pattern, text: str) -> Iterator[Credential]:
    for match in each.pattern.finditer(text):
        group = 1 if each.pattern.groups else 0
        before = text[match.start() - 1 : match.start()] if match.start() else ""
        if each.accepts(match[group], before):
            yield Credential(match.start(group), match.end(group), each.kind)


def _tokens(text: str) -> Iterator[Credential]:
    """Find JSON Web Tokens from their middle, so that a long run of `eyJ` is read once."""
    for match in _TOKEN_TAIL.finditer(text):
        start = match.start()
        while start and text[start - 1] in _BASE64:
            start -= 1
        if text.startswith("eyJ", start) and match.start() - start >= _SHORTEST_HEADER:
            yield Credential(start, match.end(), "a JSON Web Token")


_TOKEN_TAIL = re.compile(r"\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{16,}")
_SHORTEST_HEADER = 12


def _key(secret: str, before: str) -> bool:
    if before.isalnum() or _PLACEHOLDER.search(secret):
        return False
    return len(set(secret)) >= _FEWEST_CHARACTERS and any(character.isdigit() for character in secret)


def _password(secret: str, before: str) -> bool:
    return before.isalnum() and not _PLACEHOLDER.search(secret) and len(set(secret)) > 1


def _block(secret: str, _before: str) -> bool:
    return "..." not in secret and "…" not in secret


_PATTERNS = (
    _Pattern("a secret key", re.compile(r"sk-[A-Za-z0-9_-]{20,}"), _key),
    _Pattern("a live payment key", re.compile(r"sk_live_[A-Za-z0-9]{16,}"), _key),
    _Pattern("a GitHub token", re.compile(r"gh[opsur]_[A-Za-z0-9]{36,}"), _key),
    _Pattern("a GitHub token", re.compile(r"github_pat_[A-Za-z0-9_]{22,}"), _key),
    _Pattern("a GitLab token", re.compile(r"glpat-[A-Za-z0-9_-]{20,}"), _key),
    _Pattern("an AWS access key", re.compile(r"A(?:KIA|SIA)[A-Z0-9]{16}(?![A-Za-z0-9])"), _key),
    _Pattern("a Slack token", re.compile(r"xox[abeoprs]-[A-Za-z0-9-]{10,}"), _key),
    _Pattern("a Google API key", re.compile(r"AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])"), _key),
    _Pattern("a Hugging Face token", re.compile(r"hf_[A-Za-z0-9]{30,}"), _key),
    _Pattern(
        "a private key",
        re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?s:(?:(?!-----).)*)"),
        _block,
    ),
    _Pattern(
        "a password in a URL",
        re.compile(r"""://[^\s/@:"'<>]{0,128}:([^\s/@"'<>]{1,256})@[A-Za-z0-9.\[_-]"""),
        _password,
    ),
)
