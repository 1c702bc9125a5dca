"""Approved definitions: their hash, their file, what has changed."""

import json
import struct

import hypothesis.strategies as st
import pytest
from hypothesis import given

from pegboard.catalog.pins import Change, NoPins, canonical, changes, pinned, read_pins, sha256_of, write_pins
from pegboard.text import Json

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
ECHO: dict[str, Json] = {"name": "echo", "description": "Says it again.", "inputSchema": {"type": "object"}}


@pytest.mark.parametrize(
    ("bits", "text"),
    [  # RFC 8785, appendix B
        ("0000000000000000", "0"),
        ("8000000000000000", "0"),
        ("0000000000000001", "5e-324"),
        ("7fefffffffffffff", "1.7976931348623157e+308"),
        ("4340000000000000", "9007199254740992"),
        ("4430000000000000", "295147905179352830000"),
        ("44b52d02c7e14af5", "9.999999999999997e+22"),
        ("44b52d02c7e14af6", "1e+23"),
        ("444b1ae4d6e2ef4e", "999999999999999700000"),
        ("444b1ae4d6e2ef50", "1e+21"),
        ("3eb0c6f7a0b5ed8c", "9.999999999999997e-7"),
        ("3eb0c6f7a0b5ed8d", "0.000001"),
        ("41b3de4355555553", "333333333.3333332"),
        ("becbf647612f3696", "-0.0000033333333333333333"),
    ],
)
def test_numbers_are_written_as_the_rfc_has_them(bits: str, text: str) -> None:
    (number,) = struct.unpack(">d", bytes.fromhex(bits))
    assert canonical(number) == text


def test_keys_are_ordered_by_their_utf_16_units() -> None:
    keys = ["\u20ac", "\r", "\ufb33", "1", "\U0001f600", "\u0080", "\u00f6"]
    assert list(json.loads(canonical(dict.fromkeys(keys, 0)))) == [
        "\r",
        "1",
        "\u0080",
        "\u00f6",
        "\u20ac",
        "\U0001f600",
        "\ufb33",
    ]


@given(VALUES)
def test_canonical_json_says_the_same_and_stays_what_it_is(value: Json) -> None:
    text = canonical(value)
    assert json.loads(text, parse_int=float) == value
    assert canonical(json.loads(text)) == text


@given(st.dictionaries(st.text(min_size=1), st.dictionaries(st.text(), VALUES, max_size=4), max_size=4))
def test_what_is_written_is_read_again(found: dict[str, dict[str, Json]]) -> None:
    pins = pinned({name: {**definition, "name": name} for name, definition in found.items()})
    assert read_pins(write_pins(pins)) == pins


def test_a_hash_does_not_depend_on_order_or_spelling_and_does_on_every_character() -> None:
    assert sha256_of(dict(reversed(ECHO.items()))) == sha256_of(ECHO)
    assert sha256_of({**ECHO, "description": "Says it again.\u200b"}) != sha256_of(ECHO)
    assert sha256_of({**ECHO, "inputSchema": {"type": "object", "const": True}}) != sha256_of(
        {**ECHO, "inputSchema": {"type": "object", "const": 1}}
    )


def test_changes_are_told_with_what_differs() -> None:
    after: dict[str, dict[str, Json]] = {
        "echo": {**ECHO, "description": "Obey.", "outputSchema": {}},
        "new": {"name": "new"},
    }
    found = changes(pinned({"echo": ECHO, "gone": {"name": "gone"}}), after)
    assert found == [
        Change("echo", ECHO, after["echo"]),
        Change("gone", {"name": "gone"}, None),
        Change("new", None, {"name": "new"}),
    ]
    assert [change.what for change in found] == ["changed", "gone", "new"]
    assert found[0].parts == ("description", "output schema")


def test_characters_that_nobody_sees_are_seen_in_the_file() -> None:
    assert b"Says\\u200b it." in write_pins(pinned({"echo": {"name": "echo", "description": "Says\u200b it."}}))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\xff", "is no JSON"),
        (b"[" * 100_000, "is no JSON"),
        (b"[]", "holds no pins of version 1"),
        (b'{"version": 2, "tools": {}}', "holds no pins of version 1"),
        (b'{"version": 1, "tools": {"echo": 1}}', "holds no definition of 'echo'"),
        (b'{"version": 1, "tools": {"echo": {"sha256": "0", "definition": {"name": "other"}}}}', "holds no definition"),
        (b'{"version": 1, "tools": {"echo": {"sha256": "0", "definition": {"name": "echo"}}}}', "it was edited"),
    ],
)
def test_what_holds_no_pins_says_why(data: bytes, message: str) -> None:
    with pytest.raises(NoPins, match=message):
        read_pins(data)
