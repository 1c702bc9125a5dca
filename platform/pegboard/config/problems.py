"""Problems of a configuration: each has a stable code, a place, and what to do."""

from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from pegboard.config.credentials import masked
from pegboard.config.span import Span
from pegboard.text import Json, sentence

Severity: TypeAlias = Literal["error", "warning"]

Dialect: TypeAlias = Literal["own", "nlweb"]

Quote: TypeAlias = tuple[tuple[int, str], ...]
"""Lines of a document with their numbers, as they were decoded: all that a place covers, or its first and last."""

PAGE = "docs/problems.md"
"""The page that explains every code, each below its own anchor."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of problem."""

    code: str
    """Stable: `PB` and three digits."""
    title: str
    own: Severity
    """Its severity in documents of our own shape."""
    nlweb: Severity
    """Its severity in NLWeb's XML, where some of our errors are habits."""
    also: str = "see here too"
    """What stands at the other places of such a problem."""
    hint: str = ""
    """What to do, where whoever finds such a problem knows nothing better."""

    @property
    def page(self) -> str:
        """Where the documentation explains it."""
        return f"{PAGE}#{self.code.lower()}"


_ALL = (
    # Files and syntax
    Kind("PB001", "file is missing or cannot be read", "error", "error"),
    Kind("PB002", "file is too large", "error", "error"),
    Kind("PB003", "syntax error", "error", "error", also="what is read there begins here"),
    Kind("PB004", "not allowed in a document (DOCTYPE, entity, tag, alias bomb, depth)", "error", "error"),
    Kind("PB005", "duplicate key", "error", "error", also="first given here", hint="Remove one of the two."),
    Kind("PB006", "not a pegboard document", "error", "error"),
    Kind("PB007", "no document at all", "error", "error"),
    Kind("PB008", "file of NLWeb that is not read", "warning", "warning"),
    Kind("PB009", "prompts of NLWeb that nothing here uses", "warning", "warning"),
    # Shape
    Kind("PB101", "unknown key", "error", "error"),
    Kind("PB102", "missing key", "error", "error"),
    Kind("PB103", "wrong type of value", "error", "error"),
    Kind("PB104", "value that is not allowed", "error", "error"),
    Kind("PB105", "variable is not set or not allowed", "error", "error"),
    Kind("PB106", "ignored element or attribute", "warning", "warning", hint="Remove it."),
    Kind("PB107", "source of knowledge does not exist", "warning", "warning"),
    Kind("PB108", "secret in the clear", "warning", "warning"),
    Kind("PB109", "path outside the folders that may be read", "error", "error"),
    Kind("PB110", "cannot be written in this syntax", "error", "error", hint="Keep this document in YAML or JSON."),
    Kind("PB115", "site's name is spelt another way here", "warning", "warning"),
    Kind("PB120", "secret cannot be had", "error", "error"),
    Kind("PB121", "file of a secret is open to others", "warning", "warning"),
    # Meaning
    Kind("PB201", "duplicate name", "error", "error", also="first declared here"),
    Kind("PB202", "unknown type", "warning", "warning"),
    Kind("PB203", "types cannot be put in an order", "error", "error", hint="Leave out one of these parents."),
    Kind("PB204", "unknown site", "error", "error", hint="Remove it from `extends`."),
    Kind("PB205", "unknown tool", "error", "error"),
    Kind("PB206", "unknown knowledge", "error", "error"),
    Kind("PB207", "domain of two sites", "error", "error", also="first named here", hint="Leave it at one of the two."),
    Kind(
        "PB208",
        "more than one default site",
        "error",
        "error",
        also="the first default is marked here",
        hint="Leave `default` at one of them.",
    ),
    Kind("PB209", "no tool at all", "warning", "warning"),
    Kind("PB210", "tag that no tool has", "warning", "warning"),
    Kind("PB211", "not a domain", "error", "error", hint="Write the host alone."),
    Kind("PB220", "unknown model profile", "error", "error"),
    Kind("PB221", "model profiles that fall back in a circle", "error", "error", also="it goes on here"),
    Kind(
        "PB222",
        "more than one default model profile",
        "error",
        "error",
        also="the first default is marked here",
        hint="Leave `default` at one of them.",
    ),
    Kind("PB223", "not the address of a model endpoint", "error", "error"),
    Kind("PB224", "model profile that nothing uses", "warning", "warning"),
    Kind("PB225", "tools that fall back in a circle", "error", "error", also="it goes on here"),
    Kind("PB226", "step of a flow that its tool does not take", "error", "error"),
    Kind("PB227", "flow that contains itself", "error", "error", also="it goes on here", hint="Leave one step out."),
    Kind("PB228", "input that no step of a flow uses", "warning", "warning", hint="Use it, or remove it."),
    Kind("PB230", "unknown source", "error", "error"),
    Kind("PB231", "source of no kind, or of several", "error", "error"),
    Kind("PB232", "unknown agent", "error", "error"),
    Kind("PB233", "source that cannot offer its tools", "error", "error"),
    Kind("PB234", "agent without any of its tools", "error", "error"),
    Kind("PB237", "tool that writes and is read_only", "error", "error", hint="Remove `read_only`."),
    Kind("PB238", "knowledge of nothing", "error", "error"),
    Kind("PB301", "bad schema", "error", "error", hint="Correct it: JSON Schema 2020-12 is read."),
    Kind("PB302", "no score in returns", "error", "warning"),
    Kind("PB303", "argument that the parameters lack", "error", "error"),
    Kind("PB304", "prompt without {request.query}", "error", "warning"),
    Kind("PB305", "unknown placeholder", "error", "warning"),
    Kind("PB306", "nothing to route by", "warning", "warning"),
    Kind(
        "PB307",
        "example of two tools",
        "warning",
        "warning",
        also="the other tool has it here",
        hint="Leave it to the tool that should answer it.",
    ),
    Kind(
        "PB308",
        "thresholds that contradict",
        "error",
        "error",
        also="it contradicts this",
        hint="Change one of the two.",
    ),
    Kind("PB309", "tools that no site takes", "warning", "warning"),
    Kind("PB310", "description is too long", "warning", "warning"),
    Kind("PB311", "character that nobody sees", "warning", "warning"),
    Kind("PB312", "score that is no number from 0 to 100", "error", "warning"),
    Kind("PB313", "limit that never takes effect", "warning", "warning"),
    Kind("PB314", "schema that cannot be meant", "warning", "warning", hint="Correct it."),
    Kind("PB315", "rule that cannot be used", "error", "error"),
    Kind("PB320", "limit that the tool cannot have", "error", "error"),
    Kind("PB325", "effects that contradict each other", "error", "error"),
    Kind("PB316", "shared schema that cannot be used", "error", "error"),
    Kind("PB401", "no handler", "error", "warning"),
    Kind("PB402", "handler is not allowed", "error", "error"),
    Kind("PB403", "handler cannot be imported", "error", "error", hint="Correct the path, or mend the module."),
    Kind("PB404", "not marked as a handler", "error", "error"),
    Kind("PB405", "handler does not take these arguments", "error", "error"),
    Kind("PB406", "NLWeb handler without a counterpart", "error", "warning"),
    Kind("PB407", "argument of NLWeb's that the room does not take", "error", "warning"),
    Kind("PB410", "block that cannot work", "error", "error"),
    Kind("PB411", "tool of two kinds, or of none", "error", "error"),
)

KINDS: dict[str, Kind] = {kind.code: kind for kind in _ALL}
"""Every kind by its code."""


def severity_of(code: str, dialect: Dialect) -> Severity:
    """Return how severe a kind of problem is in documents of a dialect."""
    kind = KINDS[code]
    return kind.own if dialect == "own" else kind.nlweb


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One problem at one place."""

    span: Span
    code: str
    severity: Severity
    message: str
    """What was found and what was wanted."""
    hint: str = ""
    """What to do."""
    also: tuple[Span, ...] = field(default=(), compare=False)
    """Other places that belong to it, such as the first of two equal names."""
    is_local: bool = field(default=False, compare=False, repr=False)
    """Nothing but one value was lost, where a problem of such a code may end the reading of a file."""
    quotes: tuple[Quote, ...] = field(default=(), compare=False, repr=False)
    """The lines of `span`, then those of each place in `also`; empty where there is no document to quote."""

    @property
    def kind(self) -> Kind:
        return KINDS[self.code]

    def __str__(self) -> str:
        said = self.message + "".join(f" (also {span})" for span in self.also)
        told = f"{sentence(said)} {self.hint}" if self.hint else said
        return f"{self.span}: {self.severity} {self.code}: {told}"

    def to_json(self) -> dict[str, Json]:
        """Return the problem as `platform check --json` prints it; `schemas/check.json` describes it."""
        return {
            **_place(self.span),
            "code": self.code,
            "severity": self.severity,
            "message": self.message,
            "hint": self.hint,
            "also": [{**_place(span), "message": self.kind.also} for span in self.also],
            "explanation": self.kind.page,
        }


def _place(span: Span) -> dict[str, Json]:
    return {
        "file": span.file,
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line or None,
        "end_column": span.end_column or None,
    }


_LONGEST = 1000
"""Characters of a message; one that repeats a very long text is cut."""
_LONGEST_CREDENTIAL = 300


def shown_safely(text: str) -> str:
    """Return a text to show: without credentials, and not longer than anybody reads."""
    shown = masked(text[: _LONGEST + _LONGEST_CREDENTIAL])
    return shown if len(text) <= _LONGEST else f"{shown[:_LONGEST]}…"


class Problems(list[Problem]):
    """The problems found so far: collected, never thrown one by one."""

    def add(
        self,
        code: str,
        span: Span,
        message: str,
        *,
        hint: str = "",
        dialect: Dialect = "own",
        also: tuple[Span, ...] = (),
    ) -> None:
        """Add a problem of the kind `code`, as severe as that kind is in `dialect`.

        What looks like a credential is repeated neither in the message nor in the hint.
        """
        message, hint = shown_safely(message), shown_safely(hint or KINDS[code].hint)
        self.append(Problem(span, code, severity_of(code, dialect), message, hint, also))

    def add_local(self, code: str, span: Span, message: str, *, hint: str) -> None:
        """Add a problem for which one value was lost, and nothing else of its file."""
        self.add(code, span, message, hint=hint)
        self[-1] = replace(self[-1], is_local=True)

    @property
    def errors(self) -> list[Problem]:
        """Those that keep the configuration from being served."""
        return [problem for problem in self if problem.severity == "error"]
