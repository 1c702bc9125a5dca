"""`Models`: which model does what at which site; `Connections`: what is open for them, and until when.

A profile is one connection, whichever sites use it. A reload keeps those whose profile is the same in every field,
with what they have learned of their endpoints and all that is cached. One whose profile is gone is closed as soon as
no request is under way that may still use it.
"""

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from anyio.abc import TaskGroup

from pegboard.catalog.snapshot import Catalog
from pegboard.llm.chain import Chain, Link
from pegboard.llm.model import Model
from pegboard.llm.profile import Profile
from pegboard.pacing.breaker import Breaker

if TYPE_CHECKING:
    from pegboard.llm.connection import Connection


@dataclass(slots=True)
class Models:
    """The models of one catalog; None stands for what is done without one."""

    roles: Mapping[str, Mapping[str, Model]] = field(default_factory=dict)
    """By site, then by role, where the site names a profile."""
    default: Model | None = None
    """For every role that names none."""
    profiles: Mapping[str, Model] = field(default_factory=dict)
    """By name, of those that a tool names."""
    connections: frozenset["Connection"] = frozenset()
    """All that these models may ask."""
    users: int = 0
    """Requests under way."""
    is_retired: bool = False
    """Another catalog serves: only requests that have begun still use it."""

    def scorer(self, site: str) -> Model | None:
        """Return what scores the tools of `site`."""
        return self._role(site, "scorer")

    def writer(self, site: str) -> Model | None:
        """Return what writes for `site`: answers, arguments, what a handler asks for."""
        return self._role(site, "writer")

    def planner(self, site: str) -> Model | None:
        """Return what plans for `site`."""
        return self._role(site, "planner")

    @property
    def every(self) -> list[Model]:
        """All models, each once."""
        named = [*(model for roles in self.roles.values() for model in roles.values()), *self.profiles.values()]
        return list(dict.fromkeys([*([self.default] if self.default else []), *named]))

    def _role(self, site: str, role: str) -> Model | None:
        return self.roles.get(site, {}).get(role, self.default)


class Connections:
    """The connections of all models, however many catalogs still use them."""

    def __init__(self, group: TaskGroup) -> None:
        """Run what is asked of them in `group`."""
        self._group = group
        self._open: dict[Profile, Connection] = {}
        self._breakers: dict[str, Breaker] = {}
        """By the base URL of their endpoint."""
        self._used: list[Models] = []
        """Those that serve, and those that were retired while requests were under way; the current one last."""

    def models(self, catalog: Catalog, otherwise: Profile | None) -> Models:
        """Return the models of `catalog`; `otherwise` is the default where it declares none. May block."""
        default = catalog.profiles.get(catalog.default_profile) or otherwise
        profiles = dict(catalog.profiles)
        made: dict[Profile, Model] = {}
        held: set[Connection] = set()

        def model(profile: Profile) -> Model:
            if profile not in made:
                chain = [self._connection(each) for each in chain_of(profile, profiles)]
                held.update(chain)
                made[profile] = _chained(chain)
            return made[profile]

        roles = {
            name: {role: model(profiles[chosen]) for role, chosen in toolset.models.items()}
            for name, toolset in catalog.sites.items()
            if toolset.models
        }
        named = {name: model(profiles[name]) for name in _named_by_tools(catalog) if name in profiles}
        return Models(roles, model(default) if default else None, named, frozenset(held))

    def serve(self, models: Models) -> None:
        """Let `models` be those of the catalog that serves; what nobody uses any more is closed."""
        for before in self._used:
            before.is_retired = True
        self._used = [*(each for each in self._used if each.users), models]
        self._close_unused(list(self._open.values()))

    @contextmanager
    def in_use(self, models: Models) -> Iterator[None]:
        """Keep what `models` may ask open while a request is under way."""
        models.users += 1
        try:
            yield
        finally:
            models.users -= 1
            if models.is_retired and not models.users:
                self._used = [each for each in self._used if each is not models]
                self._close_unused(models.connections)

    async def aclose(self) -> None:
        """Close everything."""
        held = {connection for models in self._used for connection in models.connections}
        for connection in held | {*self._open.values()}:
            await connection.aclose()

    def _connection(self, profile: Profile) -> "Connection":
        if profile not in self._open:
            from pegboard.llm.connection import Connection  # noqa: PLC0415 (a second to import; only a model needs it)

            breaker = self._breakers.setdefault(profile.base_url.rstrip("/"), Breaker())
            self._open[profile] = Connection(profile, breaker=breaker, group=self._group)
        return self._open[profile]

    def _close_unused(self, candidates: "Collection[Connection]") -> None:
        wanted = {connection for models in self._used for connection in models.connections}
        for connection in candidates:
            if connection not in wanted:
                self._open.pop(connection.profile, None)
                self._group.start_soon(connection.aclose)


def _named_by_tools(catalog: Catalog) -> list[str]:
    """Return the profiles that tools name; toolsets that sites share are looked at once."""
    toolsets = {id(toolset.tools): toolset.tools for toolset in catalog.sites.values()}
    kinds = (tool.kind for tools in toolsets.values() for tool in tools)
    return list(dict.fromkeys(kind.model for kind in kinds if kind is not None and kind.model))


def chain_of(profile: Profile, profiles: Mapping[str, Profile]) -> list[Profile]:
    """Return `profile` and those that stand in for it, in their order; a circle ends where it closes."""
    chain = [profile]
    while (following := profiles.get(chain[-1].fallback)) is not None and following not in chain:
        chain.append(following)
    return chain


def _chained(connections: "list[Connection]") -> Model:
    if len(connections) == 1:
        return connections[0].model
    return Chain([Link(each.profile.name, each.model, each.breaker) for each in connections])
