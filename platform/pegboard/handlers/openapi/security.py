"""How a request tells the service who asks: by the document's own schemes, and the secrets that are declared for them.

An alternative of an operation is taken when there is a secret for each of its schemes; the first one that is. With
none, the request goes out without, and the service says what it wants.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from urllib.parse import quote

from pegboard.config.blocks.auth import AuthDeclaration, HeaderDeclaration
from pegboard.config.blocks.openapi import CredentialDeclaration
from pegboard.handlers.openapi.api import Operation, Scheme
from pegboard.net.auth import with_auth
from pegboard.net.exchange import Request


@dataclass(frozen=True, slots=True)
class Security:
    """What one operation is asked with."""

    schemes: tuple[tuple[Scheme, CredentialDeclaration], ...] = ()
    auth: AuthDeclaration | None = field(default=None, repr=False)
    """What the source says of every request; used where no scheme is."""
    wanted: tuple[str, ...] = ()
    """Names of schemes that the operation asks for and that no secret is declared for."""

    def sent(self, request: Request) -> Request:
        """Return `request` with what tells who asks; its secrets are noted in it."""
        for scheme, credential in self.schemes:
            request = _with_scheme(request, scheme, credential)
        return request if self.schemes else with_auth(request, self.auth)


def security_of(
    operation: Operation,
    schemes: Mapping[str, Scheme],
    declared: Sequence[CredentialDeclaration],
    auth: AuthDeclaration | None,
) -> Security:
    """Return what `operation` is asked with."""
    secrets = {each.scheme: each for each in declared if each.value}
    ready = [names for names in operation.security if names and all(name in secrets for name in names)]
    chosen = ready[0] if ready else ()
    pairs = tuple((schemes[name], secrets[name]) for name in chosen if name in schemes)
    is_free = not operation.security or () in operation.security
    asked = next((names for names in operation.security if names), ())
    wanted = () if is_free or pairs or auth is not None else asked
    return Security(pairs, auth, tuple(name for name in wanted if name not in secrets))


def carried(
    operation: Operation, schemes: Mapping[str, Scheme], auth: AuthDeclaration | None
) -> Iterator[tuple[str, str]]:
    """Yield place and name of the parameters that carry a secret, which no caller is asked for."""
    for name in {name for names in operation.security for name in names}:
        scheme = schemes.get(name)
        if scheme is not None and scheme.key:
            yield scheme.kind, scheme.key.lower() if scheme.kind == "header" else scheme.key
    if auth is not None and auth.header is not None:
        yield "header", auth.header.name.lower()
    if auth is not None and auth.query is not None:
        yield "query", auth.query.name


def _with_scheme(request: Request, scheme: Scheme, credential: CredentialDeclaration) -> Request:
    secret = credential.value
    carrier = HeaderDeclaration(name=scheme.key or "-", value=secret)
    match scheme.kind:
        case "bearer":
            return with_auth(request, AuthDeclaration(bearer=secret))
        case "basic":
            return with_auth(request, AuthDeclaration(user=credential.user, password=secret))
        case "header":
            return with_auth(request, AuthDeclaration(header=carrier))
        case "query":
            return with_auth(request, AuthDeclaration(query=carrier))
        case "cookie":
            return with_cookie(request, scheme.key, quote(secret.reveal(), safe=""), secrets=(secret.reveal(),))
        case "other":
            return request


def with_cookie(request: Request, name: str, value: str, *, secrets: Sequence[str] = ()) -> Request:
    """Return `request` with one more cookie; there is one `Cookie` header, whatever it holds."""
    pair = f"{name}={value}"
    others = [each for each in request.headers if each[0] != "Cookie"]
    before = next((held for key, held in request.headers if key == "Cookie"), "")
    headers = (*others, ("Cookie", f"{before}; {pair}" if before else pair))
    noted = tuple(dict.fromkeys((*request.secrets, *secrets, *((value,) if secrets else ()))))
    return replace(request, headers=headers, secrets=noted)
