"""Numbering of what an answer rests on: one number for each source, in the order of its first citation."""

from pegboard.catalog.contract import Evidence


class Sources:
    """The evidence of one answer while it is written."""

    def __init__(self) -> None:
        self._texts: dict[tuple[str, str], list[str]] = {}

    def cite(self, text: str, *, url: str, name: str) -> str:
        """Note that the source at `url` says `text`, and return the mark for the sentence: `[1]`."""
        texts = self._texts.setdefault((url, name), [])
        if text and text not in texts:
            texts.append(text)
        return f"[{list(self._texts).index((url, name)) + 1}]"

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """Everything that was cited, in the order of its numbers."""
        return tuple(
            Evidence(number, "\n".join(texts), url, name)
            for number, ((url, name), texts) in enumerate(self._texts.items(), 1)
        )


def marked(sentence: str, mark: str) -> str:
    """Put a citation behind a sentence, or behind the head of a list: `You need [1]:`."""
    head, newline, rest = sentence.partition("\n")
    if newline and head.rstrip().endswith((":", "：")):
        return f"{head.rstrip()[:-1]} {mark}{head.rstrip()[-1]}\n{rest}"
    return f"{sentence}{mark}" if sentence.endswith(("。", "！", "？", "。”")) else f"{sentence} {mark}"
