"""`Found`: what an agent's tools have given so far, under one numbering; and what its model is shown of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from pegboard.catalog.citing import MARK, numbers_of, renumbered
from pegboard.catalog.contract import Context, Evidence, File, Hit, Offer, Result
from pegboard.catalog.schema.faults import faults
from pegboard.errors import PegboardError
from pegboard.handlers.agent.conversation import HEAD_TOKENS, SEEN_TOKENS, head
from pegboard.llm.fence import harmless
from pegboard.llm.model import FunctionCall
from pegboard.llm.tokens import estimated
from pegboard.text import Json, clipped, to_json

_LONGEST_NAME = 200


@dataclass(slots=True)
class Found:
    """What there is so far, in the order in which it came."""

    texts: list[tuple[str, str]] = field(default_factory=list)
    """Tool and words of each result that is no failure."""
    evidence: list[Evidence] = field(default_factory=list)
    hits: list[Hit] = field(default_factory=list)
    files: list[File] = field(default_factory=list)
    made: list[Json] = field(default_factory=list)
    """Every call: its tool, and why it failed if it did."""

    @property
    def is_empty(self) -> bool:
        """No tool has given anything."""
        return not self.texts

    def failed(self, tool: str, reason: str) -> None:
        """Note a call that came to nothing."""
        self.made.append({"tool": tool, "failed": reason})

    def add(self, tool: str, result: Result) -> str:
        """Take a result, and return it in the words that a model is shown."""
        own: dict[int, int] = {}
        known = {(each.text, each.url, each.name): each.number for each in self.evidence}
        fresh: list[Evidence] = []
        for each in result.evidence:
            key = (each.text, each.url, each.name)
            if key not in known:
                known[key] = len(self.evidence) + 1
                self.evidence.append(replace(each, number=known[key]))
                fresh.append(self.evidence[-1])
            own[each.number] = known[key]
        text = renumbered(result.text.strip(), own) if own else result.text.strip()
        self.texts.append((tool, text))
        self.hits += [hit for hit in result.items if hit not in self.hits]
        self.files += [file for file in result.files if file not in self.files]
        self.made.append({"tool": tool})
        return harmless(_shown(text, result.data, fresh))

    def cited(self, text: str) -> Result:
        """Return `text` as a result with the evidence that it cites, numbered from 1."""
        named = [number for mark in MARK.finditer(text) for number in numbers_of(mark)]
        by_number = {each.number: each for each in self.evidence}
        used = [number for number in dict.fromkeys(named) if number in by_number]
        numbers = {number: place for place, number in enumerate(used, start=1)}
        evidence = tuple(replace(by_number[number], number=place) for number, place in numbers.items())
        words = renumbered(text, numbers) if self.evidence else text
        return Result(words, items=tuple(self.hits), evidence=evidence, files=tuple(self.files))


def with_sources(call: FunctionCall, offer: Offer | None, found: Found) -> FunctionCall:
    """Return a call whose `text` cites what was found with that as its `sources`, where its tool keeps them.

    A model copies marks, but rarely what they stand for. What it names itself stays.
    """
    text = call.arguments.get("text")
    if offer is None or not takes_sources(offer) or not isinstance(text, str) or call.arguments.get("sources"):
        return call
    cited = found.cited(text)
    if not cited.evidence:
        return call
    return replace(call, arguments={**call.arguments, "text": cited.text, "sources": sources_of(cited.evidence)})


def takes_sources(offer: Offer) -> bool:
    """Tell whether a tool keeps a text with what it rests on."""
    properties = offer.parameters.get("properties")
    if not isinstance(properties, Mapping) or "text" not in properties:
        return False
    source: Json = {"url": "https://source.example", "name": "source"}
    declared = properties.get("sources")
    return isinstance(declared, Mapping) and not faults([source], declared)


def sources_of(evidence: Sequence[Evidence]) -> list[Json]:
    """Return evidence, numbered from 1, as such a tool takes it."""
    return [{"url": each.url, "name": each.name or clipped(each.text, _LONGEST_NAME)} for each in evidence]


def _shown(text: str, data: Json, evidence: Sequence[Evidence]) -> str:
    """Return what a model is shown: words and what they rest on, or, of a result for machines, that."""
    if evidence:
        facts = [f"[{each.number}] {each.name}: {each.text}{f' ({each.url})' if each.url else ''}" for each in evidence]
        return "\n".join([text, *facts])
    if data is None or isinstance(data, str):
        return text or "(nothing)"
    return to_json(data)


async def kept(context: Context, tool: str, text: str) -> tuple[str, str]:
    """Return what a model is shown of a result now, and the reference of the whole; empty where nobody needs one."""
    tokens = estimated(text)
    if tokens <= HEAD_TOKENS:
        return text, ""
    try:
        ref = (await context.keep(text.encode("utf-8", "replace"), name=tool, media_type="text/plain")).ref
    except PegboardError:  # there is no room: what is cut off is not to be had
        ref = ""
    if tokens <= SEEN_TOKENS:
        return text, ref
    shown = head(text, SEEN_TOKENS)
    where = f"; the whole is {ref}" if ref else ""
    return f"{shown}\n[cut: {len(shown):,} of {len(text):,} characters are here{where}]", ref
