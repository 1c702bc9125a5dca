"""What looks like a credential, and what only might."""

import pytest

from pegboard.config.credentials import find, masked, names_secret

_BODY = "Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4z"
"""Letters and digits, put behind a prefix here so that no whole key stands in this file."""

KEYS = [
    f"sk-{_BODY}",
    f"sk-proj-{_BODY}",
    f"sk-ant-api03-{_BODY}",
    f"sk_live_{_BODY}",
    f"ghp_{_BODY}{_BODY}",
    f"github_pat_{_BODY}",
    f"glpat-{_BODY}",
    f"AKIA{'Q7ZK2MXD4WRT9BNE'}",
    f"xoxb-{_BODY}",
    f"AIza{_BODY}xyz",
    f"hf_{_BODY}",
    f"eyJ{_BODY}.eyJ{_BODY}.{_BODY}",
]


@pytest.mark.parametrize("key", KEYS)
def test_a_key_is_found_wherever_it_stands(key: str) -> None:
    for before, after in (("", ""), ("Bearer ", " 你好"), ('token="', '"'), ("中", "中")):
        if not before or not before[-1].isalnum():
            assert [(c.start, c.end) for c in find(before + key + after)] == [(len(before), len(before) + len(key))]
    assert masked(f"with {key}, and {key}") == "with ***, and ***"


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("postgres://app:hunter2@db/x", "postgres://app:***@db/x"),
        ("redis://:pw1@[::1]:6379", "redis://:***@[::1]:6379"),
        ("see https://me:p%40ss@host.example/a?b=c@d.", "see https://me:***@host.example/a?b=c@d."),
    ],
)
def test_the_password_of_a_url_is_found(url: str, shown: str) -> None:
    assert masked(url) == shown


def test_a_private_key_is_found_to_its_end() -> None:
    key = f"-----BEGIN RSA PRIVATE KEY-----\n{_BODY}\n{_BODY}\n"
    assert masked(f"a {key}-----END RSA PRIVATE KEY-----") == "a ***-----END RSA PRIVATE KEY-----"


@pytest.mark.parametrize(
    "text",
    [
        "a task-management-system-for-2026-and-more",
        "sk-your-key-here-0123456789",
        "sk-xxxxxxxxxxxxxxxxxxxxxxxx",
        "sk-00000000000000000000000000",
        "sk-learn and sk-fading-circle-and-more-words",
        "AKIAIOSFODNN7EXAMPLE",
        "postgres://app:${PASSWORD}@db/x",
        "postgres://app:<password>@db/x",
        "https://user:xxxxx@host/",
        "https://shop.example:8080/a@b",
        "https://shop.example/a:b@c",
        "mail me: a:b@c.example",
        "-----BEGIN PRIVATE KEY-----...-----END PRIVATE KEY-----",
        "-----BEGIN CERTIFICATE-----",
        "eyJhbGciOi.eyJzdWIi.x",
        "the price is 12 (USD); 密码是什么?",
    ],
)
def test_what_is_none_is_left_alone(text: str) -> None:
    assert find(text) == []
    assert masked(text) is text


@pytest.mark.parametrize(
    "unit", ["eyJ", ".eyJ", "sk-", "://a:", "-----BEGIN ", "-----BEGIN PRIVATE KEY-----", "gh", "AKIA"]
)
def test_hostile_texts_are_read_in_linear_time(unit: str) -> None:
    find(unit * (300_000 // len(unit)))  # hours, were it quadratic


def test_keys_are_known_by_their_names() -> None:
    names = ["api_key", "API-KEY", "db_password", "token", "client_secret", "monkey", "keys", "secrets_dir", "tokens"]
    assert [names_secret(name) for name in names] == [True] * 5 + [False] * 4
