"""A secret never prints, and is known to those alone who ask."""

import copy
import json
import logging
import pickle
import traceback
from dataclasses import asdict, dataclass

import pytest
from pydantic import BaseModel

from pegboard.config.secret.value import Secret, SecretText
from pegboard.config.server.settings import ModelSettings

TEXT = "k3y-of-mine"


class Block(BaseModel):
    token: SecretText


@dataclass(frozen=True)
class Holder:
    token: Secret


@pytest.mark.parametrize(
    "shown",
    [
        repr(Secret(TEXT)),
        str(Secret(TEXT)),
        f"{Secret(TEXT)}",
        f"{Secret(TEXT):>40}",
        "%s %r" % (Secret(TEXT), Secret(TEXT)),  # noqa: UP031 (a way to print)
        repr([Secret(TEXT)]),
        repr(Holder(Secret(TEXT))),
        repr(ModelSettings("m", api_key=Secret(TEXT))),
        repr(Block(token=Secret(TEXT))),
        Block(token=Secret(TEXT)).model_dump_json(),
        repr(Block(token=Secret(TEXT)).model_dump()),
        json.dumps({"token": Secret(TEXT)}, default=str),
    ],
)
def test_it_never_prints(shown: str) -> None:
    assert TEXT not in shown
    assert "***" in shown


def test_it_is_neither_logged_nor_in_a_traceback(caplog: pytest.LogCaptureFixture) -> None:
    secret = Secret(TEXT)
    with pytest.raises(ValueError, match="cannot use") as caught:
        _fail(secret)
    logging.getLogger("x").error("with %s", secret, exc_info=caught.value)
    told = traceback.TracebackException.from_exception(caught.value, capture_locals=True)
    assert "secret = ***" in "".join(told.format())
    assert TEXT not in "".join(told.format()) + caplog.text


def _fail(secret: Secret) -> None:
    raise ValueError(f"cannot use {secret}")


def test_it_is_not_copied_or_written() -> None:
    for refused in (copy.copy, copy.deepcopy, pickle.dumps, json.dumps):
        with pytest.raises(TypeError) as error:
            refused(Secret(TEXT))
        assert TEXT not in str(error.value)
    with pytest.raises(TypeError):
        asdict(Holder(Secret(TEXT)))


def test_it_is_compared_and_revealed() -> None:
    assert Secret("a") == Secret("a") != Secret("b")
    assert Secret("中").matches("中")
    assert not Secret("中").matches("")
    assert Secret("a") != "a"
    assert hash(Secret("a")) == hash(Secret("b"))
    assert (bool(Secret("")), bool(Secret("a"))) == (False, True)
    assert Secret(TEXT).reveal() == TEXT


def test_a_field_of_a_declaration_takes_it() -> None:
    assert Block.model_json_schema()["properties"]["token"]["type"] == "string"
    assert Block(token="x").token == Secret("x")
    with pytest.raises(ValueError, match="must be text"):
        Block(token=5)
