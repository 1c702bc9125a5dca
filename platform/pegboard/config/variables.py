"""Environment variables in the values of documents: `${VAR}`, `${VAR:-default}`, `${VAR:?message}`, `$${`.

They are put into values that were parsed already, so that no variable can change the shape of a document. The
server's own variables are never given out.
"""

import re
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple

from pegboard.plan.references import is_reference

_PLACE = re.compile(r"\$\$\{|\$\{([^}]*)(\}?)")
_VARIABLE = re.compile(r"([A-Z_][A-Z0-9_]*)(?::([-?])(.*))?", re.DOTALL)
_SERVERS_OWN = re.compile(
    "(?:PEGBOARD|OPENAI|ANTHROPIC|HF|AWS|AZURE|GOOGLE|GCP|GCLOUD|CLOUDSDK|OCI|DIGITALOCEAN|ALIBABA_CLOUD|ALICLOUD"
    "|TENCENTCLOUD|HUAWEICLOUD|VAULT|KUBERNETES|GITHUB|GITLAB|SSH|LD)_.*|PYTHON.*"
)
"""The server's own variables, and those that hold credentials of clouds, models and build machines."""


_MOST_CHARACTERS = 4 << 20
"""Characters that variables may put into all documents together."""
_MOST_FAULTS = 20
"""Faults of one text; the rest of it is left as it is."""


class Fault(NamedTuple):
    """Why a variable cannot be put in."""

    code: str
    message: str
    hint: str


def is_the_servers(name: str) -> bool:
    """Tell whether a variable is the server's own, which no document may read."""
    return _SERVERS_OWN.fullmatch(name) is not None


def _of_both(fault: Fault) -> Fault:
    """Return the fault of a text that takes references too: what is no variable is neither."""
    if fault.code != "PB305":
        return fault
    hint = "A variable is ${NAME}, in capitals; a reference is ${inputs.name} or ${node.path}; $${ stands for ${."
    return Fault(fault.code, f"{fault.message.removesuffix('is no variable')}is neither variable nor reference", hint)


class Variables:
    """What documents may read of the environment."""

    def __init__(self, environ: Mapping[str, str], allow: Sequence[str]) -> None:
        self._environ = environ
        self._allow = tuple(allow)
        self._left = _MOST_CHARACTERS

    def fill(self, text: str, *, takes_references: bool = False) -> tuple[str, list[Fault]]:
        """Return `text` with its variables put in, and what could not be, which stays as it is written.

        Where a text `takes_references`, these stay, as does `$${`; what a variable holds is never one.
        """
        faults: list[Fault] = []

        def put(match: re.Match[str]) -> str:
            if match[0] == "$${":
                return "$${" if takes_references else "${"
            if takes_references and is_reference(match[0]):
                return match[0]
            if len(faults) >= _MOST_FAULTS:
                return match[0]
            value = self._value(match[1], is_closed=bool(match[2]))
            if isinstance(value, Fault):
                faults.append(_of_both(value) if takes_references else value)
                return match[0]
            return value.replace("${", "$${") if takes_references else value

        return _PLACE.sub(put, text), list(dict.fromkeys(faults))

    def _value(self, inside: str, *, is_closed: bool) -> str | Fault:
        match = _VARIABLE.fullmatch(inside)
        if match is None or not is_closed:
            shown = f"${{{inside[:40]}" + ("}" if is_closed else "")
            hint = "Write $${ for the characters themselves; a variable is ${NAME}, in capitals."
            return Fault("PB305", f"{shown!r} is no variable", hint)
        name, operator, rest = match.groups()
        if _SERVERS_OWN.fullmatch(name):
            message = f"{name} is the server's own variable, which no document may read"
            return Fault("PB105", message, "Set the value under a name of its own, and write that name here.")
        if not any(fnmatchcase(name, pattern) for pattern in self._allow):
            allowed = ", ".join(self._allow) or "none"
            return Fault(
                "PB105",
                f"the variable {name} may not be read by documents",
                f"The setting env_allow allows: {allowed}.",
            )
        if value := self._environ.get(name, ""):
            return self._bounded(name, value)
        if operator == "-":
            return str(rest)
        if operator is None and name in self._environ:
            return ""
        message = f"the variable {name} is not set" + (f": {rest}" if rest else "")
        return Fault("PB105", message, f"Set it, or give a default: ${{{name}:-…}}.")

    def _bounded(self, name: str, value: str) -> str | Fault:
        """Return `value`, unless all that was put in would become too long with it."""
        self._left -= len(value)
        if self._left >= 0:
            return value
        message = f"with {name}, variables give more than {_MOST_CHARACTERS} characters"
        return Fault("PB105", message, "Use it in fewer places.")
