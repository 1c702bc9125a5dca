"""How a run's plan has grown by further steps, as an entry tells it. Pure."""

from collections.abc import Mapping
from dataclasses import replace

from pegboard.plan.graph import Plan
from pegboard.plan.written import read_plan
from pegboard.run.request import RunRequest
from pegboard.text import Json


def with_more(plan: Plan, more: Plan) -> Plan:
    """Return `plan` with the steps of `more` behind its own; those may refer to these."""
    return Plan((*plan.nodes, *more.nodes), (*plan.races, *more.races))


def grown_request(request: RunRequest, told: Mapping[str, Json]) -> RunRequest:
    """Return what a run does to whose plan the steps of `told` were added, the body of its `plan_extended`."""
    specs = told["specs"]
    assert isinstance(specs, dict)  # as it was written
    return replace(
        request,
        plan=with_more(request.plan, read_plan(told["plan"])),
        specs={**request.specs, **{str(name): str(spec) for name, spec in specs.items()}},
        further=False,
        first=len(request.plan.nodes),
    )
