"""What a plan may use of a site: all its tools but those that plan, for these would plan themselves."""

from dataclasses import replace

from pegboard.catalog.tool import Toolset

PLANS = "pegboard.handlers.plan:"
"""How the handlers begin of tools that plan."""


def usable(toolset: Toolset) -> Toolset:
    """Return `toolset` without the tools that plan."""
    kept = tuple(tool for tool in toolset.tools if not tool.handler.startswith(PLANS))
    return toolset if len(kept) == len(toolset.tools) else replace(toolset, tools=kept)
