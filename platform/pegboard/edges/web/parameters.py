"""Read the parameters of `/ask`, in NLWeb's flat and nested forms, from a query string and a body.

Pure: bytes and pairs in, `Asked` out. That a site or a tool exists is not judged here.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from pegboard.catalog.contract import Mode, Strategy
from pegboard.errors import UsageError
from pegboard.text import TRUTHS, Json, did_you_mean, read_json


@dataclass(frozen=True, slots=True)
class Asked:
    """What one request to `/ask` asks."""

    query: str
    site: str | None = None
    tools: tuple[str, ...] = ()
    previous: tuple[str, ...] = ()
    streaming: bool = True
    form: Literal["answer", "list"] = "answer"
    mode: Mode = "tool"
    strategy: Strategy | None = None
    conversation: str = ""
    """Given by the client, to be repeated in every message."""
    ignored: tuple[str, ...] = ()
    """Parameters of NLWeb that were given and have no effect here."""


MEANINGS: Mapping[str, str] = {
    "query": "The question, in any language. Required.",
    "site": "The site. Without it: the site of the Host header's domain, the only one, or the default one.",
    "tool": "One tool: it is run without scoring. Several, separated by commas: the only candidates.",
    "prev": "Earlier questions of the conversation, oldest first: repeated, or a JSON list. Without a model only an "
    "answer to `ask_user` goes on with them.",
    "streaming": "`false` gives one JSON array of all messages instead of a stream of events.",
    "mode": (
        "`list` gives results only; `summarize`, `generate` and no mode give an answer as well. How it is answered: "
        "`tool` (without a mode, too), `plan` (in several steps), `knowledge` (from the site's content "
        "only) or `chat` (without a tool). One of each may be given: `list,knowledge`."
    ),
    "strategy": "How the tool is chosen: `score`, `batch`, `functions`, `embedded` or `cascade`; else as declared.",
    "conversation_id": "Repeated in every message; up to 128 Latin letters, digits and `-._~:@+/=`.",
}
"""The parameters that have an effect, and what they mean."""

_ALIASES = {"generate_mode": "mode"}
_FORMS: Mapping[str, Literal["answer", "list"]] = {
    "none": "answer", "list": "list", "summarize": "answer", "generate": "answer",
}  # fmt: skip
_MODES: Mapping[str, Mode] = {mode: mode for mode in get_args(Mode)}
"""Ours stand beside NLWeb's in one parameter: they say another thing and have other names."""
_STRATEGIES: Mapping[str, Strategy] = {strategy: strategy for strategy in get_args(Strategy)}
_CONVERSATION = re.compile(r"[A-Za-z0-9._~:@+/=-]{1,128}")
_TRUTHS = {"": True, **TRUTHS}
# fmt: off
_IGNORED = frozenset({
    "decontextualized_query", "context_url", "context_description", "last_ans", "query_id", "thread_id",
    "min_score", "max_results", "num_results", "start_num", "required_item_type", "item_type", "lang",
    "model", "db", "retrieval_backend", "llm_provider", "llm_level", "debug", "oauth_id", "user_id",
})
# fmt: on
_NESTED = {"context": {"prev"}, "prefer": {"streaming", "mode"}, "return_response": {"streaming", "mode"}}
_NESTED_ROOTS = frozenset({*_NESTED, "meta"})

Given = Mapping[str, list[Json]]
"""The values of each parameter, in the order in which they came."""


def asked_from(pairs: Iterable[tuple[str, str]], body: Mapping[str, Json]) -> Asked:
    """Return what is asked by the query string's `pairs` and the `body` merged over them.

    Raises:
        UsageError: an unknown parameter, or a value that is not what it should be.
    """
    given: dict[str, list[Json]] = {}
    for name, value in pairs:
        given.setdefault(name, []).append(value)
    flat, ignored = _flattened(body)
    given |= {name: [value] for name, value in flat.items()}
    _refuse_unknown(given)
    return Asked(
        query=_text(given, "query") or "",
        site=_site(given),
        tools=tuple(_names(given, "tool")),
        previous=tuple(_previous(given)),
        streaming=_streaming(given),
        form=_form(given),
        mode=_mode(given),
        strategy=_strategy(given),
        conversation=_conversation(given),
        ignored=(
            *ignored,
            *(name for name in given if name in _IGNORED and any(map(_holds, given[name]))),
        ),
    )


_BODY_HINT = 'Send an object such as {"query": "gluten free pasta", "site": "kitchen"}.'


def read_json_object(body: bytes, *, hint: str = _BODY_HINT) -> dict[str, Json]:
    """Read the JSON object that a request carries; `hint` says what is to be sent instead.

    Raises:
        UsageError: it is no UTF-8, no JSON, or no object.
    """
    try:
        value = read_json(body.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise UsageError(f"The body is not UTF-8 (byte {error.start}).", hint="Send JSON in UTF-8.") from error
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise UsageError(f"The body is not JSON: {error.msg} at {place}.", hint=hint) from error
    except ValueError as error:
        raise UsageError(f"The body is not JSON that can be read: {error}.", hint=hint) from error
    if not isinstance(value, dict):
        raise UsageError(f"The body is {_kind(value)}, not a JSON object.", hint=hint)
    return value


def _kind(value: Json) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "a boolean"
        case int() | float():
            return "a number"
        case str():
            return "a string"
        case list():
            return "a list"
        case dict():
            return "an object"


def _holds(value: Json) -> bool:
    return value not in (None, "", [], {})


def _flattened(body: Mapping[str, Json]) -> tuple[dict[str, Json], list[str]]:
    """Return the flat parameters that `body` gives, and the nested names that have no effect."""
    if not isinstance(body.get("query"), dict):
        return dict(body), []
    flat: dict[str, Json] = {}
    ignored: list[str] = []
    for root, value in body.items():
        if root == "query" and isinstance(value, dict):
            used = {"text": "query", "site": "site"}
        elif root in _NESTED_ROOTS and value is None:
            continue
        elif root in _NESTED_ROOTS:
            if not isinstance(value, dict):
                raise UsageError(f"Parameter {root!r} is {_kind(value)}.", hint="It must be an object.")
            used = {name: name for name in _NESTED.get(root, ())}
        else:
            flat[root] = value
            continue
        flat |= {used[name]: each for name, each in value.items() if name in used}
        ignored += [f"{root}.{name}" for name, each in value.items() if name not in used and _holds(each)]
    return flat, ignored


def _refuse_unknown(given: Given) -> None:
    known = {*MEANINGS, *_ALIASES, *_IGNORED}
    unknown = [name for name in given if name not in known]
    if unknown:
        plural = "s" if len(unknown) > 1 else ""
        names = ", ".join(repr(name[:80]) for name in unknown[:5])
        raise UsageError(
            f"Unknown parameter{plural} {names}.",
            hint=did_you_mean(unknown[0][:80], MEANINGS, noun="parameters"),
        )


def _text(given: Given, name: str) -> str | None:
    values = [value for value in given.get(name, []) if value is not None]
    if len(values) > 1:
        raise UsageError(f"Parameter {name!r} is given {len(values)} times.", hint="Give it once.")
    if not values:
        return None
    if not isinstance(values[0], str):
        raise UsageError(f"Parameter {name!r} is {_kind(values[0])}.", hint="It must be a string.")
    return values[0]


def _strings(given: Given, name: str) -> list[str]:
    """Return all strings of `name`, which may be repeated and may be a list."""
    found: list[str] = []
    for value in given.get(name, []):
        for each in value if isinstance(value, list) else [value]:
            if each is None:
                continue
            if not isinstance(each, str):
                raise UsageError(
                    f"Parameter {name!r} holds {_kind(each)}.",
                    hint="It must be a string or a list of strings.",
                )
            found.append(each)
    return found


def _names(given: Given, name: str) -> list[str]:
    parts = [part.strip() for text in _strings(given, name) for part in text.split(",")]
    return list(dict.fromkeys(part for part in parts if part))


def _site(given: Given) -> str | None:
    names = _names(given, "site")
    if len(names) > 1:
        raise UsageError(
            f"One site can be asked at a time, not {len(names)}: {', '.join(names[:12])}.",
            hint="Send one request for each.",
        )
    return names[0] if names else None


def _previous(given: Given) -> list[str]:
    found = [part for text in _strings(given, "prev") for part in _listed(text.strip())]
    return [text.strip() for text in found if text.strip()]


def _listed(text: str) -> list[str]:
    """Read `["a, b", "c"]` and NLWeb's bare `[a,b]`; anything else is one question."""
    if not (text.startswith("[") and text.endswith("]")):
        return [text]
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text[1:-1].split(",")
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise UsageError("Parameter 'prev' is no list of strings.", hint='Write ["first question", "second"].')
    return value


def _conversation(given: Given) -> str:
    text = _text(given, "conversation_id") or ""
    if text and not _CONVERSATION.fullmatch(text):
        raise UsageError(
            "Parameter 'conversation_id' is no identifier.",
            hint="Give 1 to 128 Latin letters, digits and -._~:@+/=",
        )
    return text


def _streaming(given: Given) -> bool:
    values = given.get("streaming") or [None]
    value = values[-1]
    if value is None or isinstance(value, bool):
        return value is not False
    text = str(value).strip().lower() if isinstance(value, str | int) else "?"
    if text not in _TRUTHS:
        raise UsageError(f"Parameter 'streaming' is {value!r}.", hint="Write true or false.")
    return _TRUTHS[text]


def _mode_words(given: Given) -> list[str]:
    """Return the words of `mode`, NLWeb's and ours.

    Raises:
        UsageError: one of them is neither's.
    """
    words = [word.lower() for name in ("mode", "generate_mode") for word in _names(given, name)]
    for word in words:
        if word not in _FORMS and word not in _MODES:
            raise UsageError(
                f"Parameter 'mode' is {word!r}.", hint=did_you_mean(word, [*_FORMS, *_MODES], noun="modes")
            )
    return words


def _form(given: Given) -> Literal["answer", "list"]:
    wanted = {_FORMS[word] for word in _mode_words(given) if word in _FORMS and word != "none"}
    return "list" if wanted == {"list"} else "answer"


def _mode(given: Given) -> Mode:
    wanted = list(dict.fromkeys(_MODES[word] for word in _mode_words(given) if word in _MODES))
    if len(wanted) > 1:
        raise UsageError(f"Parameter 'mode' is {' and '.join(wanted)}.", hint="Give one of them.")
    return wanted[0] if wanted else "tool"


def _strategy(given: Given) -> Strategy | None:
    word = (_text(given, "strategy") or "").strip().lower()
    if word and word not in _STRATEGIES:
        hint = did_you_mean(word, _STRATEGIES, noun="strategies")
        raise UsageError(f"Parameter 'strategy' is {word!r}.", hint=hint)
    return _STRATEGIES.get(word)
