"""`Request` and `Response`: what is sent to a service and what comes back, whole."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Request:
    """What is sent."""

    method: str
    url: str
    """Absolute, everything in it encoded."""
    headers: tuple[tuple[str, str], ...] = ()
    """In order; a name may occur several times."""
    body: bytes | None = None
    secrets: tuple[str, ...] = field(default=(), repr=False)
    """Texts in it that nobody is shown."""
    is_foreign: bool = False
    """Its host was named by an argument or a reply, not by a declaration: it has to be a public one."""


@dataclass(frozen=True, slots=True)
class Response:
    """What came back."""

    status: int
    headers: tuple[tuple[str, str], ...]
    """Names in lower case, in order."""
    body: bytes
    """Decompressed."""
    url: str = ""
    """Where it came from, after redirects."""
    is_cut_off: bool = False
    """It was longer than wanted, and the rest was not read."""

    def header(self, name: str) -> str:
        """Return the first header of that name, in lower case; empty where there is none."""
        return next((value for key, value in self.headers if key == name), "")
