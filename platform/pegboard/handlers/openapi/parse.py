"""From what a document holds to an `Api`: OpenAPI 3.0, 3.1 and Swagger 2.0. Nothing is fetched."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from urllib.parse import unquote

from pegboard.handlers.openapi.api import STYLES, Api, Body, Encoding, Form, Operation, Parameter, Place, Scheme, Style
from pegboard.handlers.openapi.naming import tool_name
from pegboard.handlers.openapi.plain import begun, brief, plain
from pegboard.handlers.openapi.reading import items, mapping, words
from pegboard.handlers.openapi.swagger import as_openapi
from pegboard.text import Json, clipped, sentence

_METHODS = ("get", "head", "post", "put", "patch", "delete", "options", "trace")
_PLACES: Mapping[str, Place] = {"path": "path", "query": "query", "header": "header", "cookie": "cookie"}
_OWN_HEADERS = frozenset({"accept", "content-type", "authorization"})
"""Headers that a document may not describe as parameters (OpenAPI 3.1, 4.8.12.2)."""
_FRAMING = re.compile(
    r"host|content-length|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|cookie"
    r"|proxy-.*|x-forwarded-.*"
)
"""Headers that say where a request goes, where it ends or who sends it: no argument says that."""
_OF_PLACE: Mapping[Place, tuple[Style, ...]] = {
    "path": ("simple", "label", "matrix"),
    "query": ("form", "spaceDelimited", "pipeDelimited", "deepObject"),
    "header": ("simple",),
    "cookie": ("form",),
}
_MOST_HOPS = 16
_MOST_PARAMETERS = 1_000
"""Of one operation."""
_LONGEST_DESCRIPTION = 600
_VARIABLE = re.compile(r"\{([^{}]+)\}")
_POSITION = re.compile(r"[0-9]{1,9}")
_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
"""What a header may be called (RFC 9110, 5.6.2)."""
_SENDABLE = re.compile(r"[\x20-\x7e]*")
_FORM_TYPE, _MULTIPART = "application/x-www-form-urlencoded", "multipart/form-data"


def parse(document: Mapping[str, Json]) -> Api:
    """Return what a document offers; what cannot be understood is left out and told."""
    version = words(document.get("openapi")) or str(document.get("swagger"))
    root = as_openapi(document) if "openapi" not in document else dict(document)
    return _Parser(root).api(version)


class _Parser:
    def __init__(self, root: dict[str, Json]) -> None:
        self._root = root
        self._security = _alternatives(root.get("security"))
        self._foreign: dict[str, None] = {}
        self._unknown: list[str] = []
        self._names: set[str] = set()

    def api(self, version: str) -> Api:
        operations: dict[str, Operation] = {}
        for path, written in mapping(self._root.get("paths")).items():
            if path.startswith("/"):
                self._path(path, self._followed(written), operations)
        components = mapping(self._root.get("components"))
        schemes = {
            name: _scheme(name, self._followed(each))
            for name, each in mapping(components.get("securitySchemes")).items()
        }
        return Api(
            title=words(mapping(self._root.get("info")).get("title")),
            version=version,
            server=_server(self._root.get("servers")),
            operations=operations,
            schemes=schemes,
            references=self._references(operations.values()),
            foreign=tuple(self._foreign),
            unknown=tuple(self._unknown),
        )

    # References

    def _followed(self, value: Json) -> Mapping[str, Json]:
        """Return what stands at a place that may hold a reference."""
        found = mapping(value)
        for _ in range(_MOST_HOPS):
            reference = found.get("$ref")
            if not isinstance(reference, str):
                return found
            found = mapping(self._target(reference))
        return {}

    def _target(self, reference: str) -> Json:
        """Return what a reference within the document leads to; None where there is nothing, or it leads out."""
        if not reference.startswith("#"):
            self._foreign[reference] = None
            return None
        found: Json = self._root
        for step in reference.removeprefix("#").split("/")[1:]:
            name = unquote(step).replace("~1", "/").replace("~0", "~")
            if isinstance(found, dict):
                found = found.get(name)
            elif isinstance(found, list) and _POSITION.fullmatch(name) and int(name) < len(found):
                found = found[int(name)]
            else:
                return None
        return found

    def _references(self, operations: Iterable[Operation]) -> dict[str, Json]:
        """Return all that the schemas of requests refer to, and what that refers to."""
        found: dict[str, Json] = {}
        waiting: list[Json] = []
        for operation in operations:
            waiting += [parameter.schema for parameter in operation.parameters]
            waiting += [operation.body.schema] if operation.body else []
        while waiting:
            for reference in _named_in(waiting.pop()):
                if reference not in found and (target := self._target(reference)) is not None:
                    found[reference] = target
                    waiting.append(target)
        return found

    # Operations

    def _path(self, path: str, written: Mapping[str, Json], operations: dict[str, Operation]) -> None:
        shared = self._parameters(written.get("parameters"))
        for method in _METHODS:
            if isinstance(each := written.get(method), dict):
                operation = self._operation(method.upper(), path, each, shared, _server(written.get("servers")))
                key = operation.id if operation.id and operation.id not in operations else operation.place
                self._names.add(operation.name)
                operations[key] = replace(operation, id=key)

    def _operation(
        self,
        method: str,
        path: str,
        written: Mapping[str, Json],
        shared: Mapping[tuple[Place, str], Parameter],
        server: str,
    ) -> Operation:
        id_, place = words(written.get("operationId")), f"{method} {path}"
        parameters = {**shared, **self._parameters(written.get("parameters"))}
        named = set(_VARIABLE.findall(path))
        kept = [each for each in parameters.values() if each.place != "path" or each.name in named]
        known = {each.name for each in kept if each.place == "path"}
        kept += [Parameter(name, "path", Form("simple", explode=False), True) for name in sorted(named - known)]
        return Operation(
            id=id_,
            name=tool_name(id_, place, self._names),
            method=method,
            path=path,
            description=described(written, place),
            tags=tuple(dict.fromkeys(tag.strip() for tag in map(words, items(written.get("tags"))) if tag.strip())),
            deprecated=written.get("deprecated") is True,
            parameters=tuple(kept),
            body=self._body(self._followed(written.get("requestBody"))),
            security=_alternatives(written["security"]) if "security" in written else self._security,
            server=_server(written.get("servers")) or server,
        )

    def _parameters(self, written: Json) -> dict[tuple[Place, str], Parameter]:
        found: dict[tuple[Place, str], Parameter] = {}
        every = items(written)
        if len(every) > _MOST_PARAMETERS:
            self._unknown.append(f"{len(every) - _MOST_PARAMETERS:,} of {len(every):,} parameters of one operation.")
        for each in every[:_MOST_PARAMETERS]:
            told = self._followed(each)
            place, name = _PLACES.get(words(told.get("in"))), words(told.get("name"))
            if place is None or not name:
                self._unknown.append(f"A parameter without a name or a known place: {clipped(str(each), 80)}.")
            elif place == "header" and not _TOKEN.fullmatch(name):
                self._unknown.append(f"A header that none can be called: {clipped(plain(name[:200]), 80)!r}.")
            elif not (place == "header" and (name.lower() in _OWN_HEADERS or _FRAMING.fullmatch(name.lower()))):
                found[place, name] = self._parameter(name, place, told)
        return found

    def _parameter(self, name: str, place: Place, told: Mapping[str, Json]) -> Parameter:
        required, description = told.get("required") is True or place == "path", words(told.get("description"))
        content = mapping(told.get("content"))
        if content:
            kind, media = next(iter(content.items()))
            form = Form("simple" if place in ("path", "header") else "form", is_json=is_json(kind))
            return Parameter(name, place, form, required, mapping(media).get("schema"), description)
        style = _style(told.get("style"), _OF_PLACE[place])
        explode = told.get("explode")
        form = Form(style, explode if isinstance(explode, bool) else style == "form", told.get("allowReserved") is True)
        return Parameter(name, place, form, required, told.get("schema"), description)

    def _body(self, told: Mapping[str, Json]) -> Body | None:
        content = {kind: media for kind, media in mapping(told.get("content")).items() if _SENDABLE.fullmatch(kind)}
        if not content:
            return None
        kind = min(content, key=_rank)  # of equals, the first
        media = self._followed(content[kind])
        encoding = {name: _encoding(mapping(each)) for name, each in mapping(media.get("encoding")).items()}
        sent = "application/json" if kind.strip() in ("*/*", "") else kind.strip()
        required, description = told.get("required") is True, words(told.get("description"))
        return Body(sent, media.get("schema", {}), required, description, encoding)


def _named_in(schema: Json) -> Iterator[str]:
    waiting: list[Json] = [schema]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            if isinstance(reference := value.get("$ref"), str):
                yield reference
            waiting += value.values()
        elif isinstance(value, list):
            waiting += value


def is_json(content_type: str) -> bool:
    """Tell whether a media type is JSON."""
    kind = content_type.partition(";")[0].strip().lower()
    return kind in ("application/json", "text/json", "*/*") or kind.endswith("+json")


def _rank(content_type: str) -> int:
    """Return how far behind a type of body stands among those that an operation takes."""
    kind = content_type.partition(";")[0].strip().lower()
    if is_json(kind):
        return 0 if kind == "application/json" else 1
    order = (_FORM_TYPE, _MULTIPART, "text/plain", "application/octet-stream")
    return 2 + (order.index(kind) if kind in order else len(order))


def _style(written: Json, allowed: tuple[Style, ...]) -> Style:
    return next((style for style in STYLES if style == written and style in allowed), allowed[0])


def _encoding(told: Mapping[str, Json]) -> Encoding:
    form = None
    if told.keys() & {"style", "explode", "allowReserved"}:
        style = _style(told.get("style"), _OF_PLACE["query"])
        explode = told.get("explode")
        explodes = explode if isinstance(explode, bool) else style == "form"
        form = Form(style, explodes, told.get("allowReserved") is True)
    return Encoding(words(told.get("contentType")).partition(",")[0].strip(), form)


def _scheme(name: str, told: Mapping[str, Json]) -> Scheme:
    kind, http = words(told.get("type")), words(told.get("scheme")).lower()
    key, place = words(told.get("name")), words(told.get("in"))
    description = brief(words(told.get("description")), 200)
    if kind in ("oauth2", "openIdConnect") or (kind == "http" and http == "bearer"):
        return Scheme(name, "bearer", told=description or f"{kind}: a token")
    if kind == "http" and http == "basic":
        return Scheme(name, "basic", told=description or "user and password")
    if kind == "apiKey" and key and (place != "header" or _TOKEN.fullmatch(key)):
        for known in ("header", "query", "cookie"):
            if place == known:
                return Scheme(name, known, key, description or f"the {place} {key}")
    return Scheme(name, "other", told=f"{kind} {http}".strip())


def _alternatives(written: Json) -> tuple[tuple[str, ...], ...]:
    """Return the names of schemes of which one of the alternatives is needed."""
    return tuple(tuple(sorted(mapping(each))) for each in items(written))


def _server(written: Json) -> str:
    """Return the first address of a list of servers, its variables at their defaults."""
    first = mapping(next(iter(items(written)), None))
    variables = mapping(first.get("variables"))

    def default(match: re.Match[str]) -> str:
        value = mapping(variables.get(match[1])).get("default")
        return value if isinstance(value, str) else match[0]

    return _VARIABLE.sub(default, words(first.get("url")).strip())


def described(told: Mapping[str, Json], place: str) -> str:
    """Return in a few sentences what an operation does."""
    summary, more = (plain(begun(words(told.get(key)), _LONGEST_DESCRIPTION)) for key in ("summary", "description"))
    if more.lower().startswith(summary.lower().rstrip(".")):
        summary = ""
    text = f"{sentence(summary)} {more}".strip() if summary else more
    return clipped(text, _LONGEST_DESCRIPTION) or place
