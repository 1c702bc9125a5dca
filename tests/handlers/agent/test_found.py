"""What an agent's model writes down is kept with what it cites of all that was found."""

import pytest

from pegboard.catalog.contract import Evidence, Offer
from pegboard.handlers.agent.found import Found, with_sources
from pegboard.llm.model import FunctionCall
from pegboard.text import Json

FOUND = Found(evidence=[Evidence(1, "Sun.", "https://a.example", "A"), Evidence(2, "Wind.", "", "")])
OWN: list[Json] = [{"name": "its own"}]


@pytest.mark.parametrize(
    ("takes", "given", "kept"),
    [
        (
            ["title", "text", "sources"],
            {"text": "Wind [2], sun [1]."},
            {
                "text": "Wind [1], sun [2].",
                "sources": [{"url": "", "name": "Wind."}, {"url": "https://a.example", "name": "A"}],
            },
        ),
        (["text", "sources"], {"text": "Sun [1].", "sources": OWN}, {"text": "Sun [1].", "sources": OWN}),
        (["text", "sources"], {"text": "a[7]"}, {"text": "a[7]"}),
        (["text"], {"text": "Sun [1]."}, {"text": "Sun [1]."}),
        (["text", "sources"], {"text": 3}, {"text": 3}),
        (["text", "addresses"], {"text": "Sun [1]."}, {"text": "Sun [1]."}),
    ],
)
def test_a_text_that_cites_what_was_found_brings_its_sources(
    takes: list[str], given: dict[str, Json], kept: dict[str, Json]
) -> None:
    offer = Offer("write_document", "Keeps.", {"properties": {name: {} for name in takes}}, read_only=False)
    assert with_sources(FunctionCall("write_document", given), offer, FOUND).arguments == kept
    assert with_sources(FunctionCall("write_document", given), None, FOUND).arguments == given


@pytest.mark.parametrize("declared", [{"type": "string"}, {"type": "array", "items": {"type": "string"}}])
def test_a_tool_that_takes_other_sources_is_given_none(declared: Json) -> None:
    offer = Offer("keep", "Keeps.", {"properties": {"text": {}, "sources": declared}}, read_only=False)
    call = FunctionCall("keep", {"text": "Sun [1]."})
    assert with_sources(call, offer, FOUND) is call
