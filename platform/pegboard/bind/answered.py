"""What a visitor answers when asked back: arguments that were missing, filled without a model.

Pure. Not here: which question was asked back, nor of which tool (`app`).
"""

import re
from collections.abc import Mapping, Sequence

from pegboard.bind import chinese, english
from pegboard.bind.repair import repair
from pegboard.bind.roles import parameters, roles
from pegboard.bind.rules import closeness, extract
from pegboard.catalog.schema.faults import faults
from pegboard.catalog.tool import Schema
from pegboard.llm.references import kinds
from pegboard.text import Json, tokens

_MOST_WORDS = 24
_ASKS = re.compile(
    r"[?？]|^\s*(?:what|how|which|who|when|where|why|is|are|does|do|did|can|could|would|will|should|show|find|give|tell|"
    r"list|compare|search|suggest|recommend|plan|explain)\b|^\s*i(?:'m| am)? (?:need|want to|looking)\b"
    r"|什么|怎么|怎样|如何|[吗呢]\s*$|多少|多久|哪|几[点个分号天]|为什么|谁|能不能|有没有|^\s*(?:推荐|帮我|给我|比较|对比|找|搜)",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"^\s*(?:(?:it'?s|it is|that'?s|that is|i mean|i meant|i said|sorry,?|yes,?|no,?|well,?|ok(?:ay)?,?|"
    r"the one (?:called|named)|make it|let'?s say|for|in|at|about|with)\s+"
    r"|(?:我说的是|我是说|我指的是|我问的是|我要的是|我想要|指的是|说的是|就是|那就|应该是|是|在|用)\s*)",
    re.IGNORECASE,
)
_BETWEEN = re.compile(
    r"\s*(?:[,，、;；]\s*(?:and|or)?|\s(?:and|or|vs\.?|versus|with)\s|[和与跟同]|还是|以及)\s*", re.IGNORECASE
)


def is_answer(text: str) -> bool:
    """Tell whether `text` may answer a question back: it is short, and asks nothing itself."""
    return bool(text.strip()) and sum(1 for _ in tokens(text)) <= _MOST_WORDS and not _ASKS.search(text)


def filled(
    arguments: Mapping[str, Json],
    schema: Schema,
    lacking: Sequence[str],
    answer: str,
    *,
    language: str,
    names: Sequence[str] = (),
) -> dict[str, Json]:
    """Return `arguments` with those of `lacking` that `answer` gives; what it does not give stays missing."""
    declared = {name: wanted for name, wanted in parameters(schema).items() if name in lacking}
    read = _read(answer, declared, language=language, names=names)
    given = repair(read, schema)
    fitting = {name: value for name, value in given.items() if not faults(value, declared[name])}
    return {**arguments, **fitting}


def _read(answer: str, declared: Mapping[str, Schema], *, language: str, names: Sequence[str]) -> dict[str, Json]:
    texts = [name for name, wanted in declared.items() if _is_text(wanted)]
    others: dict[str, Json] = {name: dict(wanted) for name, wanted in declared.items() if name not in texts}
    found = extract(answer, {"type": "object", "properties": others}, language=language, names=names)
    if len(declared) == 1:
        (name,) = declared
        is_whole = found.get(name) in (None, [answer.strip()])
        return {name: bare(answer, language) if is_whole else found[name]}
    pieces = _pieces(answer, len(texts), names)
    if len(pieces) == len(texts):
        return found | {name: bare(piece, language) for name, piece in zip(texts, pieces, strict=True)}
    first = {texts[0]: bare(answer, language)} if texts and set(roles(declared).values()) & {"first_item"} else {}
    return found | first


def _is_text(wanted: Schema) -> bool:
    return "enum" not in wanted and set(kinds(wanted)) <= {"string", "null"}


def _pieces(answer: str, count: int, names: Sequence[str]) -> list[str]:
    """Cut an answer into `count` parts; in two where both are nearest to names that are known."""
    cuts = list(_BETWEEN.finditer(answer))
    if count == 2:
        pairs = [(answer[: cut.start()], answer[cut.end() :]) for cut in cuts]
        whole = [pair for pair in pairs if all(half.strip() for half in pair)]
        return [*max(whole, key=lambda pair: closeness(pair, names))] if whole else []
    pieces = [piece for piece in _BETWEEN.split(answer) if piece.strip()]
    return pieces if count and len(pieces) == count else []


def bare(answer: str, language: str) -> str:
    """Return an answer without what only leads up to it: `I mean the lasagna, please` is `lasagna`."""
    text, before = answer.strip(), ""
    while text != before:
        before = text
        text = _LEAD.sub("", text, count=1).strip(" \t,，。.!！") or text
    phrases = chinese if language == "zh" else english
    return phrases.bare(text) or text
