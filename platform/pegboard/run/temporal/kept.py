"""`Kept`: what nodes gave and recorded, and which execution of the run holds it. Pure."""

from collections.abc import Mapping

from pegboard.plan.graph import Node
from pegboard.plan.references import names_in
from pegboard.run.request import RunRequest
from pegboard.run.temporal.wire import GIVEN_BYTES

_SHORT = 2048
"""Bytes of a text that is taken along into the next execution."""
_CARRIED_BYTES = 256 << 10
"""All of those together."""


def key_of(node: str, note: str = "") -> str:
    """Return the key of what `node` gave, or of what it has recorded as `note`."""
    return f"{node}\n{note}" if note else node


class Kept:
    """The texts of one execution, and where those of earlier ones are."""

    def __init__(self, execution: str, texts: Mapping[str, str], places: Mapping[str, str]) -> None:
        self.execution = execution
        self._texts = dict(texts)
        self._places = dict(places)

    def __contains__(self, key: str) -> bool:
        """Tell whether there is something, here or elsewhere."""
        return key in self._texts or key in self._places

    def keep(self, key: str, text: str) -> None:
        """Keep a text."""
        self._texts[key] = text

    def text(self, key: str) -> str:
        """Return a text of this execution; empty: it has none of that key."""
        return self._texts.get(key, "")

    def forget(self, node: str) -> None:
        """Forget what a node gave and recorded: it is done anew."""
        for held in (self._texts, self._places):
            for key in [key for key in held if key == node or key.startswith(f"{node}\n")]:
                del held[key]

    def place(self, key: str) -> str:
        """Return the execution that holds a text."""
        return self.execution if key in self._texts else self._places[key]

    def notes_of(self, node: str) -> dict[str, str]:
        """Return the names of what a node has recorded, and the executions that hold it."""
        before = f"{node}\n"
        keys = sorted({*self._texts, *self._places})
        return {key.removeprefix(before): self.place(key) for key in keys if key.startswith(before)}

    def given(self, keys: Mapping[str, str]) -> tuple[dict[str, str], dict[str, list[str]]]:
        """Return the texts of `keys` by their names, and key and execution of what is too much to go along.

        What is not kept came to nothing: its text is empty.
        """
        given: dict[str, str] = {}
        elsewhere: dict[str, list[str]] = {}
        size = 0
        for name, key in keys.items():
            if key not in self:
                given[name] = ""
                continue
            text = self.text(key)
            size += len(text.encode())
            if text and size <= GIVEN_BYTES:
                given[name] = text
            else:
                elsewhere[name] = [key, self.place(key)]
        return given, elsewhere

    @staticmethod
    def short(text: str) -> str:
        """Return `text` if it may go along with a node, else nothing."""
        return text if len(text.encode()) <= _SHORT else ""

    @staticmethod
    def named_in_arguments(node: Node) -> set[str]:
        """Return the nodes and races that the arguments of `node` refer to."""
        return names_in(node.arguments)

    @staticmethod
    def named_in_condition(request: RunRequest, node: Node) -> set[str]:
        """Return the nodes and races that the condition of `node` may look at."""
        return {*request.plan.by_id, *request.plan.racers}

    def carried(self) -> tuple[dict[str, str], dict[str, str]]:
        """Return what the next execution takes along: short texts, and where the others are."""
        texts: dict[str, str] = {}
        places = dict(self._places)
        size = 0
        for key, text in self._texts.items():
            size += len(text.encode())
            if len(text.encode()) <= _SHORT and size <= _CARRIED_BYTES:
                texts[key] = text
            else:
                places[key] = self.execution
        return texts, places
