"""`Secret`: a text that never prints, and the type of declarations' fields that hold one.

In documents such a field holds `${VARIABLE}` or `file:NAME`; what it stands for is put in when the document is read
(`values`). Nothing but `reveal()` gives the text: it is neither printed nor logged, neither written as JSON nor copied.
"""

import hmac
from typing import Annotated, Any, NoReturn, TypeAlias

from pydantic import GetCoreSchemaHandler, WithJsonSchema
from pydantic_core import PydanticCustomError, core_schema

from pegboard.config.credentials import MASK


class Secret:
    """A text that is known to those alone who ask for it by `reveal()`."""

    __slots__ = ("__text",)

    def __init__(self, text: str) -> None:
        self.__text = text

    def reveal(self) -> str:
        """Return the text itself: only where it is used, never to be kept or shown."""
        return self.__text

    def matches(self, text: str) -> bool:
        """Tell whether `text` is the secret, in a time that does not depend on how much of it is right."""
        return hmac.compare_digest(_bytes(self.__text), _bytes(text))

    def __eq__(self, other: object) -> bool:
        return self.matches(other.__text) if isinstance(other, Secret) else NotImplemented

    def __hash__(self) -> int:
        return hash(Secret)  # one for all: a hash of the text would tell of it

    def __bool__(self) -> bool:
        return bool(self.__text)

    def __repr__(self) -> str:
        return MASK

    def __format__(self, format_spec: str) -> str:
        return format(MASK, format_spec)

    def __copy__(self) -> NoReturn:
        raise TypeError("a secret is not copied")

    def __deepcopy__(self, memo: object) -> NoReturn:
        raise TypeError("a secret is not copied")

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise TypeError("a secret is not written anywhere")

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        return core_schema.no_info_plain_validator_function(
            _read, serialization=core_schema.plain_serializer_function_ser_schema(_shown)
        )


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _shown(secret: Secret) -> str:
    return MASK if secret else ""


def _read(value: object) -> Secret:
    if isinstance(value, Secret):
        return value
    if isinstance(value, str):
        return Secret(value)
    raise PydanticCustomError("string_type", "must be text")


SecretText: TypeAlias = Annotated[
    Secret, WithJsonSchema({"type": "string", "examples": ["${API_TOKEN}", "file:api_token"]})
]
"""A field that holds a secret: in documents `${VARIABLE}`, or `file:NAME` for a file below `secrets_dir`."""
