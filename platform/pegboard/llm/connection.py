"""`Connection`: a profile that is open, with all that stands between a caller and its endpoint.

From the outside in, and why so:

    Timed          the profile's deadline and the request's budget bound all that follows
    Cached         what was answered needs nothing of the rest
    SingleFlight   what is being asked is not asked beside it; within, so that a cached answer starts nothing
    Guarded        one verdict on the endpoint a call, after all its tries
    Retried        a try that waits to be repeated holds no place
    Limited        each try has a place, and counts for the rates
    OpenAIModel    the request itself: its format, its deadline, its errors

A `Chain` stands around several of these. Each works without the others; tests wrap a `ScriptedModel`.
"""

from anyio.abc import TaskGroup

from pegboard.llm.cached import Cached
from pegboard.llm.endpoint import place_of
from pegboard.llm.guarded import Guarded
from pegboard.llm.limited import Limited
from pegboard.llm.model import Model
from pegboard.llm.openai import OpenAIModel
from pegboard.llm.profile import Profile
from pegboard.llm.retried import Retried
from pegboard.llm.single_flight import SingleFlight
from pegboard.llm.timed import Timed
from pegboard.pacing.breaker import Breaker


class Connection:
    """A profile that is open; close it. Who asks it afterwards opens it again."""

    def __init__(self, profile: Profile, *, breaker: Breaker, group: TaskGroup) -> None:
        """Open `profile`; `breaker` is that of its endpoint, and what is asked runs in `group`."""
        self.profile = profile
        self.breaker = breaker
        self._endpoint = OpenAIModel(
            name=profile.model,
            base_url=profile.base_url,
            api_key=profile.key.reveal(),
            scoring=profile.scoring,
            reply=profile.reply,
        )
        self.model: Model = self._wrapped(group)

    async def aclose(self) -> None:
        """Close all connections."""
        await self._endpoint.aclose()

    def _wrapped(self, group: TaskGroup) -> Model:
        profile = self.profile
        limited = Limited(
            self._endpoint,
            max_parallel=profile.max_parallel,
            requests_per_minute=profile.requests_per_minute,
            tokens_per_minute=profile.tokens_per_minute,
        )
        retried = Retried(limited, retries=profile.retries)
        guarded = Guarded(retried, self.breaker, where=place_of(profile.base_url))
        flown = SingleFlight(guarded, group)
        kept = self._kept(flown)
        return Timed(kept, timeout_seconds=profile.timeout_seconds)

    def _kept(self, model: Model) -> Model:
        seconds = self.profile.cache_seconds
        if seconds is None:
            return model
        return Cached(model, lifetime_seconds=seconds, is_repeatable=lambda: self._endpoint.is_repeatable)
