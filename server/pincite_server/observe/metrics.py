"""Prometheus metrics: counts, latencies and scores of replies, and the state of the indexes; nothing about readers.

METRIC-1 and METRIC-3 fix the names; all have `pincite_` in front.
"""

import datetime
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import chain

from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector, start_http_server
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, InfoMetricFamily, Metric
from prometheus_client.registry import Collector

from pincite_core.errors import InputError
from pincite_core.version import __version__
from pincite_server.answering.outcome import Outcome
from pincite_server.indexes.live_indexes import LiveIndexes
from pincite_server.observe.rates import LiveRates
from pincite_server.reply.records import Answer, Refusal, ValidationInfo
from pincite_server.state.link import StateLink

__all__ = ("Metrics", "StateCollector", "metrics_port")

_STAGE_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
_GUARD_MS = (0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 25.0, 50.0, 100.0)  # the limit for validation is 5 ms
_SHARES = tuple(step / 10 for step in range(1, 11))
_MILLISECONDS = 1000
_UNCERTAIN = frozenset({"no_evidence", "not_in_selection"})


class Metrics:
    """The metrics of one sidecar, in a separate registry, so that two sidecars in a process do not mix."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        self._define_traffic()
        self._define_validation()
        self.registry.register(
            LiveRates(
                (self._answers, self._refusals),
                self._validated,
                self._fallbacks,
                self._prevented,
                self._uncertainty,
                self._similarity,
            )
        )

    def observe_request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request by its route's pattern, never by its path, and record its duration, streams included."""
        self._requests.labels(method, route, str(status)).inc()
        self._request_seconds.labels(route).observe(seconds)

    def observe_reply(self, outcome: Outcome, arm: str = "a") -> None:
        """Count a reply with its evidence, the times of its stages and the result of its validation.

        Args:
            outcome: The reply with its metadata.
            arm: The arm of the comparison that produced it, `a` or `b`.
        """
        reply = outcome.reply
        for stage, milliseconds in reply.timings_ms.items():
            self._of_stage(stage).observe(milliseconds / _MILLISECONDS)
        self._evidence.observe(reply.evidence)
        if isinstance(reply, Answer):
            self._answers.labels(arm, reply.mode, reply.composer).inc()
        else:
            self._refusals.labels(arm, reply.mode, reply.code).inc()
        if outcome.checked is not None:
            self._observe_validation(outcome, outcome.checked, arm)
        if _is_uncertain(reply):
            self._uncertainty.labels(arm).inc()

    def _observe_validation(self, outcome: Outcome, validation: ValidationInfo, arm: str) -> None:
        if validation.passed is not None:
            self._validated.labels(arm, str(validation.passed).lower()).inc()
        self._confidence.labels(arm).observe(validation.confidence_score)
        self._validation_ms.labels(arm).observe(outcome.reply.timings_ms.get("guard", 0.0))
        for reason in validation.reasons:
            self._findings.labels(arm, reason).inc()
        if outcome.grounding is not None:
            self._similarity.labels(arm).observe(outcome.grounding.similarity)
            self._overlap.labels(arm).observe(outcome.grounding.keyword_overlap)
        if validation.used_fallback:
            self._fallbacks.labels(arm).inc()
            if validation.passed is False:
                self._prevented.labels(arm).inc()

    def _define_traffic(self) -> None:
        registry = self.registry
        self._requests = Counter("pincite_http_requests", "Requests.", ["method", "route", "status"], registry=registry)
        self._request_seconds = Histogram(
            "pincite_http_request_seconds", "Time to a request's last byte.", ["route"], registry=registry
        )
        self._answers = Counter("pincite_answers", "Answers given.", ["arm", "mode", "composer"], registry=registry)
        self._refusals = Counter("pincite_refusals", "Honest refusals.", ["arm", "mode", "code"], registry=registry)
        self._stage_seconds = Histogram(
            "pincite_stage_seconds", "Time of each stage.", ["stage"], buckets=_STAGE_SECONDS, registry=registry
        )
        self._of_stage = cache(self._stage_seconds.labels)  # a lookup of a label costs more than a count
        self._evidence = Histogram(
            "pincite_evidence", "How likely the docs held the answer.", buckets=_SHARES, registry=registry
        )

    def _define_validation(self) -> None:
        registry, arm = self.registry, ["arm"]
        self._validated = Counter("pincite_validation_passed", "Checked answers.", ["arm", "passed"], registry=registry)
        self._findings = Counter(
            "pincite_validation_findings", "What checks found.", ["arm", "reason"], registry=registry
        )
        self._confidence = Histogram(
            "pincite_confidence_score", "Confidence in an answer.", arm, buckets=_SHARES, registry=registry
        )
        self._similarity = Histogram(
            "pincite_response_similarity_score", "Cosine to the passage.", arm, buckets=_SHARES, registry=registry
        )
        self._overlap = Histogram(
            "pincite_keyword_overlap_ratio", "Keywords in the passage.", arm, buckets=_SHARES, registry=registry
        )
        self._validation_ms = Histogram(
            "pincite_latency_validation_ms", "Milliseconds of checking.", arm, buckets=_GUARD_MS, registry=registry
        )
        self._fallbacks = Counter("pincite_fallback_usage", "Answers replaced.", arm, registry=registry)
        self._prevented = Counter(
            "pincite_hallucination_prevented", "Replaced because a check failed.", arm, registry=registry
        )
        self._uncertainty = Counter(
            "pincite_uncertainty_expressed", "Replies that say what is not known.", arm, registry=registry
        )


def _is_uncertain(reply: Answer | Refusal) -> bool:
    """Return whether a reply is a refusal for lack of evidence, or an answer that failed validation."""
    if isinstance(reply, Refusal):
        return reply.code in _UNCERTAIN
    return reply.validation.passed is False


class StateCollector(Collector):
    """Collects the state of the live indexes and the counters at each scrape.

    Args:
        lives: The served indexes, one item per site.
        counters: Returns counters by name; each becomes `pincite_NAME_total`.
        state: The link to the shared state; None for a single sidecar.
    """

    def __init__(
        self, lives: Sequence[LiveIndexes], counters: Callable[[], Mapping[str, int]], state: StateLink | None = None
    ) -> None:
        self._lives = lives
        self._counters = counters
        self._state = state

    def collect(self) -> Iterator[Metric]:
        """Yield the current metrics."""
        yield InfoMetricFamily("pincite_build", "The version that runs.", {"version": __version__})
        yield self._ages()
        yield self._swaps()
        if self._state is not None:
            up = self._state.problem is None
            yield GaugeMetricFamily("pincite_shared_state_up", "Whether the shared state can be asked.", int(up))
        for name, value in self._counters().items():
            yield CounterMetricFamily(f"pincite_{name}", f"Counted since the start: {name}.", value)

    def _ages(self) -> Metric:
        family = GaugeMetricFamily(
            "pincite_index_age_seconds", "Time since an index was built.", labels=["index_id", "locales"]
        )
        for served in chain.from_iterable(live.served for live in self._lives):
            built = served.answerer.build.built
            if built:
                age = (datetime.datetime.now(datetime.UTC) - built).total_seconds()
                family.add_metric([served.index_id, " ".join(served.locales)], age)
        return family

    def _swaps(self) -> Metric:
        family = CounterMetricFamily("pincite_index_swaps", "New builds that came.", labels=["outcome"])
        family.add_metric(["served"], sum(live.swaps for live in self._lives))
        family.add_metric(["refused"], sum(live.refusals for live in self._lives))
        return family


@contextmanager
def metrics_port(registry: CollectorRegistry, host: str, port: int) -> Iterator[str]:
    """Serve a registry on a thread while the context lasts, and yield the URL. Port 0 takes a free port.

    Raises:
        InputError: The port is taken, or the address does not belong to this machine.
    """
    try:
        server, thread = start_http_server(port, host, registry)
    except OSError as error:
        message = f"Could not listen on {host}:{port} ({error.strerror}). Choose another --metrics-port."
        raise InputError(message) from error
    try:
        yield f"http://{host}:{server.server_port}/metrics"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
