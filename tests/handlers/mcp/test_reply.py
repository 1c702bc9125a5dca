"""What a server gives is shown without the secrets that it was told."""

import base64

import mcp_types as types
import pytest

from pegboard.errors import UpstreamFailed
from pegboard.handlers.mcp.reply import result_of
from pegboard.text import Json

SECRET = "tok/en+with=signs"
HIDDEN = "tok/en\u200b+with=signs"
CODED = base64.b64encode(SECRET.encode()).decode()


def reply(text: str, structured: dict[str, Json] | None = None, *, is_error: bool = False) -> types.CallToolResult:
    content: list[types.ContentBlock] = [types.TextContent(type="text", text=text)]
    return types.CallToolResult(content=content, structured_content=structured, is_error=is_error)


@pytest.mark.parametrize("said", [SECRET, HIDDEN, CODED, "tok%2Fen%2Bwith%3Dsigns"])
def test_a_secret_that_is_echoed_is_masked_in_every_spelling(said: str) -> None:
    for result in (
        result_of("files", "echo", reply(f"it is {said}."), [SECRET]),
        result_of("files", "echo", reply("see", {"a": [said]}), [SECRET]),
    ):
        shown = f"{result.text} {result.data}"
        assert "***" in shown
        assert said not in shown
    with pytest.raises(UpstreamFailed) as raised:
        result_of("files", "echo", reply(f"no {said}", is_error=True), [SECRET])
    assert said not in str(raised.value)


def test_what_holds_no_secret_stays_as_it_is() -> None:
    text = "a\u200bb 👨\u200d👩\u200d👧"
    assert result_of("files", "echo", reply(text), [SECRET]).text == text
