"""What references and conditions of a plan find: what nodes gave, and what the run was given. Pure."""

from collections.abc import Mapping

from pegboard.plan.conditions import BadCondition, holds
from pegboard.plan.graph import Node
from pegboard.plan.references import ABSENT, INPUTS, Gave
from pegboard.run.journal.stored import Output
from pegboard.run.node.arguments import arguments_of
from pegboard.run.record import Failed
from pegboard.run.request import RunRequest
from pegboard.run.schedule import Schedule
from pegboard.text import Json


class Values:
    """Those of one run, as it stands."""

    def __init__(self, request: RunRequest, schedule: Schedule, outputs: Mapping[str, Output]) -> None:
        self._request = request
        self._schedule = schedule
        self._outputs = outputs

    def arguments(self, node: Node) -> dict[str, Json] | Failed:
        """Return the arguments of `node` with what they refer to; a reference that leads nowhere is its failure."""
        return arguments_of(node, self._given, self._output, self._giver)

    def judged(self, node: Node) -> bool | Failed:
        """Tell whether the condition of `node` holds; one that cannot be applied is its failure."""
        known = {name: self._seen(name) for name in (*self._request.plan.by_id, *self._request.plan.racers)}
        try:
            return holds(node.when, dict(self._request.inputs), known)
        except BadCondition as error:
            return Failed(node.id, f"its condition cannot be applied: {error}")

    def _given(self, name: str) -> Json | Gave:
        if name == INPUTS:
            return dict(self._request.inputs)
        output = self._output(name)
        return ABSENT if output is None else output.gave()

    def _output(self, name: str) -> Output | None:
        return self._outputs.get(self._schedule.winners.get(name, name))  # a racer's or a fallback's

    def _seen(self, name: str) -> Json:
        """Return what a condition sees of a node; nothing, where it came to nothing."""
        gave = self._given(name)
        return gave.parts if isinstance(gave, Gave) else gave

    def _giver(self, name: str) -> str:
        """Return what people know as what gave `name`: the tool of the node, or the run's inputs."""
        node = self._request.plan.by_id.get(self._schedule.winners.get(name, name))
        return node.tool if node is not None else "the run's inputs" if name == INPUTS else name
