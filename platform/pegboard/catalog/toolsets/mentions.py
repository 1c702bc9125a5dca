"""Tools that a site's routing names: they are there, or it is said why not."""

from collections.abc import Sequence

from pegboard.catalog.findings import Findings
from pegboard.catalog.toolsets.inheritance import Inherited
from pegboard.config.declarations import Declared, SiteDeclaration
from pegboard.config.span import Span


class Mentions:
    """Judges the names of tools that one site gives; `names` are those of its tools that can work."""

    def __init__(
        self, site: Declared[SiteDeclaration], inherited: Inherited, names: Sequence[str], findings: Findings
    ) -> None:
        self.names = names
        self._site = site
        self._inherited = inherited
        self._findings = findings

    def check(self, name: str, place: Span, *, whose: str, missing: str) -> None:
        """Report `name` if it is not one of `names`: `whose` says what the site does with it, `missing` what it lacks.

        A tool that cannot work is reported where it is declared.
        """
        stack = self._inherited.stacks.get(name)
        if name in self.names or (stack is not None and stack in self._inherited.enabled):
            return
        if stack is not None:
            off = (stack.giver("enabled") or stack.top).at("enabled")
            message, also = f"{whose}, which is switched off there", (off,)
            self._findings.add("PB205", place, message, hint="Name another tool.", also=also)
        elif name in self._site.value.exclude:
            also = (self._site.at("exclude", self._site.value.exclude.index(name)),)
            self._findings.add("PB205", place, f"{whose} and excludes it", hint="Name another tool.", also=also)
        else:
            hint = self._findings.near(name, self.names, noun="tools")
            self._findings.unknown("PB205", place, missing, hint=hint)
