"""What is wrong with a block `http`: everything at once, each with its place. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pegboard.catalog.kind import About, Misfit, Schema
from pegboard.config.blocks.auth import AuthDeclaration
from pegboard.config.blocks.http import HttpDeclaration, PagingDeclaration
from pegboard.handlers.http.address import Address, Unusable
from pegboard.handlers.http.content import FILE_KEYS, is_header_name
from pegboard.handlers.http.expression import Expression
from pegboard.handlers.http.paging import WAYS, ways_of
from pegboard.handlers.http.reading import READ
from pegboard.handlers.http.template import PLACEHOLDER, Found, placeholders
from pegboard.text import did_you_mean

OFF = "http://off.invalid/"
"""Stands in for the base of a source that is off, so that the rest can be checked."""


@dataclass(frozen=True, slots=True)
class Checked:
    """A block that was read; usable where `misfits` is empty."""

    address: Address
    expressions: Mapping[str, Expression]
    places: Mapping[str, Expression]
    """Those of `paging`, by field."""
    misfits: Sequence[Misfit]


def check(block: HttpDeclaration, about: About) -> Checked:
    """Read a block."""
    source = about.source.http if about.source else None
    misfits: list[Misfit] = []
    try:
        address = Address.of(block.url, (source.base_url or OFF) if source else None)
    except Unusable as error:
        address = Address("", "")
        misfits.append(Misfit(("url",), f"has an address that {error}"))
    misfits += _arguments(block, about.parameters)
    misfits += _headers(block)
    misfits += _body(block)
    auth = block.auth or (source.auth if source else None)
    misfits += _auth(block.auth, is_open=PLACEHOLDER.fullmatch(block.url) is not None and auth is not None)
    expressions, wrong = _compiled({field: getattr(block, field) for field in READ}, ())
    places, wrong_places = _places(block.paging)
    return Checked(address, expressions, places, [*misfits, *wrong, *wrong_places])


def found_in(block: HttpDeclaration) -> list[Found]:
    """Return the placeholders of a block."""
    return [
        *placeholders(block.url, ("url",)),
        *placeholders(block.query, ("query",)),
        *placeholders(block.headers, ("headers",)),
        *placeholders(block.body, ("body",)),
    ]


def parameters_of(block: HttpDeclaration) -> Schema:
    """Return the schema of the arguments, where the declaration has none: texts, all of them required.

    Without one of them a service would answer another question than was asked.
    """
    names = list(dict.fromkeys(found.name for found in found_in(block)))
    files = set(_files(block))
    return {
        "type": "object",
        "properties": {
            name: {"type": "string", "contentEncoding": "base64"} if name in files else {"type": "string"}
            for name in names
        },
        "required": [*names],
    }


def _files(block: HttpDeclaration) -> Iterator[str]:
    """Yield the arguments that are files in base64."""
    if block.body_as == "multipart" and isinstance(block.body, Mapping):
        for part in block.body.values():
            if isinstance(part, Mapping) and part.get("encoding") == "base64":
                yield from PLACEHOLDER.findall(str(part.get("file", "")))


def _arguments(block: HttpDeclaration, parameters: Schema | None) -> Iterator[Misfit]:
    """Report placeholders of arguments that the declared parameters lack."""
    properties = parameters.get("properties") if parameters else None
    if not isinstance(properties, Mapping):
        return
    for found in found_in(block):
        if found.name not in properties:
            hint = did_you_mean(found.name, properties, noun="arguments")
            yield Misfit(found.path, f"sends the argument {found.name!r}, which its parameters lack", hint)


def _headers(block: HttpDeclaration) -> Iterator[Misfit]:
    for name, value in block.headers.items():
        if not is_header_name(name) or name.lower() in {"host", "content-length", "transfer-encoding", "connection"}:
            yield Misfit(("headers", name), f"has the header {name!r}, which cannot be set")
        elif any(character in value for character in "\r\n\0"):
            yield Misfit(("headers", name), f"has a header {name!r} with the end of a line in it")


def _body(block: HttpDeclaration) -> Iterator[Misfit]:
    if block.body is None:
        return
    if block.method in {"GET", "HEAD"}:
        yield Misfit(("body",), f"sends a body by {block.method}, which has none", "Declare `method: POST`.")
    if block.body_as in {"form", "multipart"} and not isinstance(block.body, Mapping):
        yield Misfit(("body",), f"sends a body as {block.body_as} that is no mapping of fields")
    elif block.body_as == "text" and not isinstance(block.body, str):
        yield Misfit(("body",), "sends a body as text that is none")
    elif block.body_as == "multipart":
        for name, part in block.body.items():
            if isinstance(part, Mapping) and (set(part) - FILE_KEYS or "file" not in part):
                hint = "Write {file: …, name: …, type: …, encoding: text or base64}."
                yield Misfit(("body", name), f"has a part {name!r} that is neither a value nor a file", hint)
            elif isinstance(part, Mapping) and part.get("encoding", "text") not in {"text", "base64"}:
                yield Misfit(("body", name, "encoding"), f"has a file {name!r} in an unknown encoding")


def _auth(auth: AuthDeclaration | None, *, is_open: bool) -> Iterator[Misfit]:
    if is_open:
        hint = "Let the host stand in `url`, or remove `auth`."
        yield Misfit(("auth",) if auth else ("url",), "would send a secret to whatever address it is given", hint)
    if auth is not None:
        given = [way for way in ("bearer", "password", "header", "query") if getattr(auth, way) is not None]
        if len(given) != 1:
            what = f"says in {len(given)} ways who asks" if given else "says in no way who asks"
            yield Misfit(("auth",), what, "Give `auth` one of bearer, password, header, query.")
        if auth.header is not None and not is_header_name(auth.header.name):
            yield Misfit(("auth", "header", "name"), f"has the header {auth.header.name!r}, which cannot be set")


def _places(paging: PagingDeclaration | None) -> tuple[dict[str, Expression], list[Misfit]]:
    if paging is None:
        return {}, []
    ways, misfits = ways_of(paging), []
    if len(ways) != 1:
        what = f"finds the next page in {len(ways)} ways" if ways else "has no way to find the next page"
        misfits.append(Misfit(("paging",), what, f"Give `paging` one of {', '.join(WAYS)}."))
    elif ways[0] in {"cursor", "page", "offset"} and not paging.parameter:
        hint = "Say in `paging.parameter` which parameter of the query takes it."
        misfits.append(Misfit(("paging",), f"has nowhere to send its {ways[0]}", hint))
    fields = {field: getattr(paging, field) for field in ("items", "next", "cursor")}
    expressions, wrong = _compiled(fields, ("paging",))
    return expressions, [*misfits, *wrong]


def _compiled(fields: Mapping[str, str], path: tuple[str, ...]) -> tuple[dict[str, Expression], list[Misfit]]:
    expressions: dict[str, Expression] = {}
    misfits: list[Misfit] = []
    for field, text in fields.items():
        if not text:
            continue
        try:
            expressions[field] = Expression(".".join((*path, field)), text)
        except ValueError as error:
            misfits.append(Misfit((*path, field), f"has a `{field}` that {error}"))
    return expressions, misfits
