"""Durations and sizes: with their unit, in documents and in settings."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError

from pegboard.config.duration import PATTERN as DURATION
from pegboard.config.duration import read_seconds, shown_seconds
from pegboard.config.sizes import PATTERN as SIZE
from pegboard.config.sizes import Bytes, read_bytes, shown_size


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("150ms", 0.15),
        ("5s", 5.0),
        ("1.5 h", 5400.0),
        ("1m30s", 90.0),
        ("1h30m", 5400.0),
        ("1h2m3s", 3723.0),
        ("2h5s", 7205.0),
        (" 3m ", 180.0),
    ],
)
def test_a_duration_is_read(text: str, seconds: float) -> None:
    assert read_seconds(text) == pytest.approx(seconds)
    assert re.fullmatch(DURATION, text.strip())


@pytest.mark.parametrize(
    "value", ["5", "", "s", "1s30m", "1m 30s", "1m1m", "5 days", "-1s", "1e3s", "٣s", 5, 0.5, "9" * 5000 + "s", "1m30"]
)
def test_what_is_no_duration_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match=r"no duration|no unit"):
        read_seconds(value)


@pytest.mark.parametrize(
    ("text", "size"), [("1B", 1), ("64KiB", 65536), ("1.5 MiB", 1572864), ("2GiB", 2 << 30), ("1TiB", 1 << 40)]
)
def test_a_size_is_read(text: str, size: int) -> None:
    assert read_bytes(text) == size
    assert re.fullmatch(SIZE, text)


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ("2MB", "write 2MiB"),
        ("64k", "write 64KiB"),
        ("1.5gb", "write 1.5GiB"),
        ("64", "no size"),
        ("", "no size"),
        ("-1KiB", "no size"),
        ("9" * 5000 + "B", "no size"),
        (64, "no unit"),
    ],
)
def test_what_is_no_size_is_refused(value: object, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        read_bytes(value)


@given(st.integers(1, 1 << 50))
def test_a_size_is_written_as_it_is_read(size: int) -> None:
    text = shown_size(size)
    assert len(text.rstrip("KMGTiB")) > 9 or read_bytes(text) == size


@given(st.sampled_from([1, 5, 90, 100, 150, 250, 999]), st.sampled_from([0.001, 1.0, 60.0]))
def test_a_duration_is_written_as_it_is_read(number: int, unit: float) -> None:
    assert read_seconds(shown_seconds(number * unit)) == pytest.approx(number * unit)


def test_a_field_of_a_declaration_takes_a_size() -> None:
    class Block(BaseModel):
        limit: Bytes

    assert Block(limit="2KiB").limit == 2048
    assert Block.model_json_schema()["properties"]["limit"]["pattern"] == f"^{SIZE}$"
    with pytest.raises(ValidationError, match="no unit"):
        Block(limit=5)
    with pytest.raises(ValidationError, match="greater than 0"):
        Block(limit="0B")
