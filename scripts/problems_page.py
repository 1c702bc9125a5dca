"""Write `docs/problems.md` anew from the explanations of all codes.

.venv/bin/python scripts/problems_page.py
"""

from pathlib import Path

from pegboard.config.explanations import Explanation, explanations

TARGET = Path(__file__).parent.parent / "docs/problems.md"

_HEAD = """\
# Problems

Every problem that `platform check` finds has a stable code. `platform check --explain CODE` tells what stands here;
without a code it lists all. An *error* keeps the configuration from being served (exit code 3); a *warning* does not,
but `check --strict` counts it as an error. Some errors are habits of NLWeb's XML, and warnings there.

`platform check --json` prints problems as [`schemas/check.json`](../schemas/check.json) describes them: keys are added,
never renamed or removed; lines and columns count from 1, columns in code points. `--format sarif` writes SARIF 2.1.0
for code hosts (columns in UTF-16 code units), `--format github` the workflow commands that annotate a pull request.

This page is made by `scripts/problems_page.py`.
"""

_CHAPTERS = {
    "PB0": "Files and syntax",
    "PB1": "Shape",
    "PB2": "Meaning",
    "PB3": "Schemas, prompts and routing",
    "PB4": "Handlers",
}
"""By the beginning of codes."""


def page() -> str:
    """Return the page."""
    return "\n".join([_HEAD, _table(), *(_chapter(start) for start in _CHAPTERS)])


def _table() -> str:
    rows = [
        f"| [{code}](#{code.lower()}) | {each.kind.title} | {each.severity} |" for code, each in explanations().items()
    ]
    return "\n".join(["| code | means | severity |", "|---|---|---|", *rows, ""])


def _chapter(start: str) -> str:
    sections = [_section(code, each) for code, each in explanations().items() if code.startswith(start)]
    return "\n".join([f"## {_CHAPTERS[start]}\n", *sections])


def _section(code: str, explanation: Explanation) -> str:
    title = explanation.kind.title
    return f'<a id="{code.lower()}"></a>\n\n### {code}: {title}\n\n{explanation.to_markdown()}\n'


if __name__ == "__main__":
    TARGET.write_text(page(), encoding="utf-8")
