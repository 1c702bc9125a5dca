"""What becomes of the approved definitions of a source's tools."""

import logging
import re
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import given

from pegboard.catalog.kind import Misdeclared
from pegboard.handlers.mcp.definitions import legal_names, notices_of
from pegboard.handlers.mcp.kind import tool
from pegboard.handlers.mcp.session import definition_of
from tests.handlers.mcp.servers import a_tool, about, approve, made

URL = "http://127.0.0.1:1/mcp"


def offered(folder: Path, **block: Any) -> dict[str, str]:
    """Return the description of each tool that a source offers."""
    return {each.name: each.description for each in tool.offered(about(folder, url=URL, **block))}


def test_tools_are_chosen_by_name_and_pattern(tmp_path: Path) -> None:
    approve(tmp_path, a_tool("read_file"), a_tool("read_folder"), a_tool("write_file"))
    assert list(offered(tmp_path)) == ["read_file", "read_folder", "write_file"]
    assert list(offered(tmp_path, tools=["read_*"])) == ["read_file", "read_folder"]
    assert list(offered(tmp_path, exclude=["*_file"])) == ["read_folder"]


def test_a_name_that_is_not_legal_is_made_so_and_still_calls_its_tool(tmp_path: Path) -> None:
    approve(tmp_path, a_tool("fs.read/file"), a_tool("fs_read_file"), a_tool("文件"))
    offers = tool.offered(about(tmp_path, url=URL))
    assert [each.block["tool"] for each in offers] == ["fs.read/file", "fs_read_file", "文件"]
    assert offers[1].name == "fs_read_file"
    assert len({each.name for each in offers}) == 3
    assert all(re.fullmatch("[A-Za-z0-9_-]{1,64}", each.name) for each in offers)


@given(
    st.lists(st.text(max_size=90) | st.sampled_from(["a.b", "a_b", "a/b", "a" * 64, "a" * 65]), unique=True),
    st.integers(0, 50),
)
def test_names_are_legal_unique_and_not_too_long(names: list[str], prefix: int) -> None:
    found = legal_names(names, longest=64 - prefix)
    assert list(found) == names
    assert len(set(found.values())) == len(names)
    assert all(re.fullmatch("[A-Za-z0-9_-]+", name) and len(name) <= 64 - prefix for name in found.values())


def test_characters_that_nobody_sees_reach_no_model_and_are_told(tmp_path: Path) -> None:
    schema = {
        "type": "object",
        "properties": {"text": {"type": "string", "description": "What\u202e to say", "enum": ["a\u200bb"]}},
    }
    definition = a_tool("echo", "Says\u200b it.\U000e0041", input_schema=schema)
    approve(tmp_path, definition)
    assert offered(tmp_path) == {"echo": "Says it."}
    assert made(about(tmp_path, url=URL), "echo").parameters["properties"] == {
        "text": {"type": "string", "description": "What to say", "enum": ["a\u200bb"]}
    }
    assert notices_of({"echo": definition_of(definition)}) == [
        "Tool 'echo' has texts with ZERO WIDTH SPACE (U+200B), which nobody sees: models get them without."
    ]


def test_a_tool_whose_schema_is_none_is_left_out_and_told(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    bad = a_tool("bad", input_schema={"type": "object", "properties": {"n": {"type": "number", "minimum": "1"}}})
    approve(tmp_path, bad, a_tool("good"))
    with caplog.at_level(logging.WARNING):
        assert list(offered(tmp_path)) == ["good"]
    assert "tool 'bad' of source 'up' is left out: inputSchema: " in caplog.records[0].message
    assert "cannot be called and is left out" in notices_of({"bad": definition_of(bad)})[0]
    with pytest.raises(Misdeclared, match="cannot be called"):
        made(about(tmp_path, url=URL), "bad")


@pytest.mark.parametrize(
    "dialect", ["http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2020-12/schema"]
)
def test_schemas_of_both_dialects_are_taken(tmp_path: Path, dialect: str) -> None:
    approve(
        tmp_path, a_tool("echo", input_schema={"$schema": dialect, "type": "object"}, output_schema={"type": "object"})
    )
    kind = made(about(tmp_path, url=URL), "echo")
    assert kind.parameters == {"$schema": dialect, "type": "object"}
    assert kind.output == {"type": "object"}


def test_a_tool_that_nobody_has_approved_cannot_be_declared(tmp_path: Path) -> None:
    approve(tmp_path, a_tool("echo"))
    with pytest.raises(Misdeclared, match=r"is 'ecko' of source 'up', which nobody has approved") as raised:
        made(about(tmp_path, url=URL), "ecko")
    assert "Did you mean 'echo'?" in raised.value.misfits[0].hint


def test_what_a_call_would_do_is_shown(tmp_path: Path) -> None:
    approve(tmp_path, a_tool("echo"))
    assert made(about(tmp_path, url=URL), "echo").preview({"text": "x"}) == {
        "source": "up",
        "method": "tools/call",
        "name": "echo",
        "arguments": {"text": "x"},
    }
