"""The server's metrics, for Prometheus."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, InfoMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from pegboard.edges.working import Held, Working

if TYPE_CHECKING:
    from pegboard.app import State


def exposition(state: "Callable[[], State]", threads: Working, loop: Held) -> Callable[[], tuple[bytes, str]]:
    """Return what gives the metrics at the moment, with their media type."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Configuration(state))
    registry.register(_Threads(threads))
    registry.register(_Loop(loop))
    return lambda: (generate_latest(registry), CONTENT_TYPE_LATEST)


class _Configuration(Collector):
    """What is served, since when, and what was refused."""

    def __init__(self, state: "Callable[[], State]") -> None:
        self._state = state

    def collect(self) -> Iterator[Metric]:
        state = self._state()
        yield InfoMetricFamily("pegboard_config", "The snapshot that serves.", {"snapshot": state.snapshot})
        yield GaugeMetricFamily(
            "pegboard_config_loaded_timestamp_seconds", "When it began to serve.", value=state.since
        )
        yield GaugeMetricFamily(
            "pegboard_config_stale", "1 while an edit is refused that is newer.", value=state.refused is not None
        )
        yield GaugeMetricFamily(
            "pegboard_config_refused_timestamp_seconds",
            "When that edit was refused; 0 without one.",
            value=state.refused.at if state.refused else 0,
        )
        reloads = CounterMetricFamily("pegboard_config_reloads", "Reloads by result.", labels=("result",))
        reloads.add_metric(("served",), state.reloads)
        reloads.add_metric(("refused",), state.refusals)
        yield reloads


class _Threads(Collector):
    """The threads of handlers that block, those among them that nobody waits for any more."""

    def __init__(self, threads: Working) -> None:
        self._threads = threads

    def collect(self) -> Iterator[Metric]:
        yield GaugeMetricFamily("pegboard_threads_running", "Handlers in threads.", value=self._threads.running)
        yield GaugeMetricFamily(
            "pegboard_threads_abandoned", "Those that nobody waits for any more.", value=self._threads.abandoned
        )
        yield CounterMetricFamily(
            "pegboard_threads_let_go", "Handlers let go before they ended.", value=self._threads.abandoned_ever
        )


class _Loop(Collector):
    """How often handlers that block have held everything else; the log names their tools."""

    def __init__(self, loop: Held) -> None:
        self._loop = loop

    def collect(self) -> Iterator[Metric]:
        yield CounterMetricFamily(
            "pegboard_loop_held", "Times that the event loop was held during calls.", value=self._loop.times
        )
        yield CounterMetricFamily("pegboard_loop_held_seconds", "For how long, in all.", value=self._loop.seconds)
