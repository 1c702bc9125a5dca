"""Model profiles: unknown names, circles, two defaults, addresses that are none, profiles that nothing uses."""

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import TypeAlias
from urllib.parse import urlsplit

from pegboard.catalog.findings import Findings
from pegboard.catalog.toolsets.layers import own_tools
from pegboard.config.declarations import Declarations, Declared, ModelDeclaration, RolesDeclaration
from pegboard.config.span import Span

Profiles: TypeAlias = Mapping[str, Declared[ModelDeclaration]]

_ROLES = tuple(RolesDeclaration.model_fields)


def check_models(declared: Declarations, findings: Findings) -> None:
    """Report what is wrong with model profiles, and with how sites name them."""
    known: dict[str, Declared[ModelDeclaration]] = {}
    for profile in declared.models:
        known.setdefault(profile.value.name, profile)
        _check_address(profile, findings)
    _check_default(declared, findings)
    for whose, name, place in _named(declared):
        if name not in known:
            hint = findings.near(name, known, noun="models")
            findings.unknown("PB220", place, f"{whose} {name!r}, which no document declares", hint=hint)
    _check_circles(known, findings)
    _check_use(declared, known, findings)


def _check_address(profile: Declared[ModelDeclaration], findings: Findings) -> None:
    url = profile.value.base_url
    if url and not _is_address(url):
        message = f"base_url {url!r} of model profile {profile.value.name!r} is no address of an endpoint"
        findings.add("PB223", profile.at("base_url"), message, hint=_better(url))


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return False
    is_complete = parts.scheme in {"http", "https"} and bool(parts.hostname) and port != 0
    return is_complete and url.split() == [url] and not parts.path.rstrip("/").endswith("/completions")


def _better(url: str) -> str:
    if "://" not in url and "." in url:
        return f"Write http://{url} or https://{url}."
    if (base := url.rstrip("/").removesuffix("/completions").removesuffix("/chat")) != url.rstrip("/"):
        return f"Write {base}."
    return "Write it as http://127.0.0.1:8080/v1."


def _check_default(declared: Declarations, findings: Findings) -> None:
    marked = [profile for profile in declared.models if profile.value.default]
    for profile in marked[1:]:
        message = f"{profile.value.name!r} is marked as the default model profile, but so is {marked[0].value.name!r}"
        findings.add("PB222", profile.at("default"), message, also=(marked[0].at("default"),))


def _named(declared: Declarations) -> Iterator[tuple[str, str, Span]]:
    """Yield who names a profile, which, and where."""
    for profile in declared.models:
        if profile.value.fallback is not None:
            whose = f"model profile {profile.value.name!r} falls back to"
            yield whose, profile.value.fallback, profile.at("fallback")
    yield from _of_agents(declared)
    for site in declared.sites:
        for role in _ROLES:
            name = getattr(site.value.models, role)
            if name is not None:
                yield f"site {site.value.name!r} has as its {role}", name, site.at("models", role)


def _of_agents(declared: Declarations) -> Iterator[tuple[str, str, Span]]:
    """Yield the agents that name a profile, which, and where."""
    for tool in chain(declared.tools, *(own_tools(site) for site in declared.sites)):
        block = tool.value.agent
        if block is not None and block.model is not None:
            yield f"agent {tool.value.name!r} asks", block.model, tool.at("agent", "model")


def _check_circles(known: Profiles, findings: Findings) -> None:
    """Report each circle once, at the profile of it that is declared first."""
    seen: set[str] = set()
    for start in known:
        chain = _chain(start, known)
        if chain[-1] == start and len(chain) > 1 and start not in seen:
            seen.update(chain)
            others = tuple(known[name].at("fallback") for name in chain[1:-1])
            message = f"model profiles fall back in a circle: {' -> '.join(chain)}"
            findings.add(
                "PB221", known[start].at("fallback"), message, hint="Remove `fallback` from one of them.", also=others
            )


def _chain(start: str, known: Profiles) -> list[str]:
    """Return the profiles that stand in for each other, `start` first; one that comes again ends it."""
    chain = [start]
    while chain[-1] in known and (following := known[chain[-1]].value.fallback) is not None:
        is_again = following in chain
        chain.append(following)
        if is_again:
            break
    return chain


def _check_use(declared: Declarations, known: Profiles, findings: Findings) -> None:
    """Report profiles that no role comes to."""
    starts = [name for site in declared.sites for role in _ROLES if (name := getattr(site.value.models, role))]
    starts += [name for _, name, _ in _of_agents(declared)]
    starts += [profile.value.name for profile in declared.models if profile.value.default]
    used = {name for start in starts for name in _chain(start, known)}
    for name, profile in known.items():
        if name not in used and not any(name in _chain(other, known)[1:] for other in known):
            message = f"model profile {name!r} is never asked: nothing names it, and it is not the default"
            findings.add("PB224", profile.at("name"), message, hint="Mark it `default: true`, or name it in a site.")
