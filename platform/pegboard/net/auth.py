"""From a declared `auth` to a request that carries it."""

import base64
from dataclasses import replace
from urllib.parse import quote

from pegboard.config.blocks.auth import AuthDeclaration
from pegboard.errors import CallFailed
from pegboard.net.exchange import Request


def with_auth(request: Request, auth: AuthDeclaration | None) -> Request:
    """Return `request` as the service wants it of one who may ask; its secrets are noted in it.

    Raises:
        CallFailed: a secret is empty, or cannot be sent.
    """
    if auth is None:
        return request
    headers, url, secrets = list(request.headers), request.url, list(request.secrets)
    for secret in secrets_of(auth):
        _check(secret, auth)
    if auth.bearer is not None:
        secrets.append(auth.bearer.reveal())
        headers.append(("Authorization", f"Bearer {auth.bearer.reveal()}"))
    if auth.password is not None:
        pair = base64.b64encode(f"{auth.user}:{auth.password.reveal()}".encode()).decode()
        secrets += [auth.password.reveal(), pair]
        headers.append(("Authorization", f"Basic {pair}"))
    if auth.header is not None:
        secrets.append(auth.header.value.reveal())
        headers.append((auth.header.name, auth.header.value.reveal()))
    if auth.query is not None:
        value = quote(auth.query.value.reveal(), safe="")
        secrets += [auth.query.value.reveal(), value]
        url = f"{url}{'&' if '?' in url else '?'}{quote(auth.query.name, safe='')}={value}"
    return replace(request, headers=tuple(headers), url=url, secrets=tuple(dict.fromkeys(filter(None, secrets))))


def secrets_of(auth: AuthDeclaration) -> list[str]:
    """Return the secrets that `auth` gives, empty ones too."""
    named = [declared.value for declared in (auth.header, auth.query) if declared is not None]
    return [secret.reveal() for secret in (auth.bearer, auth.password, *named) if secret is not None]


def _check(secret: str, auth: AuthDeclaration) -> None:
    if not secret:
        hint = auth.missing or "Set the variable, or write the file, that its `auth` names."
        raise CallFailed("The secret that the service wants is not set.", hint=hint)
    if not secret.isprintable():
        hint = "It holds a character that no request may hold: look for the end of a line behind it."
        raise CallFailed("The secret that the service wants cannot be sent.", hint=hint)
