"""Four tools with local scores that leave a doubt, and a model that answers each kind of prompt."""

import json
import re
from collections.abc import Mapping, Sequence

from pegboard.catalog.tool import Routing
from pegboard.llm.model import Model, Prompt
from pegboard.llm.scripted import ScriptedModel
from pegboard.route.local import Local
from pegboard.route.score import Score
from pegboard.route.strategies.strategy import Asked
from tests.route.conftest import ask, make_tool, make_toolset

NAMES = ("search", "compare", "clock", "details")
TOOLS = tuple(make_tool(name, description=f"The {name} of things.", en=[f"please {name}"]) for name in NAMES)
UNSURE = (60.0, 55.0, 50.0, 10.0)
LOCAL_NAME = "embedded (twin)"


class Heard:
    """What a strategy tells while it works."""

    def __init__(self) -> None:
        self.arrived: list[tuple[int, Score]] = []
        self.asking = 0

    def on_arrival(self, index: int, score: Score) -> None:
        self.arrived.append((index, score))

    def on_asking(self) -> None:
        self.asking += 1


def asked(
    model: Model, heard: Heard, *, local: Sequence[float] = UNSURE, text: str = "hello", **routing: object
) -> Asked:
    tools = TOOLS[: len(local)]
    toolset = make_toolset(*tools, routing=Routing(**routing))  # type: ignore[arg-type]
    scores = tuple(Score(value, "near") for value in local)

    async def find() -> Sequence[Score]:
        return scores

    return Asked(ask(text), toolset, tools, Local(find), LOCAL_NAME, model, heard.on_arrival, heard.on_asking)


def tools_in(prompt: Prompt) -> list[str]:
    return re.findall(r"^Tool: (.*)$", prompt.system, re.MULTILINE)


def knowing(worth: Mapping[str, float]) -> ScriptedModel:
    """Return a model that knows what each tool is worth, whichever way it is asked."""

    def answer(prompt: Prompt) -> str:
        match tools_in(prompt):
            case []:
                best = max(worth, key=lambda name: worth[name])
                return f'{best} {{"query": "x"}}' if worth[best] >= 70 else "None of them fits."
            case [name]:
                return json.dumps({"score": worth[name]})
            case names:
                return json.dumps({name: {"score": worth[name], "reason": "so"} for name in names})

    return ScriptedModel(answer)
