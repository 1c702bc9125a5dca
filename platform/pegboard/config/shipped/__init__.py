"""What ships as declarations: agents that a site is given by their names. Read by the reader of all documents."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from pegboard.config.declarations import Declared, ToolDeclaration
from pegboard.config.declare import Collected, Declarer
from pegboard.config.problems import Problems
from pegboard.config.sources import Fence
from pegboard.config.syntax.node import Map
from pegboard.config.syntax.source import Source
from pegboard.config.syntax.yaml_reader import read_yaml
from pegboard.config.values import Values
from pegboard.config.variables import Variables

NAME = "pegboard/config/shipped/agents.yaml"
"""How places in it are named: it is nobody's document."""


@cache
def shipped_agents() -> Mapping[str, Declared[ToolDeclaration]]:
    """Return the agents that ship, by name."""
    folder = Path(__file__).parent
    problems, collected = Problems(), Collected()
    source = Source(NAME, (folder / "agents.yaml").read_text("utf-8"))
    declarer = Declarer(Values(problems, Variables({}, ("*",))), problems, folder, Fence((str(folder),)), collected)
    for document in read_yaml(source, problems):
        assert isinstance(document, Map)
        declarer.document(document)
    assert not problems, problems
    return {tool.value.name: tool for tool in collected.tools}
