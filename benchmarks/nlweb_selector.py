"""NLWeb's `ToolSelector`, written anew from a description of what it does; none of its code is here.

One task a tool, read in the order of arrival: the first score of 90 or more wins and the rest is cancelled, though not
waited for. Else the raw scores are sorted, those of 70 and more count, ties go to the one that arrived first; when none
counts, the tool named `search` is taken. A reply that fails is a score of 0, a score that is no number drops its tool,
a number written as a string breaks the sort and so leads to search. A prompt is filled by one `str.replace` a variable,
over a set. `first_completed` is less still: a bare loop over what arrives.

On asyncio itself, as NLWeb is: `as_completed` is what is measured. Nothing is logged here, which costs NLWeb much of
its time: measured on its own code, its selector took 0.3, 2.9 and 26 ms with 6, 50 and 200 tools.
"""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

EARLY_STOP = 90
CUTOFF = 70
CALL_SECONDS = 8.0

Ask = Callable[[str, Mapping[str, Any]], Awaitable[str]]
"""A model: a prompt and the shape of its reply in, text out."""


@dataclass(frozen=True)
class NLTool:
    """A tool as its `tools.xml` declares it."""

    name: str
    prompt: str
    returns: Mapping[str, Any]


@dataclass(frozen=True)
class NLResult:
    """What one tool came to."""

    tool: NLTool
    score: Any
    """As the model gave it."""
    reply: Mapping[str, Any]


class ToolSelector:
    """Selects a tool for one query."""

    def __init__(self, tools: Sequence[NLTool], ask: Ask, variables: Mapping[str, str]) -> None:
        self._tools = tools
        self._ask = ask
        self._variables = variables

    async def select(self) -> NLResult | None:
        """Return the chosen tool; None: plain search."""
        if not self._tools:
            return None
        if len(self._tools) == 1:
            return NLResult(self._tools[0], 100, {})
        try:
            return self._best(await self._evaluate())
        except TypeError:
            return None

    def _best(self, results: list[NLResult]) -> NLResult | None:
        results.sort(key=lambda result: result.score, reverse=True)
        kept = [result for result in results if result.score >= CUTOFF]
        if not kept:
            kept = [result for result in results if result.tool.name == "search"]
        return kept[:3][0] if kept else None

    async def _evaluate(self) -> list[NLResult]:
        tasks = [asyncio.create_task(self._score(tool)) for tool in self._tools]
        results: list[NLResult] = []
        for arrived in asyncio.as_completed(tasks):
            result = await arrived
            try:
                is_hit = int(result.score) >= EARLY_STOP
            except (TypeError, ValueError):
                continue
            results.append(result)
            if is_hit:
                for task in tasks:
                    task.cancel()
                return [result]
        return results

    async def _score(self, tool: NLTool) -> NLResult:
        if not tool.prompt:
            return NLResult(tool, 0, {})
        reply = await self._reply(self._filled(tool.prompt), tool.returns)
        return NLResult(tool, reply.get("score", 0), reply)

    async def _reply(self, prompt: str, returns: Mapping[str, Any]) -> Mapping[str, Any]:
        try:
            text = await asyncio.wait_for(self._ask(prompt, returns), CALL_SECONDS)
            reply = json.loads(text[text.index("{") : text.rindex("}") + 1])
        except (TimeoutError, ValueError):
            return {}
        return reply if isinstance(reply, dict) else {}

    def _filled(self, prompt: str) -> str:
        for name in set(re.findall(r"\{([^}]+)\}", prompt)):
            prompt = prompt.replace("{" + name + "}", self._variables.get(name, ""))
        return prompt


async def first_completed(count: int, score: Callable[[int], Awaitable[float]]) -> int:
    """Return the first of `count` tools whose score ends the loop, else the best: no prompts, no deadline."""

    async def one(index: int) -> tuple[float, int]:
        return await score(index), index

    tasks = [asyncio.create_task(one(index)) for index in range(count)]
    best = (-1.0, 0)
    for arrived in asyncio.as_completed(tasks):
        scored = await arrived
        if scored[0] > best[0]:
            best = scored
        if scored[0] >= EARLY_STOP:
            for task in tasks:
                task.cancel()
            break
    return best[1]
