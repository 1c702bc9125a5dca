"""What plans further steps as a test says; fulfils `run.context.Solving`."""

from collections.abc import Awaitable, Callable, Sequence

from pegboard.catalog.contract import Ran, Result
from pegboard.llm.usage import count_call, count_tokens
from pegboard.plan.graph import Node, Plan
from pegboard.plan.written import plan_json
from pegboard.run.context import CallContext
from pegboard.text import Json


async def at_once() -> None:
    """Let nobody wait."""


class Planning:
    """Gives `nodes` as further steps, or what they are for a run; it asks a model once for them."""

    def __init__(
        self,
        *nodes: Node,
        of: Callable[[Ran], Sequence[Node]] | None = None,
        meanwhile: Callable[[], Awaitable[None]] = at_once,
    ) -> None:
        self.asked: list[Ran] = []
        """What runs had come to."""
        self.tools: list[tuple[str, ...]] = []
        self._nodes = of or (lambda ran: nodes)
        self._meanwhile = meanwhile

    async def solve(self, goal: str, context: CallContext, *, tools: Sequence[str] | None = None) -> Result:
        raise AssertionError("nothing is to be solved")

    async def further(
        self, plan: Plan, ran: Ran, context: CallContext, *, tools: Sequence[str] = ()
    ) -> dict[str, Json] | None:
        self.asked.append(ran)
        self.tools.append(tuple(tools))
        count_call()
        count_tokens(100, 10)
        await self._meanwhile()
        lost: list[Json] = [end.node for end in ran.nodes if end.state == "failed"]
        return {"plan": plan_json(Plan(tuple(self._nodes(ran)))), "by": "twin", "after": lost}
