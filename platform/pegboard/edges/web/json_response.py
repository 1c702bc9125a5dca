"""`JsonResponse`: a value as a JSON document, UTF-8 as it is."""

from starlette.responses import Response

from pegboard.text import to_json


class JsonResponse(Response):
    """A JSON document; half a character in it becomes a mark, and no error."""

    media_type = "application/json"

    def render(self, content: object) -> bytes:
        return to_json(content).encode()
