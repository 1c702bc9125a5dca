"""The calls of one turn: each with its own id, made at once, answered in their order; one that fails is its reason.

They are a run of their own, so that what has been done is recorded, and approvals, taint and limits hold as anywhere.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from pegboard.catalog.contract import Context, Offer, Result
from pegboard.catalog.schema.faults import faults
from pegboard.errors import PegboardError, UsageError
from pegboard.handlers.agent.conversation import SEEN_TOKENS, head
from pegboard.llm.model import Function, FunctionCall
from pegboard.text import Json, did_you_mean

MOST = 16
"""Calls of one turn; a model that wants more is told so."""
PART = "result_part"
"""What an agent reads on with in a result that was cut or shortened."""
READ_ON = Function(
    PART,
    "Reads on in a result that was cut or shortened, by the reference that its note names.",
    {
        "type": "object",
        "properties": {"ref": {"type": "string"}, "offset": {"type": "integer", "minimum": 0}},
        "required": ["ref"],
        "additionalProperties": False,
    },
)


TOO_LATE = "its time was over"
"""Why a call that was under way then came to nothing."""


@dataclass(frozen=True, slots=True)
class Came:
    """What a call came to."""

    call: FunctionCall
    result: Result | None
    reason: str = ""
    """Why there is none."""


def with_ids(calls: Sequence[FunctionCall], taken: Collection[str], turn: int) -> tuple[FunctionCall, ...]:
    """Return `calls` with ids that no other call has, in this turn or before; those of the model where they will do."""
    used = set(taken)
    found: list[FunctionCall] = []
    for place, call in enumerate(calls, start=1):
        given = call.id or f"call_{turn}_{place}"
        name, count = given, 1
        while name in used:
            count += 1
            name = f"{given}_{count}"
        used.add(name)
        found.append(replace(call, id=name))
    return tuple(found)


class Calls:
    """Makes the calls of one agent."""

    def __init__(self, context: Context, offers: Sequence[Offer]) -> None:
        self._context = context
        self._offers = {offer.name: offer for offer in offers}

    async def made(
        self, calls: Sequence[FunctionCall], turn: int, refs: Collection[str], *, seconds: float = math.inf
    ) -> list[Came]:
        """Make the calls of a turn; `came[i]` belongs to `calls[i]`. `refs` are what may be read on in.

        What has come to nothing after `seconds` is cancelled.
        """
        came: dict[str, Came] = {}
        wanted: list[FunctionCall] = []
        for place, call in enumerate(calls):
            reason = f"At most {MOST} calls are made in one turn." if place >= MOST else self._refused(call)
            if reason:
                came[call.id] = Came(call, None, reason)
            elif call.name == PART and not self.has(PART):
                came[call.id] = await self._part(call, refs)
            else:
                wanted.append(call)
        for each in await self._run(wanted, turn, seconds) if wanted else ():
            came[each.call.id] = each
        return [came[call.id] for call in calls]

    def has(self, name: str) -> bool:
        """Tell whether a tool of the site has that name."""
        return name in self._offers

    def shown(self, call: FunctionCall) -> dict[str, Json]:
        """Return a call as events tell it."""
        offer = self._offers.get(call.name)
        hidden = offer.redacted if offer else ()
        arguments: dict[str, Json] = {
            name: "***" if name in hidden else value for name, value in call.arguments.items()
        }
        return {"id": call.id, "tool": call.name, "arguments": arguments}

    def _refused(self, call: FunctionCall) -> str:
        offer = self._offers.get(call.name)
        if offer is None:
            hint = did_you_mean(call.name, self._offers, noun="tools")
            return "" if call.name == PART else f"There is no tool {call.name[:80]!r}. {hint}".strip()
        return " ".join(fault.message for fault in faults(dict(call.arguments), offer.parameters))

    async def _run(self, calls: Sequence[FunctionCall], turn: int, seconds: float) -> list[Came]:
        """Make calls whose tools are there, at once."""
        given: list[Json] = []
        plan: list[Json] = []
        for place, call in enumerate(calls, start=1):
            arguments: dict[str, Json] = {}
            for name, value in call.arguments.items():  # as inputs: what a model writes is never a reference
                arguments[name] = f"${{inputs.given[{len(given)}]}}"
                given.append(value)
            key = "agent" if self._offers[call.name].runs_others else "tool"  # one that waits for others holds no slot
            kind = "sub_agent" if key == "agent" else "tool"
            plan.append({"id": f"turn{turn}-{place}", "type": kind, key: call.name, "arguments": arguments})
        try:
            ran = await self._context.run(plan, {"given": given}, seconds=None if seconds == math.inf else seconds)
        except UsageError as error:
            if len(calls) == 1:
                return [Came(calls[0], None, str(error))]
            alone = [await self._run([call], turn, seconds) for call in calls]  # the others are not to suffer
            return [came for each in alone for came in each]
        except PegboardError as error:
            return [Came(call, None, str(error)) for call in calls]
        is_late = ran.status == "cancelled" and seconds < math.inf
        return [
            Came(call, end.result, TOO_LATE if is_late and end.state == "cancelled" else end.reason)
            for call, end in zip(calls, ran.nodes, strict=True)
        ]

    async def _part(self, call: FunctionCall, refs: Collection[str]) -> Came:
        arguments: Mapping[str, Json] = call.arguments
        if wrong := faults(dict(arguments), READ_ON.parameters):
            return Came(call, None, " ".join(fault.message for fault in wrong))
        ref, offset = str(arguments["ref"]), arguments.get("offset", 0)
        assert isinstance(offset, int)  # it fits
        if ref not in refs:
            return Came(call, None, f"Nothing is kept as {ref[:80]!r}.")
        try:
            part = await self._context.result_part(ref, offset)
        except PegboardError as error:
            return Came(call, None, str(error))
        text = head(part.text, SEEN_TOKENS)
        after = part.next_offset if text == part.text else part.offset + len(text.encode())
        more = "" if after is None else f"\n[it goes on at offset {after}]"
        return Came(call, Result(f"{text}{more}"))
