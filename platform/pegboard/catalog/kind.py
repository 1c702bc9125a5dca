"""`Kind`: a handler that works by a block of its tool's declaration, `http` or `sql`; what the author of one reads.

One instance is made for each tool when a catalog is built, and it never changes. Making it opens nothing, reads at
most files of the configuration, and finds everything that is wrong with the block. What is to stay open between calls
(a connection, a session) is had from `Context.using`.

Not here: which blocks there are (`config/blocks`), nor how a tool is made (`catalog/assemble`).
"""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeAlias

from pegboard.catalog.contract import Context, Handler
from pegboard.config.blocks.source import SourceDeclaration
from pegboard.config.declaration import Declaration
from pegboard.config.server.settings import Settings
from pegboard.config.sources import Fence, absolute
from pegboard.errors import UsageError
from pegboard.text import Json

Schema: TypeAlias = Mapping[str, Json]

Effect: TypeAlias = Literal["untrusted", "destructive", "external"]
"""`untrusted`: what a tool returns is the text of others, which may carry instructions; `destructive`: what a call
changes cannot be had back; `external`: what a call does or says leaves the house. Once a run has read what is
untrusted, the other two need an approval."""

EFFECTS: tuple[Effect, ...] = ("untrusted", "destructive", "external")
READING = frozenset({"GET", "HEAD"})
"""Methods of HTTP that change nothing."""


def effects_of_request(method: str, *, is_trusted: bool) -> frozenset[Effect]:
    """Return the effects of a request to a service: its answer is its text, and what is sent to it leaves the house."""
    found: set[Effect] = set() if is_trusted else {"untrusted"}
    if method not in READING:
        found |= {"external"}
    if method == "DELETE":
        found |= {"destructive"}
    return frozenset(found)


@dataclass(frozen=True, slots=True)
class Misfit:
    """Something in a block that cannot work."""

    path: tuple[str | int, ...]
    """Of the value, from the block on: `("query", "city")`."""
    message: str
    """What is wrong, a clause that goes on from the tool's name."""
    hint: str = ""


class Misdeclared(Exception):
    """A block that cannot work; with everything that is wrong with it."""

    def __init__(self, *misfits: Misfit) -> None:
        super().__init__("; ".join(misfit.message for misfit in misfits))
        self.misfits = misfits


@dataclass(frozen=True, slots=True)
class About:
    """What a kind is told besides its block."""

    name: str
    """Of the tool, or of the source."""
    description: str
    settings: Settings
    """The server's: only they say what a declaration may do."""
    folder: Path
    """Where relative paths of the document start."""
    parameters: Schema | None = None
    """The JSON Schema of the arguments as it is declared, or made from `returns`; None: the kind has to know it."""
    source: SourceDeclaration | None = None
    """What the block's `source` names."""
    source_folder: Path = field(default_factory=Path)
    """Where relative paths of the source's document start."""
    output: Schema | None = None
    """The JSON Schema of the result, as it is declared; None: nobody says."""

    @property
    def is_trusted(self) -> bool:
        """What the source's tools return is declared to be no text of others."""
        return self.source is not None and self.source.untrusted is False

    def path(self, text: str, *, folder: Path | None = None) -> Path:
        """Return the file that a document names, relative to it.

        Raises:
            Misdeclared: it lies outside the configuration's folder and the setting `content_dirs`.
        """
        fence = Fence.of(self.settings)
        found = absolute(text, folder or self.folder)
        if not fence.holds(found):
            raise Misdeclared(Misfit((), f"names {text!r}, which lies outside the configuration's folder", fence.hint))
        return Path(found)


@dataclass(frozen=True, slots=True)
class Offered:
    """A tool that a source offers."""

    name: str
    """Legal: 1 to 64 letters, digits, `_` and `-`; unique within its source."""
    description: str
    block: Mapping[str, Json]
    """What the tool's own block says, `source` among it."""
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Imported:
    """What was found at a place that tools are imported from; to be written into a configuration."""

    source: Mapping[str, Json]
    """The source, as a document declares it under `sources`."""
    files: Mapping[str, bytes] = field(default_factory=dict)
    """What lies beside the document: content by relative path."""
    notices: tuple[str, ...] = ()
    """What whoever imports it should know, a sentence each."""
    comments: Mapping[str, str] = field(default_factory=dict)
    """What stands above values of the source, by their paths: `openapi.sha256`; lines end with a newline."""


class Kind(Handler):
    """A handler made of a block."""

    source: str = ""
    """Name of the source that it reaches; empty: none. Set by whoever makes it."""
    model: str = ""
    """Name of the model profile that it asks; empty: it names none."""

    @abstractmethod
    def __init__(self, block: Declaration, about: About) -> None:
        """Read the block.

        Raises:
            Misdeclared: it cannot work.
        """

    @property
    @abstractmethod
    def parameters(self) -> Schema:
        """JSON Schema of the arguments, an object; those declared, where the kind knows no more."""

    @property
    def shown(self) -> Schema:
        """What a model is shown of `parameters`, which stay the judge: the same, unless they are too large for it."""
        return self.parameters

    @property
    def output(self) -> Schema | None:
        """JSON Schema of the result, where the kind knows it."""
        return None

    @property
    def is_read_only(self) -> bool:
        """A call changes nothing; what the declaration says of it goes first."""
        return False

    @property
    def effects(self) -> frozenset[Effect]:
        """What is to be minded of a call; what the declaration says of each goes first."""
        return frozenset()

    def preview(self, arguments: Mapping[str, Json]) -> Json:
        """Return what a call with `arguments` would do, for people to read; secrets are masked.

        Raises:
            CallFailed: it would do nothing, because the arguments cannot be sent.
        """
        return {"arguments": dict(arguments)}

    async def reach(self, context: Context) -> str:
        """Look whether the service is there, changing nothing, and say in a few words what was found; empty: nothing.

        Raises:
            CallFailed: it is not, or does not let us in; the message says why.
        """
        return ""

    @classmethod
    async def imported(cls, place: str, about: About) -> Imported:
        """Fetch what is at `place`, a file or a URL, and return the source that is to be declared.

        Raises:
            UsageError: nothing can be imported from there.
            UpstreamFailed: it is not there.
        """
        raise UsageError(f"Nothing can be imported from {place!r} as {about.name!r}.")

    @classmethod
    def offered(cls, about: About) -> Sequence[Offered]:
        """Return what `about.source` offers; files of the configuration are read, nothing is fetched.

        Raises:
            Misdeclared: it cannot be known.
        """
        return ()
