"""From a declared `auth` to a request that carries it."""

import base64
from dataclasses import replace
from urllib.parse import quote

from pegboard.config.blocks.auth import AuthDeclaration
from pegboard.net.exchange import Request


def with_auth(request: Request, auth: AuthDeclaration | None) -> Request:
    """Return `request` as the service wants it of one who may ask; its secrets are noted in it."""
    if auth is None:
        return request
    headers, url, secrets = list(request.headers), request.url, list(request.secrets)
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
