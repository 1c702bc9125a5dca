"""`by_rules`: the plan of a question of several parts, without a model: a step for each, chained by reference.

Where the parts are and which tools they go to is routing's (`route/parting/`); what a step takes from another is
`planner/chaining.py`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from pegboard.bind.bind import found_by_rules
from pegboard.bind.roles import parameters, roles
from pegboard.catalog.allowed import allowed, wrong
from pegboard.catalog.contract import Question
from pegboard.catalog.tool import Tool, Toolset
from pegboard.events import silent
from pegboard.plan.faults import faults
from pegboard.plan.graph import Node, NodeType, Plan
from pegboard.planner.chaining import Before, Taken, chained, of_duty
from pegboard.planner.planned import BY_RULES, Goal, Means, Planned
from pegboard.route.gating import steps
from pegboard.route.parting import chinese, english
from pegboard.route.parting.duties import duty
from pegboard.route.parting.parts import Part
from pegboard.text import Json, language

_TWO = re.compile(r"\b(?:two|2|both)\b|[两二2](?=[道个款种部本家])|前两", re.IGNORECASE)
_COMPARING = re.compile(r"^(?:please )?(?:compare|contrast)\s+|^(?:比较一下|比较|对比一下|对比|比一比)", re.IGNORECASE)
_NO_SUBJECT = re.compile(
    r"\b(?:the|two|2|first|best|top|rated|highest|cheapest|quickest|fastest|healthiest|most|of|them|these|those|both|"
    r"with|each|other|it|ones?|results?)\b|[\s,.?!，。]|两|二|个|道|款|前|它们|这|那|一下|最好的?|评分最高的?|的|者",
    re.IGNORECASE,
)
"""What is left of a comparison without these is what it compares."""

_UNABLE = {
    "write": "it cannot be done here, for no tool of the plan writes.",
    "keep": "it cannot be done here, for no tool of the plan keeps anything.",
}


async def by_rules(goal: Goal, means: Means) -> Planned | None:
    """Plan `goal` by its clauses; None: it is of one part, or the rules find no sound plan.

    A model scores the tools of each part where it does not plan; where it has tried to plan, it is not asked again.
    """
    toolset = steps(goal.toolset)
    found = await means.router.parts(goal.question.text, toolset)
    if not found:
        return None
    if means.scorer is not None and means.planner is None:
        found = [await _scored(part, goal, toolset, means) for part in found]
    chain = _Chain(goal, toolset, means)
    for part in found:
        await chain.add(part)
    plan = chain.plan
    if len(plan.nodes) < 2 - chain.is_unable or faults(plan, allowed(toolset, {})):
        return None
    return Planned(plan, BY_RULES, degraded=" ".join(chain.left_out))


async def _scored(part: Part, goal: Goal, toolset: Toolset, means: Means) -> Part:
    """Return `part` with the tool that a model's scores send it to."""
    if part.score == 100.0 and duty(part.text):
        return part
    asked = Question(part.text, goal.question.site)
    decision = await means.router.route(asked, toolset, emit=silent, model=means.scorer, is_part=True)
    return part if decision.tool is None else replace(part, tool=decision.tool.name)


@dataclass(slots=True)
class _Chain:
    """The steps of a plan, as they are added."""

    goal: Goal
    toolset: Toolset
    means: Means
    nodes: list[Node] = field(default_factory=list)
    before: list[Before] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    """What could not be planned, a sentence each."""
    is_unable: bool = False
    """What was found was to be written or kept, and nothing here does that: one step is a plan then."""
    needed: set[str] = field(default_factory=set)
    """Steps without which another has nothing to do."""

    @property
    def plan(self) -> Plan:
        """What has come of it; others go on without a step that they can do without."""
        referred = {name for node in self.nodes for name in node.depends_on}
        optional = referred - self.needed
        return Plan(tuple(replace(node, on_failure="continue") if node.id in optional else node for node in self.nodes))

    @property
    def _has_things(self) -> bool:
        """A step finds things that *them* may mean."""
        return any(step.things for step in self.before)

    async def add(self, part: Part) -> None:
        """Add the step, or the two, of one part."""
        if part.tool is None:
            why = _UNABLE.get(duty(part.text) or "", "no tool fits it.")
            self.left_out.append(f"{part.text!r} was left out: {why}")
            self.is_unable = self.is_unable or bool(duty(part.text))
            return
        tool = self.toolset.tool(part.tool)
        found = await found_by_rules(tool, part.text, language=self.goal.language, names=self.means.names)
        if duty(part.text):
            self._do(tool, part.text, found)
            return
        rules = chinese if language(part.text) == "zh" else english
        refers_back = bool(self.before) and rules.refers_back(part.text)
        if not (refers_back and self._has_things) and self._compares_described(tool, part.text):
            await self._find(part.text)
            refers_back = True
        taken = chained(tool, part.text, found, self.before, refers_back=refers_back)
        if refers_back and not taken.from_ and self.before:
            taken = replace(taken, from_=(self.before[-1].node,))
        self._append(tool, part.text, taken)

    def _do(self, tool: Tool, clause: str, found: Mapping[str, Json]) -> None:
        """Add a step that writes or keeps what has come before: what has been written, or else all that was found."""
        last = self.before[-1] if self.before else None
        if last is not None and last.tool is tool:
            return  # what it does was asked for in two words: write it, and save it
        is_written = last is not None and duty(last.clause) == "write"
        material = self.before[-1:] if is_written else [step for step in self.before if not duty(step.clause)]
        taken = of_duty(tool, clause, found, material, question=self.goal.question.text)
        self._append(tool, clause, taken)

    def _compares_described(self, tool: Tool, clause: str) -> bool:
        """Tell whether two things are compared that are described and not named: `the two best rated pasta recipes`."""
        for_each = roles(parameters(tool.parameters)).values()
        if not {"first_item", "second_item"} <= set(for_each) or not _TWO.search(clause):
            return False
        subject = _NO_SUBJECT.sub("", _COMPARING.sub("", clause))
        return bool(subject) and self._finder() is not None

    def _finder(self) -> tuple[Tool, str] | None:
        """Return the tool that finds things of the site by a description, and the parameter for that."""
        ranked = sorted(self.toolset.tools, key=lambda tool: tool is not self.toolset.fallback)
        for tool in ranked:
            if tool.handler.startswith("pegboard.handlers.search:"):
                for_each = roles(parameters(tool.parameters))
                if name := next((name for name, role in for_each.items() if role == "query"), ""):
                    return tool, name
        return None

    async def _find(self, clause: str) -> None:
        finder = self._finder()
        assert finder is not None  # it has been looked for
        wanted = _COMPARING.sub("", clause)
        self._append(finder[0], wanted, Taken({finder[1]: wanted}, (), False))

    def _found_by(self, taken: Taken) -> str:
        """Return the step that found the things that a step takes, so that others need not wait for this one."""
        things = [step.things for step in self.before if step.node in taken.from_ and step.things]
        return things[-1] if things and taken.is_needed else ""

    def _append(self, tool: Tool, clause: str, taken: Taken) -> None:
        if misfits := wrong(tool, taken.arguments):
            why = "; ".join(fault.message for fault in misfits)
            self.left_out.append(f"{clause!r} was left out: for {tool.name} {why}.")
            return
        name = f"n{len(self.nodes) + 1}"
        kind: NodeType = "sub_agent" if tool.is_for_parts else "tool"
        self.nodes.append(Node(name, tool.name, taken.arguments, kind, taken.from_))
        self.before.append(Before(name, tool, clause, self._found_by(taken)))
        if taken.is_needed:
            self.needed |= {*taken.from_}
