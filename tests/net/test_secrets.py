"""Secrets are hidden in every spelling that a request gives them."""

import base64
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegboard.config.blocks.auth import AuthDeclaration
from pegboard.errors import CallFailed, UpstreamFailed
from pegboard.net.auth import with_auth
from pegboard.net.exchange import Request, Response
from pegboard.net.redirect import followed
from pegboard.net.secrets import masked, masked_text
from pegboard.text import Json, to_json


@given(st.text(min_size=8, max_size=30), st.binary(max_size=5), st.binary(max_size=5))
def test_no_spelling_of_a_secret_is_left(secret: str, before: bytes, after: bytes) -> None:
    data = secret.encode("utf-8", "surrogatepass")
    inner = base64.b64encode(before + data + after).decode()
    if secret.isascii():
        for spelled in (quote(secret, safe=""), quote_plus(secret), to_json(secret)[1:-1]):
            assert spelled not in masked_text(f"<{spelled}>", [secret]) or spelled in "<***>"
        assert masked_text(f"<{inner}>", [secret]) != f"<{inner}>"
    assert secret not in masked_text(f"<{secret}>", [secret]) or secret in "<***>"


def test_json_is_masked_in_keys_and_depth() -> None:
    assert masked({"a": ["hush-hush", 1, None], "hush-hush": {"b": "x hush-hush y"}}, ["hush-hush", ""]) == {
        "a": ["***", 1, None],
        "***": {"b": "x *** y"},
    }


@pytest.mark.parametrize(
    ("auth", "header", "url"),
    [
        ({"bearer": "t0ken"}, ("Authorization", "Bearer t0ken"), "http://a.example/"),
        ({"user": "ü", "password": "p:w"}, ("Authorization", "Basic w7w6cDp3"), "http://a.example/"),
        ({"header": {"name": "X-Key", "value": "k"}}, ("X-Key", "k"), "http://a.example/"),
        ({"query": {"name": "a key", "value": "k&y"}}, None, "http://a.example/?a%20key=k%26y"),
    ],
)
def test_a_secret_is_sent_as_declared(auth: dict[str, object], header: tuple[str, str] | None, url: str) -> None:
    request = with_auth(Request("GET", "http://a.example/"), AuthDeclaration.model_validate(auth))
    assert (request.headers, request.url) == ((header,) if header else (), url)
    assert request.secrets
    assert "k&y" not in repr(request.secrets and Request("GET", "", secrets=request.secrets))


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ("", "The secret that the service wants is not set. Set KEY."),
        ("a\nb", "cannot be sent"),
        ("a\0b", "cannot be sent"),
    ],
)
def test_a_secret_that_is_empty_or_ends_a_line_is_not_sent(value: str, says: str) -> None:
    auth = AuthDeclaration.model_validate({"bearer": value, "missing": "Set KEY."})
    with pytest.raises(CallFailed) as failed:
        with_auth(Request("GET", "http://a.example/"), auth)
    assert says in str(failed.value)


def test_what_is_nested_too_deep_to_be_masked_is_a_failure_of_the_service() -> None:
    value: Json = []
    for _ in range(5000):
        value = [value]
    with pytest.raises(UpstreamFailed, match="nested too deep"):
        masked(value, ["hush-hush"])


def test_a_redirect_to_no_address_is_told_in_our_words() -> None:
    response = Response(302, (("location", "http://["),), b"")
    with pytest.raises(ValueError, match="it leads to what is no address"):
        followed(Request("GET", "http://a.example/x"), response)
