"""From the declared arguments of a program to those of one call: a value never becomes an option, nor another file.

A pure function of the declaration and the arguments, but for the look at the files that are named.
"""

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pegboard.catalog.kind import Misfit, Schema
from pegboard.config.blocks.command import CommandDeclaration
from pegboard.errors import CallRefused
from pegboard.text import Json, did_you_mean, to_json

ARGUMENT = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)\}")
_MOST_BYTES = 100_000
"""Of one item; Linux takes 131,072."""
_MOST_ITEMS = 1000


@dataclass(frozen=True, slots=True)
class Arguments:
    """What stands behind the program."""

    items: tuple[str, ...]
    options_end: bool
    folders: Mapping[str, Path]
    """The folder that a file lies in, by the argument that names it."""
    runs_in: Path | None = None
    """The declared folder of the program: files below it are named from there, so that no output tells where it is."""

    @property
    def names(self) -> tuple[str, ...]:
        """The arguments that stand in an item, in their order."""
        return tuple(dict.fromkeys(name for item in self.items for name in ARGUMENT.findall(item)))

    def filled(self, arguments: Mapping[str, Json]) -> list[str]:
        """Return the items for `arguments`; one whose argument is not given is left out.

        Raises:
            CallRefused: a value may not stand where it does.
        """
        filled: list[str] = []
        for at, item in enumerate(self.items):
            may_begin_with_dash = self.options_end and "--" in self.items[:at]
            for each in self._item(item, arguments):
                if ARGUMENT.match(item) and each.startswith("-") and not may_begin_with_dash:
                    name = ARGUMENT.findall(item)[0]
                    raise CallRefused(f"The argument {name!r} begins with '-', and would be read as an option.")
                _check(each, item)
                filled.append(each)
        if len(filled) > _MOST_ITEMS:
            raise CallRefused(
                f"The program would get {len(filled):,} arguments; at most {_MOST_ITEMS:,} are passed on."
            )
        return filled

    def _item(self, item: str, arguments: Mapping[str, Json]) -> list[str]:
        names = ARGUMENT.findall(item)
        if any(arguments.get(name) is None for name in names):
            return []
        given = arguments[names[0]] if names else None
        if isinstance(given, list) and item == f"{{{names[0]}}}":
            return [self._said(names[0], each) for each in given]
        return [ARGUMENT.sub(lambda match: self._said(match[1], arguments[match[1]]), item)]

    def _said(self, name: str, value: Json) -> str:
        if name in self.folders:
            file = _file(name, value, self.folders[name])
            below = self.runs_in is not None and file.is_relative_to(os.path.realpath(self.runs_in))
            return f"./{file.relative_to(os.path.realpath(str(self.runs_in)))}" if below else str(file)
        if isinstance(value, dict | list):
            raise CallRefused(f"The argument {name!r} is no single value, and cannot stand in a program's arguments.")
        return said(value)


def said(value: Json) -> str:
    """Return a value as a program reads it."""
    return value if isinstance(value, str) else "" if value is None else to_json(value)


def _check(item: str, declared: str) -> None:
    try:
        size = len(item.encode())
    except UnicodeError:
        raise CallRefused(f"A value for {declared!r} is no text that a program can be given.") from None
    if "\x00" in item:
        raise CallRefused(f"A value for {declared!r} has a NUL character.")
    if size > _MOST_BYTES:
        raise CallRefused(f"A value for {declared!r} has {size:,} bytes; at most {_MOST_BYTES:,} are passed on.")


def _file(name: str, value: Json, folder: Path) -> Path:
    """Return the file that `value` names, which is there and lies below `folder`, links followed."""
    top = os.path.realpath(folder)
    refused = CallRefused(f"The argument {name!r} names no file of the folder that the tool reads.")
    if not isinstance(value, str) or not value or "\x00" in value:
        raise refused
    try:
        real = os.path.realpath(os.path.join(top, value))  # noqa: PTH118
    except (OSError, ValueError):
        raise refused from None
    if not real.startswith(f"{top.rstrip(os.sep)}{os.sep}") or not os.path.isfile(real):  # noqa: PTH113
        raise refused
    return Path(real)


def misfits(block: CommandDeclaration, declared: Schema | None) -> list[Misfit]:
    """Return all that is wrong with the arguments of a block."""
    items = block.argv[1:]
    found: list[Misfit] = []
    if ARGUMENT.search(block.argv[0]):
        found.append(Misfit(("argv", 0), "lets an argument choose the program", "Name the program."))
    if block.options_end and "--" not in items:
        found.append(
            Misfit(("options_end",), "says that its options end at `--`, and has no `--`", "Add it to `argv`.")
        )
    for at, item in enumerate(items, start=1):
        match = ARGUMENT.search(item)
        if match and match.start() and not item[: match.start()].strip("-/+@"):
            hint = "Write the whole name of the option before it: --name={value}."
            found.append(Misfit(("argv", at), f"lets the argument {match[1]!r} choose an option", hint))
    return found + _unknown(block, declared)


def _unknown(block: CommandDeclaration, declared: Schema | None) -> list[Misfit]:
    in_argv = {name: ("argv", at) for at, item in enumerate(block.argv) for name in ARGUMENT.findall(item)}
    used: dict[str, tuple[str | int, ...]] = {**dict.fromkeys(ARGUMENT.findall(block.stdin), ("stdin",)), **in_argv}
    found = [
        Misfit(
            ("files", at, "argument"),
            f"names a file by {file.argument!r}, which is not in `argv`",
            _near(file.argument, used),
        )
        for at, file in enumerate(block.files)
        if file.argument not in in_argv
    ]
    properties = declared.get("properties") if declared else None
    if not isinstance(properties, Mapping):
        return found
    for name, place in used.items():
        if name not in properties:
            hint = did_you_mean(name, properties) or f"Declare {name!r} under `parameters`."
            found.append(Misfit(place, f"passes {{{name}}} on, which its parameters do not have", hint))
    for name in properties:
        if name not in used:
            hint = f"Write {{{name}}} into `argv` or `stdin`, or leave the argument out."
            found.append(Misfit(("argv",), f"has the argument {name!r}, which its program does not get", hint))
    return found


def _near(name: str, names: Mapping[str, object] | Sequence[str]) -> str:
    return did_you_mean(name, list(names)) or f"Write {{{name}}} into `argv`."
