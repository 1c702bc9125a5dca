"""Report secrets that stand in the clear in a document, and hide them from every message and quoted line.

A tool or a site with `allow_secrets: true` is left alone: what looks like a credential there is an example.
"""

from collections.abc import Iterator

from pegboard.config.credentials import find
from pegboard.config.problems import Problems
from pegboard.config.syntax.node import Entry, List, Map, Node, Scalar
from pegboard.config.syntax.source import Source
from pegboard.text import TRUTHS

ALLOW = "allow_secrets"
HINT = f"Write ${{VARIABLE}} or, in a field for a secret, file:NAME. If it is no secret: `{ALLOW}: true` in the tool."


class Exposure:
    """Looks for secrets in the documents of one file, if its text gives a reason to."""

    def __init__(self, source: Source, problems: Problems) -> None:
        self._problems = problems
        self._may_allow = ALLOW in source.text
        self._may_hold = _may_hold(source)

    def allowed_below(self, root: Node) -> frozenset[int]:
        """Return the nodes (by `id`) of tools and sites that may hold what looks like a secret."""
        allowed: set[int] = set()
        for node in _below(root, frozenset()) if self._may_allow else ():
            if isinstance(node, Map) and (flag := node.get(ALLOW)) is not None and _is_true(flag):
                allowed.update(id(each) for each in _below(node, frozenset()))
        return frozenset(allowed)

    def report(self, root: Node, allowed: frozenset[int]) -> None:
        """Add a problem for each text or key of a document that holds what looks like a credential."""
        for node in _below(root, allowed) if self._may_hold else ():
            if isinstance(node, Scalar) and isinstance(node.value, str):
                _report(node, node.value, self._problems)
            elif isinstance(node, Map):
                for key, entry in node.entries.items():
                    _report(entry, key, self._problems)


def _below(root: Node, excepted: frozenset[int]) -> Iterator[Node]:
    """Yield `root` and all below it, each once though aliases name it often, in the order of the document."""
    waiting, seen = [root], set(excepted)
    while waiting:
        node = waiting.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        yield node
        if isinstance(node, Map):
            waiting += [entry.value for entry in reversed(node.entries.values())]
        elif isinstance(node, List):
            waiting += reversed(node.items)


def _is_true(node: Node) -> bool:
    value = node.value if isinstance(node, Scalar) else None
    return TRUTHS.get(value.strip().lower(), False) if isinstance(value, str) else value is True


def _may_hold(source: Source) -> bool:
    """Tell whether it is worth looking at each value: the text holds a credential, or escapes that may be one."""
    text = source.text
    return "\\u" in text or "\\x" in text or "&#" in text or bool(find(text.replace("\\/", "/")))


def _report(node: Scalar | Entry, text: str, problems: Problems) -> None:
    for credential in find(text):
        start, end = _place(node, text[credential.start : credential.end])
        node.source.hide(start, end)
        span = node.source.span(start, end)
        problems.add("PB108", span, f"{credential.kind} stands here in the clear", hint=HINT)


def _place(node: Scalar | Entry, secret: str) -> tuple[int, int]:
    """Return where the secret stands in the file; where it is written with escapes or over lines, its whole value."""
    start = node.source.text.find(secret, node.start, max(node.end, node.start))
    return (start, start + len(secret)) if start >= 0 else (node.start, max(node.end, node.start + 1))
