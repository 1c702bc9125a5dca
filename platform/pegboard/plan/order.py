"""Which of the nodes that may start goes first: the one with the longest way behind it, where slots are few.

Where it is known how long nodes take, the ways are in seconds, and a few other orders are tried on paper; the one that
ends first is taken. Pure: the same plan and the same times give the same order.
"""

import heapq
import random
from collections.abc import Mapping

from pegboard.plan.graph import Plan, in_order

TRIED = 48
"""Orders that are tried besides the usual one."""
_MOST_NODES = 60
"""Of a larger plan the usual order is good enough, and trying others takes longer than it gains."""
_WORTH_SECONDS = 0.002
"""What trying must be able to gain."""
_SPREAD = 0.6
"""How much a way is lengthened or shortened by chance to make another order."""


def ranks(plan: Plan, seconds: Mapping[str, float], slots: int) -> dict[str, float]:
    """Return a rank for each node; the least goes first. `seconds` may lack nodes: they take what others do."""
    if not seconds:
        return {name: -float(height) for name, height in plan.heights.items()}
    usual = sum(seconds.values()) / len(seconds)
    in_reserve = {node.fallback for node in plan.nodes}
    takes = {node.id: 0.0 if node.id in in_reserve else seconds.get(node.id, usual) for node in plan.nodes}
    longest = ways(plan, takes)
    best = {name: -way for name, way in longest.items()}
    if not slots < len(plan.nodes) <= _MOST_NODES:
        return best
    least = makespan(plan, takes, slots, best)
    bound = max(*longest.values(), sum(takes.values()) / slots)
    chance = random.Random(len(plan.nodes))
    for _ in range(TRIED):
        if least - bound < _WORTH_SECONDS:
            break
        tried = {name: -way * (1 + _SPREAD * (2 * chance.random() - 1)) for name, way in longest.items()}
        if (length := makespan(plan, takes, slots, tried)) < least:
            least, best = length, tried
    return best


def ways(plan: Plan, seconds: Mapping[str, float]) -> dict[str, float]:
    """Return how long the longest way to an end is from each node, itself counted."""
    waiting: dict[str, list[str]] = {}
    for node in plan.nodes:
        for unit in plan.needs[node.id]:
            waiting.setdefault(unit, []).append(node.id)
    found: dict[str, float] = {}
    for name in reversed(in_order(plan)):
        followers = waiting.get(plan.unit(name), ())
        found[name] = seconds[name] + max((found[follower] for follower in followers), default=0.0)
    return found


def makespan(plan: Plan, takes: Mapping[str, float], slots: int, rank: Mapping[str, float]) -> float:
    """Return when the last node ends if `slots` run at once, the least rank first.

    Racers all run to their end; fallbacks take no time.
    """
    left = {node.id: sum(len(plan.members.get(unit, (unit,))) for unit in plan.needs[node.id]) for node in plan.nodes}
    followers: dict[str, list[str]] = {}
    for node in plan.nodes:
        for unit in plan.needs[node.id]:
            for member in plan.members.get(unit, (unit,)):
                followers.setdefault(member, []).append(node.id)
    ready = [(rank[name], name) for name, count in left.items() if not count]
    heapq.heapify(ready)
    now = 0.0
    running: list[tuple[float, str]] = []
    while ready or running:
        while ready and len(running) < slots:
            _, name = heapq.heappop(ready)
            heapq.heappush(running, (now + takes[name], name))
        now, name = heapq.heappop(running)
        for follower in followers.get(name, ()):
            left[follower] -= 1
            if not left[follower]:
                heapq.heappush(ready, (rank[follower], follower))
    return now
