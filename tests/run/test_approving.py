"""Whether an approval can still be given."""

from dataclasses import replace

import pytest

from pegboard.catalog.contract import Context, Result
from pegboard.catalog.tool import Toolset
from pegboard.run.approving import OnEdit, changed_nodes, refuse_edited, tool_is
from pegboard.run.engine import Going, RunChanged
from pegboard.run.held import PendingApproval, ToolIs
from pegboard.run.node.specs import specs_of
from tests.run.running import Arguments, echo, limited, node, request, tools, world

PENDING = PendingApproval("r.a.1f.1", "w", "write", {}, "it writes", 0.0)


async def writing(context: Context, arguments: Arguments) -> Result:
    """Write."""
    return Result("written")


def toolset(**limits: object) -> Toolset:
    return world([*tools(), limited("write", writing, **limits)]).toolset


BEGUN = toolset()
ASKED = request(node("a"), node("w", "a", tool="write"), node("z", "w"))
ASKED = ASKED.with_specs(specs_of(ASKED.plan, BEGUN))


@pytest.mark.parametrize(
    ("now", "is_now", "changed"),
    [
        (BEGUN, "", set()),
        (toolset(timeout_seconds=3.0), "", set()),
        (toolset(max_result_bytes=7), "changed", {"w", "z"}),
        (world(tools()).toolset, "gone", {"w", "z"}),
        (world([limited("write", writing), *tools(more=echo)]).toolset, "", set()),
        (None, "gone", {"a", "w", "z"}),
    ],
)
def test_what_has_become_of_a_tool(now: Toolset | None, is_now: ToolIs, changed: set[str]) -> None:
    assert tool_is(ASKED, "w", now) == is_now
    assert set(changed_nodes(ASKED, now)) == changed


@pytest.mark.parametrize(
    ("is_now", "going", "on_edit", "around", "hint"),
    [
        ("", "as_begun", "refuse", {"b"}, ""),
        ("", "as_served", "refuse", {"b"}, ""),
        ("", "not", "refuse", set(), ""),
        ("", "not", "keep", {"b"}, "`--changed reuse`"),
        ("changed", "not", "keep", set(), "platform runs resume r"),
        ("changed", "as_begun", "refuse", set(), "`--changed keep`"),
        ("changed", "as_begun", "keep", {"b"}, ""),
        ("gone", "as_begun", "refuse", set(), "`--changed keep`"),
        ("gone", "as_served", "keep", set(), "platform runs resume r.a.1f.1 --changed reuse"),
    ],
)
def test_an_approval_that_comes_to_nothing_or_that_nobody_knows_of_is_refused(
    is_now: ToolIs, going: Going, on_edit: OnEdit, around: set[str], hint: str
) -> None:
    found = replace(PENDING, tool_is=is_now)
    if not hint:
        refuse_edited(found, going, on_edit, around)
        return
    with pytest.raises(RunChanged) as refused:
        refuse_edited(found, going, on_edit, around)
    assert hint in refused.value.hint
    assert "run r " in refused.value.message.lower()
