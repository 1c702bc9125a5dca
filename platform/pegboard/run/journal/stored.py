"""What nodes gave, as text that nobody can change any more: for the journal, and for those that refer to it."""

import json
from dataclasses import dataclass

from pegboard.catalog.contract import Result
from pegboard.catalog.result_json import gave, result_from
from pegboard.plan.references import Gave
from pegboard.text import to_json

INLINE_BYTES = 64 << 10
"""A larger result is a blob."""


@dataclass(frozen=True, slots=True)
class Output:
    """What a node gave."""

    text: str
    """JSON of the result."""
    written: str
    """What the journal holds: the same, or the name of a blob."""
    blob: str = ""

    @property
    def result(self) -> Result:
        """The result, anew each time."""
        return result_from(json.loads(self.text))

    @property
    def is_cited(self) -> bool:
        """It has evidence."""
        return bool(json.loads(self.text).get("evidence"))

    def gave(self) -> Gave:
        """Return what references to the node stand for."""
        return gave(json.loads(self.text))


def blob_named_by(written: str) -> str:
    """Return the blob that the journal's `written` names; empty: it is the result itself."""
    return str(json.loads(written)["blob"]) if written.startswith('{"blob":') else ""


def written_blob(name: str, size: int) -> str:
    """Return what the journal holds of a result of `size` bytes that is a blob."""
    return to_json({"blob": name, "bytes": size})
