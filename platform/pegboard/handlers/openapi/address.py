"""Where a service is: as its source declares, or as its document says."""

from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

from pegboard.catalog.kind import Misfit


@dataclass(frozen=True, slots=True)
class Address:
    """The address that the paths of a document lie below."""

    url: str = ""
    misfits: tuple[Misfit, ...] = ()
    """Why it cannot be known."""


def address_of(declared: str, server: str) -> Address:
    """Return the address: what is `declared`, else the document's own `server`."""
    url = declared.strip() or server
    if is_absolute(url):
        return Address(url)
    if declared:
        message = f"has the address {declared!r}, which is no http or https URL"
        return Address(misfits=(Misfit(("base_url",), message, "Write it whole: https://api.shop.example/v1."),))
    found = f"only {server!r}" if server else "no address"
    message = f"does not say where the service is: its document has {found}"
    return Address(misfits=(Misfit((), message, "Give it `base_url`: https://api.shop.example/v1."),))


def is_absolute(url: str) -> bool:
    """Tell whether `url` is one that requests can be sent to."""
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0 and "{" not in url
    except ValueError:
        return False


def joined(base: str, reference: str) -> str:
    """Return what `reference` is at `base`; as it stands where it can be read as no address."""
    try:
        return urljoin(base, reference)
    except ValueError:
        return reference


def same_origin(one: str, other: str) -> bool:
    """Tell whether two addresses are of one service: scheme, host and port."""
    return _origin(one) == _origin(other)


def _origin(url: str) -> tuple[str, str, int | None]:
    parts = urlsplit(url)
    port = parts.port or {"http": 80, "https": 443}.get(parts.scheme)
    return parts.scheme, (parts.hostname or "").casefold(), port
