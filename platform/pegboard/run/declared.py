"""What a tool's declaration says about being called by a run, in one place."""

from typing import Literal

from pegboard.catalog.tool import Tool


def needs_approval(tool: Tool) -> bool:
    """Tell whether somebody has to approve each call."""
    return _of_call(tool, "approval", "never") == "always"


def on_unknown(tool: Tool) -> Literal["again", "fail"]:
    """Say what becomes of a call that was under way when its process ended, and may have done its work or not."""
    return "fail" if _of_call(tool, "on_unknown", "again") == "fail" else "again"


def _of_call(tool: Tool, name: str, usual: str) -> str:
    """Return what the block `call` says; tools of before it had these keys do not have them."""
    return str(getattr(getattr(tool, "limits", None), name, usual))
