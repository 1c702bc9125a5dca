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
    if tool.limits.approval == "always":
        return f"tool {tool.name!r} is only called when somebody has approved it"
    effect = next((each for each in ("destructive", "external") if each in tool.effects), "")
    return f"tool {tool.name!r} is {effect}, and {taint.first}" if effect and taint.first is not None else ""
