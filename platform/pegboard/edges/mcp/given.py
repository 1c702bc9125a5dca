"""What an MCP client is given of an answer, a call, an error, and a result that is kept. Pure."""

import base64
import json
from collections.abc import Iterator, Mapping

import mcp_types as types

from pegboard.edges.failure import error_json
from pegboard.edges.sources import notes, sources
from pegboard.errors import PegboardError
from pegboard.text import Json, to_json

_KEPT = "pegboard://results/"
_OF_CALLER = frozenset({"arguments", "model", "usage", "tool", "score"})
"""What a client that has called a tool knows, or has no use for."""


def answer_given(answer: Mapping[str, Json]) -> types.CallToolResult:
    """Return the answer to a question, from the JSON of `platform ask --json`."""
    answer = _clean(answer)
    said = str(answer.get("answer") or "")
    text = "\n\n".join(filter(None, (said, sources(answer), *notes(answer))))
    return types.CallToolResult(content=[types.TextContent(text=text), *_links(answer)], structured_content=answer)


def call_given(called: Mapping[str, Json], *, kept: str, is_structured: bool) -> types.CallToolResult:
    """Return what a call gave, from the JSON of `platform call --json`.

    Its data is given where the tool declares what it is like (`is_structured`), and else only where it is an object
    that is not `kept` because of its size.
    """
    called = _clean(called)
    text = "\n\n".join(filter(None, (str(called.get("answer") or ""), *notes(called))))
    data = called.get("data")
    structured: Json = data if is_structured or (isinstance(data, dict) and not kept) else None
    if structured is None:
        structured = {name: value for name, value in called.items() if name not in _OF_CALLER and name != "data"}
    return types.CallToolResult(content=[types.TextContent(text=text), *_links(called)], structured_content=structured)


def error_given(error: PegboardError) -> types.CallToolResult:
    """Return an error so that a model can do better, or say what is missing."""
    told = _clean({"message": str(error), "error": error_json(error)})
    text, structured = types.TextContent(text=str(told["message"])), {"error": told["error"]}
    return types.CallToolResult(content=[text], structured_content=structured, is_error=True)


def _clean(told: Mapping[str, Json]) -> dict[str, Json]:
    """Return the same with a mark for each half of a character, which no message can hold."""
    cleaned: dict[str, Json] = json.loads(to_json(told))
    return cleaned


def _links(answer: Mapping[str, Json]) -> Iterator[types.ResourceLink]:
    """Yield where files, and the whole of a large result, can be read."""
    if isinstance(ref := answer.get("result_ref"), str) and ref:
        yield types.ResourceLink(uri=f"{_KEPT}{ref}", name=ref, description="The whole result; kept for a day.")
    files = answer.get("files")
    for file in files if isinstance(files, list) else []:
        if isinstance(file, dict):
            uri = f"{_KEPT}{file['ref']}" if file.get("ref") else str(file.get("url") or "")
            kind = str(file.get("media_type") or "") or None
            yield types.ResourceLink(uri=uri, name=str(file.get("name") or uri), mime_type=kind)


def ref_of(uri: str) -> str | None:
    """Return the reference of the kept result that an address means; None: it means none."""
    return uri.removeprefix(_KEPT) if uri.startswith(_KEPT) else None


def contents(uri: str, content: bytes, media_type: str) -> types.TextResourceContents | types.BlobResourceContents:
    """Return what is kept, as text where it is one."""
    try:
        return types.TextResourceContents(uri=uri, mime_type=media_type, text=content.decode())
    except UnicodeDecodeError:
        blob = base64.b64encode(content).decode("ascii")
        return types.BlobResourceContents(uri=uri, mime_type=media_type, blob=blob)
