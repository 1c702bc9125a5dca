"""A problem in one line, as logs have it."""

import pytest

from pegboard.config.problems import Problem
from pegboard.config.span import Span

HERE = Span("tools.yaml", 3, 5)


@pytest.mark.parametrize(
    ("message", "hint", "also", "line"),
    [
        ("it has no key 'nam'", "Did you mean 'name'?", (), "it has no key 'nam'. Did you mean 'name'?"),
        ("'strng' is no type. Did you mean 'string'?", "Mend it.", (), None),
        ("没有这个工具。", "请检查名称。", (), "没有这个工具。 请检查名称。"),
        ("the name is there twice", "", (), "the name is there twice"),
        ("it is there twice", "", (Span("a.yaml", 1, 2),), "it is there twice (also a.yaml:1:2)"),
        ("it is there twice", "Remove it.", (Span("a.yaml", 1, 2),), "it is there twice (also a.yaml:1:2). Remove it."),
    ],
)
def test_message_and_hint_are_sentences(message: str, hint: str, also: tuple[Span, ...], line: str | None) -> None:
    problem = Problem(HERE, "PB101", "error", message, hint, also)
    assert str(problem) == f"tools.yaml:3:5: error PB101: {line or f'{message} {hint}'}"
