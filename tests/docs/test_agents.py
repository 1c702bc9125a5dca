"""The examples of docs/agents.md work, and its tables are complete."""

import re
from pathlib import Path

import anyio

from pegboard.app import check, open_app, settings_from
from pegboard.config.blocks.agent import AgentBlockDeclaration, AgentDeclaration
from pegboard.config.shipped import shipped_agents
from pegboard.llm.hashed import HashedEmbedder

TEXT = (Path(__file__).parents[2] / "docs/agents.md").read_text("utf-8")
EXAMPLES = re.findall(r"^```yaml\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)


def written(folder: Path, number: int) -> Path:
    (folder / "tools.yaml").write_text(EXAMPLES[number], "utf-8")
    return folder


def test_every_example_is_free_of_problems(tmp_path: Path) -> None:
    for number in range(len(EXAMPLES)):
        assert check(config=written(tmp_path, number), environ={}).problems == ()
    assert len(EXAMPLES) == 2


async def test_the_agents_of_the_first_example_answer(tmp_path: Path) -> None:
    with anyio.fail_after(60):
        settings = settings_from(config=written(tmp_path, 0), environ={})
        async with open_app(settings, embedder=HashedEmbedder()) as app:
            tools = [tool.name for tool in app.catalog.toolset("shop").tools]
            answer = await app.call("shop", "adviser", {"goal": "what is 15% of 80"})
            text = await app.call("shop", "writer", {"goal": "a report about soups", "material": "Soup is hot."})
    assert tools == ["search", "calculator", "adviser", "researcher", "writer"]
    assert "12" in answer.text
    assert "there is no model" in answer.degraded
    assert text.text == "# a report about soups\n\nSoup is hot."


def test_every_key_has_its_row_with_its_default() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \| .* \| (.*) \|$", TEXT, re.MULTILINE))
    for key, field in AgentBlockDeclaration.model_fields.items():
        assert key in rows
        if isinstance(field.default, int | float):
            shown = f"{field.default:g}s" if key == "timeout" else f"{field.default:.0f}"
            assert rows[key] == shown
    assert set(AgentDeclaration.model_fields) <= set(re.findall(r"`(\w+)`", TEXT))


def test_the_agents_that_ship_have_their_rows() -> None:
    rows = {name: re.findall(r"`(\w+)`", tools) for name, tools in re.findall(r"^\| `(\w+)` \| [^|]* \| (.*) \|$", TEXT, re.MULTILINE)}  # fmt: skip
    for name, agent in shipped_agents().items():
        assert agent.value.agent is not None
        assert rows[name] == agent.value.agent.tools
