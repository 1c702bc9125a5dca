"""The circles of a graph: which nodes wait for each other, and by which way."""

from collections import deque
from collections.abc import Mapping, Sequence


def circles(edges: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """Return the groups of nodes that wait for each other (Tarjan's strongly connected components), as they are met."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []
    for start in edges:
        work = [] if start in index else [(start, iter(edges[start]))]
        if work:
            index[start] = low[start] = len(index)
            stack.append(start)
        while work:
            node, followers = work[-1]
            following = next(followers, None)
            if following is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    found += _closed(stack, node, edges)
            elif following not in index:
                index[following] = low[following] = len(index)
                stack.append(following)
                work.append((following, iter(edges[following])))
            elif following in stack:
                low[node] = min(low[node], index[following])
    return found


def _closed(stack: list[str], node: str, edges: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """Take the component of `node` from the stack; it is a circle when it has several nodes."""
    members = stack[stack.index(node) :]
    del stack[stack.index(node) :]
    return [sorted(members)] if len(members) > 1 or node in edges[node] else []


def way_round(circle: Sequence[str], edges: Mapping[str, Sequence[str]]) -> list[str]:
    """Return a shortest way from the first node of a circle back to it, which stands at both ends."""
    start, inside = circle[0], set(circle)
    came_from: dict[str, str] = {}
    ahead = deque([start])
    while start not in came_from:
        node = ahead.popleft()
        for following in edges[node]:
            if following in inside and following not in came_from:
                came_from[following] = node
                ahead.append(following)
    way = [start]
    while (before := came_from[way[-1]]) != start:
        way.append(before)
    return [start, *reversed(way)]
