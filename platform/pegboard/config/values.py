"""Turn nodes into plain values, led by the shape: variables, untyped text, unknown keys, traps of YAML 1.1.

What pydantic then finds wrong is `faults`' business; what was reported here is not reported again there.
"""

import re

from pegboard.config.credentials import names_secret
from pegboard.config.declarations import Document
from pegboard.config.problems import Dialect, Problems
from pegboard.config.secret.exposed import HINT as CLEAR_HINT
from pegboard.config.secret.files import PREFIX, SecretFiles
from pegboard.config.secret.value import Secret
from pegboard.config.shape import Free, Languages, Leaf, LeafKind, ListOf, MapOf, Record, Shape
from pegboard.config.syntax.node import Entry, List, Map, Node, Path, Scalar
from pegboard.config.syntax.yaml_scalars import notation_of
from pegboard.config.variables import Variables
from pegboard.text import TRUTHS, did_you_mean, nearest, spelled

WANTED: dict[LeafKind, str] = {
    "text": "text",
    "flag": "true or false",
    "number": "a number",
    "duration": "a duration such as 150ms or 5s",
    "size": "a size such as 512KiB or 2MiB",
    "secret": "text",
}
"""What a leaf takes, in words."""
_NUMBER = re.compile(r"[-+]?[0-9]{1,18}(?:\.[0-9]{1,30})?(?:[eE][-+]?[0-9]{1,3})?")
_OCTAL = re.compile("0o([0-7]{1,18})")
"""An octal number in YAML 1.2; YAML 1.1 reads a text."""
_DEFAULT = re.compile(r"\$\{[^}:]*:-(?!none\})[^}]")
"""A variable with a default that may be a secret: `none` stands for an endpoint that wants no key."""
_TEXT = Leaf("text")
_REFERRING = Leaf("text", takes_references=True)

NOT_SERVED_HINT = "Remove it, or use a version that serves it."


def not_served(key: str) -> str:
    """Say that a key belongs to a later version."""
    return f"`{key}` is not served by this version"


def is_own_key(key: str) -> bool:
    """Tell whether a key of a document is the author's own, or for editors: it is read over."""
    return key.startswith("x-") or key == "$schema"


class Values:
    """Reads the values of documents, and collects what is wrong with them."""

    def __init__(self, problems: Problems, variables: Variables, secrets: SecretFiles | None = None) -> None:
        self.problems = problems
        self.reported: set[int] = set()
        """Nodes (by `id`) whose value is known to be wrong."""
        self.may_be_clear: frozenset[int] = frozenset()
        """Nodes (by `id`) that are secret by their field, and are allowed to stand in the clear."""
        self._variables = variables
        self._secrets = secrets or SecretFiles(None)

    def read(self, node: Node, shape: Shape, path: Path = (), dialect: Dialect = "own") -> object:
        """Return the plain value of `node`; where it does not fit `shape` at all, as it is."""
        if isinstance(node, Scalar) and node.is_reported:
            self.reported.add(id(node))
        if isinstance(node, Map) and node.dialect != "own":
            dialect = node.dialect
        match shape, node:
            case Leaf(), Scalar():
                return self._leaf(node, shape, path, dialect)
            case Record(), Map():
                return self._record(node, shape, path, dialect)
            case ListOf(item=item), List():
                return [self.read(each, item, (*path, index), dialect) for index, each in enumerate(node.items)]
            case MapOf(value=value), Map():
                return self._entries(node, value, path, dialect)
            case Languages(), Map():
                return self._entries(node, ListOf(_TEXT), path, dialect)
            case Languages(), List():
                return self.read(node, ListOf(_TEXT), path, dialect)
            case _:
                if isinstance(shape, Leaf) and shape.kind == "secret":
                    node.source.hide(node.start, node.end)
                return self._free(node, path, dialect, _REFERRING if _refers(shape) else _TEXT)

    def _entries(self, node: Map, shape: Shape, path: Path, dialect: Dialect) -> dict[str, object]:
        return {key: self.read(entry.value, shape, (*path, key), dialect) for key, entry in node.entries.items()}

    def _record(self, node: Map, shape: Record, path: Path, dialect: Dialect) -> dict[str, object]:
        for key, entry in list(node.entries.items()):
            if key not in shape.keys and not (shape.model is Document and is_own_key(key)):
                self._unknown(key, entry, node, shape, path)
        return {
            key: self.read(entry.value, shape.keys[key], (*path, key), dialect)
            for key, entry in node.entries.items()
            if key in shape.keys
        }

    def _unknown(self, key: str, entry: Entry, node: Map, shape: Record, path: Path) -> None:
        """Report a key; one that is a slip of another then counts as that: no more is said than needed."""
        if entry.is_reported or id(entry) in self.reported:
            return
        self.reported.add(id(entry))
        if names_secret(key):
            entry.source.hide(entry.value.start, entry.value.end)
        if key in shape.later:
            self.problems.add("PB101", entry.span, not_served(key), hint=NOT_SERVED_HINT)
            return
        message = f"{spelled(path) or 'a document'} has no key {key!r}"
        self.problems.add("PB101", entry.span, message, hint=did_you_mean(key, shape.keys, noun="keys"))
        if (meant := nearest(key, shape.keys)) is not None:
            node.entries.setdefault(meant, entry)

    def _leaf(self, node: Scalar, leaf: Leaf, path: Path, dialect: Dialect) -> object:
        if leaf.kind == "secret":
            return self._secret(node, leaf, path, dialect)
        value, is_untyped = node.value, node.is_untyped
        if isinstance(value, str) and not node.is_ambiguous and "${" in value:
            value, is_untyped = self._fill(node, value, leaf, path, dialect), True
        if is_untyped and isinstance(value, str):
            return self._typed(node, value, leaf, path)
        if leaf.kind == "text":
            return self._text(node, leaf, path)
        if isinstance(value, str) and (hint := _meant(value, leaf)):
            self._wrong(node, "PB103", f"{spelled(path)} must be {WANTED[leaf.kind]}, found the text {value!r}", hint)
            return value
        if node.is_ambiguous and not _means_what_it_says(node, leaf):
            self._misread(node, WANTED[leaf.kind], path)
        return value

    def _secret(self, node: Scalar, leaf: Leaf, path: Path, dialect: Dialect) -> object:
        """Return the secret that `${VARIABLE}` or `file:NAME` stands for; one in the clear is taken, and reported."""
        if not isinstance(node.value, str) or node.is_ambiguous or not node.value.strip():
            node.source.hide(node.start, node.end)
            self._wrong(node, "PB103", f"{spelled(path)} must be text", "Write ${VARIABLE}, file:NAME, or quote it.")
            return ""
        if node.value.strip().startswith(PREFIX):
            return self._of_file(node, node.value.strip(), path)
        if "${" not in node.value or _DEFAULT.search(node.value):
            if id(node) not in self.may_be_clear and not node.source.hides(node.start, node.end):
                message = f"{spelled(path)} is a secret and stands here in the clear"
                self.problems.add("PB108", node.span, message, hint=CLEAR_HINT)
            node.source.hide(node.start, node.end)
        return Secret(self._fill(node, node.value, leaf, path, dialect) if "${" in node.value else node.value)

    def _of_file(self, node: Scalar, reference: str, path: Path) -> object:
        found, faults = self._secrets.read(reference)
        for fault in faults if id(node) not in self.reported else ():
            self.problems.add(fault.code, node.span, f"{spelled(path)}: {fault.message}", hint=fault.hint)
        if found is None:
            self.reported.add(id(node))
        return found or ""

    def _fill(self, node: Scalar, text: str, leaf: Leaf, path: Path, dialect: Dialect) -> str:
        if not leaf.takes_variables:
            hint = "Names, types and handlers are written out."
            self._wrong(node, "PB105", f"{spelled(path)} takes no variables", hint, dialect)
            return text
        filled, faults = self._variables.fill(text, takes_references=leaf.takes_references)
        for fault in faults if id(node) not in self.reported else ():
            self.problems.add(
                fault.code, node.span, f"{spelled(path)}: {fault.message}", hint=fault.hint, dialect=dialect
            )
        if any(fault.code == "PB105" for fault in faults):
            self.reported.add(id(node))
        return filled

    def _typed(self, node: Scalar, text: str, leaf: Leaf, path: Path) -> object:
        """Read text that has no type of its own as what is wanted."""
        stripped = text.strip()
        if leaf.kind == "flag":
            if (flag := TRUTHS.get(stripped.lower())) is not None:
                return flag
            hint = "Also read: 1 and 0, yes and no, on and off."
            self._wrong(node, "PB103", f"{spelled(path)} must be true or false, found {node.value!r}", hint)
        elif leaf.kind == "number":
            if _NUMBER.fullmatch(stripped):
                return float(stripped) if set(stripped) & set(".eE") else int(stripped)
            self._wrong(node, "PB103", f"{spelled(path)} must be a number, found {node.value!r}")
        return text

    def _text(self, node: Scalar, leaf: Leaf, path: Path) -> object:
        """Return a text; what is read as another thing is reported, unless it can only mean that text."""
        if isinstance(node.value, str) and not node.is_ambiguous:
            return node.value
        if node.written in leaf.choices:
            return node.written
        if node.value is None:
            message = f"{spelled(path)} must be text, found nothing"
            self._wrong(node, "PB103", message, 'Give it, remove the key, or write "" for an empty text.')
        else:
            self._misread(node, "text", path)
        return node.written or ""

    def _free(self, node: Node, path: Path, dialect: Dialect, leaf: Leaf) -> object:
        match node:
            case Map():
                return self._entries(node, Free(leaf.takes_references), path, dialect)
            case List():
                return [self._free(each, (*path, index), dialect, leaf) for index, each in enumerate(node.items)]
            case Scalar(value=value, is_ambiguous=True):
                self._misread(node, "", path)
                return value
            case Scalar(value=str(value)) if "${" in value:
                return self._fill(node, value, leaf, path, dialect)
            case Scalar(value=value):
                return value

    def _misread(self, node: Scalar, wanted: str, path: Path) -> None:
        read_as = "a date" if isinstance(node.value, str) else str(node.value).lower()
        if read_as == node.written:
            read_as = "a number" if not isinstance(node.value, bool) else f"the truth value {read_as}"
        notation = notation_of(node.written)
        read_as_what = f"{read_as}, a number {notation}," if notation else read_as
        must = f" must be {wanted}, but" if wanted else ":"
        message = f"{spelled(path)}{must} `{node.written}` is read as {read_as_what} here"
        if wanted == "text":
            self._wrong(node, "PB103", f"{message}: quote it", f'Write "{node.written}".')
        elif wanted in {WANTED["duration"], WANTED["size"]}:
            self._wrong(node, "PB103", message, "Write a number with its unit.")
        elif isinstance(node.value, str):
            self._wrong(node, "PB103", message, f'Write "{node.written}" for the text.')
        elif notation and wanted:
            plain = node.written.lstrip("+-0")
            other = f", or {plain} if that is meant" if plain.isdigit() else ""
            self._wrong(node, "PB103", message, f"Write {read_as}{other}.")
        else:
            self._wrong(node, "PB103", message, f'Write {read_as}, or "{node.written}" for the text.')

    def _wrong(self, node: Scalar, code: str, message: str, hint: str = "", dialect: Dialect = "own") -> None:
        if id(node) not in self.reported:
            self.reported.add(id(node))
            self.problems.add(code, node.span, message, hint=hint, dialect=dialect)


def _refers(shape: Shape) -> bool:
    return isinstance(shape, Free) and shape.takes_references


def _meant(text: str, leaf: Leaf) -> str:
    """Say how a truth value or number is written that stands there as a text; empty where it is none."""
    if leaf.kind == "flag" and (flag := {**TRUTHS, "y": True, "n": False}.get(text.strip().lower())) is not None:
        return f"Write {str(flag).lower()}."
    if leaf.kind == "number" and (octal := _OCTAL.fullmatch(text)):
        return f"Write {int(octal[1], 8)}."
    return f"Write {text}, without quotes." if leaf.kind == "number" and _NUMBER.fullmatch(text) else ""


def _means_what_it_says(node: Scalar, leaf: Leaf) -> bool:
    """Tell whether what YAML 1.1 and 1.2 read differently is clear where `leaf` is wanted: `no`, `1_000`."""
    if leaf.kind == "flag":
        return isinstance(node.value, bool)
    if leaf.kind == "number" and isinstance(node.value, int | float):
        return _NUMBER.fullmatch(node.written.replace("_", "")) is not None and not node.written.startswith("0")
    return False
