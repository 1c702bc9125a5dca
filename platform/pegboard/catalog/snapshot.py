"""`Catalog`: everything that one configuration serves, built whole and never changed."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pegboard.catalog.tool import Toolset
from pegboard.config.problems import Problem
from pegboard.errors import UnknownSite
from pegboard.hosts import HostPatterns
from pegboard.llm.profile import Profile
from pegboard.text import did_you_mean, folded, quoted


@dataclass(frozen=True, slots=True, eq=False)
class Catalog:
    """The toolsets of all sites."""

    sites: Mapping[str, Toolset]
    """By name, in the order of the documents."""
    knowledge: Mapping[str, tuple[Path, ...]]
    """Sources of each knowledge base, absolute; a source may be a folder, a file or a glob."""
    digest: str
    """Of the documents: the snapshot's id."""
    tools: int
    """Declared tools, the disabled ones too."""
    disabled: int
    """Declared tools that are switched off, or cannot work."""
    must_read: frozenset[str] = frozenset()
    """Knowledge without which nothing is served: `on_error: fail`."""
    written: frozenset[str] = frozenset()
    """Knowledge that documents become part of."""
    profiles: Mapping[str, Profile] = field(default_factory=dict)
    """Model profiles by name."""
    default_profile: str = ""
    """The profile of every role that names none; empty: that of the server's settings, if there is one."""
    problems: tuple[Problem, ...] = ()
    """Of the documents; a catalog with an error among them is for `platform check` alone."""
    files: tuple[str, ...] = ()
    """The documents that it was built from, in reading order."""
    _hosts: HostPatterns = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Look at the domains of all sites once."""
        owned = ((domain, name) for name, toolset in self.sites.items() for domain in toolset.domains)
        object.__setattr__(self, "_hosts", HostPatterns(owned))

    def toolset(self, site: str) -> Toolset:
        """Return the toolset of the site of that name; where there is none, the first that differs in capitals only.

        Raises:
            UnknownSite: no document declares it.
        """
        if site in self.sites:
            return self.sites[site]
        wanted = folded(site)
        for name, toolset in self.sites.items():
            if folded(name) == wanted:
                return toolset
        raise UnknownSite(f"There is no site {quoted(site)}.", hint=did_you_mean(site, self.sites, noun="sites"))

    def default_site(self) -> str | None:
        """Return the site that is asked when a request names none and no domain fits: the only one, or the default."""
        if len(self.sites) == 1:
            return next(iter(self.sites))
        return next((name for name, toolset in self.sites.items() if toolset.default), None)

    def site_of_host(self, host: str) -> str | None:
        """Return the site whose domain `host` (without port) is; an exact domain beats a wildcard, longest first."""
        return self._hosts.owner(host)
