"""`File` and `Part`: what a handler gives by reference; authors of handlers have them from `contract`."""

import base64
from dataclasses import dataclass

from pegboard.text import Json


@dataclass(frozen=True, slots=True)
class File:
    """A file or an image that a handler gives; what it holds is fetched by its `url` or its `ref`."""

    name: str
    """For people; never a path."""
    media_type: str
    """Such as `image/png`."""
    bytes: int | None = None
    """How many it has; None: nobody knows."""
    url: str = ""
    """Where it is, if not here."""
    ref: str = ""
    """What `Context.keep` has kept it as."""

    def to_json(self) -> dict[str, Json]:
        """Return it as clients get it."""
        told: dict[str, Json] = {"name": self.name, "media_type": self.media_type}
        if self.bytes is not None:
            told["bytes"] = self.bytes
        return told | ({"ref": self.ref} if self.ref else {"url": self.url})


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of what was kept."""

    ref: str
    media_type: str
    offset: int
    """Where it begins, in bytes."""
    total_bytes: int
    """How many the whole has."""
    text: str
    """What stands there; base64 where the whole is no text."""
    next_offset: int | None
    """Where the next piece begins; None: this is the last."""

    @property
    def content(self) -> bytes:
        """What stands there, byte for byte."""
        is_text = self.media_type.startswith("text/") or self.media_type == "application/json"
        return self.text.encode() if is_text else base64.b64decode(self.text)

    def to_json(self) -> dict[str, Json]:
        """Return it as clients get it."""
        return {
            "ref": self.ref,
            "media_type": self.media_type,
            "offset": self.offset,
            "bytes": self.total_bytes,
            "next_offset": self.next_offset,
            "text": self.text,
        }
