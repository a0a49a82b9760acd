"""What is true at the moment of a scrape: the indexes' age, their swaps, and the sidecar's plain counters."""

import datetime
from collections.abc import Callable, Iterator, Mapping

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, InfoMetricFamily, Metric
from prometheus_client.registry import Collector

from pincite_core.version import __version__
from pincite_server.indexes.live import LiveIndexes

__all__ = ("StateCollector",)


class StateCollector(Collector):
    """Reads the live indexes and the counters when it is scraped.

    Args:
        live: What is served.
        counters: Returns whole numbers that only grow, by name; each becomes `pincite_NAME_total`.
    """

    def __init__(self, live: LiveIndexes, counters: Callable[[], Mapping[str, int]]) -> None:
        self._live = live
        self._counters = counters

    def collect(self) -> Iterator[Metric]:
        """Yield the metrics as they are now."""
        yield InfoMetricFamily("pincite_build", "The version that runs.", {"version": __version__})
        yield self._ages()
        yield self._swaps()
        for name, value in self._counters().items():
            yield CounterMetricFamily(f"pincite_{name}", f"Counted since the start: {name}.", value)

    def _ages(self) -> Metric:
        family = GaugeMetricFamily(
            "pincite_index_age_seconds", "Time since an index was built.", labels=["index_id", "locales"]
        )
        for served in self._live.served:
            age = _age_seconds(served.engine.built_at)
            if age is not None:
                family.add_metric([served.index_id, " ".join(served.locales)], age)
        return family

    def _swaps(self) -> Metric:
        family = CounterMetricFamily("pincite_index_swaps", "New builds that came.", labels=["outcome"])
        family.add_metric(["served"], self._live.swaps)
        family.add_metric(["refused"], self._live.refusals)
        return family


def _age_seconds(built_at: str | None) -> float | None:
    """Return the time since an ISO date, taken for UTC when it names no zone; None for what is no date."""
    try:
        built = datetime.datetime.fromisoformat(built_at or "")
    except ValueError:
        return None
    zoned = built if built.tzinfo else built.replace(tzinfo=datetime.UTC)
    return (datetime.datetime.now(datetime.UTC) - zoned).total_seconds()
