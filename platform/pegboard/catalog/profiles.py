"""Model profiles as they are declared -> as they are connected; and which of them a site's roles take."""

from collections.abc import Iterable, Mapping

from pegboard.config.declarations import Declared, ModelDeclaration, RolesDeclaration
from pegboard.llm.profile import Profile


def profiles(declared: Iterable[Declared[ModelDeclaration]]) -> dict[str, Profile]:
    """Return the profiles by name; of two of one name the first."""
    found: dict[str, Profile] = {}
    for each in declared:
        found.setdefault(each.value.name, _profile(each.value))
    return found


def _profile(value: ModelDeclaration) -> Profile:
    return Profile(
        name=value.name,
        model=value.model,
        base_url=value.base_url,
        key=value.key,
        scoring=value.scoring,
        reply=value.reply,
        timeout_seconds=value.timeout,
        retries=value.retries,
        max_parallel=value.max_parallel,
        requests_per_minute=value.requests_per_minute,
        tokens_per_minute=value.tokens_per_minute,
        cache_seconds=value.cache,
        fallback=value.fallback or "",
    )


def default_profile(declared: Iterable[Declared[ModelDeclaration]]) -> str:
    """Return the name of the default profile, empty where none is marked."""
    return next((each.value.name for each in declared if each.value.default), "")


def roles(declared: RolesDeclaration, known: Mapping[str, Profile]) -> dict[str, str]:
    """Return the profiles that a site names, by role."""
    named = {"scorer": declared.scorer, "writer": declared.writer, "planner": declared.planner}
    return {role: name for role, name in named.items() if name is not None and name in known}
