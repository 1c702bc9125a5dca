"""A file of questions with the tool that each wants, one JSON object a line. Pure."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from pegboard.catalog.tool import Toolset
from pegboard.errors import PegboardError, UsageError
from pegboard.route.evaluation import Case
from pegboard.text import Json, clipped

SiteOf = Callable[[str | None], Toolset]
"""Returns the site of that name; of None the one that is asked by default."""


@dataclass(frozen=True, slots=True)
class Questions:
    """What a file holds."""

    cases: tuple[Case, ...]
    faults: tuple[tuple[int, str], ...]
    """Each line that cannot be used, from 1, with what is wrong with it."""


def read_questions(data: bytes, site_of: SiteOf, longest: int) -> Questions:
    """Read rows of `question` (or `query`), `site` and `expect`; what else they hold is of no interest here.

    `expect` is the name of a tool of the site, or null: no tool should be good enough. A row without `site` is for
    the default one, and `longest` is how many characters a question may have. Empty lines are passed over.
    """
    cases: list[Case] = []
    faults: list[tuple[int, str]] = []
    for number, line in enumerate(data.removeprefix(b"\xef\xbb\xbf").split(b"\n"), start=1):
        if line.strip():
            try:
                cases.append(_case(_row(line), site_of, longest))
            except PegboardError as error:
                faults.append((number, str(error)))
    return Questions(tuple(cases), tuple(faults))


def _row(line: bytes) -> Mapping[str, Json]:
    try:
        row = json.loads(line.decode())
    except UnicodeDecodeError as error:
        raise UsageError(f"It is not UTF-8 (byte {error.start + 1}).") from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"It is no JSON: {clipped(str(error), 80)}.") from error
    if not isinstance(row, dict):
        raise UsageError("It is no JSON object.", hint='Write {"question": "…", "site": "…", "expect": "…"}.')
    return row


def _case(row: Mapping[str, Json], site_of: SiteOf, longest: int) -> Case:
    question, site, expect = row.get("question", row.get("query")), row.get("site"), row.get("expect")
    if not isinstance(question, str) or not question.strip():
        raise UsageError("`question` is missing, or no text.")
    if len(question.strip()) > longest:
        raise UsageError(f"The question has {len(question.strip()):,} characters; {longest:,} are allowed.")
    if not isinstance(site, str | None):
        raise UsageError("`site` is no text.")
    if "expect" not in row or not isinstance(expect, str | None):
        raise UsageError("`expect` is missing, or neither the name of a tool nor null.")
    toolset = site_of(site)
    return Case(question.strip(), toolset.site, None if expect is None else toolset.tool(expect).name)
