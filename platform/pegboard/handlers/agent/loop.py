"""The loop of an agent: its model has a turn, its calls are made, and again, until it answers or a bound ends it.

Each turn is recorded, so that a run that broke off takes none twice. Deciding when to end is `bounds`' business.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import anyio

from pegboard.catalog.contract import Context, Offer
from pegboard.config.blocks.agent import AgentBlockDeclaration
from pegboard.errors import ModelError
from pegboard.events import AgentEnded, AgentTurned
from pegboard.handlers.agent.bounds import ANSWERED, Bounds, Ending, out_of_time
from pegboard.handlers.agent.calls import PART, READ_ON, TOO_LATE, Calls, Came, with_ids
from pegboard.handlers.agent.conversation import Conversation
from pegboard.handlers.agent.found import Found, kept, with_sources
from pegboard.handlers.agent.protocol import Turned, ask, offered_tokens, turned_from
from pegboard.llm.fence import harmless
from pegboard.llm.model import Answered, Function, FunctionCall, Model, Prompted, Said
from pegboard.text import Json

MARGIN_SECONDS = 1.0
"""What is kept of the time of a call or of its run, so that what was gathered is still given."""
_MARGIN_SHARE = 5
"""Of a short time it is only a fifth."""
_REPLY_TOKENS = 4_096
_AGAIN = "That was neither an answer nor a call. Call a tool, or answer."
_LAST = "This is your last turn: answer now, with what you have."


@dataclass(frozen=True, slots=True)
class Reached:
    """What an agent came to."""

    ending: Ending
    text: str
    """Its answer; empty without one."""
    found: Found
    turns: int
    tokens: int


class Loop:
    """One call of one agent."""

    def __init__(
        self,
        name: str,
        block: AgentBlockDeclaration,
        model: Model,
        offers: Sequence[Offer],
        context: Context,
        found: Found,
    ) -> None:
        """Let `model` use `offers`; `found` is what it has to begin with."""
        self._name = name
        self._block = block
        self._model = model
        self._context = context
        self._calls = Calls(context, offers)
        self._offers = {offer.name: offer for offer in offers}
        self._functions = [Function(offer.name, offer.description, offer.parameters) for offer in offers]
        self._bounds = Bounds(block)
        self._margin = min(MARGIN_SECONDS, context.seconds_left() / _MARGIN_SHARE)
        self._found = found
        self._ids: set[str] = set()
        self._refs: set[str] = set()

    async def run(self, system: str, user: str) -> Reached:
        """Go on until there is an answer, or a reason to end without one."""
        talk = Conversation(system, user)
        text, ending = "", None
        while ending is None:
            text, ending = await self._turn(talk)
        bounds = self._bounds
        self._context.emit(AgentEnded(self._name, ending.bound, ending.reason, bounds.turns, bounds.tokens))
        return Reached(ending, text, self._found, bounds.turns, bounds.tokens)

    async def _turn(self, talk: Conversation) -> tuple[str, Ending | None]:
        """Take a turn; return the answer, or words to keep, and why it ends here, if it does."""
        turned = await self._asked(talk)
        if isinstance(turned, Ending):
            return "", turned
        calls = with_ids(turned.calls, self._ids, self._bounds.turns)
        self._ids |= {call.id for call in calls}
        shown = [self._calls.shown(call) for call in calls]
        self._context.emit(AgentTurned(self._name, self._bounds.turns, turned.text, shown, turned.tokens))
        if not calls:
            if turned.text:
                return turned.text, ANSWERED
            talk.turns.append(Prompted(f"{turned.fault} {_AGAIN}".strip()))
            return "", self._bounds.silent()
        talk.turns.append(Said(turned.text, calls))
        if (ending := self._bounds.repeated(calls)) is not None:
            return turned.text, ending
        return turned.text, await self._done(talk, calls)

    # The model's part

    async def _asked(self, talk: Conversation) -> Turned | Ending:
        """Let the model have its turn, or say why it has none."""
        bounds, block = self._bounds, self._block
        if (ending := bounds.before_turn()) is not None:
            return ending
        if bounds.is_last and bounds.turns and self._functions:
            talk.turns.append(Prompted(_LAST))
        functions = [*self._functions, READ_ON] if self._refs and self._functions else self._functions
        besides = offered_tokens(functions) if functions else 0
        prompt = talk.prompt(block.max_context_tokens, besides=besides, temperature=block.temperature)
        if prompt is None:
            most = f"{block.max_context_tokens:,} tokens (max_context_tokens)"
            return Ending("context", f"What its model would have to be told does not fit into {most}.")
        left = self._seconds_left()
        seconds = min(bounds.seconds_left, left)
        if seconds <= 0:
            return Ending("time", f"The time of {self._whose()} is over.")
        began = anyio.current_time()
        most_tokens = min(_REPLY_TOKENS, bounds.tokens_left)

        async def work() -> Json:
            turned = await ask(self._model, prompt, functions, max_tokens=most_tokens, timeout_seconds=seconds)
            return turned.to_json()

        try:
            turned = turned_from(await self._context.recorded(f"turn {bounds.turns + 1}", work))
        except ModelError as error:
            took = anyio.current_time() - began
            if took >= seconds:
                over = Ending("time", f"The time of {self._whose()} is over.")
                return out_of_time(block.timeout) if seconds < left else over
            return Ending("model", f"Its model gave no answer: {error}")
        bounds.took(turned.tokens, anyio.current_time() - began)
        return turned

    # Its tools' part

    async def _done(self, talk: Conversation, calls: Sequence[FunctionCall]) -> Ending | None:
        """Make the calls of a turn and tell the model what came of them; return why it ends here, if it does."""
        came: list[Came] = []
        calls = [with_sources(call, self._offers.get(call.name), self._found) for call in calls]
        left = self._seconds_left()
        if left <= 0:
            return Ending("time", f"The time of {self._whose()} is over.")
        # the run of the calls ends in time by itself; but for approvals, for which a run has time, and a call has not
        with anyio.CancelScope(deadline=self._context.deadline - self._margin / 2):
            came = await self._calls.made(calls, self._bounds.turns, self._refs, seconds=left)
        is_over = self._seconds_left() <= 0
        for each in came or [Came(call, None, TOO_LATE) for call in calls]:
            talk.turns.append(await self._answered(each, talk))
        return Ending("time", f"The time of {self._whose()} was over while its tools worked.") if is_over else None

    def _seconds_left(self) -> float:
        return self._context.seconds_left() - self._margin

    def _whose(self) -> str:
        """Say whose time is the shorter."""
        is_run = self._context.seconds_left() < self._context.deadline - anyio.current_time()
        return "its run" if is_run else "its call"

    async def _answered(self, came: Came, talk: Conversation) -> Answered:
        call = came.call
        if came.result is None:
            self._found.failed(call.name, came.reason)
            return Answered(call.id, call.name, f"It failed: {came.reason}")
        if call.name == PART and not self._calls.has(PART):
            return Answered(call.id, call.name, harmless(came.result.text))
        text, ref = await kept(self._context, call.name, self._found.add(call.name, came.result))
        if ref:
            talk.refs[call.id] = ref
            self._refs.add(ref)
        return Answered(call.id, call.name, text)
