"""Documents of every shape, made from the declarations' types, with texts that syntaxes stumble over."""

import tempfile
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from annotated_types import Ge, Le
from hypothesis import strategies as st
from pydantic import BeforeValidator
from pydantic.fields import FieldInfo

from pegboard.config.declarations import Declarations
from pegboard.config.load import load
from pegboard.config.problems import Problems
from pegboard.config.server.settings import Settings
from pegboard.config.shape import Free, Languages, Leaf, ListOf, MapOf, Record, Shape, document_shape
from pegboard.config.write.read import Syntax

HARD_TEXTS = [
    "", " ", "  leading", "trailing  ", "\tTab\t", "a\tb", "\n", "\n\n", "line\n", "one\ntwo", "one\n\n  two\n", "  one\ntwo",
    "one \ntwo", "\n  one\n", "one\n\n\n", "a\r\nb", "a\rb", "]]>", "<![CDATA[x]]>", "<b>&amp;</b>", "a & b < c > d", "'", '"',
    "it's", 'say "x"', "# no comment", "a # b", "a #b", "key: value", "a:", ": a", "- item", "-", "--", "---", "...", "--- a",
    "? a", "@a", "`a`", "%a", "!a", "&a", "*a", "{a}", "[a]", "{", "}", ",", "a, b", "| x", "> x", "\\", "\\n", "\\u4e2d", "\x7f", "\x85",
    "\u2028", "\ufeff", "\xa0", "\u3000缩进", "yes", "No", "on", "OFF", "y", "N", "true", "False", "null", "~", "Null", "1", "-1", "+1", "1.0",
    "1e3", "1.5e+3", "1_000", "0x1F", "0o17", "010", "0b1", ".5", "5.", ".inf", "-.INF", ".nan", "1:30", "12:30:45", "2024-01-01",
    "2024-01-01T10:00:00Z", "=", "<<", "1,000", "中文", "北京今天天气怎么样？", "emoji 🍳🥖", "👩‍🍳", "é", "${NAME}", "${NAME:-a: b}",
    "$${NAME}", "{request.query}", "x" * 200, "word " * 60 + "end", "<!-- no -->", "--> end", "a\n# b\nc", "a\n---\nb", "\ta\n\tb", "a\n\tb",
]  # fmt: skip
CHARACTERS = st.characters(
    codec="utf-8",
    exclude_categories=["Cs", "Cn"],
    exclude_characters=[*map(chr, range(9)), *map(chr, (11, 12, *range(14, 32)))],
)
TEXTS = (
    st.sampled_from(HARD_TEXTS)
    | st.text(CHARACTERS, max_size=12)
    | st.lists(st.sampled_from(HARD_TEXTS), max_size=4).map("\n".join)
)
WORDS = TEXTS.filter(bool)
NAMES = st.from_regex(r"[A-Za-z0-9_-]{1,8}", fullmatch=True)
NUMBERS = st.integers(0, 100) | st.floats(0, 100)
FLAGS = st.booleans() | st.just("${FLAG:-yes}")
SIZES = st.sampled_from(["64KiB", " 1.5 MiB ", "${SIZE:-1GiB}"])
RATES = st.sampled_from(["10/s", " 5 / m", "100/h", "${RATE:-1/s}"])
DURATIONS = st.sampled_from(["5s", "150ms", " 1.5 m ", "1h"])
EXAMPLES = st.lists(WORDS, max_size=2) | st.dictionaries(
    st.sampled_from(["", "en", "zh", "no"]), st.lists(WORDS, min_size=1, max_size=2), max_size=3
)
FREE_KEYS = TEXTS | st.sampled_from(["type", "properties", "k" * 1200])
FREE = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**30), 10**30) | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda below: st.lists(below, max_size=3) | st.dictionaries(FREE_KEYS, below, max_size=3),
    max_leaves=6,
)  # fmt: skip
OBJECTS = st.dictionaries(FREE_KEYS, FREE, max_size=3)
OWN_KEYS = st.sampled_from(["x-base", "x-a b", "x-", "x-北京", "x-y_1.2"])
MAY_BE_NULL = frozenset({"parameters", "output"})


def value(key: str, shape: Shape) -> st.SearchStrategy[Any]:
    """Return values that fit `shape`."""
    match shape:
        case Record(keys=keys, required=required):
            fields = shape.model.model_fields
            strategies = {name: constrained(value(name, below), name, fields[name]) for name, below in keys.items()}
            return st.fixed_dictionaries(
                {name: strategy for name, strategy in strategies.items() if name in required},
                optional={name: strategy for name, strategy in strategies.items() if name not in required},
            )
        case ListOf() if key in {"keywords", "redact"}:
            return st.lists(st.sampled_from(["plus", "加", "on", "1:30"]), max_size=2)
        case ListOf(item=item):
            return st.lists(value(key, item), min_size=1 if key == "sources" else 0, max_size=2)
        case MapOf(value=below):
            return st.dictionaries(WORDS, value(key, below), max_size=2)
        case Languages():
            return EXAMPLES
        case Free():
            return OBJECTS | st.none() if key in MAY_BE_NULL else OBJECTS
        case Leaf():
            return RATES if key == "rate" else leaf(shape)


POSITIVE = {"requests_per_minute", "tokens_per_minute"}
"""Keys whose numbers are never zero."""
WHOLE_NUMBERS = st.integers(1, 5)


def constrained(strategy: st.SearchStrategy[Any], key: str, info: FieldInfo) -> st.SearchStrategy[Any]:
    """Return those of the values that the field itself takes: whole numbers, what is not empty."""
    said = [*info.metadata, *parts_of(info.annotation)]
    most = min((each.le for each in said if isinstance(each, Le) and isinstance(each.le, int)), default=10**9)
    if float in said and most < 100:
        return st.floats(0, most)
    is_size = any(isinstance(each, BeforeValidator) for each in said)
    if (int in said and float not in said and not is_size) or key in POSITIVE:
        least = max((each.ge for each in said if isinstance(each, Ge) and isinstance(each.ge, int)), default=1)
        return WHOLE_NUMBERS.map(lambda number: min(max(number, least), most))
    if list[int] in said:
        return st.lists(WHOLE_NUMBERS, max_size=2)
    return strategy.filter(_is_something) if any(getattr(each, "min_length", 0) for each in said) else strategy


def _is_something(value: object) -> bool:
    """Tell whether a value is not empty; `bool` itself would be taken as a wish for another size of list."""
    return bool(value)


def parts_of(annotation: Any) -> list[Any]:
    """Return the types and constraints of an optional or annotated field, not those of what a list holds."""
    if get_origin(annotation) in {Union, UnionType, Annotated}:
        return [part for inner in get_args(annotation) for part in parts_of(inner)]
    return [annotation, *(each for each in getattr(annotation, "metadata", ()) or ())]


SECRETS = st.sampled_from(["${MODEL_KEY:-none}", "${A}${B:-b}"])


def leaf(shape: Leaf) -> st.SearchStrategy[Any]:
    if shape.choices:
        return st.sampled_from(shape.choices)
    by_kind = {"flag": FLAGS, "number": NUMBERS, "duration": DURATIONS, "size": SIZES, "text": TEXTS, "secret": SECRETS}
    return by_kind[shape.kind] if shape.takes_variables else NAMES


_SHAPED = value("", document_shape())
_OWN = st.dictionaries(OWN_KEYS, FREE, max_size=2)


@st.composite
def documents(draw: st.DrawFn) -> dict[str, Any]:
    """Return a document; made so that its strategy is not printed whole."""
    shaped: dict[str, Any] = draw(_SHAPED)
    return shaped | draw(_OWN)


DOCUMENTS = documents()


def declared(text: str, syntax: Syntax) -> tuple[list[object], set[str]]:
    """Return what a file declares, apart from places, and the codes of its problems."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"a.{syntax}")
        path.write_text(text, "utf-8", newline="")
        settings = Settings(root=Path(folder), config=path, data=path, file_bytes=1 << 24)
        declarations, problems = load(settings, environ={})
    return values(declarations, folder), codes(problems)


def values(declarations: Declarations, folder: str) -> list[object]:
    kinds = (declarations.tools, declarations.sites, declarations.types, declarations.knowledge)
    return [
        (repr(one.value).replace(folder, ""), sorted(one.value.model_fields_set), one.dialect)
        for kind in (*kinds, declarations.calls)
        for one in kind
    ]


def codes(problems: Problems) -> set[str]:
    return {problem.code for problem in problems}
