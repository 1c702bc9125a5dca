"""What `platform import openapi` finds at a file or a URL: the only time that anything is fetched."""

import re
from collections.abc import Iterator, Mapping, Sequence
from urllib.parse import urlsplit

import anyio

from pegboard.catalog.kind import About, Imported, Misdeclared
from pegboard.config.blocks.openapi import OpenapiSourceDeclaration
from pegboard.config.variables import is_the_servers
from pegboard.errors import UpstreamFailed, UsageError
from pegboard.handlers.openapi.address import is_absolute, joined, same_origin
from pegboard.handlers.openapi.api import Api, Operation, Scheme
from pegboard.handlers.openapi.arguments import arguments_of
from pegboard.handlers.openapi.offering import check, chosen
from pegboard.handlers.openapi.parse import parse
from pegboard.handlers.openapi.plain import brief
from pegboard.handlers.openapi.reading import MOST_BYTES, Unreadable, read_document
from pegboard.handlers.openapi.schemas import MOST_COMPONENTS, Schemas
from pegboard.handlers.openapi.store import digest_of
from pegboard.net.client import client
from pegboard.net.exchange import Request
from pegboard.net.policy import Policy
from pegboard.text import Json, named, sentence, to_json

_SECONDS = 60.0
_MOST_REDIRECTS = 5
_LONGEST_LIST = 5
_RANKS = ("bearer", "header", "query", "cookie", "basic")
"""Ways to tell who asks, the one to take first where a document has several."""
_NOWHERE = "http://localhost"


async def imported(place: str, about: About) -> Imported:
    """Return the source that a document at `place` is, with the document itself.

    Raises:
        UsageError: it is no document that can be imported, or does not hold what is chosen.
        UpstreamFailed: it is not there.
    """
    data, url = await _read(place, Policy.of(about.settings))
    try:
        document = read_document(data)
        api = parse(document)
    except Unreadable as error:
        raise UsageError(f"{place} {error}.") from error
    wanted = _wanted(about)
    try:
        check(wanted, api)
    except Misdeclared as error:
        first = error.misfits[0]
        raise UsageError(f"{place} {first.message}.", hint=first.hint) from error
    operations = chosen(wanted, api)
    if not operations:
        raise UsageError(f"{place} has no operation that is chosen.", hint="Deprecated ones have to be named.")
    content = _written(document)
    address = _address(wanted, api, url)
    schemes = _schemes(operations, api)
    return Imported(
        source=_source(about, api, wanted, digest_of(content), address, schemes),
        files={f"openapi/{about.name}.json": content},
        notices=tuple(_notices(api, operations, address, schemes, about)),
        comments=_comments(api, address, schemes, about),
    )


# The document


async def _read(place: str, policy: Policy) -> tuple[bytes, str]:
    """Return what is at a place, and its URL; empty for a file."""
    if "://" not in place:
        path = anyio.Path(place)
        try:
            if (await path.stat()).st_size > MOST_BYTES:
                raise UsageError(f"{place} has more than {MOST_BYTES:,} bytes.")
            return await path.read_bytes(), ""
        except OSError as error:
            raise UsageError(f"{place} cannot be read: {error.strerror}.") from error
    return await _fetched(place, policy)


async def _fetched(url: str, policy: Policy) -> tuple[bytes, str]:
    first = urlsplit(url).netloc
    async with client(policy) as http:
        for _ in range(_MOST_REDIRECTS + 1):
            if not is_absolute(url):
                raise UsageError(f"{url!r} is no http or https URL.")
            accept = (("Accept", "application/json, application/yaml;q=0.9, */*;q=0.5"),)
            request = Request("GET", url, accept, is_foreign=urlsplit(url).netloc != first)  # nobody declared that host
            reply = await http.send(request, timeout_seconds=_SECONDS, max_bytes=MOST_BYTES)
            if 300 <= reply.status < 400 and reply.header("location"):
                url = joined(url, reply.header("location"))
                continue
            if reply.status != 200:
                raise UpstreamFailed(f"{url} answered {reply.status}.")
            if reply.is_cut_off:
                raise UsageError(f"{url} has more than {MOST_BYTES:,} bytes.")
            return reply.body, url
    raise UpstreamFailed(f"{url} redirects again and again.")


def _written(document: Mapping[str, Json]) -> bytes:
    """Return the document as it lies beside the declaration: in lines, for whoever compares two of them."""
    content = f"{to_json(document, indent=1)}\n".encode()
    return content if len(content) <= MOST_BYTES else to_json(document).encode()


# The source


def _wanted(about: About) -> OpenapiSourceDeclaration:
    given = about.source.openapi if about.source is not None else None
    return given or OpenapiSourceDeclaration(document="-")


def _address(wanted: OpenapiSourceDeclaration, api: Api, url: str) -> str:
    """Return the address of the service; empty where nothing says it."""
    if wanted.base_url:
        return wanted.base_url
    found = joined(url, api.server or "/") if url else api.server
    return found if is_absolute(found) else ""


def _source(
    about: About,
    api: Api,
    wanted: OpenapiSourceDeclaration,
    digest: str,
    address: str,
    schemes: Sequence[Scheme],
) -> dict[str, Json]:
    block: dict[str, Json] = {"document": f"openapi/{about.name}.json", "sha256": digest}
    if not address:
        path = api.server if api.server.startswith("/") else ""
        block["base_url"] = f"${{{_variable(about, 'URL')}:-{_NOWHERE}{path.rstrip('/')}}}"
    elif address != api.server:
        block["base_url"] = _literal(address)
    if schemes:
        block["security"] = [_credential(each, schemes, about) for each in schemes]
    for key in ("operations", "tags", "exclude"):
        if values := getattr(wanted, key):
            block[key] = [_literal(value) for value in values]
    title = _literal(brief(api.title, 100)) or about.name
    return {"name": about.name, "description": title, "prefix": f"{about.name}_", "openapi": block}


def _literal(text: str) -> str:
    """Return `text` as a document has it, in which `${` begins a variable."""
    return text.replace("${", "$${")


def _credential(scheme: Scheme, schemes: Sequence[Scheme], about: About) -> Json:
    made: dict[str, Json] = {"scheme": scheme.name, "value": f"${{{_secret(scheme, schemes, about)}:-}}"}
    return made | ({"user": f"${{{_variable(about, 'USER')}:-}}"} if scheme.kind == "basic" else {})


def _secret(scheme: Scheme, schemes: Sequence[Scheme], about: About) -> str:
    """Return the variable that holds a secret: of the first, `NAME_TOKEN`."""
    return _variable(about, "TOKEN" if scheme is schemes[0] else f"{scheme.name}_TOKEN")


def _variable(about: About, end: str) -> str:
    name = re.sub(r"[^A-Z0-9]+", "_", f"{about.name}_{end}".upper()).strip("_")
    return f"API_{name}" if is_the_servers(name) or not name[0].isalpha() else name


def _schemes(operations: Sequence[Operation], api: Api) -> list[Scheme]:
    """Return the schemes that the operations can be asked with, as few as are needed."""
    found: dict[str, Scheme] = {}
    for operation in operations:
        usable = [
            names for names in operation.security if names and all(_rank(name, api) < len(_RANKS) for name in names)
        ]
        if usable and not any(all(name in found for name in names) for names in usable):
            best = min(usable, key=lambda names: (len(names), max(_rank(name, api) for name in names)))
            found |= {name: api.schemes[name] for name in best}
    return list(found.values())


def _rank(name: str, api: Api) -> int:
    kind = api.schemes[name].kind if name in api.schemes else "other"
    return _RANKS.index(kind) if kind in _RANKS else len(_RANKS)


# What people are told


def _notices(
    api: Api, operations: Sequence[Operation], address: str, schemes: Sequence[Scheme], about: About
) -> Iterator[str]:
    every = list(api.operations.values())
    deprecated = sum(each.deprecated for each in every if each not in operations)
    yield f"{api.title or about.name} (OpenAPI {api.version}): {len(operations)} of {len(every)} operations are tools."
    if deprecated:
        yield f"Deprecated and therefore left out, unless named by --operation: {deprecated}."
    if address:
        yield f"The service is at {address}."
        if schemes and urlsplit(address).scheme == "http" and urlsplit(address).hostname != "localhost":
            yield "Its address is not encrypted: whoever is on the way reads the secret."
    else:
        yield f"The document does not say where the service is: set {_variable(about, 'URL')}, or write base_url."
    if address and address == api.server:
        yield from _elsewhere(operations, address)
    for scheme in schemes:
        yield sentence(f"Set {_secret(scheme, schemes, about)} for {scheme.name!r}: {scheme.told}")
    asked = {name for each in operations for names in each.security for name in names}
    strange = sorted(name for name in asked if _rank(name, api) == len(_RANKS))
    if strange:
        yield f"No secret alone can do what {named(strange)} asks for."
    if api.foreign:
        shown = named(list(api.foreign)[:_LONGEST_LIST])
        yield f"{len(api.foreign)} references lead out of the document and are not followed: {shown}."
    if cut := _cut(operations, api):
        what = f"more than {MOST_COMPONENTS:,} components; arguments that refer to one may be anything"
        yield f"Arguments of {len(cut)} operations need {what}: {_listed(cut)}."
    if api.unknown:
        yield f"{len(api.unknown)} things were left out: {' '.join(api.unknown[:_LONGEST_LIST])}"


def _elsewhere(operations: Sequence[Operation], address: str) -> Iterator[str]:
    """Yield which operations the document sends to another service."""
    found: dict[str, list[str]] = {}
    for each in operations:
        if is_absolute(each.server) and not same_origin(each.server, address):
            found.setdefault(each.server, []).append(each.id)
    for server, ids in list(found.items())[:_LONGEST_LIST]:
        shown = brief(server, 200)
        yield f"The document sends {_listed(ids)} to {shown}: it gets no secret and no header, and has to be public."
    if len(found) > _LONGEST_LIST:
        yield f"So do operations at {len(found) - _LONGEST_LIST} more servers; with base_url, all go to one."


def _cut(operations: Sequence[Operation], api: Api) -> list[str]:
    """Return the operations that need more components than are read."""
    if len(api.references) <= MOST_COMPONENTS:
        return []
    schemas = Schemas(api.references)
    return [each.id for each in operations if arguments_of(each, schemas).is_cut]


def _listed(ids: Sequence[str]) -> str:
    return brief(", ".join(ids[:_LONGEST_LIST]), 200) + (", …" if len(ids) > _LONGEST_LIST else "")


def _comments(api: Api, address: str, schemes: Sequence[Scheme], about: About) -> dict[str, str]:
    """Return what stands above the values of the source, by their paths."""
    found = {
        "prefix": 'What the names of its tools begin with; with "" they are the document\'s own.',
        "openapi.sha256": "The document is locked: to take a new one over, import it again with --force.",
    }
    if not address:
        found["openapi.base_url"] = f"The document does not say where the service is: set {_variable(about, 'URL')}."
    if schemes:
        found["openapi.security"] = "Set the variables that stand here: without its secret, a request goes out without."
    if not address or address == api.server:
        place = "openapi.security" if schemes else "openapi.sha256"
        if address:
            found[place] = f"{found[place]}\nThe service is at {address}; `base_url` says another address."
    return found
