"""What opening needs from outside: a data folder that can be used, a model that can be named."""

from pathlib import Path

import pytest

from pegboard.app import open_app, settings_from
from pegboard.errors import PegboardError
from pegboard.llm.hashed import HashedEmbedder
from tests.llm.loopback import Answer, loopback, says


async def test_a_data_folder_that_is_a_file_is_an_error_of_ours(tmp_path: Path) -> None:
    (tmp_path / "tools.yaml").write_text("tools: []")
    (tmp_path / "data").write_text("")
    settings = settings_from(config=tmp_path, data=tmp_path / "data", environ={})
    with pytest.raises(PegboardError, match="cannot be kept"):
        async with open_app(settings, embedder=HashedEmbedder()):
            raise AssertionError


@pytest.mark.parametrize(
    ("listed", "name"),
    [
        (Answer({"data": [{"id": "qwen-1.5b"}]}), "qwen-1.5b"),
        (Answer({"data": [{"id": "a"}, {"id": "b"}]}), "the model at {}"),
        (Answer({}, status=500), "the model at {}"),
    ],
)
async def test_a_model_without_a_name_is_named_as_soon_as_it_is_opened(
    tmp_path: Path, listed: Answer, name: str
) -> None:
    (tmp_path / "tools.yaml").write_text("tools: []")
    async with loopback(says(listed)) as endpoint:
        settings = settings_from(config=tmp_path, environ={"OPENAI_BASE_URL": endpoint.url})
        async with open_app(settings, embedder=HashedEmbedder()) as app:
            assert app.model_name == name.format(endpoint.url)


async def test_a_configuration_without_tools_says_that_none_fits(tmp_path: Path) -> None:
    (tmp_path / "tools.yaml").write_text("tools: []\nsites: [{name: bare}]")
    settings = settings_from(config=tmp_path, environ={})
    async with open_app(settings, embedder=HashedEmbedder()) as app:
        answer = await app.ask(app.question("anything", site="bare"))
    assert answer.text == "None of this site's tools fits this question."


def _with_content(folder: Path, on_error: str) -> None:
    (folder / "content").mkdir()
    (folder / "content/a.md").write_text("# Hours\nOpen on Sunday.")
    (folder / "content/bad.json").write_text("{")
    (folder / "content/out").symlink_to(folder.parent)
    declared = f"knowledge: [{{name: a, sources: [content], on_error: {on_error}}}]\nsites: [{{name: a}}]\ntools: []\n"
    (folder / "tools.yaml").write_text(declared)


async def test_what_cannot_be_read_is_reported_and_the_rest_served(tmp_path: Path) -> None:
    _with_content(tmp_path, "disable")
    async with open_app(settings_from(config=tmp_path, environ={}), embedder=HashedEmbedder()) as app:
        problems = [(Path(problem.span.file).name, problem.base) for problem in app.report.problems]
    assert problems == [("bad.json", "a"), ("out", "a")]
    assert app.report.added == 2  # the broken file is known too, and looked at again


async def test_knowledge_that_must_be_there_stops_the_start(tmp_path: Path) -> None:
    _with_content(tmp_path, "fail")
    with pytest.raises(PegboardError, match=r"Knowledge a cannot be read: .*bad.json.*\(1 more\)"):
        async with open_app(settings_from(config=tmp_path, environ={}), embedder=HashedEmbedder()):
            raise AssertionError
