"""A class of NLWeb's contract answers a question like any other handler."""

from pathlib import Path

import pytest

from pegboard.app import open_app, settings_from
from pegboard.errors import InvalidDeclarations
from pegboard.llm.hashed import HashedEmbedder
from pegboard.llm.scripted import ScriptedModel

CLASS = "tests.app.handlers_of_nlweb.EchoHandler"
DOCUMENT = f"""<Tools>
  <Site id="echoes">
    <Recipe>
      <Tool name="echo" enabled="true">
        <prompt>The user asks {{request.query}}</prompt>
        <returnStruc>{{"score": "integer between 0 and 100", "query": "the question"}}</returnStruc>
        <handler>{CLASS}</handler>
      </Tool>
    </Recipe>
  </Site>
</Tools>
"""


async def test_it_sees_the_request_and_its_messages_are_the_answer(tmp_path: Path) -> None:
    (tmp_path / "tools.xml").write_text(DOCUMENT, "utf-8")
    settings = settings_from(config=tmp_path, environ={}, handler_prefixes="tests.app", nlweb_handlers=CLASS)
    model = ScriptedModel(lambda prompt: "louder?" if "rewrite" in prompt.system else '{"query": "again"}')
    async with open_app(settings, embedder=HashedEmbedder(), model=model) as app:
        answer = await app.ask(app.question("and louder?", site="echoes", previous=["hello?"]))
    assert answer.text == "echoes/Recipe: louder? after ['hello?']"
    assert [(hit.item.name, hit.score) for hit in answer.results] == [("Echo", 91.0)]
    assert (answer.tool, answer.status) == ("echo", "ok")


@pytest.mark.parametrize("setting", ["HANDLER_PREFIXES=tests.app", f"NLWEB_HANDLERS={CLASS}"])
async def test_it_must_be_listed_and_below_an_allowed_prefix(setting: str, tmp_path: Path) -> None:
    (tmp_path / "tools.xml").write_text(DOCUMENT, "utf-8")
    name, _, value = setting.partition("=")
    settings = settings_from(config=tmp_path, environ={f"PEGBOARD_{name}": value})
    with pytest.raises(InvalidDeclarations):
        async with open_app(settings, embedder=HashedEmbedder()):
            raise AssertionError
