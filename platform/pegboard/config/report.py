"""What `platform check --json` prints, as types: the source of `schemas/check.json`.

Stable: keys are added, never renamed or removed. The values are made by `Problem.to_json`, `CheckReport.to_json` and
`SiteHealth.to_json`.
"""

from pydantic import BaseModel, ConfigDict, Field

from pegboard.config.problems import Severity


class _Shape(BaseModel):
    model_config = ConfigDict(use_attribute_docstrings=True)


class PlaceShape(_Shape):
    """A place in a file. Lines and columns count from 1, columns in code points."""

    file: str
    """Relative to the working folder where it lies below that; `$NAME` for a variable, `--name` for an option."""
    line: int = Field(ge=1)
    """Where it begins."""
    column: int = Field(ge=1)
    """Where it begins in that line."""
    end_line: int | None = Field(ge=1)
    """Where it ends; null where only the start is known."""
    end_column: int | None = Field(ge=1)
    """The column behind its last character; null where only the start is known."""


class OtherPlaceShape(PlaceShape):
    """Another place that belongs to a problem, such as the first of two equal names."""

    message: str
    """What stands there."""


class ProblemShape(PlaceShape):
    """One problem at one place."""

    code: str = Field(pattern=r"^PB[0-9]{3}$")
    """Stable; `platform check --explain CODE` says what it means."""
    severity: Severity
    """An error keeps the configuration from being served."""
    message: str
    """What was found, and what was wanted."""
    hint: str
    """What to do; may be empty."""
    also: list[OtherPlaceShape]
    """Other places that belong to it."""
    explanation: str
    """Page and anchor of the documentation."""


class ToolHealthShape(_Shape):
    """How well one tool is told apart from the others of its site."""

    tool: str
    """Its name."""
    examples: int
    """How many it declares, in all languages."""
    right: int
    """How many of them lead to it when they are left out."""
    accuracy: float | None = Field(ge=0, le=1)
    """The share of them; null without examples."""
    confused_with: str | None
    """The tool that most of the others lead to."""
    overlap: str | None
    """The example that is furthest on the wrong side."""


class SiteHealthShape(_Shape):
    """How well the tools of a site are told apart, by asking each example without having learned it."""

    site: str
    """Its name."""
    tools: list[ToolHealthShape]
    """In the order of their declaration."""
    overlaps: list[str]
    """A sentence for each tool that is taken for another, the worst first."""
    note: str | None
    """Why there are no figures."""


class CheckShape(_Shape):
    """What `platform check --json` prints."""

    problems: list[ProblemShape]
    """In the order of documents, then places; those of the server's settings come first."""
    errors: int
    """How many of the problems are errors."""
    warnings: int
    """How many are warnings."""
    files: list[str]
    """The documents that were read, in reading order."""
    tools: int
    """Declared tools, the disabled ones too."""
    disabled: int
    """Declared tools that are switched off, or cannot work."""
    sites: list[str]
    """Names of the sites."""
    health: list[SiteHealthShape] | None
    """With `--health`: how well each site's tools are told apart; null without it."""
