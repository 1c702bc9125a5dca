"""A class of NLWeb's contract, as a fork of it might have one."""

from typing import Any


class EchoHandler:
    """Tells what it sees of the request."""

    def __init__(self, params: dict[str, Any], handler: Any) -> None:
        self.params = params
        self.handler = handler

    async def do(self) -> None:
        """Send one message with words, and one with an item."""
        seen = f"{self.handler.site}/{self.handler.item_type}: {self.handler.query} after {self.handler.prev_queries}"
        item = {"name": "Echo", "url": "https://echo.example/1", "score": 91, "description": self.params["query"]}
        await self.handler.send_message({"message_type": "nlws", "answer": seen, "items": [item]})
        self.handler.query_done = True
