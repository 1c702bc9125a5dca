"""`Mend`: something that was changed of what a model wrote, by a rule that has a name."""

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from pegboard.plan.faults import Code, PlanFault

Rule: TypeAlias = Literal[
    "cleaned",  # text around the plan, special tokens and fences are left out
    "lenient",  # no strict JSON, but there is one way to read it
    "closed",  # the brackets after the last whole step are added
    "id",  # ids are written as ours are
    "tool",  # a tool's name in another spelling
    "kind",  # a tool that is asked as an agent
    "reference",  # references of other styles
    "position",  # references by position
    "owner",  # a step named by its tool, which no other step calls
    "order",  # a step refers to one that is written after it
    "arguments",  # arguments in another form, or of another type
    "condition",  # a condition in another notation
    "sequence",  # steps without ids, of which one changes something, one after the other
]
"""Described one by one in docs/plans.md."""


@dataclass(frozen=True, slots=True)
class Mend:
    """One of them."""

    rule: Rule
    message: str
    """A sentence."""
    node: str = ""
    """The step that it is about; empty: all."""
    about: str = ""
    """What stood there; empty: no name or reference."""

    def __str__(self) -> str:
        """Return it as a sentence."""
        return self.message


@dataclass(slots=True)
class Findings:
    """What was mended, and what cannot be, each once, in the order in which it was found."""

    mended: dict[Mend, None] = field(default_factory=dict)
    wrong: dict[PlanFault, None] = field(default_factory=dict)

    def mend(self, rule: Rule, message: str, node: str = "", about: str = "") -> None:
        """Note that something was changed."""
        self.mended.setdefault(Mend(rule, message, node, about))

    def fault(self, code: Code, node: str, message: str, hint: str = "", about: str = "") -> None:
        """Note that something is wrong."""
        self.wrong.setdefault(PlanFault(code, (node,) if node else (), message, hint, about))
