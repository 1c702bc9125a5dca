"""Turn what pydantic finds wrong into problems: code, exact place, a sentence for people, a near word."""

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from pegboard.config.declaration import NAME_RULES
from pegboard.config.problems import Dialect, Problems
from pegboard.config.syntax.node import Map, Node, Path, Scalar, describe, nearest_at, value_at
from pegboard.text import did_you_mean, spelled, to_json

Words: TypeAlias = tuple[str, str, str]
"""Code, message behind the path, hint."""

_KEY = "[key]"
"""How pydantic marks an error of a key."""


def explain(
    error: ValidationError,
    node: Node,
    path: Path,
    problems: Problems,
    *,
    reported: set[int],
    dialect: Dialect = "own",
) -> None:
    """Add a problem for each error below `node`, which stands at `path`; skip nodes in `reported`."""
    for detail in error.errors(include_url=False):
        where = tuple(detail["loc"])
        if where and where[-1] == _KEY:
            where = where[:-1]
        found = nearest_at(node, where)
        full = spelled((*path, *_without_language(where, node))) or "the document"
        if detail["type"] == "missing":
            _missing(str(where[-1]), found, spelled((*path, *where[:-1])) or "the document", problems, dialect)
        elif id(found) not in reported:
            code, message, hint = _words(detail, found)
            hint = hint or _written(detail, found, is_deep=len(path) + len(where) > 1)
            problems.add(code, found.span, f"{full} {message}", hint=hint, dialect=dialect)


def _without_language(where: Path, node: Node) -> Path:
    """Leave the step of a plain list out: `examples[0]`, not `examples.[0]`."""
    return tuple(step for i, step in enumerate(where) if step != "" or isinstance(value_at(node, where[:i]), Map))


def _missing(key: str, owner: Node, label: str, problems: Problems, dialect: Dialect) -> None:
    problems.add("PB102", owner.span, f"{label} has no {key!r}", hint="Add it.", dialect=dialect)


def _words(detail: ErrorDetails, node: Node) -> Words:
    kind = detail["type"]
    if explainer := _EXPLAINERS.get(kind):
        return explainer(detail.get("ctx", {}), node)
    if kind in _TYPES:
        return "PB103", f"must be {_TYPES[kind]}, found {describe(node)}", _empty_hint(node)
    return "PB104", f"is not allowed: {detail['msg']}", ""


def _written(detail: ErrorDetails, node: Node, *, is_deep: bool) -> str:
    """Show how a text is written where a list of texts or a declaration with a name is wanted."""
    if detail["type"] == "list_type" and isinstance(node, Map):
        return "Write a list; what is a key here stands under `name` in each entry."
    text = node.value if isinstance(node, Scalar) else None
    if not isinstance(text, str) or len(text) > _MOST_SHOWN:
        return ""
    if detail["type"] == "list_type" and is_deep and detail["loc"][-1] != "tools":
        return f"Write {to_json([text])}."
    if detail["type"] == "dict_type" and detail["loc"][-1] == "examples":
        return f"Write {to_json([text])}."
    if detail.get("ctx", {}).get("class_name") in _NAMED:
        return f"Write {to_json({'name': text})}, with its other keys."
    return ""


_MOST_SHOWN = 60
"""Characters of a text that a hint repeats."""
_NAMED = frozenset({"ToolDeclaration", "SiteDeclaration", "TypeDeclaration"})
"""Declarations of which a text can only be the name."""


def _empty_hint(node: Node) -> str:
    return "Give it, or remove the key." if describe(node) == "nothing" else ""


_TYPES = {
    "string_type": "text",
    "bool_type": "true or false",
    "int_type": "a whole number",
    "float_type": "a number",
    "list_type": "a list",
    "dict_type": "a mapping",
    "model_type": "a mapping",
    "model_attributes_type": "a mapping",
}

_Explainer: TypeAlias = Callable[[Mapping[str, object], Node], Words]


def _literal(context: Mapping[str, object], node: Node) -> Words:
    choices = str(context["expected"])
    words = [word.strip("' ") for word in choices.replace(" or ", ", ").split(",")]
    given = getattr(node, "value", None)
    hint = did_you_mean(given, words) if isinstance(given, str) else ""
    return "PB104", f"must be {choices}, found {describe(node)}", hint if hint.startswith("Did") else ""


def _pattern(context: Mapping[str, object], node: Node) -> Words:
    return "PB104", f"cannot be {describe(node).removeprefix('the text ')}", NAME_RULES[str(context["pattern"])]


def _number(words: str, key: str) -> _Explainer:
    def explainer(context: Mapping[str, object], node: Node) -> Words:
        limit = context.get(key)
        shown = f"{limit:g}" if isinstance(limit, int | float) else str(limit)
        found = node.value if isinstance(node, Scalar) else describe(node)
        return "PB104", f"must be {words} {shown}, found {found}".replace("  ", " "), ""

    return explainer


def _value(context: Mapping[str, object], node: Node) -> Words:
    """Repeat what a reader of values says; of a variable's value nothing is shown, it may be secret."""
    if isinstance(node, Scalar) and isinstance(node.value, str) and "${" in node.value:
        why = str(context.get("error")).partition(";")[2].strip() or "it has another form"
        return "PB104", f"is not allowed: what {node.value!r} stands for cannot be read here; {why}", ""
    return "PB104", f"is not allowed: {context.get('error')}", ""


_EXPLAINERS: dict[str, _Explainer] = {
    "literal_error": _literal,
    "string_pattern_mismatch": _pattern,
    "string_too_short": lambda context, node: ("PB104", "must not be empty", "Give it, or remove it."),
    "too_short": lambda context, node: ("PB104", "must not be an empty list", "Name at least one."),
    "greater_than_equal": _number("at least", "ge"),
    "greater_than": _number("more than", "gt"),
    "less_than_equal": _number("at most", "le"),
    "less_than": _number("less than", "lt"),
    "value_error": _value,
}


def paths_of(error: ValidationError) -> Iterable[Path]:
    """Return where the errors are."""
    return [tuple(detail["loc"]) for detail in error.errors(include_url=False)]
