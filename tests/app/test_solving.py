"""The tool `plan`: a question is planned, the plan is run, and what came of it is the answer."""

from pathlib import Path

import anyio

from pegboard.app import open_app, settings_from
from pegboard.llm.hashed import HashedEmbedder
from pegboard.plan.graph import Node

DOCUMENT = """
tools:
  - {name: calculator, examples: [what is 2 + 2, 7 times 8], read_only: true}
  - {name: clock, examples: [what time is it in Rome], read_only: true}
  - {name: plan}
sites:
  - {name: sums}
"""


async def test_a_question_of_one_step_is_a_plan_of_one_step_and_comes_to_what_it_gives(tmp_path: Path) -> None:
    (tmp_path / "tools.yaml").write_text(DOCUMENT)
    with anyio.fail_after(60):
        async with open_app(settings_from(config=tmp_path, environ={}), embedder=HashedEmbedder()) as app:
            planned = await app.plan(app.question("what is 2 + 2", site="sums", tools=["calculator"]))
            answer = await app.call("sums", "plan", {"goal": "what is 2 + 2"})
    assert (planned.by, planned.plan.nodes) == ("single", (Node("n1", "calculator", {"expression": "what is 2 + 2"}),))
    assert "4" in answer.text
