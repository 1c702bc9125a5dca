"""Which operations of a document are tools."""

from collections.abc import Iterator
from fnmatch import fnmatchcase

from pegboard.catalog.kind import About, Misdeclared, Misfit, Offered
from pegboard.config.blocks.openapi import OpenapiSourceDeclaration
from pegboard.handlers.openapi.address import address_of
from pegboard.handlers.openapi.api import Api, Operation
from pegboard.handlers.openapi.naming import LONGEST, tool_name
from pegboard.handlers.openapi.store import loaded, source_of
from pegboard.text import did_you_mean

_MAGIC = frozenset("*?[")
_LONGEST_TAG = 64


def offered(about: About) -> list[Offered]:
    """Return the tools of a source.

    Raises:
        Misdeclared: the document cannot be had, or something is chosen that it does not hold.
    """
    assert about.source is not None
    declared, api = source_of(about), loaded(about).api
    check(declared, api)
    if misfits := address_of(declared.base_url, api.server).misfits:
        raise Misdeclared(*misfits)
    names = _names(api, LONGEST - len(about.source.prefix))
    return [
        Offered(
            names[each.id],
            each.description,
            {"source": about.name, "operation": each.id},
            tuple(tag for tag in each.tags if len(tag) <= _LONGEST_TAG),
        )
        for each in chosen(declared, api)
    ]


def check(declared: OpenapiSourceDeclaration, api: Api) -> None:
    """Look whether a source chooses only what its document holds.

    Raises:
        Misdeclared: it does not.
    """
    if wrong := [*_wrong(declared, api)]:
        raise Misdeclared(*wrong)


def chosen(declared: OpenapiSourceDeclaration, api: Api) -> list[Operation]:
    """Return the operations that a source takes of its document, in the order of that."""
    return [each for each in api.operations.values() if _is_chosen(each, declared)]


def _is_chosen(operation: Operation, declared: OpenapiSourceDeclaration) -> bool:
    if declared.tags and not set(declared.tags) & set(operation.tags):
        return False
    if any(_fits(operation, pattern) for pattern in declared.exclude):
        return False
    by_name = any(pattern in _keys(operation) for pattern in declared.operations)
    if operation.deprecated and not by_name:
        return False
    return by_name or not declared.operations or any(_fits(operation, pattern) for pattern in declared.operations)


def _keys(operation: Operation) -> tuple[str, ...]:
    return operation.id, operation.name, operation.place


def _fits(operation: Operation, pattern: str) -> bool:
    return any(key == pattern or fnmatchcase(key, pattern) for key in _keys(operation))


def _wrong(declared: OpenapiSourceDeclaration, api: Api) -> Iterator[Misfit]:
    operations = list(api.operations.values())
    for field, patterns in (("operations", declared.operations), ("exclude", declared.exclude)):
        for index, pattern in enumerate(patterns):
            if not any(_fits(each, pattern) for each in operations):
                what = "chooses" if field == "operations" else "excludes"
                hint = did_you_mean(pattern, api.operations, noun="operations")
                message = f"{what} {pattern!r}, and no operation of its document is called so"
                yield Misfit((field, index), message, hint)
    tags = {tag for each in operations for tag in each.tags}
    for index, tag in enumerate(declared.tags):
        if tag not in tags:
            message = f"chooses the tag {tag!r}, which no operation of its document has"
            yield Misfit(("tags", index), message, did_you_mean(tag, sorted(tags), noun="tags"))
    for index, credential in enumerate(declared.security):
        if credential.scheme not in api.schemes:
            message = f"has a secret for {credential.scheme!r}, which is no security scheme of its document"
            hint = did_you_mean(credential.scheme, api.schemes, noun="schemes")
            yield Misfit(("security", index, "scheme"), message, hint)


def _names(api: Api, most: int) -> dict[str, str]:
    """Return the tools' names by the operations' ids, of at most `most` characters."""
    names: dict[str, str] = {}
    taken: set[str] = set()
    for each in api.operations.values():
        name = each.name if len(each.name) <= most else tool_name(each.id, each.place, taken, most=most)
        names[each.id] = name
        taken.add(name)
    return names
