"""`Spent`: what the nodes of a run have used of what is limited for all of them together. Pure."""

from collections.abc import Mapping

from pegboard.llm.usage import Used


class Spent:
    """Calls of tools that a request may call so many times, and models."""

    def __init__(self, calls: Mapping[str, int], used: Used) -> None:
        self.calls = dict(calls)
        self.used = used

    def reserve(self, tool: str) -> None:
        """Count a call before it is made, so that nodes that are done at once know of each other."""
        self.calls[tool] = self.calls.get(tool, 0) + 1

    def unreserve(self, tool: str) -> None:
        """Count it no more: it has been made, or has not."""
        self.calls[tool] -= 1

    def take(self, calls: Mapping[str, int], used: Used) -> None:
        """Count what a node has used."""
        for tool, count in calls.items():
            self.calls[tool] = self.calls.get(tool, 0) + count
        self.used = self.used.plus(used)
