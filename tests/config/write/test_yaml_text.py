"""What is written reads the same in YAML 1.1 and YAML 1.2."""

from io import StringIO

import pytest
import ruamel.yaml
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from pegboard.config.write.tree import Mapping, Scalar
from pegboard.config.write.yaml_text import is_plain
from pegboard.config.write.yaml_writer import write_yaml
from tests.config.write.documents import HARD_TEXTS, TEXTS


def both(text: str) -> tuple[object, object]:
    newer = ruamel.yaml.YAML(typ="safe", pure=True)
    newer.version = "1.2"
    return yaml.safe_load(text), newer.load(StringIO(text))


@pytest.mark.parametrize("text", HARD_TEXTS)
def test_hard_texts_stay_texts(text: str) -> None:
    written = write_yaml([Mapping(parts=[Scalar(key="a", value=text), Scalar(key="z", value="z")])])
    assert both(written) == ({"a": text, "z": "z"},) * 2


@given(TEXTS, TEXTS)
def test_texts_and_keys_stay_what_they_are(key: str, text: str) -> None:
    written = write_yaml([Mapping(parts=[Scalar(key=key, value=text)])])
    assert both(written) == ({key: text},) * 2


@given(st.floats(allow_nan=False, allow_infinity=False) | st.integers() | st.booleans() | st.none())
@example(1e16)
@example(5e-324)
@example(-0.0)
def test_numbers_stay_numbers(value: float | None) -> None:
    written = write_yaml([Mapping(parts=[Scalar(key="a", value=value)])])
    assert [repr(each) for each in both(written)] == [repr({"a": value})] * 2


@pytest.mark.parametrize("text", ["plain words", "北京", "it's", "a-b", "a/b.c:d", "${NAME}", "🍳", "3 eggs"])
def test_what_is_clear_stands_without_quotes(text: str) -> None:
    assert is_plain(text)
