"""`Policy`: which addresses may be asked. One object for every request that a tool makes.

- Public addresses are reached, by http and https.
- What the operator allows by the setting `allow_networks` is reached.
- A declaration that itself spells a loopback or private address, or `localhost`, is taken at its word: nobody but its
  author has chosen it. A *name* that leads to such an address is not: whoever answers for the name would choose.
- Nothing else is reached: no link-local address, where clouds hand out credentials, unless the operator allows it.

An address that an argument or a reply has named (a foreign one) has to be public or allowed, and its port 80 or 443.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from pegboard.config.server.settings import Settings
from pegboard.net.addresses import LOOPBACK, PRIVATE, PUBLIC, Address, Network, carried, kind_of, literal

_FOREIGN_PORTS = (80, 443)
_LOCAL = "localhost"


@dataclass(frozen=True, slots=True)
class Policy:
    """Which addresses may be asked."""

    networks: tuple[Network, ...] = ()
    """Reached besides the public ones, at any port."""

    @classmethod
    def of(cls, settings: Settings) -> "Policy":
        """Return the policy of a server."""
        return cls(settings.allow_networks)

    def refusal(self, host: str, port: int, addresses: Sequence[Address], *, is_foreign: bool) -> str:
        """Say, for the operator, why `host` must not be asked, which leads to `addresses`; empty: it may be.

        One address that is refused is enough: the next look-up may give another order.
        """
        if not addresses:
            return "it leads to no address"
        return next((why for each in addresses if (why := self._refusal(host, port, each, is_foreign=is_foreign))), "")

    def _refusal(self, host: str, port: int, address: Address, *, is_foreign: bool) -> str:
        if any(each in network for each in (address, carried(address)) for network in self.networks):
            return ""
        kind = kind_of(address)
        if kind == PUBLIC:
            fits = not is_foreign or port in _FOREIGN_PORTS
            return "" if fits else f"its port {port} is none that an address of this kind may have"
        if not is_foreign and kind in _as_declared(host):
            return ""
        return f"it leads to {address} ({kind}), which the setting allow_networks does not hold"


def _as_declared(host: str) -> tuple[str, ...]:
    """Return the kinds of networks that a declared host itself says it is in."""
    if host == _LOCAL:
        return (LOOPBACK,)
    return (LOOPBACK, PRIVATE) if literal(host) is not None else ()
