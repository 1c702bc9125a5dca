"""`Watched`: how a run stands by the events that were heard of it. It draws nothing and asks nobody."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pegboard.edges.standing import status_with
from pegboard.text import Json

if TYPE_CHECKING:
    from pegboard.app import Standing

_OVER = frozenset({"succeeded", "failed", "skipped", "lost", "cancelled"})


@dataclass(frozen=True, slots=True)
class Held:
    """A node that waits for an approval."""

    run: str
    """It may be one inside of a node of the run that is watched."""
    node: str
    reason: str

    def node_within(self, run: str) -> str:
        """Return the node of `run` that this is, or is inside of."""
        return self.node if self.run == run else self.run.removeprefix(f"{run}.").partition(".")[0]


@dataclass(slots=True)
class _Seen:
    tool: str
    state: str = "waiting"
    since: float | None = None
    seconds: float | None = None
    reason: str = ""


@dataclass(slots=True)
class Watched:
    """A run, as far as its events were taken."""

    run: str
    plan: Json = None
    """None: its beginning was not heard."""
    status: str = "running"
    began: float = 0.0
    """Seconds since 1970."""
    ended: float | None = None
    seq: int = 0
    """The number of the last event."""
    held: dict[tuple[str, str], Held] = field(default_factory=dict)
    _nodes: dict[str, _Seen] = field(default_factory=dict)

    @property
    def came_to(self) -> str:
        """How it stands, in a word or a few: with how many of its nodes failed."""
        return status_with(self.status, Counter(seen.state for seen in self._nodes.values()))

    @property
    def done(self) -> int:
        """How many nodes have ended."""
        return sum(seen.state in _OVER for seen in self._nodes.values())

    @property
    def nodes(self) -> int:
        """How many there are."""
        return len(self._nodes)

    def seconds(self, now: float) -> float:
        """Return for how long it has run."""
        return max((self.ended or now) - self.began, 0.0)

    def standings(self, now: float) -> "dict[str, Standing]":
        """Return how each node stands at `now`, in seconds since 1970."""
        from pegboard.app import Standing

        return {
            name: Standing(
                seen.state,
                max(now - seen.since, 0.0) if seen.state == "running" and seen.since is not None else seen.seconds,
                seen.reason,
            )
            for name, seen in self._nodes.items()
        }

    def take(self, event: Mapping[str, Json]) -> str:
        """Take the next event; return what it says in a line, empty where it is nothing to tell."""
        self.seq = _number(event.get("seq"), self.seq)
        match event.get("kind"):
            case "run_started":
                return self._begun(event)
            case "run_resumed":
                return self._resumed(event)
            case "plan_extended":
                return self._extended(event)
            case "run_tainted":
                return f"it has read a text of others ({event.get('tool')}): what is destructive or external is held"
            case "run_cancelled":
                return f"it ends: {event.get('reason') or 'it was cancelled'}"
            case "run_ended":
                self.status, self.ended = str(event.get("status")), _seconds(event.get("at"))
                return f"{self.came_to} ({self.seconds(0.0):.1f} s)"
            case "node_told":
                told = event.get("told")
                return self._inside(told) if isinstance(told, dict) else ""
            case _:
                return self._of_node(event)

    def _begun(self, event: Mapping[str, Json]) -> str:
        self.plan, self.began = event.get("plan"), _seconds(event.get("at"))
        self._add_nodes(self.plan)
        return "begun"

    def _extended(self, event: Mapping[str, Json]) -> str:
        """Take further steps: they stand behind those that there are, and may refer to them."""
        more, why = event.get("plan"), str(event.get("degraded") or "")
        if not self._add_nodes(more):
            return why or "nothing else can be done about what has failed"
        assert isinstance(more, dict)  # it has nodes
        if isinstance(self.plan, dict):
            self.plan = _together(self.plan, more)
        after = event.get("after")
        named = ", ".join(map(str, after)) if isinstance(after, list | tuple) else ""
        return f"further steps are planned, because {named} came to nothing"

    def _add_nodes(self, plan: Json) -> int:
        nodes = plan.get("nodes") if isinstance(plan, dict) else None
        found = [node for node in nodes if isinstance(node, dict)] if isinstance(nodes, list) else []
        self._nodes |= {str(node["id"]): _Seen(str(node.get("tool") or node.get("agent"))) for node in found}
        return len(found)

    def _resumed(self, event: Mapping[str, Json]) -> str:
        """Let nodes wait again that were running; what is held still is, and is not told anew."""
        named = event.get("dropped")
        dropped = set(named) if isinstance(named, list | tuple) else set()
        for name, seen in self._nodes.items():
            if name in dropped or (seen.state not in _OVER and seen.state != "held"):
                self._nodes[name] = _Seen(seen.tool)
        self.held = {key: held for key, held in self.held.items() if held.node_within(self.run) not in dropped}
        return "resumed"

    def _of_node(self, event: Mapping[str, Json]) -> str:
        name = str(event.get("node"))
        if (seen := self._nodes.get(name)) is None:
            return ""
        said = f"{name} {seen.tool}"
        match event.get("kind"):
            case "node_started":
                seen.state, seen.since = "running", _seconds(event.get("at"))
                return f"{said}: started"
            case "node_held":
                seen.state, seen.reason = "held", str(event.get("reason") or "")
                self.held[self.run, name] = Held(self.run, name, seen.reason)
                return f"{said}: held{f', {seen.reason}' if seen.reason else ''}"
            case "node_approved":
                self.held.pop((self.run, name), None)
                seen.state, seen.reason = "waiting", ""
                return f"{said}: {'approved' if event.get('granted') else 'denied'}"
            case "node_ended":
                return f"{said}: {self._ended(name, seen, event)}"
        return ""

    def _ended(self, name: str, seen: _Seen, event: Mapping[str, Json]) -> str:
        self.held = {key: held for key, held in self.held.items() if held.node_within(self.run) != name}
        seen.state, seen.reason = str(event.get("state")), str(event.get("reason") or "")
        seen.seconds = _seconds(event.get("seconds"))
        took = f" ({seen.seconds:.1f} s)" if seen.state in ("succeeded", "failed") else ""
        return f"{seen.state}{took}{f', {seen.reason}' if seen.reason else ''}"

    def _inside(self, told: Mapping[str, Json]) -> str:
        """Take what was told of a run inside of a node: what of it waits for an approval."""
        run, node = str(told.get("run") or ""), str(told.get("node") or "")
        match told.get("kind"):
            case "node_held":
                self.held[run, node] = Held(run, node, str(told.get("reason") or ""))
                return f"{node} of run {run}: held"
            case "node_approved" | "node_ended":
                self.held.pop((run, node), None)
        return ""


def _together(plan: Mapping[str, Json], more: Mapping[str, Json]) -> dict[str, Json]:
    """Return both as one plan."""
    nodes = [node for each in (plan, more) if isinstance(held := each.get("nodes"), list) for node in held]
    races = {
        name: race
        for each in (plan, more)
        if isinstance(held := each.get("races"), dict)
        for name, race in held.items()
    }
    return {"nodes": nodes, **({"races": races} if races else {})}


def _seconds(value: Json) -> float:
    return float(value) if isinstance(value, int | float) else 0.0


def _number(value: Json, otherwise: int) -> int:
    return value if isinstance(value, int) else otherwise
