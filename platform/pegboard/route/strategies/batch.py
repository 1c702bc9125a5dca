"""`batch`: all candidates in one prompt, one call, one JSON object of scores."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import anyio

from pegboard.errors import ModelError, ModelMalformed
from pegboard.llm.reply import read_json
from pegboard.llm.score import read_score
from pegboard.route.prompt import batch_prompt
from pegboard.route.score import Score
from pegboard.route.scoring import resolved
from pegboard.route.strategies.score import CALL_SHARE
from pegboard.route.strategies.strategy import Asked, Scored
from pegboard.text import Json, folded, to_json

TOKENS_A_TOOL = 60
"""For a score and a reason of a few words."""
MOST_TOKENS = 4096

_HOLDERS = ("scores", "tools", "results", "candidates")
"""Keys below which models put the scores, though they were not asked to."""


class ByBatch:
    """Asks the model once about all candidates; of each it gets a score and a reason, and no arguments."""

    async def score(self, asked: Asked) -> Scored:
        """Return the scores; a candidate that the reply leaves out is unscored."""
        asked.asking()
        seconds = asked.toolset.routing.timeout_seconds
        scores: Sequence[Score] = [Score(None, f"no score within {seconds:g} s", absence="cut_off")] * len(asked.tools)
        with anyio.move_on_after(seconds):
            scores = await _ask(asked, CALL_SHARE * seconds)
        for index, score in enumerate(scores):
            asked.arrived(index, score)
        return Scored(tuple(scores), asked.model.name)


async def _ask(asked: Asked, seconds: float) -> Sequence[Score]:
    names = [tool.name for tool in asked.tools]
    try:
        model = await resolved(asked.model, timeout_seconds=seconds)
        completion = await model.complete(
            batch_prompt(asked.tools, asked.question, asked.toolset),
            schema=reply_schema(names),
            max_tokens=min(100 + TOKENS_A_TOOL * len(names), MOST_TOKENS),
            timeout_seconds=seconds,
        )
        return read_scores(completion.text, names)
    except ModelError as error:
        return [Score(None, str(error))] * len(names)


def reply_schema(names: Sequence[str]) -> dict[str, Json]:
    """Return the schema of the reply: an object with a score and a reason for each name."""
    number: Json = {"type": "integer", "minimum": 0, "maximum": 100}
    one: Json = {
        "type": "object",
        "properties": {"score": number, "reason": {"type": "string"}},
        "required": ["score"],
    }
    return {"type": "object", "properties": dict.fromkeys(names, one), "required": [*names]}


def read_scores(text: str, names: Sequence[str]) -> list[Score]:
    """Read the scores of a reply, in the order of `names`; each is as tolerant as that of a single score.

    Besides the object that was asked for, a list of objects with `tool` (or `name`) and `score` is read, and either
    of them below a key of its own.

    Raises:
        ModelMalformed: it is no JSON that can be read.
    """
    reply = read_json(text)
    wanted = {folded(name) for name in names}
    by_name = {folded(name): value for name, value in _by_name(reply.value, wanted).items()}
    if len(names) == 1 and not wanted & by_name.keys():  # a model may leave out the name of a tool that is alone
        by_name = {folded(names[0]): reply.value}
    scores = []
    for name in names:
        score = _one(by_name[folded(name)]) if folded(name) in by_name else Score(None, "the reply leaves it out")
        scores.append(replace(score, defence=reply.defence) if score.defence == "none" else score)
    return scores


def _by_name(value: Json, names: set[str], levels: int = 2) -> Mapping[str, Json]:
    if isinstance(value, list):
        return _of_list(value)
    if not isinstance(value, dict) or any(folded(key) in names for key in value):
        return value if isinstance(value, dict) else {}
    holder = next((key for key in value if key.casefold() in _HOLDERS), None)
    return _by_name(value[holder], names, levels - 1) if holder is not None and levels else {}


def _of_list(rows: Sequence[Json]) -> dict[str, Json]:
    """Return what a list of objects says of each tool; of two of one name the first."""
    found: dict[str, Json] = {}
    for row in rows:
        if isinstance(row, dict):
            name = row.get("tool", row.get("name"))
            said: dict[str, Json] = {name: row} if isinstance(name, str) else row
            found = said | found
    return found


def _one(value: Json) -> Score:
    try:
        reply = read_score(to_json(value))
    except ModelMalformed as error:
        return Score(None, error.message)
    return Score(reply.score, " ".join(part for part in (reply.reason, reply.note and f"({reply.note})") if part))
