"""The approvals that runs wait for, by the toolsets of now: what has become of their tools, whether they can be given.

What follows from what is decided in `run/approving.py`; here is asked for what that must know.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from pegboard.catalog.snapshot import Catalog
from pegboard.errors import Unreachable

if TYPE_CHECKING:
    from pegboard.run.approving import OnEdit
    from pegboard.run.engine import Engine, RunView
    from pegboard.run.held import PendingApproval


async def marked(engine: "Engine", views: "Sequence[RunView]", catalog: Catalog) -> "list[RunView]":
    """Return runs with what has become of the tools that wait for approvals in them."""
    return [
        replace(view, approvals=tuple([await _marked(engine, each, catalog) for each in view.approvals]))
        for view in views
    ]


async def refuse_vain(engine: "Engine", found: "PendingApproval", catalog: Catalog | None, on_edit: "OnEdit") -> None:
    """Let an approval pass that comes to something, of a tool that is as it was; by `catalog`, None: nobody knows it.

    Raises:
        RunChanged: it comes to nothing, or nobody insists on it.
    """
    from pegboard.run.approving import changed_nodes, refuse_edited  # noqa: PLC0415 (runs are for the few)
    from pegboard.run.engine import RunChanged  # noqa: PLC0415
    from pegboard.run.nested import outermost  # noqa: PLC0415

    if catalog is None and on_edit == "keep":
        return
    if catalog is None:
        hint = "`platform check` says why; insist with `--changed keep`."
        raise RunChanged(f"The documents cannot be read, and so not whether {found.tool!r} is as it was.", hint=hint)
    around = await engine.request(outermost(found.run))
    changed = changed_nodes(around, catalog.sites.get(around.site))
    refuse_edited(await _marked(engine, found, catalog), await engine.going(found.run), on_edit, changed)


async def _marked(engine: "Engine", approval: "PendingApproval", catalog: Catalog) -> "PendingApproval":
    from pegboard.run.approving import tool_is  # noqa: PLC0415 (runs are for the few)
    from pegboard.run.journal.row import UnknownRun  # noqa: PLC0415

    with suppress(UnknownRun, Unreachable):  # nobody can say, and it can still be looked at
        request = await engine.request(approval.run)
        return replace(approval, tool_is=tool_is(request, approval.node, catalog.sites.get(request.site)))
    return approval
