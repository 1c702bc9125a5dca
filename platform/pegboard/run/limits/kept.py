"""`Guards`: what limits remember from one call to the next, for all tools of one process.

It outlives catalogs. What is remembered belongs to what runs (`Tool.identity`) and to the limit's own value, so a
reload resets nothing of a tool whose declaration says the same, and two sites share the rate of a service that they
both call.
"""

import random
from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar, cast

from anyio.abc import TaskGroup

from pegboard.catalog.tool import Tool
from pegboard.pacing.breaker import Breaker
from pegboard.pacing.clock import REAL, Clock
from pegboard.run.limits.cached import Cached, Store
from pegboard.run.limits.call import Attempt
from pegboard.run.limits.guarded import Guarded
from pegboard.run.limits.paced import Pace, Paced
from pegboard.run.limits.repeated import Repeated

State = TypeVar("State")


class Guards:
    """Puts the limits of tools around their attempts."""

    def __init__(
        self, group: TaskGroup | None = None, *, clock: Clock = REAL, draw: Callable[[], float] = random.random
    ) -> None:
        """Hold nothing yet; calls that several wait for run in `group`."""
        self._group = group
        self._clock = clock
        self._draw = draw
        self._attempts: dict[Tool, Attempt] = {}
        self._states: dict[Hashable, object] = {}

    def around(self, attempt: Attempt, tool: Tool) -> Attempt:
        """Return `attempt` behind those of the tool's limits that are declared; of one tool always the same attempt."""
        if not (tool.limits.is_kept or tool.limits.retries):
            return attempt
        if (made := self._attempts.get(tool)) is None:
            made = self._attempts[tool] = self._wrapped(attempt, tool)
        return made

    def serve(self, tools: Iterable[Tool]) -> None:
        """Remember from now on only what concerns `tools`; calls that have begun end as they began."""
        served = set(tools)
        wanted = {key for tool in served for key in _keys(tool)}
        self._attempts = {tool: attempt for tool, attempt in self._attempts.items() if tool in served}
        self._states = {key: state for key, state in self._states.items() if key in wanted}

    def _wrapped(self, attempt: Attempt, tool: Tool) -> Attempt:
        limits = tool.limits
        pace, breaker, store = _keys(tool)
        if limits.rate or limits.max_parallel:
            made = self._state(pace, lambda: Pace(limits.rate, limits.max_parallel, limits.queue, clock=self._clock))
            attempt = Paced(attempt, made)
        if limits.retries and (tool.read_only or limits.idempotent):
            attempt = Repeated(attempt, limits.retries, clock=self._clock, draw=self._draw)
        if limits.breaker is not None:
            attempt = Guarded(attempt, self._state(breaker, lambda: self._breaker(tool)))
        if (seconds := limits.cache_seconds) and tool.read_only:
            attempt = Cached(attempt, self._state(store, lambda: Store(seconds, clock=self._clock)), self._group)
        return attempt

    def _breaker(self, tool: Tool) -> Breaker:
        declared = tool.limits.breaker
        assert declared is not None  # the caller has looked
        return Breaker(rest_seconds=declared.rest_seconds, failures=declared.failures, clock=self._clock.now)

    def _state(self, key: Hashable, made: Callable[[], State]) -> State:
        if key not in self._states:
            self._states[key] = made()
        return cast("State", self._states[key])


def _keys(tool: Tool) -> tuple[Hashable, Hashable, Hashable]:
    """Return what a tool's pace, breaker and cache are kept by."""
    limits, whose = tool.limits, tool.identity or tool
    return (
        ("pace", whose, limits.rate, limits.max_parallel, limits.queue),
        ("breaker", whose, limits.breaker),
        ("cache", whose, limits.cache_seconds),
    )
