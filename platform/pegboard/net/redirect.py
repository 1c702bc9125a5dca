"""Where a redirect leads: the request that follows it, without what only the first service may know. Pure."""

from dataclasses import replace
from urllib.parse import urljoin

from pegboard.net.exchange import Request, Response
from pegboard.net.target import target_of

REDIRECTS = frozenset({301, 302, 303, 307, 308})
_HARMLESS = frozenset({"accept", "accept-encoding", "accept-language", "user-agent"})
"""Headers that go to another service too."""


def followed(request: Request, response: Response) -> Request:
    """Return the request that `response`, a redirect, asks for.

    To another origin go neither secrets nor a body, and none of the headers that a declaration gives; its host has to
    be a public one, since nobody declared it.

    Raises:
        ValueError: it leads nowhere that may be asked; with a clause that says why.
    """
    place = response.header("location")
    if not place:
        raise ValueError("it says not where to")
    try:
        url = urljoin(request.url, place).partition("#")[0]
    except ValueError as error:
        raise ValueError("it leads to what is no address") from error
    before, after = target_of(request.url), target_of(url)
    if before.scheme == "https" and after.scheme == "http":
        raise ValueError("it leads from https to http")
    becomes_get = response.status == 303 or (response.status in {301, 302} and request.method == "POST")
    method = "GET" if becomes_get and request.method != "HEAD" else request.method
    body = None if becomes_get else request.body
    if before.origin == after.origin:
        return replace(request, method=method, url=url, body=body, headers=_without_body(request, becomes_get))
    if body:
        raise ValueError("it leads to another service, which would get what was sent to this one")
    headers = tuple((name, value) for name, value in request.headers if _may_go(name, value, request.secrets))
    return replace(request, method=method, url=url, body=None, headers=headers, is_foreign=True)


def _without_body(request: Request, is_dropped: bool) -> tuple[tuple[str, str], ...]:
    return tuple(pair for pair in request.headers if not (is_dropped and pair[0].lower().startswith("content-")))


def _may_go(name: str, value: str, secrets: tuple[str, ...]) -> bool:
    return name.lower() in _HARMLESS and not any(secret in value for secret in secrets)
