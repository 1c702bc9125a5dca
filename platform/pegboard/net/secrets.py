"""Secrets put out of sight: in a text, or in any JSON, in every spelling that a request gives them."""

import base64
import json
from collections.abc import Iterable, Mapping
from functools import lru_cache
from urllib.parse import quote, quote_plus

from pegboard.config.credentials import MASK
from pegboard.errors import UpstreamFailed
from pegboard.text import Json

_SHORTEST_ENCODED = 4
"""Characters of a secret whose spellings can be told from chance."""


def masked(value: Json, secrets: Iterable[str]) -> Json:
    """Return `value` with `***` for each of `secrets`, also where it is URL-encoded, in base64 or escaped.

    Raises:
        UpstreamFailed: it is nested too deep to be looked through.
    """
    spellings = _spellings(tuple(secret for secret in secrets if secret))
    try:
        return _masked(value, spellings) if spellings else value
    except RecursionError:
        raise UpstreamFailed("The reply cannot be read: its JSON is nested too deep.") from None


def masked_text(text: str, secrets: Iterable[str]) -> str:
    """Return `text` with `***` for each of `secrets`."""
    for spelling in _spellings(tuple(secret for secret in secrets if secret)):
        text = text.replace(spelling, MASK)
    return text


def _masked(value: Json, spellings: tuple[str, ...]) -> Json:
    match value:
        case str():
            for spelling in spellings:
                value = value.replace(spelling, MASK)
            return value
        case list():
            return [_masked(each, spellings) for each in value]
        case Mapping():
            return {str(_masked(key, spellings)): _masked(each, spellings) for key, each in value.items()}
        case _:
            return value


@lru_cache(maxsize=256)
def _spellings(secrets: tuple[str, ...]) -> tuple[str, ...]:
    """Return what is looked for, the longest first, so that no rest of one is left."""
    found = dict.fromkeys(secrets)
    for secret in secrets:
        if len(secret) >= _SHORTEST_ENCODED:
            found |= dict.fromkeys(_encoded(secret))
    return tuple(sorted(found, key=len, reverse=True))


def _encoded(secret: str) -> Iterable[str]:
    yield from (quote(secret, safe=""), quote(secret), quote_plus(secret), quote(secret, safe="").lower())
    yield from (json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1])
    data = secret.encode("utf-8", "surrogatepass")
    for before in range(3):  # as a part of something longer it may begin at any of three places
        inner = base64.b64encode(bytes(before) + data).decode().rstrip("=")
        start, end = (0, 2, 3)[before], len(inner) - (1 if (before + len(data)) % 3 else 0)
        yield inner[start:end]
        yield inner[start:end].replace("+", "-").replace("/", "_")
    yield data.hex()
