"""Tools that may start before they are chosen: without side effects, with arguments that they have."""

from collections.abc import Mapping

from pegboard.catalog import placeholders
from pegboard.catalog.findings import Findings
from pegboard.catalog.toolsets.layers import Stack
from pegboard.text import Json


def check_speculation(stack: Stack, parameters: Mapping[str, Json], findings: Findings) -> None:
    """Report `speculate` of a tool with side effects, arguments that it lacks, and placeholders that nothing fills."""
    giver, arguments = stack.giver("speculate"), stack.value("speculate")
    if giver is None or arguments is None:
        return
    whose = f"tool {stack.name!r}"
    if not stack.value("read_only"):
        message = f"{whose} may start before it is chosen, and does not say that it has no side effects"
        hint = "Add `read_only: true` if it has none, else remove `speculate`."
        findings.add("PB104", giver.at("speculate"), message, hint=hint, dialect=giver.dialect)
    properties = parameters.get("properties")
    names = list(properties) if isinstance(properties, Mapping) else []
    for name, value in arguments.items():
        if names and name not in names:
            message = f"{whose} would start with {name!r}, which its parameters lack"
            hint = findings.near(name, names, noun="parameters")
            findings.add("PB303", giver.at_key("speculate", name), message, hint=hint, dialect=giver.dialect)
        for variable in placeholders.variables(value) if isinstance(value, str) else ():
            if variable not in placeholders.BEFORE_ROUTING:
                message = f"{whose} would start with {{{variable}}}, which nothing fills before a tool is chosen"
                hint = findings.near(variable, sorted(placeholders.BEFORE_ROUTING))
                findings.add("PB305", giver.at("speculate", name), message, hint=hint, dialect=giver.dialect)
