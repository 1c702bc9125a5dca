"""`Target`: where a URL leads, read strictly; whatever two readers could understand differently is refused.

Pure: no name is looked up here.
"""

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from pegboard.hosts import canonical, wrong_in
from pegboard.net.addresses import literal

LONGEST = 16 << 10
"""Characters of a URL."""
_PORTS = {"http": 80, "https": 443}
_NUMERIC = re.compile(r"[0-9]+|0x[0-9a-f]*")
"""A last label that makes a resolver read the whole as an IPv4 address, in octal, in hexadecimal or shortened."""
_PRINTABLE = re.compile(r"[\x21-\x7e]*")


@dataclass(frozen=True, slots=True)
class Target:
    """Scheme, host, port and what is asked for there."""

    scheme: str
    host: str
    """In small letters and punycode; an IPv6 address without brackets."""
    port: int
    path: str
    """Path and query as they are sent."""

    @property
    def origin(self) -> tuple[str, str, int]:
        """What two addresses of one service share."""
        return self.scheme, self.host, self.port

    @property
    def authority(self) -> str:
        """Host and port as the header `Host` has them."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORTS[self.scheme] else f"{host}:{self.port}"


def target_of(url: str) -> Target:
    """Read an absolute URL; its path and query are encoded already, its host may be in any script.

    Raises:
        ValueError: it is none that may be asked; with a clause that says why, and holds nothing of the URL.
    """
    if len(url) > LONGEST:
        raise ValueError(f"it has more than {LONGEST} characters")
    scheme, separator, rest = url.partition("://")
    scheme = scheme.lower()
    if not separator or scheme not in _PORTS:
        raise ValueError("it does not begin with http:// or https://")
    try:
        parts = urlsplit(f"{scheme}://{rest}")
        port = parts.port
    except ValueError as error:
        raise ValueError("its host or port cannot be read") from error
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    if not _PRINTABLE.fullmatch(path) or "\\" in rest or re.search(r"[\s\x00-\x1f\x7f]", rest):
        raise ValueError("it holds characters that are not encoded")
    if "@" in parts.netloc:
        raise ValueError("it names a user")
    if port == 0:
        raise ValueError("its port is 0")
    return Target(scheme, _host(parts.netloc), port or _PORTS[scheme], path)


def _host(netloc: str) -> str:
    """Return the one spelling of the host in `netloc`.

    Raises:
        ValueError: it is no plain host name or address.
    """
    if netloc.startswith("["):
        inside, bracket, _ = netloc[1:].partition("]")
        if not bracket or "%" in inside or literal(inside) is None:
            raise ValueError("its host is no plain IPv6 address")
        return str(literal(inside))
    host = canonical(netloc.partition(":")[0])
    if not host or not host.isascii() or "%" in host:
        raise ValueError("its host is no host name")
    if _NUMERIC.fullmatch(host.rpartition(".")[2]) and literal(host) is None:
        raise ValueError("its host is an IPv4 address in disguise")
    if literal(host) is None and (wrong := wrong_in(host)) is not None:
        raise ValueError(f"its host {wrong[0]}")
    return host
