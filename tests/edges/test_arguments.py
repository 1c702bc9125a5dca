"""The arguments of `platform call`."""

import contextlib
import io
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegboard.edges.cli.arguments import arguments_from
from pegboard.errors import UsageError
from pegboard.text import Json

SCHEMA: dict[str, Json] = {
    "type": "object",
    "properties": {
        "query": {"type": "string"},
        "limit": {"type": "integer"},
        "price": {"type": ["number", "null"]},
        "exact": {"type": "boolean"},
        "items": {"type": "array", "items": {"type": "integer"}},
        "where": {"type": "object"},
        "any": {},
        "either": {"anyOf": [{"type": "string"}, {"type": "integer"}]},
    },
}


@pytest.mark.parametrize(
    ("words", "arguments"),
    [
        (["query=gluten free = yes"], {"query": "gluten free = yes"}),
        (["query=5", "limit=5"], {"query": "5", "limit": 5}),
        (["price=5"], {"price": 5}),
        (["price=5.5"], {"price": 5.5}),
        (["price=null"], {"price": None}),
        (["exact=no"], {"exact": False}),
        (["items=1, 2", "items=3"], {"items": [1, 2, 3]}),
        (["items=[4]"], {"items": [4]}),
        (['where={"a": [1]}'], {"where": {"a": [1]}}),
        (["any=x"], {"any": "x"}),
        (["either=7"], {"either": 7}),
        (["either=七"], {"either": "七"}),
        (['{"limit": 1, "query": "a"}', "limit=2"], {"limit": 2, "query": "a"}),
        (["query=@@home"], {"query": "@home"}),
    ],
)
def test_words_are_read_by_the_schema(words: list[str], arguments: dict[str, Json]) -> None:
    assert arguments_from(words, SCHEMA) == arguments


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("limit=five", "Argument 'limit' is 'five'. It must be of type integer."),
        ("price=nan", "Argument 'price' is 'nan'. It must be of type number or null."),
        ("exact=perhaps", "Argument 'exact' is 'perhaps'. It must be of type boolean."),
        ("items=1,x", "Argument 'items' is 'x'. It must be of type integer."),
        ("where=[1]", "Argument 'where' is '[1]'. It must be of type object."),
        ("limt=5", "The tool takes no argument 'limt'. Did you mean 'limit'?"),
        ("limit", "Argument 'limit' has no value."),
        ("{1}", "'{1}' cannot be read as JSON"),
        (
            '{"query": "\\ud800"}',
            '\'{"query": "\\\\ud800"}\' cannot be read as JSON: \\ud800 is half of a surrogate pair',
        ),
        ('{"where": {"\\udfff": 1}}', '\'{"where": {"\\\\udfff": 1}}\' cannot be read as JSON: \\udfff is half'),
        ('where={"a": "\\ud800"}', "Argument 'where' is"),
        ('{"price": NaN}', "'{\"price\": NaN}' cannot be read as JSON: NaN is no number."),
        ("@/", "'/' cannot be read: Is a directory."),
        ("@nowhere.json", "'nowhere.json' cannot be read"),
    ],
)
def test_a_word_that_does_not_fit_is_refused(word: str, message: str) -> None:
    with pytest.raises(UsageError) as refused:
        arguments_from([word], SCHEMA)
    assert str(refused.value).startswith(message)


def test_files_and_stdin_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "all.json").write_text('{"query": "汤", "limit": 3}', encoding="utf-8")
    (tmp_path / "query.txt").write_text("面\n", encoding="utf-8")
    monkeypatch.setattr(sys, "stdin", io.StringIO("from stdin\n"))
    monkeypatch.chdir(tmp_path)
    assert arguments_from(["@all.json", "query=@query.txt"], SCHEMA) == {"query": "面", "limit": 3}
    assert arguments_from(["query=-"], SCHEMA) == {"query": "from stdin"}


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs /dev/zero")
@pytest.mark.parametrize("word", ["@/dev/zero", "query=@/dev/zero"])
def test_a_file_that_never_ends_is_not_waited_for(word: str) -> None:
    with pytest.raises(UsageError, match="'/dev/zero' holds more than 4 MiB"):
        arguments_from([word], SCHEMA)


class _Endless(io.RawIOBase):
    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        buffer[:] = b"a" * len(buffer)
        return len(buffer)


def test_stdin_that_never_ends_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(_Endless()), encoding="utf-8"))
    with pytest.raises(UsageError, match="stdin holds more than 4 MiB"):
        arguments_from(["-"], SCHEMA)


def test_a_byte_order_mark_is_no_part_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "all.json").write_text('{"query": "汤"}', encoding="utf-8-sig")
    assert arguments_from([f"@{tmp_path / 'all.json'}"], SCHEMA) == {"query": "汤"}


DEEP: dict[str, Json] = {
    "$defs": {
        "place": {
            "type": "object",
            "properties": {"city": {"type": "string"}, "lat": {"type": "number"}, "inside": {"$ref": "#/$defs/place"}},
            "additionalProperties": False,
        }
    },
    "type": "object",
    "properties": {
        "address": {"$ref": "#/$defs/place", "description": "where"},
        "a.b": {"type": "integer"},
        "level": {"enum": [1, 2, "high"]},
        "tags": {"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}]},
        "guests": {"type": "array", "items": {"$ref": "#/$defs/place"}},
        "free": {"type": "object", "additionalProperties": {"type": "integer"}},
    },
    "allOf": [{"properties": {"more": {"type": "boolean"}}}],
}


@pytest.mark.parametrize(
    ("words", "arguments"),
    [
        (["address.city=Paris", "address.lat=48.8"], {"address": {"city": "Paris", "lat": 48.8}}),
        (["address.inside.inside.city=x"], {"address": {"inside": {"inside": {"city": "x"}}}}),
        (['{"address": {"city": "a", "lat": 1}}', "address.city=b"], {"address": {"city": "b", "lat": 1}}),
        (['address={"city": "a"}', "address.lat=2"], {"address": {"city": "a", "lat": 2}}),
        (["a.b=3"], {"a.b": 3}),
        (["level=2"], {"level": 2}),
        (["level=high"], {"level": "high"}),
        (["tags=a", "tags=b,c"], {"tags": ["a", "b", "c"]}),
        (['{"tags": ["x"]}', "tags=a", "tags=b"], {"tags": ["a", "b"]}),
        (["tags=null"], {"tags": None}),
        (['guests={"city": "a, b"}', 'guests={"city": "c"}'], {"guests": [{"city": "a, b"}, {"city": "c"}]}),
        (
            ["guests.0.city=a", "guests.1.city=b", "guests.0.lat=1"],
            {"guests": [{"city": "a", "lat": 1}, {"city": "b"}]},
        ),
        (["free.anything=4"], {"free": {"anything": 4}}),
        (["more=yes"], {"more": True}),
    ],
)
def test_keys_with_dots_lead_into_objects_and_repeated_ones_into_lists(
    words: list[str], arguments: dict[str, Json]
) -> None:
    assert arguments_from(words, DEEP) == arguments


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["address.cty=x"], "Argument 'address' has no 'cty'. Did you mean 'city'?"),
        (["adress.city=x"], "The tool takes no argument 'adress'. Did you mean 'address'?"),
        (["address.lat=north"], "Argument 'address.lat' is 'north'. It must be of type number."),
        (['{"address": "Paris"}', "address.city=x"], "Argument 'address.city' cannot be set: 'address' is \"Paris\"."),
        (["guests.2.city=x"], "Argument 'guests.2.city' leaves a gap"),
        (["=x"], "Argument '=x' has no name."),
        (["free.x=1_000"], "Argument 'free.x' is '1_000'. It must be of type integer."),
        (["free.x=\u0663"], "Argument 'free.x' is '\u0663'."),
        (["tags=\udce9"], "Argument 'tags=?' is not UTF-8 (byte 0xe9)."),
        (["-", "tags=-"], "stdin was read already."),
    ],
)
def test_a_word_that_leads_nowhere_says_where(words: list[str], message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("{}"))
    with pytest.raises(UsageError) as refused:
        arguments_from(words, DEEP)
    assert str(refused.value).startswith(message)


@pytest.mark.parametrize(
    ("words", "name"),
    [
        (["limit=1", "limit=2"], "limit"),
        (["query=a", "query=a"], "query"),
        (["any=1", "any=2"], "any"),
        (["price=null", "price=1"], "price"),
        (["exact=no", "query=a", "exact=yes"], "exact"),
        (['{"limit": 1}', "limit=2", "limit=3"], "limit"),
    ],
)
def test_what_is_no_list_is_given_once(words: list[str], name: str) -> None:
    with pytest.raises(UsageError) as refused:
        arguments_from(words, SCHEMA)
    assert (str(refused.value), refused.value.exit_code) == (
        f"Argument {name!r} is given twice. It is no list: give it once.",
        2,
    )


def test_a_key_of_an_object_is_given_once() -> None:
    with pytest.raises(UsageError, match=r"Argument 'address\.city' is given twice"):
        arguments_from(["address.city=a", "address.city=b"], DEEP)


CITIES: dict[str, Json] = {"type": "array", "items": {"type": "string"}}
SOME: dict[str, Json] = {**CITIES, "minItems": 1}


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        (CITIES, []),
        ({**CITIES, "minItems": 0}, []),
        ({"anyOf": [SOME, CITIES]}, []),
        ({"anyOf": [SOME, {"type": "null"}]}, None),
        ({"anyOf": [SOME, {"type": "string"}]}, ""),
    ],
)
def test_a_list_of_nothing_is_given_where_the_schema_allows_it(schema: Json, value: Json) -> None:
    assert arguments_from(["cities="], {"properties": {"cities": schema}}) == {"cities": value}


@pytest.mark.parametrize("schema", [SOME, {**CITIES, "allOf": [{"minItems": 2}]}, {**CITIES, "contains": {}}])
@pytest.mark.parametrize("word", ["cities=", "cities= , "])
def test_a_list_of_nothing_is_refused_where_items_are_wanted(schema: Json, word: str) -> None:
    with pytest.raises(UsageError, match="Argument 'cities' is") as refused:
        arguments_from([word], {"properties": {"cities": schema}})
    assert refused.value.exit_code == 2


def test_names_that_the_schema_leaves_open_are_taken() -> None:
    schema: dict[str, Json] = {"properties": {"a": {"type": "integer"}}, "additionalProperties": True}
    assert arguments_from(["a=1", "b=1", "c.d=x"], schema) == {"a": 1, "b": "1", "c": {"d": "x"}}
    assert arguments_from(["c.d=x"], {}) == {"c.d": "x"}


@given(st.lists(st.text(alphabet='ab.=0{}[]@-," :x', max_size=12), max_size=4))
def test_no_words_break_the_reading(words: list[str]) -> None:
    with contextlib.suppress(UsageError):
        arguments_from([word for word in words if "@" not in word and "-" not in word], DEEP)
