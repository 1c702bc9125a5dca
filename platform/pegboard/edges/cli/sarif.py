"""Problems as SARIF 2.1.0 (OASIS), which code hosts show beside the lines: `platform check --format sarif`."""

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from pegboard import __version__
from pegboard.edges.cli.place import is_in_a_file, relative, repository, utf16_column
from pegboard.text import Json, sentence

if TYPE_CHECKING:
    from pegboard.app import Explanation, Problem, Quote, Span

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_ROOT = "%SRCROOT%"
"""What relative paths start from; the name that code hosts know."""
_FINGERPRINT = "pegboard/v1"


def sarif(problems: Sequence["Problem"], explained: Mapping[str, "Explanation"]) -> dict[str, Json]:
    """Return one run with `problems`; paths are relative to the repository, or else to the working folder."""
    root = repository(Path.cwd())
    codes = sorted({problem.code for problem in problems})
    prints = _fingerprints(problems, root)
    results: list[Json] = [
        _result(problem, codes.index(problem.code), print_, root)
        for problem, print_ in zip(problems, prints, strict=True)
    ]
    rules: list[Json] = [_rule(code, problems, explained.get(code)) for code in codes]
    driver: dict[str, Json] = {"name": "pegboard", "semanticVersion": __version__, "rules": rules}
    run: dict[str, Json] = {
        "tool": {"driver": driver},
        "columnKind": "utf16CodeUnits",
        "originalUriBaseIds": {_ROOT: {"uri": f"{root.as_uri().rstrip('/')}/"}},
        "results": results,
    }
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(code: str, problems: Sequence["Problem"], explained: "Explanation | None") -> Json:
    kind = next(problem.kind for problem in problems if problem.code == code)
    rule: dict[str, Json] = {
        "id": code,
        "shortDescription": {"text": _sentence(kind.title)},
        "defaultConfiguration": {"level": kind.own},
    }
    if explained is not None:
        rule["fullDescription"] = {"text": explained.why}
        rule["help"] = {"text": f"{explained.why}\n\n{explained.do}", "markdown": explained.to_markdown()}
    return rule


def _sentence(title: str) -> str:
    return f"{title[0].upper()}{title[1:]}."


def _result(problem: "Problem", rule: int, fingerprint: str, root: Path) -> Json:
    quotes = problem.quotes or ((),) * (1 + len(problem.also))
    related: list[Json] = [
        {"id": number, **_location(span, quote, root), "message": {"text": problem.kind.also}}
        for number, (span, quote) in enumerate(zip(problem.also, quotes[1:], strict=True), start=1)
    ]
    result: dict[str, Json] = {
        "ruleId": problem.code,
        "ruleIndex": rule,
        "level": problem.severity,
        "message": {"text": _message(problem)},
        "locations": [_location(problem.span, quotes[0], root)],
        "partialFingerprints": {_FINGERPRINT: fingerprint},
    }
    return {**result, "relatedLocations": related} if related else result


def _message(problem: "Problem") -> str:
    """Return message and hint; what a viewer would take for a link is kept from being one."""
    return " ".join(sentence(text) for text in (problem.message, problem.hint) if text).replace("](", "] (")


def _location(span: "Span", quote: "Quote", root: Path) -> dict[str, Json]:
    if not is_in_a_file(span):
        return {"logicalLocations": [{"name": span.file, "kind": "setting"}]}
    return {"physicalLocation": {"artifactLocation": _artifact(span.file, root), "region": _region(span, quote)}}


def _artifact(file: str, root: Path) -> Json:
    path = relative(file, root)
    if path is None:
        return {"uri": (Path.cwd() / file).as_uri()}
    return {"uri": _percent_encoded(path), "uriBaseId": _ROOT}


def _percent_encoded(path: str) -> str:
    from urllib.parse import quote

    return quote(path)


def _region(span: "Span", quote: "Quote") -> Json:
    region: dict[str, Json] = {"startLine": span.line, "startColumn": utf16_column(span.column, span.line, quote)}
    if not span.end_line:
        return region
    end = utf16_column(span.end_column, span.end_line, quote)
    return {**region, "endLine": span.end_line, "endColumn": end}


def _fingerprints(problems: Sequence["Problem"], root: Path) -> list[str]:
    """Return what tells each problem from the others and stays as it is when its line moves.

    It is made of the code, the file and the text of the line, and the number among problems that are alike in these.
    """
    seen = Counter[str]()
    found: list[str] = []
    for problem in problems:
        line = problem.quotes[0][0][1] if problem.quotes and problem.quotes[0] else problem.message
        digest = _digest(problem.code, relative(problem.span.file, root) or problem.span.file, line)
        seen[digest] += 1
        found.append(f"{digest}:{seen[digest]}")
    return found


@lru_cache(maxsize=64)
def _digest(code: str, file: str, line: str) -> str:
    """Return a short digest; many problems may stand in one long line."""
    text = "\n".join((code, file, " ".join(line.split())))
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]
