"""`Api`: what is kept of a document: its operations, what each takes, and how the service is told who asks.

Not here: how a document is read (`parse`), nor what becomes of an operation (`arguments`, `request`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from pegboard.text import Json

Schema: TypeAlias = Json
"""As it is written in the document: not yet one of 2020-12."""
Place: TypeAlias = Literal["path", "query", "header", "cookie"]
Style: TypeAlias = Literal["simple", "label", "matrix", "form", "spaceDelimited", "pipeDelimited", "deepObject"]

STYLES: tuple[Style, ...] = ("simple", "label", "matrix", "form", "spaceDelimited", "pipeDelimited", "deepObject")


@dataclass(frozen=True, slots=True)
class Form:
    """How a value is written into a text."""

    style: Style = "form"
    explode: bool = True
    reserved: bool = False
    """Characters with a meaning in URLs stay as they are."""
    is_json: bool = False
    """The value is written as JSON, and no style counts."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of an operation."""

    name: str
    place: Place
    form: Form
    required: bool
    schema: Schema = field(repr=False, default=None)
    description: str = ""


@dataclass(frozen=True, slots=True)
class Encoding:
    """How one property of a form is written."""

    content_type: str = ""
    form: Form | None = None
    """None: by the property's own type."""


@dataclass(frozen=True, slots=True)
class Body:
    """What an operation takes as the body of its request."""

    content_type: str
    schema: Schema = field(repr=False)
    required: bool = False
    description: str = ""
    encoding: Mapping[str, Encoding] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Scheme:
    """A way to tell the service who asks."""

    name: str
    """What the document calls it."""
    kind: Literal["bearer", "basic", "header", "query", "cookie", "other"]
    """`other`: none that a secret alone can do."""
    key: str = ""
    """Name of the header, the parameter or the cookie."""
    told: str = ""
    """What the document says it is, for people."""


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation."""

    id: str
    """What declarations call it: its `operationId`, else `GET /pets/{id}`."""
    name: str
    """Of the tool: legal, and unique in the document."""
    method: str
    path: str
    description: str
    tags: tuple[str, ...] = ()
    deprecated: bool = False
    parameters: tuple[Parameter, ...] = ()
    body: Body | None = None
    security: tuple[tuple[str, ...], ...] = ()
    """Names of schemes: one of the alternatives, all of it, is needed; none at all where it is empty."""
    server: str = ""
    """Its own address; empty: the document's."""

    @property
    def place(self) -> str:
        """Method and path."""
        return f"{self.method} {self.path}"


@dataclass(frozen=True, slots=True, eq=False)
class Api:
    """A document."""

    title: str
    version: str
    """Of OpenAPI, as the document was written: `3.1.0`, `2.0`."""
    server: str
    """Its first address, perhaps relative or empty."""
    operations: Mapping[str, Operation] = field(repr=False)
    """By id, in the order of the document."""
    schemes: Mapping[str, Scheme]
    references: Mapping[str, Json] = field(repr=False)
    """What each reference of a request's schema leads to, by its text: `#/components/schemas/Pet`."""
    foreign: tuple[str, ...] = ()
    """References that lead out of the document; they are never followed."""
    unknown: tuple[str, ...] = ()
    """What could not be understood and was left out, a sentence each."""

    def operation(self, key: str) -> Operation | None:
        """Return the operation that a declaration names: by id, or by method and path."""
        if key in self.operations:
            return self.operations[key]
        return next((each for each in self.operations.values() if key in (each.place, each.name)), None)
