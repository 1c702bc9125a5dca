"""`Taint`: whether a run, or a request, has read what others have written, and which calls need an approval since.

A page, a mail or an issue may carry instructions that a model takes for its user's. Nothing can tell these apart for
sure; so once such a text has come in, what does harm or leaves the house is done when somebody has approved it. The
runs inside of a run, and the calls of a request, share one.
"""

from dataclasses import dataclass

from pegboard.catalog.tool import Tool


@dataclass(frozen=True, slots=True)
class Tainted:
    """What has come in."""

    tool: str
    """What has returned it."""
    by: str = ""
    """The call, `run:node`; empty outside of a run."""

    def __str__(self) -> str:
        """Return it as a clause."""
        where = f" ({self.by})" if self.by else ""
        return f"tool {self.tool!r}{where} has returned text of others, which may carry instructions"


@dataclass(slots=True, eq=False)
class Taint:
    """Whether something has; the first of them is named."""

    around: "Taint | None" = None
    """That of the request of which this is a part: what comes in here has come in there."""
    own: Tainted | None = None
    """What has come in by this part."""

    @property
    def first(self) -> Tainted | None:
        """What has come in, here or around."""
        return self.own or (self.around.first if self.around is not None else None)

    def mark(self, by: Tainted) -> None:
        """Something has come in."""
        self.own = self.own or by
        if self.around is not None:
            self.around.mark(by)


def why_unapproved(tool: Tool, taint: Taint) -> str:
    """Return why a call of `tool` needs somebody's approval, as a clause; empty: it needs none."""
    return why_held(tool.name, needing_of(tool), taint.first)


def needing_of(tool: Tool) -> str:
    """Return what lets `tool` need an approval: `always`, or the effect that does so in a tainted run; empty: none."""
    if tool.limits.approval == "always":
        return "always"
    return next((each for each in ("destructive", "external") if each in tool.effects), "")


def why_held(tool: str, needing: str, first: Tainted | None) -> str:
    """Return why a call of the tool of that name needs an approval, where `first` has come in; empty: it needs none."""
    if needing == "always":
        return f"tool {tool!r} is only called when somebody has approved it"
    return f"tool {tool!r} is {needing}, and {first}" if needing and first is not None else ""
