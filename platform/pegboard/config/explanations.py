"""What every code of a problem means: why it matters, a wrong and a right example, what to do.

One file for each code lies in `codes/`; to add a code, add its `Kind` to `problems` and its file there:

    why = "A sentence or more."
    do = "The next move."

    [wrong]                               # files by name: a configuration that gives the code, and nothing else
    "tools.yaml" = '''tools: …'''
    [right]                               # the same, mended: no problem at all
    "tools.yaml" = '''tools: …'''

`[wrong_xml]` and `[right_xml]` stand beside them where XML differs. The content `-> target` makes a symbolic link, and
the name `token (mode 600)` a file that only its owner reads. `found_by = "convert"` says that another command than
`check` finds it. Tests run every other example through `check`, and compare `docs/problems.md`, which
`scripts/problems_page.py` writes.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

from pegboard.config.problems import KINDS, Kind
from pegboard.text import Json

Example: TypeAlias = Mapping[str, str]
"""The files of a small configuration: contents by name."""

_LINK = "-> "
_FOLDER = Path(__file__).parent / "codes"


@dataclass(frozen=True, slots=True)
class Explanation:
    """What one code means."""

    kind: Kind
    why: str
    """Why it matters."""
    do: str
    """What to do."""
    wrong: Example
    """A configuration that gives this code and no other."""
    right: Example
    """The same without a problem."""
    wrong_xml: Example = field(default_factory=dict)
    """In XML; empty where there is nothing to add."""
    right_xml: Example = field(default_factory=dict)
    found_by: str = "check"
    """The command that finds it."""

    @property
    def severity(self) -> str:
        """Its severity in words, in both dialects."""
        if self.kind.own == self.kind.nlweb:
            return self.kind.own
        return f"{self.kind.own}; {self.kind.nlweb} in NLWeb's XML"

    @property
    def examples(self) -> list[tuple[str, Example]]:
        """Those that are there, each with a heading."""
        named = [
            ("Wrong", self.wrong),
            ("Right", self.right),
            ("Wrong, in XML", self.wrong_xml),
            ("Right, in XML", self.right_xml),
        ]
        return [(heading, example) for heading, example in named if example]

    def to_markdown(self) -> str:
        """Return it as Markdown, below a heading of the caller's."""
        found_by = "" if self.found_by == "check" else f" Found by `platform {self.found_by}`."
        parts = [f"Severity: {self.severity}.{found_by}", self.why]
        for heading, example in self.examples:
            for name, content in example.items():
                target = link_target(content)
                parts += (
                    [f"{heading} (`{name}`, a link to `{target}`)."]
                    if target
                    else [
                        f"{heading} (`{name}`):",
                        f"```{_language(name)}\n{content.rstrip()}\n```",
                    ]
                )
        return "\n\n".join([*parts, f"**What to do.** {self.do}"])

    def to_json(self) -> dict[str, Json]:
        """Return what `platform check --explain CODE --json` prints."""
        return {
            "code": self.kind.code,
            "title": self.kind.title,
            "severity": self.kind.own,
            "severity_nlweb": self.kind.nlweb,
            "found_by": self.found_by,
            "why": self.why,
            "do": self.do,
            "wrong": dict(self.wrong),
            "right": dict(self.right),
            "wrong_xml": dict(self.wrong_xml),
            "right_xml": dict(self.right_xml),
            "explanation": self.kind.page,
        }


def link_target(content: str) -> str:
    """Return where a symbolic link of an example leads; empty where it is a file."""
    return content.removeprefix(_LINK) if content.startswith(_LINK) else ""


def _language(name: str) -> str:
    return {".yml": "yaml", ".py": "python"}.get(suffix := Path(name).suffix, suffix.removeprefix("."))


@cache
def explanations() -> Mapping[str, Explanation]:
    """Return the explanation of every code that has one, by code, in the order of codes."""
    paths = {path.stem: path for path in _FOLDER.glob("*.toml")}
    return {code: _read(kind, paths[code]) for code, kind in sorted(KINDS.items()) if code in paths}


def _read(kind: Kind, path: Path) -> Explanation:
    content: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    why, do = (" ".join(content.pop(key).split()) for key in ("why", "do"))
    return Explanation(kind, why, do, **content)
