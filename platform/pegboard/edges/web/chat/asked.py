"""Read what a chat completion asks for: the last message is the question, those of the user before it are earlier ones.

Pure: a JSON object in, `ChatAsked` out. What cannot be honoured and would change what the answer is to be (tools of the
client, several choices, a form of the answer) is refused by its name; what only tunes a model is passed over.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pegboard.errors import UsageError
from pegboard.text import Json


class ParameterRefused(UsageError):
    """A parameter of a chat completion that is wrong, or cannot be honoured."""

    def __init__(self, parameter: str, message: str, *, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.parameter = parameter


@dataclass(frozen=True, slots=True)
class ChatAsked:
    """What one request asks."""

    model: str
    """The site; empty: that of the domain, or the default."""
    question: str
    previous: tuple[str, ...] = ()
    """Earlier questions of the conversation, oldest first."""
    is_streamed: bool = False
    tells_usage: bool = False
    """The stream ends with what was used of models."""


def chat_asked(body: Mapping[str, Json]) -> ChatAsked:
    """Return what `body` asks.

    Raises:
        ParameterRefused: it is wrong, or asks for what is not to be had.
    """
    _refuse_what_cannot_be(body)
    options = body.get("stream_options")
    if not isinstance(options, dict | None):
        raise ParameterRefused("stream_options", "`stream_options` is no object.")
    questions = [*_questions(body.get("messages"))]
    return ChatAsked(
        _text(body, "model"),
        questions[-1],
        tuple(questions[:-1]),
        _truth(body, "stream", "stream"),
        _truth(options or {}, "include_usage", "stream_options.include_usage"),
    )


_UNUSED: Mapping[str, tuple[Json, ...]] = {
    "tools": ([],),
    "functions": ([],),
    "n": (1,),
    "response_format": ({"type": "text"},),
    "logprobs": (False,),
    "audio": (),
    "modalities": (["text"],),
    "prediction": (),
}
"""What cannot be honoured, and the values that say nothing."""
_WHY: Mapping[str, str] = {
    "tools": "The tools are those of the site, which chooses among them.",
    "functions": "The tools are those of the site, which chooses among them.",
    "n": "A question has one answer.",
    "response_format": "The answer is text; POST /ask gives JSON.",
}


def _refuse_what_cannot_be(body: Mapping[str, Json]) -> None:
    for name, idle in _UNUSED.items():
        value = body.get(name)
        if value is not None and value not in idle:
            raise ParameterRefused(name, f"`{name}` cannot be honoured here.", hint=_WHY.get(name, "Leave it out."))


def _questions(messages: Json) -> Iterator[str]:
    """Yield the texts of the user; the last is that of the last message.

    Raises:
        ParameterRefused: there are none, or a message is none.
    """
    if not isinstance(messages, list) or not messages:
        raise ParameterRefused("messages", "`messages` is no list of messages.", hint=_MESSAGES_HINT)
    role = where = ""
    for place, message in enumerate(messages):
        where = f"messages[{place}]"
        if not isinstance(message, dict) or not isinstance(named := message.get("role"), str):
            raise ParameterRefused(where, f"`{where}` is no message.", hint=_MESSAGES_HINT)
        role = named
        if role not in _ROLES:
            raise ParameterRefused(f"{where}.role", f"The role {role[:80]!r} is not known.", hint=_ROLES_HINT)
        if role == "user":
            yield _content(message.get("content"), f"{where}.content")
    if role != "user":
        told = f"The last message is of the role {role!r}, so nothing is asked."
        raise ParameterRefused(f"{where}.role", told, hint="The last message is the user's: the question.")


_ROLES = frozenset({"system", "developer", "user", "assistant", "tool", "function"})
_ROLES_HINT = "Roles are system, developer, user, assistant and tool."
_MESSAGES_HINT = 'Send "messages": [{"role": "user", "content": "gluten free pasta"}].'


def _content(content: Json, where: str) -> str:
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        raise ParameterRefused(where, f"`{where}` is neither a text nor a list of parts.", hint=_MESSAGES_HINT)
    return "\n".join(_part(part, f"{where}[{place}]") for place, part in enumerate(content))


def _part(part: Json, where: str) -> str:
    kind = part.get("type") if isinstance(part, dict) else None
    if not isinstance(part, dict) or kind != "text":
        shown = f"a part of the type {kind[:80]!r}" if isinstance(kind, str) else "no part"
        raise ParameterRefused(where, f"`{where}` is {shown}.", hint="Only text can be asked.")
    if not isinstance(text := part.get("text"), str):
        raise ParameterRefused(f"{where}.text", f"`{where}.text` is no text.")
    return text


def _text(body: Mapping[str, Json], name: str) -> str:
    value = body.get(name)
    if not isinstance(value, str | None):
        raise ParameterRefused(name, f"`{name}` is no text.")
    return (value or "").strip()


def _truth(body: Mapping[str, Json], name: str, where: str) -> bool:
    value = body.get(name)
    if not isinstance(value, bool | None):
        raise ParameterRefused(where, f"`{where}` is neither true nor false.")
    return value is True
