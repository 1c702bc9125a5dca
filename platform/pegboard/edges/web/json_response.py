"""`JsonResponse`: a value as a JSON document, UTF-8 as it is."""

from starlette.requests import Request
from starlette.responses import Response

from pegboard.text import to_json


class JsonResponse(Response):
    """A JSON document; half a character in it becomes a mark, and no error."""

    media_type = "application/json"

    def render(self, content: object) -> bytes:
        return to_json(content).encode()


def of_snapshot(request: Request, digest: str, content: object) -> Response:
    """Return what only a reload changes: a client that has it already, by its ETag, is told so (304)."""
    headers = {"ETag": f'"{digest[:16]}"', "Cache-Control": "no-cache"}
    if headers["ETag"] in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return JsonResponse(content, headers=headers)
