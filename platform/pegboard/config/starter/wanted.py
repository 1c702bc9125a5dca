"""What `platform add` and `platform import` are asked for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal


@dataclass(frozen=True, slots=True)
class Placement:
    """Where a declaration goes."""

    file: Path | None = None
    """Of the configuration, to add to or to make; None: `tools.d/NAME.yaml`."""
    xml: bool = False
    """A new file is XML."""


@dataclass(frozen=True, slots=True)
class NewTool:
    """A tool to declare."""

    name: str
    type: str = ""
    """Empty: Item, which is not written."""
    site: str = ""
    """The site that alone gets it; empty: every site of its type."""
    description: str = ""
    examples: Sequence[str] = ()
    handler: str = ""
    """Dotted path, or the name of a room; empty: inherited, or the room of the tool's name."""
    read_only: bool = False
    new_handler: bool = False
    """Write a function for it, too."""
    place: Placement = field(default_factory=Placement)


@dataclass(frozen=True, slots=True)
class NewSite:
    """A site to declare."""

    name: str
    types: Sequence[str] = ()
    domains: Sequence[str] = ()
    description: str = ""
    default: bool = False
    content: Sequence[Path] = ()
    """Files and folders that it answers from, relative to the working folder."""
    place: Placement = field(default_factory=Placement)


@dataclass(frozen=True, slots=True)
class NewSource:
    """What is to be imported."""

    kind: Literal["openapi", "mcp"]
    place: str
    """A file or a URL."""
    name: str = ""
    """Of the source; empty: made of the place."""
    folder: Path | None = None
    """Where the declaration goes; None: `tools.d` of the configuration."""
    choice: Mapping[str, list[str]] = field(default_factory=dict)
    """What of it shall be tools: patterns by the keys `operations`, `tags`, `exclude`, or `tools`."""
    base_url: str = ""
    """The service's address, where it is another than its document says."""


@dataclass(frozen=True, slots=True)
class Draft:
    """What is to be written, decided before anything is."""

    files: dict[Path, str]
    """The whole new text of each file, the document first."""
    notes: tuple[str, ...] = ()
    """What its author should know."""

    @property
    def document(self) -> Path:
        """The file that holds the declaration."""
        return next(iter(self.files))
