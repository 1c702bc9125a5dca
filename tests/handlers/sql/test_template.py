"""What is read from a declared statement, and all that is wrong with one."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegboard.catalog.kind import Misdeclared
from pegboard.config.blocks.sql import SqlDeclaration
from pegboard.handlers.sql.pieces import Dialect, Piece, pieces
from pegboard.handlers.sql.template import Template
from tests.handlers.sql.shop import Shop

DIALECTS: list[Dialect] = ["sqlite", "postgresql"]
_MARKS = {"bound": (":", ""), "chosen": ("{", "}")}


def roles(sql: str, dialect: Dialect) -> list[tuple[str, str]]:
    return [(piece.role, piece.text) for piece in pieces(sql, dialect) if piece.role != "text"]


@pytest.mark.parametrize(
    ("sql", "found"),
    [
        ("SELECT :a, ':b', \":c\", {d}", [("bound", "a"), ("quoted", "':b'"), ("quoted", '":c"'), ("chosen", "d")]),
        ("-- :a\n:b", [("quoted", "-- :a"), ("bound", "b")]),
        ("/* :a */:b", [("quoted", "/* :a */"), ("bound", "b")]),
        ("'it''s :a'", [("quoted", "'it''s :a'")]),
        ("'open :a", [("broken", "'open :a")]),
        ("/* open :a", [("broken", "/* open :a")]),
        ("{not this} { a } {1}", []),
        ("a; b", [("end", ";")]),
    ],
)
@pytest.mark.parametrize("dialect", DIALECTS)
def test_an_argument_is_one_outside_of_strings_names_and_comments(
    sql: str, found: list[tuple[str, str]], dialect: Dialect
) -> None:
    assert roles(sql, dialect) == found


@pytest.mark.parametrize(
    ("sql", "dialect", "found"),
    [
        (":a::int", "postgresql", [("bound", "a")]),
        ("$t$ :a $x$ ; $t$:b", "postgresql", [("quoted", "$t$ :a $x$ ; $t$"), ("bound", "b")]),
        (r"E'\':a' :b", "postgresql", [("quoted", r"E'\':a'"), ("bound", "b")]),
        (r"'\' :a", "postgresql", [("quoted", r"'\'"), ("bound", "a")]),
        ("/* /* */ :a */ :b", "postgresql", [("quoted", "/* /* */ :a */"), ("bound", "b")]),
        ("/* /* */ :a", "sqlite", [("quoted", "/* /* */"), ("bound", "a")]),
        ("$1", "postgresql", [("foreign", "$1")]),
        ("data ? 'a'", "postgresql", [("quoted", "'a'")]),
        ("? ?1 @a $b", "sqlite", [("foreign", "?"), ("foreign", "?1"), ("foreign", "@a"), ("foreign", "$b")]),
        ("[:a] `:b`", "sqlite", [("quoted", "[:a]"), ("quoted", "`:b`")]),
        ("tags[:a]", "postgresql", [("bound", "a")]),
    ],
)
def test_each_dialect_quotes_in_its_own_way(sql: str, dialect: Dialect, found: list[tuple[str, str]]) -> None:
    assert roles(sql, dialect) == found


@given(
    st.lists(st.sampled_from([*"'\"`[]$:;{}-*/\\aE?@%_1 \n", "::", "/*", "*/", "--", "$$", "IN ", ":name", "{name}"])),
    st.sampled_from(DIALECTS),
)
def test_the_pieces_of_any_text_put_together_are_the_text(parts: list[str], dialect: Dialect) -> None:
    sql = "".join(parts)
    assert _put_together(pieces(sql, dialect)) == sql


def _put_together(found: list[Piece]) -> str:
    around = [(*_MARKS.get(piece.role, ("", "")), piece.text) for piece in found]
    return "".join(f"{before}{text}{after}" for before, after, text in around)


def test_what_no_argument_stands_in_reaches_the_driver_as_it_is_written() -> None:
    block = SqlDeclaration(source="shop", statement="SELECT '100%', a % :b -- %s\nFROM t;")
    assert Template.of(block, "postgresql").bind({"b": 2}).sql == "SELECT '100%%', a %% %(b)s  \nFROM t"
    assert Template.of(block, "sqlite").bind({"b": 2}).sql == "SELECT '100%', a % :b  \nFROM t"


@pytest.mark.parametrize(
    ("block", "place", "message"),
    [
        ({"statement": ""}, ("statement",), "has no statement"),
        ({"statement": "-- nothing"}, ("statement",), "has no statement"),
        ({"statement": "PRAGMA query_only = 0"}, ("statement",), "begins its statement with PRAGMA"),
        ({"statement": "ATTACH 'x' AS y"}, ("statement",), "begins its statement with ATTACH"),
        ({"statement": "DROP TABLE t", "writes": True}, ("statement",), "begins its statement with DROP"),
        ({"statement": "BEGIN"}, ("statement",), "begins its statement with BEGIN"),
        ({"statement": "DELETE FROM t"}, ("statement",), "and does not say that it writes"),
        ({"statement": "SELECT 1; DELETE FROM t"}, ("statement",), "has several statements in one"),
        ({"statement": "SELECT 'x"}, ("statement",), "never closes it"),
        ({"statement": "SELECT ?"}, ("statement",), "has '?' in its statement"),
        ({"statement": "SELECT {a}"}, ("statement",), "does not say what may stand there"),
        (
            {"statement": "SELECT 1", "identifiers": [{"name": "a", "allowed": ["b"]}]},
            ("identifiers", 0, "name"),
            "which its statement does not have",
        ),
        (
            {"statement": "SELECT {a}", "identifiers": [{"name": "a", "allowed": ["b", "c; d"]}]},
            ("identifiers", 0, "allowed", 1),
            "which is no name and no order",
        ),
        (
            {"statement": "SELECT {a}", "identifiers": [{"name": "a", "allowed": ["b -- c"]}]},
            ("identifiers", 0, "allowed", 0),
            "which is no name and no order",
        ),
        (
            {"statement": "SELECT :a, {a}", "identifiers": [{"name": "a", "allowed": ["b"]}]},
            ("statement",),
            "both as :a and as {a}",
        ),
    ],
)
def test_what_cannot_work_is_told_with_its_place(
    tmp_path: Path, block: dict[str, Any], place: tuple[str | int, ...], message: str
) -> None:
    with pytest.raises(Misdeclared) as caught:
        Shop(tmp_path).tool(block.pop("statement"), **block)
    assert [misfit.path for misfit in caught.value.misfits if message in misfit.message] == [place]


def test_arguments_that_only_one_side_knows_are_told(tmp_path: Path) -> None:
    parameters = {"type": "object", "properties": {"city": {"type": "string"}, "unused": {"type": "string"}}}
    with pytest.raises(Misdeclared) as caught:
        Shop(tmp_path).tool("SELECT :citty", parameters=parameters)  # type: ignore[arg-type]
    told = [(misfit.message, misfit.hint) for misfit in caught.value.misfits]
    assert told[0] == ("binds the argument 'citty', which its parameters do not have", "Did you mean 'city'?")
    assert "has the argument 'unused', which its statement does not use" in [message for message, _ in told]


def test_arguments_are_read_from_the_statement(tmp_path: Path) -> None:
    assert Shop(tmp_path).tool("SELECT :a WHERE b IN :bs AND a = :a").parameters == {
        "type": "object",
        "properties": {"a": {"type": "string"}, "bs": {"type": "array", "items": {"type": "string"}}},
        "required": ["a", "bs"],
        "additionalProperties": False,
    }


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("", "neither a `url` nor a `file`"),
        ("hunter2", "is no address of a database"),
        ("mysql://u:hunter2@h/d", "of the kind 'mysql'"),
        ("sqlite://", "names no file"),
        ("sqlite:///:memory:", "names no file"),
        ("sqlite:///file:x.db?mode=rwc&uri=true", "names no file"),
        ("sqlite:///shop.db?mode=rwc", "names no file"),
        ("sqlite:////etc/passwd", "lies outside the configuration's folder"),
        ("sqlite:///../shop.db", "lies outside the configuration's folder"),
    ],
)
def test_an_address_that_cannot_be_reached_is_told_without_it(tmp_path: Path, url: str, message: str) -> None:
    with pytest.raises(Misdeclared) as caught:
        Shop(tmp_path, url=url).tool("SELECT 1")
    assert [misfit.path for misfit in caught.value.misfits] == [("source",)]
    assert message in str(caught.value)
    assert "hunter2" not in str(caught.value)


def test_a_file_is_named_without_a_url(tmp_path: Path) -> None:
    assert Shop(tmp_path, url="", source={"file": "shop.db"}).tool("SELECT 1").is_read_only
    for file, message in [("../x.db", "lies outside"), ("/etc/passwd", "lies outside"), (":memory:", "names no file")]:
        with pytest.raises(Misdeclared, match=message):
            Shop(tmp_path, url="", source={"file": file}).tool("SELECT 1")
    with pytest.raises(Misdeclared, match="both a `url` and a `file`"):
        Shop(tmp_path, source={"file": "shop.db"}).tool("SELECT 1")


def test_a_preview_says_what_would_run(tmp_path: Path) -> None:
    tool = Shop(tmp_path).tool("SELECT :a AS a")
    assert tool.preview({"a": "x"}) == {
        "source": "shop",
        "sql": "SELECT :a AS a",
        "values": {"a": "x"},
        "writes": False,
    }
