"""From what a server gives for a call to a result: texts, structured content, and references to what is neither."""

import base64
import hashlib
from collections.abc import Collection

import mcp_types as types

from pegboard.catalog.contract import Result
from pegboard.catalog.invisible import visible
from pegboard.errors import UpstreamFailed
from pegboard.handlers.mcp.session import told
from pegboard.net.secrets import masked, masked_text
from pegboard.text import Json, to_json


def result_of(source: str, tool: str, reply: types.CallToolResult, secrets: Collection[str]) -> Result:
    """Return the result.

    Raises:
        UpstreamFailed: the server says that the tool failed, with what it says.
    """
    text = "\n\n".join(filter(None, (_text(block) for block in reply.content)))
    text = _without(text, secrets)
    if reply.is_error:
        said = told(text, secrets) or "it does not say why"
        raise UpstreamFailed(f"Tool {tool!r} of source {source!r} says: {said}.")
    if reply.structured_content is not None:
        data = masked(_visible(reply.structured_content) if secrets else reply.structured_content, secrets)
        return Result(text or to_json(data), data=data)
    others: list[Json] = [found for block in reply.content if (found := _reference(block)) is not None]
    return Result(text, data={"text": text, "content": masked(others, secrets)} if others else text)


def _without(text: str, secrets: Collection[str]) -> str:
    """Return `text` without secrets; where one is in it, also without the unseen characters that may stand inside."""
    if not secrets:
        return text
    seen = visible(text)
    shown = masked_text(seen, secrets)
    return text if shown == seen else shown


def _visible(value: Json) -> Json:
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, list):
        return [_visible(inner) for inner in value]
    return {key: _visible(inner) for key, inner in value.items()} if isinstance(value, dict) else value


def _text(block: types.ContentBlock) -> str:
    match block:
        case types.TextContent():
            return block.text
        case types.EmbeddedResource(resource=types.TextResourceContents() as resource):
            return resource.text
        case types.EmbeddedResource():
            return f"[{_kind(block.resource.mime_type)} {visible(str(block.resource.uri))}]"
        case types.ResourceLink():
            return f"[{visible(block.title or block.name)}]({visible(str(block.uri))})"
        case types.ImageContent() | types.AudioContent():
            return f"[{block.type} {_kind(block.mime_type)}, {_size(block.data):,} bytes]"


def _reference(block: types.ContentBlock) -> Json:
    """Return what tells of a block that is no text; None for texts."""
    match block:
        case types.ImageContent() | types.AudioContent():
            return {"type": block.type, "mimeType": block.mime_type, **_digest(block.data)}
        case types.ResourceLink():
            return {"type": block.type, "uri": str(block.uri), "name": block.name, "mimeType": block.mime_type}
        case types.EmbeddedResource(resource=types.BlobResourceContents() as resource):
            uri, kind = str(resource.uri), resource.mime_type
            return {"type": block.type, "uri": uri, "mimeType": kind, **_digest(resource.blob)}
        case _:
            return None


def _kind(mime_type: str | None) -> str:
    return visible(mime_type or "application/octet-stream")[:100]


def _size(data: str) -> int:
    return len(data) * 3 // 4 - data[-2:].count("=")


def _digest(data: str) -> dict[str, Json]:
    """Return size and hash of what is written in Base64."""
    try:
        content = base64.b64decode(data, validate=True)
    except ValueError:
        return {"bytes": 0, "sha256": ""}
    return {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
