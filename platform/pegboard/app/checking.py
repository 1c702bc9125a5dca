"""What `platform check` asks: every problem of a configuration, and how well its tools are told apart.

Light to import; what reads and builds is imported when it is asked.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from pegboard.config.server.settings import read_settings

if TYPE_CHECKING:
    from pegboard.catalog.load import CheckReport
    from pegboard.route.health import SiteHealth


def check(
    *,
    config: Path | None,
    environ: Mapping[str, str],
    assigned: Mapping[str, str] | None = None,
    imports: bool = True,
) -> "CheckReport":
    """Read and build everything, and return every problem, those of the settings first.

    Without `imports` nothing that a document names is imported.
    """
    from pegboard.catalog import load

    settings, problems = read_settings(config=config, environ=environ, assigned=assigned)
    report = load.check(settings, imports=imports)
    return replace(report, problems=(*problems, *report.problems))


def health(
    *,
    config: Path | None,
    environ: Mapping[str, str],
    assigned: Mapping[str, str] | None = None,
    imports: bool = True,
) -> "list[SiteHealth]":
    """Say of each site how well its tools are told apart: each example is asked without having been learned.

    Loads the sentence encoder, and embeds all that authors wrote: some 5 ms a tool. Problems are `check`'s business.
    """
    from pegboard.catalog import load
    from pegboard.llm.embedder import SentenceEncoder
    from pegboard.route.embedded import train

    settings, _ = read_settings(config=config, environ=environ, assigned=assigned)
    toolsets = load.check(settings, imports=imports).catalog.sites.values()
    scorer = train(SentenceEncoder(), [tool for toolset in toolsets for tool in toolset.tools])
    return [scorer.health(toolset) for toolset in toolsets]
