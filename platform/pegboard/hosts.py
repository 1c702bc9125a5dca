"""Names of hosts, patterns of them (`*.example.org`), and which of many patterns stands for a host.

The one rule for domains of sites and for `allowed_hosts`. Not here: the Host header (`edges/web/guard`).
"""

import ipaddress
import re
from collections.abc import Iterable
from urllib.parse import urlsplit

LONGEST = 253
"""Characters of a host name (RFC 1035)."""

_LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
_PLAIN = re.compile(rf"(?:\*\.)?(?:{_LABEL.pattern}\.)*[a-z]{{2,63}}")
"""What most domains are."""
_MOST_READ = 4 * LONGEST
"""A longer text is no host, whatever its spelling."""


class HostPatterns:
    """Patterns, each with who owns it; looking one up costs the same however many there are.

    A pattern is a host, `*.` before one (all below it, however deep, itself not), or `*` alone.
    """

    def __init__(self, owned: Iterable[tuple[str, str]]) -> None:
        """Take pairs of pattern and owner; of one pattern the first owner counts."""
        self._exact: dict[str, str] = {}
        self._below: dict[str, str] = {}
        for pattern, owner in owned:
            wanted = canonical(pattern)
            if wanted.startswith("*."):
                self._below.setdefault(wanted[2:], owner)
            else:
                self._exact.setdefault(wanted, owner)

    def owner(self, host: str) -> str | None:
        """Return who owns `host` (without port): an exact pattern beats a wildcard, a longer one a shorter."""
        name = host.lower().removesuffix(".")
        if (owner := self._exact.get(name)) is not None:
            return owner
        if len(name) > LONGEST:
            return self._exact.get("*")
        head, dot, rest = name.partition(".")
        while dot and head:
            if (owner := self._below.get(rest)) is not None:
                return owner
            head, dot, rest = rest.partition(".")
        return self._exact.get("*")


def canonical(pattern: str) -> str:
    """Return the one spelling of a host or pattern: small letters, punycode, no dot at the end, short IPv6.

    What is no host is returned in small letters.
    """
    name = pattern.lower().removesuffix(".")
    if name.isascii() or len(name) > _MOST_READ:
        return _address(name) or name
    wildcard = "*." if name.startswith("*.") else ""
    try:
        return wildcard + _punycode(name.removeprefix("*."))
    except ValueError:
        return name


def wrong_in(domain: str) -> tuple[str, str] | None:
    """Say what keeps `domain` from being a host or `*.` before one, and what to do; None when it is one."""
    if len(domain) <= LONGEST and "xn--" not in domain and _PLAIN.fullmatch(domain):
        return None
    if len(domain) > _MOST_READ:
        return f"has more than {LONGEST} characters", ""
    if domain == "*":
        return "stands for every host", "Mark the site with `default: true` to have it asked when no domain fits."
    if _address(domain):
        return None
    if message := _wrong_form(domain):
        return message, _meant(domain)
    return _wrong_name(domain.removeprefix("*."))


def _wrong_form(domain: str) -> str:
    """Say what else an address of a page holds besides the host; empty when nothing."""
    for fits, message in (
        (not re.search(r"\s", domain), "holds blank space"),
        ("://" not in domain, "has a scheme"),
        (not re.search(r"[/?#\\]", domain), "has a path"),
        ("@" not in domain, "has a user"),
        (":" not in domain, "has a port"),
        ("*" not in domain.removeprefix("*."), "has a `*` that is not the whole first label"),
    ):
        if not fits:
            return message
    return ""


def _wrong_name(name: str) -> tuple[str, str] | None:
    try:
        encoded = _checked(name.removesuffix("."))
    except ValueError as error:
        return f"is no host name: {error}", "Write a name such as shop.example."
    if len(encoded) > LONGEST:
        return f"has more than {LONGEST} characters", ""
    for label in encoded.split("."):
        if not _LABEL.fullmatch(label):
            message = f"has the label {label!r}" if label else "has an empty label"
            return message, "Between dots stand 1 to 63 letters, digits and `-`, which is neither first nor last."
    return None


def _checked(name: str) -> str:
    """Return `name` in punycode; labels that are written so are tried as well."""
    lowered = name.lower()
    if lowered.isascii() and "xn--" not in lowered:
        return lowered
    return _punycode(lowered)


def _punycode(name: str) -> str:
    """Encode as browsers do (UTS 46).

    Raises:
        ValueError: no domain can be that.
    """
    import idna  # noqa: PLC0415 (10 ms of tables that hardly any configuration needs)

    return idna.encode(name, uts46=True).decode("ascii")


def _address(name: str) -> str:
    """Return the one spelling of an IP address; empty for what is none."""
    if ":" not in name and not name[-1:].isdigit():
        return ""
    try:
        return ipaddress.ip_address(name).compressed
    except ValueError:
        return ""


def _meant(domain: str) -> str:
    """Say which host the address of a page was meant to be, where that can be told."""
    text = domain.strip()
    try:
        host = urlsplit(text if "://" in text else f"//{text}").hostname or ""
    except ValueError:
        return ""
    if not host or _wrong_form(host) or _wrong_name(host):
        return "Write the host alone, such as shop.example or *.shop.example."
    return f"Did you mean {host!r}?"
