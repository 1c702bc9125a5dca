"""Environment variables in the values of documents: put into values that were parsed already."""

import json
from typing import Any

import pytest

from pegboard.config.variables import Variables
from tests.config.conftest import Folder, placed

HOSTILE = [
    "!starts-like-a-tag",
    "a: b # c",
    "- item",
    "[1, 2]",
    "{a: b}",
    "'\"\\",
    "*alias",
    "&anchor",
    "|",
    "yes",
    "null",
    "~",
    "0123",
    "1e3",
    "2026-09-01",
    "line\nline: two",
    "${OTHER}",
    "$${OTHER}",
    "<b>&amp;</b>",
    "]]>",
    "中文 # 密码",
    "{request.query}",
]

FORMS = {
    "tools.yaml": "tools: [{{name: a, description: {}, examples: [{}]}}]",
    "tools.json": '{{"tools": [{{"name": "a", "description": {}, "examples": [{}]}}]}}',
    "tools.xml": "<Tools><tool name='a'><description>{}</description><example>{}</example></tool></Tools>",
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("value", HOSTILE)
def test_a_variable_never_changes_type_or_shape(folder: Folder, form: str, value: str) -> None:
    folder.environ = {"X": value, "OTHER": "not this"}
    written = "${X}" if form.endswith("xml") else '"${X}"'
    declarations, problems = folder.read(form, FORMS[form].format(written, written))
    assert problems == []
    (tool,) = declarations.tools
    assert (tool.value.description, tool.value.examples) == (value, {"": [value]})


def filled(folder: Folder, value: str, **environ: str) -> Any:
    folder.environ = environ
    declarations, problems = folder.read("tools.yaml", f"tools:\n  - name: a\n    description: {value}\n")
    return [f"{placed(p)} {p.message}" for p in problems] or declarations.tools[0].value.description


@pytest.mark.parametrize(
    ("value", "result"),
    [
        ("${A}", "a"),
        ("x-${A}-${A}-y", "x-a-a-y"),
        ("${NO:-postgres}", "postgres"),
        ("${NO:-a:b#c}", "a:b#c"),
        ("${NO:-}", ""),
        ("${EMPTY:-full}", "full"),
        ("${EMPTY}", ""),
        ("${A:-other}", "a"),
        ("${A:?must be there}", "a"),
        ("$${A}", "${A}"),
        ("$${A} ${A} $$ $A", "${A} a $$ $A"),
        ("plain # ${NO} in a comment", "plain"),
        ("'${NO:-it''s}'", "it's"),
    ],
)
def test_every_form_is_read(folder: Folder, value: str, result: str) -> None:
    assert filled(folder, value, A="a", EMPTY="") == result


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("${NO}", "PB105 tools[0].description: the variable NO is not set"),
        ("${NO:?ask the shop}", "PB105 tools[0].description: the variable NO is not set: ask the shop"),
        ("${no}", "PB305 tools[0].description: '${no}' is no variable"),
        ("${NO", "PB305 tools[0].description: '${NO' is no variable"),
        ("${NO-x}", "PB305 tools[0].description: '${NO-x}' is no variable"),
        (
            "${PEGBOARD_ADMIN_TOKEN}",
            "PB105 tools[0].description: PEGBOARD_ADMIN_TOKEN is the server's own variable, which no document may read",
        ),
        (
            "${OPENAI_API_KEY:-x}",
            "PB105 tools[0].description: OPENAI_API_KEY is the server's own variable, which no document may read",
        ),
    ],
)
def test_what_cannot_be_put_in_is_an_error_with_its_place(folder: Folder, value: str, told: str) -> None:
    told = f"3:18 {told}"
    assert filled(folder, value, PEGBOARD_ADMIN_TOKEN="t", OPENAI_API_KEY="k") == [told]


def test_comments_are_not_read_in_any_syntax(folder: Folder) -> None:
    folder.write("tools.xml", "<Tools><!-- ${NO} --><tool name='a' description='d'/></Tools>")
    folder.write("tools.d/a.yaml", "# ${NO}\ntools: [] # ${NO:?x}\n")
    _, problems = folder.load()
    assert problems == []


def test_keys_names_and_handlers_are_not_filled(folder: Folder) -> None:
    document = {"tools": [{"name": "a", "returns": {"score": "x", "${A}": "y"}, "handler": "${A}.b:c"}]}
    folder.environ = {"A": "a"}
    declarations, problems = folder.read("tools.json", json.dumps(document))
    assert [problem.code for problem in problems] == ["PB105"]
    assert "${A}" in declarations.tools[0].value.returns


def test_a_setting_narrows_what_may_be_read() -> None:
    variables = Variables({"A_1": "x", "B": "y"}, ["A_*"])
    assert variables.fill("${A_1}") == ("x", [])
    filled, (fault,) = variables.fill("${B}")
    assert (filled, fault.code) == ("${B}", "PB105")
    assert "A_*" in fault.hint
