"""Errors as clients of chat completions read them: `{"error": {"message", "type", "param", "code", ...}}`."""

import math

from pegboard.edges.failure import error_json, failure_of
from pegboard.edges.web.chat.asked import ParameterRefused
from pegboard.edges.web.json_response import JsonResponse
from pegboard.errors import PegboardError, UnknownSite
from pegboard.text import Json

_TYPES = {401: "authentication_error", 403: "permission_error", 404: "not_found_error", 429: "rate_limit_error"}
_FROM_HERE_OURS = 500


def chat_error(error: PegboardError) -> dict[str, Json]:
    """Return an error as a document; beside their fields, `error` has those that it has at every edge."""
    of_whom = "invalid_request_error" if error.status < _FROM_HERE_OURS else "server_error"
    is_model = isinstance(error, UnknownSite)
    param = error.parameter if isinstance(error, ParameterRefused) else "model" if is_model else None
    shown = error_json(error, code="model_not_found" if is_model else "")
    return {
        "error": shown | {"message": str(error), "type": _TYPES.get(error.status, of_whom), "param": param},
    }


class ChatErrorResponse(JsonResponse):
    """An error as a response."""

    def __init__(self, error: PegboardError) -> None:
        after = failure_of(error).retry_after_seconds
        headers = {} if after is None else {"Retry-After": str(math.ceil(after))}
        super().__init__(chat_error(error), status_code=error.status, headers=headers)
