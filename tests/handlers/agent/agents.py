"""An agent on an engine of its own, with a model that says what a test lets it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio

from pegboard.catalog.contract import Context, Evidence, NodeEnd, Result
from pegboard.catalog.kind import About
from pegboard.catalog.tool import Tool
from pegboard.config.blocks.agent import AgentBlockDeclaration
from pegboard.config.server.settings import Settings
from pegboard.errors import ModelError
from pegboard.events import Emit, Event, silent
from pegboard.handlers.agent import agent
from pegboard.llm.model import Answered, Model, Prompt
from pegboard.llm.scripted import ScriptedModel
from pegboard.run.context import CallContext
from pegboard.run.local.engine import LocalEngine
from pegboard.run.local.opening import opened_engine
from pegboard.text import Json
from tests.run.running import Arguments, node, request, tools
from tests.twins import context

SAYS: dict[str, Json] = {
    "type": "object",
    "properties": {"say": {"type": "string"}},
    "required": ["say"],
    "additionalProperties": False,
}


def an_agent(name: str = "helper", **block: Any) -> agent:
    """Return an agent that may use the tool `say`."""
    here = Path()
    said = {"system": "You help.", "tools": ["say"], **block}
    return agent(AgentBlockDeclaration.model_validate(said), About(name, "", Settings(here, here, here), here))


def as_tool(made: agent, name: str = "helper") -> Tool:
    """Return the tool that an agent is."""
    (tool,) = [each for each in tools(**{name: made.call}) if each.name == name]
    return replace(tool, handler="pegboard.handlers.agent:agent", parameters=made.parameters)


async def say(context: Context, arguments: Arguments) -> Result:
    """Say what it is asked, and cite it."""
    words = str(arguments["say"])
    return Result(f"{words} [1].", evidence=(Evidence(1, words, f"https://{words}.example", words),))


def a_say(run: Any = say, name: str = "say") -> Tool:
    """Return a tool that takes a text to say."""
    (tool,) = [each for each in tools(**{name: run}) if each.name == name]
    return replace(tool, parameters=SAYS)


def turns(*said: str | ModelError) -> Callable[[Prompt], str | ModelError]:
    """Return a rule of a scripted model: what it says in its first turn, its second, and so on."""
    left = list(said)
    return lambda prompt: left.pop(0)


def scripted(*said: str | ModelError) -> ScriptedModel:
    """Return a model that says this, turn by turn."""
    return ScriptedModel(turns(*said))


def answers(prompt: Prompt) -> list[tuple[str, str]]:
    """Return what a prompt says of the calls so far: id and words of each."""
    return [(turn.id, turn.text) for turn in prompt.turns if isinstance(turn, Answered)]


class World:
    """A site with agents, and an engine."""

    def __init__(self, made: Sequence[Tool], model: Model | None, **more: Any) -> None:
        self.told: list[Event] = []
        self._made = made
        self._model = model
        self._more = more

    def context(self, emit: Emit = silent) -> CallContext:
        """Return what its tools are given."""
        return replace(context(*self._made, model=self._model, emit=emit), **self._more)

    def engine(self, folder: Path | None = None, **more: Any) -> Any:
        """Open an engine for it."""
        durability = "none" if folder is None else "process"
        return opened_engine(
            folder, lambda request: self.context(self.told.append), **{"durability": durability, **more}
        )

    async def ended(self, arguments: Mapping[str, Json], name: str = "helper", **more: Any) -> NodeEnd:
        """Run the agent as the one node of a run, and return how that ended."""
        with anyio.fail_after(20):
            async with self.engine(**more) as opened:
                return await asked(opened, arguments, name)

    async def result(self, goal: str = "help", **arguments: Json) -> Result:
        """Return what the agent gives."""
        end = await self.ended({"goal": goal, **arguments})
        assert end.result is not None, end.reason
        return end.result


async def asked(opened: LocalEngine, arguments: Mapping[str, Json], name: str = "helper", **more: Any) -> NodeEnd:
    """Run an agent on an open engine."""
    run = await opened.start(request(node("a", tool=name, arguments=dict(arguments), type="sub_agent"), **more))
    (end,) = (await opened.outcome(run)).nodes
    return end


def helping(*said: str | ModelError, **block: Any) -> tuple[World, ScriptedModel]:
    """Return a site with one agent and the tool `say`, and its model."""
    model = scripted(*said)
    return World([as_tool(an_agent(**block)), a_say()], model), model
