"""Every setting with its value, where that came from and what it overrides: what `platform config` shows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pegboard.config.problems import Problem
from pegboard.config.server.keys import KEYS
from pegboard.config.server.settings import Given, Settings
from pegboard.text import Json


@dataclass(frozen=True, slots=True)
class Origin:
    """A value and who gave it."""

    value: Json
    """As it would be written; `***` for a secret; None: there is none."""
    by: str
    """`command line`, `environment`, `file` or `default`."""
    place: str
    """`--port`, `$PEGBOARD_PORT`, `pegboard.toml:3:1`, `default`."""

    def to_json(self) -> dict[str, Json]:
        """Return it as `platform config --json` prints it."""
        return {"value": self.value, "by": self.by, "place": self.place}


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting."""

    key: str
    meaning: str
    default: str
    """In words."""
    origins: tuple[Origin, ...]
    """The one that counts, then those that it overrides, the default at the end."""

    def to_json(self) -> dict[str, Json]:
        """Return it as `platform config --json` prints it."""
        first, *others = self.origins
        return {
            "key": self.key,
            **first.to_json(),
            "overrides": [other.to_json() for other in others],
            "meaning": self.meaning,
            "default": self.default,
        }


@dataclass(frozen=True, slots=True)
class SettingsReport:
    """All settings of a server, and what is wrong with them."""

    settings: Sequence[Setting]
    problems: Sequence[Problem]

    @property
    def ok(self) -> bool:
        """No problem is an error."""
        return not any(problem.severity == "error" for problem in self.problems)

    def to_json(self) -> Mapping[str, Json]:
        """Return what `platform config --json` prints."""
        return {
            "settings": [setting.to_json() for setting in self.settings],
            "problems": [problem.to_json() for problem in self.problems],
        }


def report(settings: Settings, problems: Sequence[Problem]) -> SettingsReport:
    """Return every setting in the order of the table of keys."""
    shown = [
        Setting(key, each.meaning, each.default, tuple(_origin(key, given) for given in settings.origins[key]))
        for key, each in KEYS.items()
    ]
    return SettingsReport(shown, tuple(problems))


def _origin(key: str, given: Given) -> Origin:
    value = None if given.value is None or (given.by == "default" and not given.value) else given.value
    return Origin(KEYS[key].spelled(value), given.by, given.place)
