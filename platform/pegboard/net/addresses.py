"""What kind of network an IP address belongs to, by IANA's special-purpose registries (RFC 6890 and its updates).

An IPv6 address may carry an IPv4 one inside, in several ways: it is judged by what it leads to. Pure; who may reach
which kind is `policy`'s business.
"""

import ipaddress
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from typing import TypeAlias

Address: TypeAlias = IPv4Address | IPv6Address
Network: TypeAlias = IPv4Network | IPv6Network

PUBLIC = "public"
LOOPBACK = "loopback"
PRIVATE = "private"

_V4 = tuple(
    (IPv4Network(network), kind)
    for network, kind in (
        ("0.0.0.0/8", "unspecified"),
        ("10.0.0.0/8", PRIVATE),
        ("100.64.0.0/10", "carrier-grade NAT"),
        ("127.0.0.0/8", LOOPBACK),
        ("168.63.129.16/32", "a cloud's own service"),
        ("169.254.0.0/16", "link-local"),
        ("172.16.0.0/12", PRIVATE),
        ("192.0.0.0/24", "protocol assignments"),
        ("192.0.2.0/24", "documentation"),
        ("192.88.99.0/24", "6to4 relay"),
        ("192.168.0.0/16", PRIVATE),
        ("198.18.0.0/15", "benchmarking"),
        ("198.51.100.0/24", "documentation"),
        ("203.0.113.0/24", "documentation"),
        ("224.0.0.0/4", "multicast"),
        ("240.0.0.0/4", "reserved"),
    )
)
_V6 = tuple(
    (IPv6Network(network), kind)
    for network, kind in (
        ("::/128", "unspecified"),
        ("::1/128", LOOPBACK),
        ("::/96", "IPv4-compatible"),
        ("64:ff9b:1::/48", "local NAT64"),
        ("100::/64", "discarded"),
        ("2001::/32", "Teredo"),
        ("2001::/23", "protocol assignments"),
        ("2001:db8::/32", "documentation"),
        ("2002::/16", "6to4"),
        ("3fff::/20", "documentation"),
        ("fc00::/7", PRIVATE),
        ("fe80::/10", "link-local"),
        ("fec0::/10", "site-local"),
        ("ff00::/8", "multicast"),
    )
)
_GLOBAL_UNICAST = IPv6Network("2000::/3")
_NAT64 = IPv6Network("64:ff9b::/96")
_ISATAP = 0x0000_5EFE
"""The middle of an ISATAP interface identifier, whose bit for "universal" may be set (RFC 5214)."""


def kind_of(address: Address) -> str:
    """Return `public`, or the name of the kind of network that `address` belongs to or leads to."""
    inner = carried(address)
    if isinstance(inner, IPv4Address):
        return next((kind for network, kind in _V4 if inner in network), PUBLIC)
    if (inner.packed[8] & 0xFD, inner.packed[9:12]) == (0, _ISATAP.to_bytes(4, "big")[1:]):
        return "ISATAP"
    kind = next((kind for network, kind in _V6 if inner in network), "")
    return kind or (PUBLIC if inner in _GLOBAL_UNICAST else "reserved")


def carried(address: Address) -> Address:
    """Return the IPv4 address that a mapped or NAT64 one stands for; any other as it is."""
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return address.ipv4_mapped
        if address in _NAT64:
            return IPv4Address(address.packed[12:])
    return address


def literal(host: str) -> Address | None:
    """Return the address that `host` is, in its one plain spelling; None for a name."""
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None
