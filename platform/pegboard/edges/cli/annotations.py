"""Problems as GitHub's workflow commands: `platform check --format github` annotates a pull request's lines."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pegboard.edges.cli.place import is_in_a_file, relative, repository

if TYPE_CHECKING:
    from pegboard.app import Problem


def annotations(problems: Sequence["Problem"]) -> Iterator[str]:
    """Yield a workflow command for each problem; paths are relative to the repository."""
    root = repository(Path.cwd())
    for problem in problems:
        places = {**_places(problem, root), "title": f"{problem.code} {problem.kind.title}"}
        properties = ",".join(f"{name}={_property(str(value))}" for name, value in places.items())
        yield f"::{problem.severity} {properties}::{_data(_text(problem))}"


def _text(problem: "Problem") -> str:
    lines = [problem.message, problem.hint, *(f"{span}: {problem.kind.also}" for span in problem.also)]
    place = [] if is_in_a_file(problem.span) else [problem.span.file]
    return "\n".join([*place, *filter(None, lines)])


def _places(problem: "Problem", root: Path) -> dict[str, str | int]:
    """Return the place; the end of its columns is read only in the same line."""
    span = problem.span
    if not is_in_a_file(span):
        return {}
    places: dict[str, str | int] = {"file": relative(span.file, root) or span.file, "line": span.line}
    if span.end_line > span.line:
        return {**places, "endLine": span.end_line}
    places["col"] = span.column
    return {**places, "endColumn": span.end_column} if span.end_line else places


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
