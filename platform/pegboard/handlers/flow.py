"""`flow`: a tool that is several steps with other tools, by the block `flow` of its declaration.

Its plan is run as any other (`Context.run`): in parallel, recorded, and gone on with where a run broke off.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pegboard.catalog.citing import renumbered
from pegboard.catalog.contract import Context, Ran, Result
from pegboard.catalog.flows import inputs_of, misfits, outputs_of, plan_of
from pegboard.catalog.gathered import gathered, number
from pegboard.catalog.kind import About, Kind, Misdeclared, Misfit, Schema
from pegboard.catalog.lacking import Lack, lacking, said
from pegboard.catalog.result_json import gave, result_json
from pegboard.config.blocks.flow import FlowBlockDeclaration
from pegboard.config.declaration import Declaration
from pegboard.errors import CallFailed
from pegboard.plan.references import ABSENT, INPUTS, Gave, Unresolvable, names_in, resolved
from pegboard.plan.written import plan_json
from pegboard.text import Json, to_json


class flow(Kind):  # noqa: N801 (declarations name it so)
    """Runs the declared steps, and gives what the declaration says that they come to."""

    def __init__(self, block: Declaration, about: About) -> None:
        """Read the steps."""
        assert isinstance(block, FlowBlockDeclaration)
        self._name = about.name
        self._output = about.output
        declared = about.parameters.get("properties") if about.parameters else None
        found = misfits(block, [*declared] if isinstance(declared, Mapping) else None)
        self._plan = plan_of(block)
        self._outputs = outputs_of(block)
        if about.output is not None and "data" not in self._outputs:
            found.append(Misfit(("outputs",), "declares an `output`, and gives no data", "Say it in `outputs.data`."))
        if found:
            raise Misdeclared(*found)
        self._parameters = about.parameters or _texts(inputs_of(block))

    @property
    def parameters(self) -> Schema:
        return self._parameters

    def preview(self, arguments: Mapping[str, Json]) -> Json:
        return {"plan": plan_json(self._plan), INPUTS: dict(arguments)}

    async def call(self, context: Context, arguments: Mapping[str, Json]) -> Result:
        inputs = {**_usual(self._parameters), **arguments}
        ran = await context.run(plan_json(self._plan), inputs)
        result = gathered(ran, self._plan, language=context.language)
        if not self._outputs:
            return result
        lacks = [lack for lack in lacking(ran, self._plan) if lack.is_failure]
        self._refuse_lacking(lacks)
        try:
            return self._filled(ran, inputs, result, said(lacks, context.language))
        except Unresolvable as error:
            told = error.told(self._giver(error.reference.name))
            raise CallFailed(f"Flow {self._name!r} cannot give its outputs: {told}.") from error

    # Outputs

    def _giver(self, name: str) -> str:
        node = self._plan.by_id.get(name)
        return f"step {name!r}" if node is None else f"step {name!r} ({node.tool})"

    def _refuse_lacking(self, lacks: Sequence[Lack]) -> None:
        """Let a run pass that has what the outputs need; what goes on without a step does not need it.

        Raises:
            CallFailed: it lacks some of that; with the reasons.
        """
        needed = {self._plan.unit(name) for name in names_in(self._outputs)}
        missing = [self._plan.unit(lack.node) for lack in lacks]
        if any(unit in needed and not self._is_optional(unit) for unit in missing):
            raise CallFailed(f"Flow {self._name!r} lacks what it is for: {'; '.join(map(str, lacks))}")

    def _is_optional(self, unit: str) -> bool:
        members = self._plan.members.get(unit, (unit,))
        return any(self._plan.by_id[name].on_failure == "continue" for name in members)

    def _filled(self, ran: Ran, inputs: Mapping[str, Json], result: Result, undone: str) -> Result:
        """Return `result` with the declared outputs in place of what is usual."""
        needed = {self._plan.unit(name) for name in names_in(self._outputs)}
        came = {self._plan.unit(end.node): end.result for end in ran.nodes if end.result is not None}
        units = [unit for unit in came if unit in needed]
        numbered = number([came[unit] for unit in units])
        held = {unit: gave(result_json(each)) for unit, each in zip(units, numbered.results, strict=True)}

        def given(name: str) -> Json | Gave:
            return dict(inputs) if name == INPUTS else held.get(self._plan.unit(name), ABSENT)

        outputs = {key: resolved(value, given) for key, value in self._outputs.items()}
        if "data" in outputs:
            result = replace(result, data=outputs["data"])
        if "text" not in outputs:
            return result
        text = outputs["text"] if isinstance(outputs["text"], str) else to_json(outputs["text"])
        parts = [text.strip(), renumbered(undone, {})]
        return replace(result, text="\n\n".join(filter(None, parts)), evidence=numbered.evidence, task="")


def _texts(names: Sequence[str]) -> Schema:
    """Return the schema of inputs of which nobody says more than their names."""
    properties: dict[str, Json] = {name: {"type": "string"} for name in names}
    return {"type": "object", "properties": properties, "required": [*names], "additionalProperties": False}


def _usual(parameters: Schema) -> dict[str, Json]:
    """Return the inputs that need not be given, as they are then: by their default, or nothing."""
    properties = parameters.get("properties")
    named = properties if isinstance(properties, Mapping) else {}
    return {name: said.get("default") if isinstance(said, Mapping) else None for name, said in named.items()}
