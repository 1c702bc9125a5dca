"""What comes from an MCP client and is no message; whatever carries it, it is refused in the same words. Pure.

The SDK passes over what it cannot read, or lets it through (NaN, half characters): a client would wait for ever, and
handlers would be given what is no JSON.
"""

import json
from collections.abc import Mapping

import mcp_types as types

from pegboard.text import Json, read_json, to_json

_LONGEST_ID = 200


def refusal(text: str) -> dict[str, Json] | None:
    """Return the answer to what is no message: an error, with the id where there is one; None: it is a message."""
    try:
        message = read_json(text)
    except json.JSONDecodeError as error:
        return _error(types.PARSE_ERROR, f"This is no JSON: {error.msg} at character {error.pos}.")
    except ValueError as error:
        return _error(types.PARSE_ERROR, f"This is no JSON that can be read: {error}.", _id_in(text))
    if isinstance(message, list):
        return _error(types.INVALID_REQUEST, "Messages come one by one, and not in a list.")
    if not isinstance(message, Mapping) or message.get("jsonrpc") != "2.0":
        return _error(types.INVALID_REQUEST, 'A message is an object with "jsonrpc": "2.0".', _id_of(message))
    if "id" in message and _id_of(message) is None:
        return _error(types.INVALID_REQUEST, "The id of a message is a text or a whole number.")
    if not _has_shape(message):
        told = "A message has a `method`, a text, and may have `params`, an object; or it answers one of ours."
        return _error(types.INVALID_REQUEST, told, _id_of(message))
    return None


def _has_shape(message: Mapping[str, Json]) -> bool:
    if "method" not in message:
        return "id" in message and (isinstance(message.get("result"), dict) or _is_error(message.get("error")))
    return isinstance(message["method"], str) and isinstance(message.get("params"), dict | None)


def _is_error(told: Json) -> bool:
    return isinstance(told, dict) and isinstance(told.get("code"), int) and isinstance(told.get("message"), str)


def _error(code: int, message: str, of: Json = None) -> dict[str, Json]:
    return {"jsonrpc": "2.0", "id": of, "error": {"code": code, "message": message}}


def _id_of(message: Json) -> str | int | None:
    held = message.get("id") if isinstance(message, Mapping) else None
    return held if isinstance(held, str | int) and not isinstance(held, bool) else None


def _id_in(text: str) -> str | int | None:
    """Return the id of what is JSON, but cannot be read."""
    try:
        found = _id_of(json.loads(text))
    except (ValueError, RecursionError):
        return None
    return found if len(to_json(found)) <= _LONGEST_ID else None
