"""What `/ask` accepts, and what it says of the rest."""

import pytest

from pegboard.edges.web.parameters import Asked, asked_from, read_json_object
from pegboard.errors import UsageError
from pegboard.text import Json


@pytest.mark.parametrize(
    ("pairs", "body", "asked"),
    [
        ([("query", "用什么代替鸡蛋")], {}, Asked("用什么代替鸡蛋")),
        ([("query", "a"), ("tool", "x,y"), ("tool", " z,x ")], {}, Asked("a", tools=("x", "y", "z"))),
        ([("query", "old"), ("site", "kitchen")], {"query": "new"}, Asked("new", site="kitchen")),
        ([], {"query": "a", "tool": ["x", "y"], "site": ["shop"]}, Asked("a", "shop", ("x", "y"))),
        ([("query", "a"), ("prev", '["salt, pepper","b"]')], {}, Asked("a", previous=("salt, pepper", "b"))),
        ([("query", "a"), ("prev", "[one,two]")], {}, Asked("a", previous=("one", "two"))),
        (
            [("query", "a"), ("prev", "one, really"), ("prev", "two")],
            {},
            Asked("a", previous=("one, really", "two")),
        ),
        ([], {"query": "a", "prev": ["one", "[two]"]}, Asked("a", previous=("one", "two"))),
        ([("query", "a"), ("mode", "list")], {}, Asked("a", form="list")),
        ([("query", "a"), ("generate_mode", "none"), ("mode", "list")], {}, Asked("a", form="list")),
        ([("query", "a"), ("mode", "summarize")], {}, Asked("a")),
        ([("query", "a"), ("mode", "knowledge")], {}, Asked("a", mode="knowledge")),
        ([("query", "a"), ("mode", "List, Chat")], {}, Asked("a", form="list", mode="chat")),
        ([("query", "a"), ("mode", "none"), ("strategy", "Batch")], {}, Asked("a", strategy="batch")),
        ([], {"query": {"text": "a"}, "prefer": {"mode": "list, plan"}}, Asked("a", form="list", mode="plan")),
        ([], {"query": "a", "mode": None, "strategy": None}, Asked("a")),
        ([("query", "a"), ("conversation_id", "c1")], {}, Asked("a", conversation="c1")),
        ([("query", "a"), ("min_score", "60"), ("db", "")], {}, Asked("a", ignored=("min_score",))),
        (
            [],
            {
                "query": {"text": "a", "site": "shop", "num_results": 5},
                "context": {"prev": ["b"], "@type": "ConversationalContext"},
                "prefer": {"streaming": False, "mode": "list, summarize"},
                "meta": {"api_version": "0.54"},
            },
            Asked(
                "a",
                "shop",
                previous=("b",),
                streaming=False,
                ignored=("query.num_results", "context.@type", "meta.api_version"),
            ),
        ),
    ],
)
def test_parameters_are_read_in_every_form(pairs: list[tuple[str, str]], body: dict[str, Json], asked: Asked) -> None:
    assert asked_from(pairs, body) == asked


def test_a_conversation_is_named_by_the_client() -> None:
    name = "urn:uuid:0-9/Az_~@+=." + "x" * 107
    assert asked_from([("query", "a"), ("conversation_id", name)], {}).conversation == name


def test_a_nested_part_that_is_null_is_none() -> None:
    assert asked_from([], {"query": {"text": "a"}, "prefer": None, "context": None}) == Asked("a")


@pytest.mark.parametrize("value", [False, "false", "False", "0", 0, "no"])
def test_streaming_is_off(value: Json) -> None:
    assert not asked_from([], {"query": "a", "streaming": value}).streaming


@pytest.mark.parametrize("value", [None, True, "true", "1", 1, ""])
def test_streaming_is_on(value: Json) -> None:
    assert asked_from([], {"query": "a", "streaming": value}).streaming


@pytest.mark.parametrize(
    ("pairs", "body", "message"),
    [
        ([("querry", "a")], {}, "Unknown parameter 'querry'. Did you mean 'query'?"),
        ([("query", "a"), ("query", "b")], {}, "Parameter 'query' is given 2 times. Give it once."),
        ([], {"query": 5}, "Parameter 'query' is a number. It must be a string."),
        ([], {"query": "a", "tool": [1]}, "Parameter 'tool' holds a number."),
        ([], {"query": "a", "tool": {"x": 1}}, "Parameter 'tool' holds an object."),
        (
            [("query", "a"), ("site", "kitchen,shop")],
            {},
            "One site can be asked at a time, not 2: kitchen, shop.",
        ),
        ([("query", "a"), ("prev", "[1, 2]")], {}, "Parameter 'prev' is no list of strings."),
        ([("query", "a"), ("streaming", "perhaps")], {}, "Parameter 'streaming' is 'perhaps'."),
        ([], {"query": "a", "streaming": 0.5}, "Parameter 'streaming' is 0.5."),
        (
            [("query", "a"), ("mode", "sumarize")],
            {},
            "Parameter 'mode' is 'sumarize'. Did you mean 'summarize'?",
        ),
        ([], {"query": {"text": ["a"]}}, "Parameter 'query' is a list."),
        ([], {"query": {"text": "a"}, "prefer": 5}, "Parameter 'prefer' is a number. It must be an object."),
        ([], {"query": {"text": "a"}, "context": ["b"]}, "Parameter 'context' is a list. It must be an object."),
        ([], {"query": {"text": "a"}, "meta": "x"}, "Parameter 'meta' is a string. It must be an object."),
        ([], {"query": "a", "conversation_id": 5}, "Parameter 'conversation_id' is a number. It must be a string."),
        *(
            (
                [("query", "a"), ("conversation_id", bad)],
                {},
                "Parameter 'conversation_id' is no identifier. Give 1 to 128",
            )
            for bad in ("a" * 129, "a b", "<b>", "a\n", "对话", "\x00", '"')
        ),
    ],
)
def test_what_cannot_be_meant_is_refused_by_name(
    pairs: list[tuple[str, str]], body: dict[str, Json], message: str
) -> None:
    with pytest.raises(UsageError) as refused:
        asked_from(pairs, body)
    assert str(refused.value).startswith(message)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"", "The body is not JSON: Expecting value at line 1, column 1."),
        (b"{", "The body is not JSON: "),
        (b'"a"', "The body is a string, not a JSON object."),
        (b"[]", "The body is a list, not a JSON object."),
        (b'{"query": NaN}', "The body is not JSON that can be read: NaN is no number."),
        (b'{"query": "\xff"}', "The body is not UTF-8 (byte 11)."),
        (b"[" * 200_000, "The body is not JSON"),
        (b'{"query": "\\ud83d!"}', "The body is not JSON that can be read: \\ud83d is half of a surrogate pair"),
        (b'{"query": 1e999}', "The body is not JSON that can be read: a number in it is too large."),
        (b'{"query": [-1' + b"0" * 400 + b"]}", "The body is not JSON that can be read: a number in it is too large."),
        (b'{"query": "a", "query": "b"}', "The body is not JSON that can be read: the key 'query' is there twice"),
        *(
            (b'{"a":' + b"[" * deep + b"]" * deep + b"}", "The body is not JSON that can be read: it is nested more")
            for deep in (100, 600, 930, 940, 950, 960, 970)
        ),
        (b'{"query": ' + b"1" * 5000 + b"}", "The body is not JSON that can be read: a number in it is too large."),
    ],
)
def test_a_body_that_is_no_object_is_refused(body: bytes, message: str) -> None:
    with pytest.raises(UsageError) as refused:
        read_json_object(body)
    assert str(refused.value).startswith(message)
