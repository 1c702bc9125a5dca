"""An answer on its way to stdout: its words as they come, then what it cites."""

import sys

from pegboard.edges.cli.output import inform, plain, print_line, styled
from pegboard.text import Json, clipped


class Silent:
    """Says nothing but what the asker should know."""

    def piece(self, text: str) -> None:
        """Let a piece of the answer pass."""

    def notice(self, text: str) -> None:
        """Say what the asker should know."""
        inform(f"note: {text}")


class Writer(Silent):
    """Writes each piece as it comes."""

    def __init__(self) -> None:
        self._written = ""

    def piece(self, text: str) -> None:
        self._written += text
        sys.stdout.write(plain(text))
        sys.stdout.flush()

    def end(self, text: str) -> None:
        """End the answer, which is `text` where no piece of it came."""
        if not self._written:
            self.piece(text)
        if self._written and not self._written.endswith("\n"):
            sys.stdout.write("\n")

    def cite(self, listed: Json) -> None:
        """Print citations, or the results of an answer that cites nothing."""
        found = [each for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []
        if found:
            print_line()
        for number, each in enumerate(found, start=1):
            name = styled(clipped(str(each.get("name") or ""), 80), "bold", to=sys.stdout)
            print_line(f"[{each.get('number', number)}] {name}  {each.get('url') or ''}".rstrip())


def used(*usages: Json) -> str:
    """Say what was taken of models, by a run and its answer together; nothing where none was."""

    def total(*keys: str) -> int:
        told = [usage for usage in usages if isinstance(usage, dict)]
        return sum(count for usage in told for key in keys if isinstance(count := usage.get(key), int))

    calls, cached = total("model_calls"), total("cached")
    if not (calls or cached):
        return ""
    return (
        f", model calls: {calls}{f' ({cached} cached)' if cached else ''}, tokens: {total('tokens_in', 'tokens_out')}"
    )
