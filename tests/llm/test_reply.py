import json
import string
from contextlib import suppress

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pegboard.errors import ModelMalformed
from pegboard.llm.marks import clean
from pegboard.llm.reply import MAX_CHARACTERS, Reply, read_all, read_json
from pegboard.llm.values import MAX_BROKEN_CHARACTERS, MAX_VALUES
from pegboard.text import Json

JSON_VALUES: st.SearchStrategy[Json] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
BRACKETS = [
    '{"score": 88',
    "}",
    "[",
    "]",
    "{",
    ",",
    ":",
    '"',
    "'",
    "\\",
    "-",
    "\n",
    "#",
    "88",
    " of 100",
    "得分",
    "“",
]
WORDS = [
    "```json\n",
    "```",
    "<think>",
    "</think>",
    "//",
    "/*",
    "None",
    "NaN",
    "1e999",
    "<|im_end|>",
    "\x00",
    "\ud800",
]
FRAGMENTS = st.lists(st.sampled_from(BRACKETS + WORDS) | st.text(string.printable, max_size=5), max_size=40).map(
    "".join
)


@pytest.mark.parametrize(
    ("text", "reply"),
    [
        ('{"a": [1, null]}', Reply({"a": [1, None]}, "none")),
        (" [] ", Reply([], "none")),
        ("null", Reply(None, "none")),
        ('```json\n{"a": 1}\n```', Reply({"a": 1}, "cleaned")),
        ('```\n{"a": 1}', Reply({"a": 1}, "cleaned")),
        ('<think>{"a": 0} or {"a": 2}?</think>{"a": 1}', Reply({"a": 1}, "cleaned")),
        ('I think\n</think>\n{"a": 1}', Reply({"a": 1}, "cleaned")),
        ('<|im_start|>{"a": 1}<|im_end|></s>', Reply({"a": 1}, "cleaned")),
        ('<｜Assistant｜>{"a": "答"}', Reply({"a": "答"}, "cleaned")),
        ('\ufeff{"a": 1}', Reply({"a": 1}, "cleaned")),
        ('Sure! Here you are: {"a": 1}. Anything else?', Reply({"a": 1}, "cleaned")),
        ('Example: {"a": 0}\nAnswer: {"a": 1}', Reply({"a": 1}, "cleaned")),
        ('<s>{"a": "<s>old</s>"}</s>', Reply({"a": "<s>old</s>"}, "cleaned")),
        ('As [1] says: {"a": 1}', Reply({"a": 1}, "cleaned")),
        ('See [fig. 2: soup]. {"a": 1}', Reply({"a": 1}, "cleaned")),
        ('```json\n{"a": "```sh```"}\n``` or {"a": "something longer"}', Reply({"a": "```sh```"}, "cleaned")),
        ('{"a": 1}\n{"a": 2}', Reply([{"a": 1}, {"a": 2}], "cleaned")),
        ('{"a": 1}, {"a": 2,}', Reply([{"a": 1}, {"a": 2}], "lenient")),
        ('{"a": 1}\n{"a": 1}', Reply({"a": 1}, "cleaned")),
        ('{"a": 1,}', Reply({"a": 1}, "lenient")),
        ("{a: 'b'}", Reply({"a": "b"}, "lenient")),
        ("{'a': True, 'b': None, 'c': (1, 2)}", Reply({"a": True, "b": None, "c": [1, 2]}, "lenient")),
        ('{\\"a\\": \\"b\\"}', Reply({"a": "b"}, "lenient")),
        ('```json\n{"a": [1\n```\nI hope this helps.', Reply({"a": [1]}, "lenient", is_cut_off=True)),
        ('{"a": "he said "hi" to me"}', Reply({"a": 'he said "hi" to me'}, "repaired")),
        ('{"a":"b,"c":"d"}', Reply({"a": "b", "c": "d"}, "repaired")),
        ('{"a": "b"}, "c": "d"}', Reply({"a": "b", "c": "d"}, "repaired")),
        ('{"a": {"b": [1, 2', Reply({"a": {"b": [1, 2]}}, "lenient", is_cut_off=True)),
        ('["hello", "world\\', Reply(["hello", "world"], "lenient", is_cut_off=True)),
        ('Here: {"a": 1, // one\n "b": 2}', Reply({"a": 1, "b": 2}, "lenient")),
        ('｛"a": 1｝ {"a": "逗号，"}', Reply({"a": "逗号，"}, "cleaned")),
        ('{"a": NaN, "b": 1e999}', Reply({"a": None, "b": None}, "lenient")),
    ],
)
def test_json_is_found_in_what_models_write(text: str, reply: Reply) -> None:
    assert read_json(text) == reply


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "holds no JSON: ''"),
        ("no idea", "holds no JSON: 'no idea'"),
        ("NaN", "holds no JSON"),
        ("[" * 65 + "]" * 65, "nested deeper than 64"),
        ("[" * 100_000, "nested deeper than 64"),
        ('{"a":' * 20_000, "nested deeper than 64"),
        ('{"a":' * 100_000, "holds no JSON"),
        ("x" * (MAX_CHARACTERS + 1), "at most 1,048,576 are read"),
    ],
)
def test_what_holds_no_json_says_so(text: str, words: str) -> None:
    with pytest.raises(ModelMalformed, match=words):
        read_json(text)


def test_a_long_reply_that_is_broken_is_read_up_to_a_limit() -> None:
    value: Json = {"a": ["x" * 90] * (MAX_BROKEN_CHARACTERS // 100)}
    whole = json.dumps(value)
    assert read_json(whole[:-1] + ",}") == Reply(value, "lenient")
    longer = json.dumps({"a": "x" * MAX_BROKEN_CHARACTERS})
    assert read_json(longer).defence == "none"
    assert read_json(f"Here: {longer}").defence == "cleaned"
    with pytest.raises(ModelMalformed):
        read_json(longer[:-1] + ",}")


def test_of_very_many_values_only_the_first_are_looked_at() -> None:
    assert read_json('{"a": 1} and ' * MAX_VALUES + '{"a": [1, 2, 3]}') == Reply({"a": 1}, "cleaned")


def test_the_text_is_kept_as_it_came() -> None:
    text = '```json\n{"a": 1}\n```'
    assert read_json(text).raw == text
    with pytest.raises(ModelMalformed) as caught:
        read_json("no idea")
    assert caught.value.raw == "no idea"


@given(JSON_VALUES)
def test_good_json_is_never_changed(value: Json) -> None:
    assert read_json(json.dumps(value)) == Reply(value, "none")


@given(st.dictionaries(st.text(), JSON_VALUES, max_size=3))
def test_a_fenced_object_is_never_changed(value: dict[str, Json]) -> None:
    text = json.dumps(value)
    if clean(text) == text and "```" not in text:
        assert read_json(f"Here it is:\n```json\n{text}\n```\nGood luck!") == Reply(value, "cleaned")


@given(FRAGMENTS)
@example("[" * 5000 + "1")
@example('{"\\' * 500)
def test_whatever_the_text_nothing_but_malformed_is_raised(text: str) -> None:
    with suppress(ModelMalformed):
        json.dumps(read_json(text).value)


WEATHER: dict[str, Json] = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "days": {"type": "integer"}, "name": {"type": "string"}},
    "required": ["city"],
}
PARIS: Json = {"city": "Paris", "days": 2}


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ('{"city": "Paris", "days": 2}', ""),
        ('[{"city": "Paris", "days": 2}]', "[0]"),
        ('{"result": {"city": "Paris", "days": 2}}', "result"),
        ('{"arguments": {"city": "Paris", "days": 2}}', "arguments"),
        ('{"name": "get_weather", "arguments": {"city": "Paris", "days": 2}}', "arguments"),
        ('{"name": "get_weather", "arguments": "{\\"city\\": \\"Paris\\", \\"days\\": 2}"}', "arguments"),
        ('"{\\"city\\": \\"Paris\\", \\"days\\": 2}"', ""),
        (
            '{"tool_calls": [{"function": {"name": "get_weather", "arguments": {"city": "Paris", "days": 2}}}]}',
            "tool_calls[0].function.arguments",
        ),
        ('{"get_weather": {"city": "Paris", "days": 2}}', "get_weather"),
        ('Not {"days": 2, "place": "somewhere else"}, but {"city": "Paris", "days": 2}', ""),
        ('{"city": "Paris", "days": 2} (not {"days": 3, "place": "somewhere else"})', ""),
        ('{"days": 3}\n{"city": "Paris", "days": 2}', "[1]"),
    ],
)
def test_the_value_that_fits_the_schema_is_found_in_every_shape(text: str, path: str) -> None:
    reply = read_json(text, WEATHER)
    assert (reply.value, reply.path, reply.fits) == (PARIS, path, True)


def test_of_several_that_fit_the_longest_is_taken() -> None:
    text = 'As in {"city": "Rome"}: {"city": "Paris", "days": 2}, unlike {"city": "Oslo"}.'
    assert read_json(text, WEATHER).value == PARIS


def test_what_does_not_fit_is_given_as_it_is_and_says_so() -> None:
    assert read_json('{"days": 2}', WEATHER) == Reply({"days": 2}, "none", fits=False)


def test_without_a_schema_no_shape_is_changed() -> None:
    assert read_json('{"result": {"city": "Paris"}}') == Reply({"result": {"city": "Paris"}}, "none")
    assert read_json('"{}"') == Reply("{}", "none")


@given(FRAGMENTS)
def test_every_reading_of_a_text_stays_a_reading(text: str) -> None:
    with suppress(ModelMalformed):
        replies = read_all(text)
        assert read_json(text) == replies[0]
        assert read_json(text, {}).value == replies[0].value
