"""`Answer`: what a client gets in the end."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pegboard.catalog.contract import File, Hit, Status
from pegboard.text import Json


@dataclass(frozen=True, slots=True)
class Citation:
    """A source that the answer really cites."""

    number: int
    """As `[number]` in the text."""
    url: str
    name: str

    def to_json(self) -> dict[str, Json]:
        """Return the citation as `platform ask --json` prints it."""
        return {"number": self.number, "url": self.url, "name": self.name}


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to one question."""

    text: str
    tool: str | None = None
    """The tool that gave it; None where none fitted."""
    score: float | None = None
    """Of the tool, 0 to 100; None unless a scorer gave one."""
    arguments: Mapping[str, Json] = field(default_factory=dict)
    results: tuple[Hit, ...] = ()
    """Best first."""
    citations: tuple[Citation, ...] = ()
    """In the order of their numbers."""
    model: str = "none"
    """The model that wrote the text, or `none`."""
    status: Status = "ok"
    degraded: str = ""
    """What stood in for what was configured, and why; empty where nothing did."""
    notices: tuple[str, ...] = ()
    """What the caller should know, such as a parameter that was ignored."""
    data: Json = None
    """The tool's result for machines, where a tool was called by name; a reference where it is too large."""
    files: tuple[File, ...] = ()
    """Files and images of the result."""
    kept: str = ""
    """The reference of the whole result, where a model sees only a part of it."""
    usage: Mapping[str, Json] = field(default_factory=dict, compare=False)
    """What the request used of models, and its milliseconds: the JSON of `llm.usage.Usage`."""

    def to_json(self) -> dict[str, Json]:
        """Return the answer as `platform ask --json` prints it; what has nothing to say is left out."""
        said: dict[str, Json] = {
            "answer": self.text,
            "tool": self.tool,
            "score": self.score,
            "arguments": dict(self.arguments),
            "results": [*results_json(self.results)],
            "citations": [citation.to_json() for citation in self.citations],
            "model": self.model,
        }
        if self.data is not None and self.data != self.text:
            said["data"] = self.data
        if self.files:
            said["files"] = [file.to_json() for file in self.files]
        if self.kept:
            said["result_ref"] = self.kept
        if self.status != "ok":
            said["status"] = self.status
        if self.degraded:
            said["degraded"] = self.degraded
        if self.notices:
            said["notices"] = list(self.notices)
        if self.usage:
            said["usage"] = dict(self.usage)
        return said


def results_json(hits: tuple[Hit, ...]) -> list[dict[str, Json]]:
    """Return items as clients get them, the shape of NLWeb's results."""
    return [
        {
            "url": hit.item.url,
            "name": hit.item.name,
            "site": hit.item.site,
            "score": round(hit.score, 1),
            "description": hit.item.description,
            "schema_object": dict(hit.item.schema_object),
        }
        for hit in hits
    ]
