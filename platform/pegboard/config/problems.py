"""Problems of a configuration: each has a stable code, a place, and what to do."""

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from pegboard.config.span import Span
from pegboard.text import Json

Severity: TypeAlias = Literal["error", "warning"]

Dialect: TypeAlias = Literal["own", "nlweb"]


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


_ALL = (
    # Files and syntax
    Kind("PB001", "file is missing or cannot be read", "error", "error"),
    Kind("PB002", "file is too large", "error", "error"),
    Kind("PB003", "syntax error", "error", "error"),
    Kind("PB004", "not allowed in a document (DOCTYPE, entity, tag, alias bomb, depth)", "error", "error"),
    Kind("PB005", "duplicate key", "error", "error"),
    Kind("PB006", "not a pegboard document", "error", "error"),
    Kind("PB007", "no document at all", "error", "error"),
    # Shape
    Kind("PB101", "unknown key", "error", "error"),
    Kind("PB102", "missing key", "error", "error"),
    Kind("PB103", "wrong type of value", "error", "error"),
    Kind("PB104", "value that is not allowed", "error", "error"),
    Kind("PB105", "variable is not set or not allowed", "error", "error"),
    Kind("PB106", "ignored element or attribute", "warning", "warning"),
    Kind("PB107", "source of knowledge does not exist", "error", "error"),
    Kind("PB110", "cannot be written in this syntax", "error", "error"),
    Kind("PB111", "would mean something else when written anew", "error", "error"),
    # Meaning
    Kind("PB201", "duplicate name", "error", "error"),
    Kind("PB202", "unknown type", "warning", "warning"),
    Kind("PB203", "types cannot be put in an order", "error", "error"),
    Kind("PB204", "unknown site", "error", "error"),
    Kind("PB205", "unknown tool", "error", "error"),
    Kind("PB206", "unknown knowledge", "error", "error"),
    Kind("PB207", "domain of two sites", "error", "error"),
    Kind("PB208", "more than one default site", "error", "error"),
    Kind("PB209", "no tool at all", "warning", "warning"),
    Kind("PB301", "bad schema", "error", "error"),
    Kind("PB302", "no score in returns", "error", "warning"),
    Kind("PB303", "argument that the parameters lack", "error", "error"),
    Kind("PB304", "prompt without {request.query}", "error", "warning"),
    Kind("PB305", "unknown placeholder", "error", "warning"),
    Kind("PB306", "nothing to route by", "warning", "warning"),
    Kind("PB401", "no handler", "error", "warning"),
    Kind("PB402", "handler is not allowed", "error", "error"),
    Kind("PB403", "handler cannot be imported", "error", "error"),
    Kind("PB404", "not marked as a handler", "error", "error"),
    Kind("PB405", "handler does not take these arguments", "error", "error"),
)

KINDS: dict[str, Kind] = {kind.code: kind for kind in _ALL}
"""Every kind by its code."""


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
    quote: str = field(default="", compare=False, repr=False)
    """The line of the document where it stands, as it was decoded; empty where there is none to show."""

    def __str__(self) -> str:
        also = "".join(f" (also {span})" for span in self.also)
        return f"{self.span}: {self.severity} {self.code}: {self.message}{also} {self.hint}".rstrip()

    def to_json(self) -> dict[str, Json]:
        """Return the problem as `platform check --json` prints it."""
        return {
            "code": self.code,
            "severity": self.severity,
            "file": self.span.file,
            "line": self.span.line,
            "column": self.span.column,
            "message": self.message,
            "hint": self.hint,
        }


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
        """Add a problem of the kind `code`, as severe as that kind is in `dialect`."""
        kind = KINDS[code]
        severity = kind.own if dialect == "own" else kind.nlweb
        self.append(Problem(span, code, severity, message, hint, also))

    @property
    def errors(self) -> list[Problem]:
        """Those that keep the configuration from being served."""
        return [problem for problem in self if problem.severity == "error"]
