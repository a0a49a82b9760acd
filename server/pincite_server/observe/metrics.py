"""Prometheus metrics: counts, latencies and scores of replies, and the state of the indexes; nothing about readers.

METRIC-1 and METRIC-3 fix the names; all have `pincite_` in front.
"""

import datetime
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from itertools import chain

from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector, start_http_server
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, InfoMetricFamily, Metric
from prometheus_client.registry import Collector

from pincite_core.errors import InputError
from pincite_core.version import __version__
from pincite_server.answering.outcome import Outcome
from pincite_server.indexes.live_indexes import LiveIndexes
from pincite_server.observe.rates import LiveRates
from pincite_server.reply.records import Answer
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
        counter = partial(Counter, registry=self.registry)
        histogram = partial(Histogram, registry=self.registry)
        shares = partial(histogram, labelnames=["arm"], buckets=_SHARES)
        self._requests = counter("pincite_http_requests", "HTTP requests.", ["method", "route", "status"])
        self._request_seconds = histogram("pincite_http_request_seconds", "Time to a request's last byte.", ["route"])
        self._answers = counter("pincite_answers", "Answers.", ["arm", "mode", "composer"])
        self._refusals = counter("pincite_refusals", "Refusals.", ["arm", "mode", "code"])
        self._stage_seconds = histogram(
            "pincite_stage_seconds", "Time of each stage of a reply.", ["stage"], buckets=_STAGE_SECONDS
        )
        self._of_stage = cache(self._stage_seconds.labels)  # a lookup of a label costs more than a count
        self._evidence = histogram(
            "pincite_evidence", "Estimated probability that the docs hold the answer.", buckets=_SHARES
        )
        self._validated = counter("pincite_validation_passed", "Validated answers.", ["arm", "passed"])
        self._findings = counter("pincite_validation_findings", "Findings of the validators.", ["arm", "reason"])
        self._confidence = shares("pincite_confidence_score", "Confidence score of an answer.")
        self._similarity = shares("pincite_response_similarity_score", "Cosine of an answer and its passage.")
        self._overlap = shares("pincite_keyword_overlap_ratio", "Share of an answer's keywords in its passage.")
        self._validation_ms = histogram(
            "pincite_latency_validation_ms", "Milliseconds of validation.", ["arm"], buckets=_GUARD_MS
        )
        self._fallbacks = counter("pincite_fallback_usage", "Answers that a fallback replaced.", ["arm"])
        self._prevented = counter("pincite_hallucination_prevented", "Answers replaced after a failed check.", ["arm"])
        self._uncertainty = counter("pincite_uncertainty_expressed", "Replies that state uncertainty.", ["arm"])
        replies, uncertain = (self._answers, self._refusals), self._uncertainty
        rates = LiveRates(replies, self._validated, self._fallbacks, self._prevented, uncertain, self._similarity)
        self.registry.register(rates)

    def observe_request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request by its route's pattern, never by its path, and record its duration, streams included."""
        self._requests.labels(method, route, str(status)).inc()
        self._request_seconds.labels(route).observe(seconds)

    def observe_reply(self, outcome: Outcome, arm: str = "a") -> None:
        """Count a reply of an arm (`a` or `b`) with its evidence, the times of its stages and its validation."""
        reply = outcome.reply
        for stage, milliseconds in reply.timings_ms.items():
            self._of_stage(stage).observe(milliseconds / _MILLISECONDS)
        self._evidence.observe(reply.evidence)
        if isinstance(reply, Answer):
            self._answers.labels(arm, reply.mode, reply.composer).inc()
            is_uncertain = reply.validation.passed is False
        else:
            self._refusals.labels(arm, reply.mode, reply.code).inc()
            is_uncertain = reply.code in _UNCERTAIN
        if is_uncertain:
            self._uncertainty.labels(arm).inc()
        validation = outcome.checked
        if validation is None:
            return
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


@dataclass(frozen=True, slots=True)
class StateCollector(Collector):
    """Collects the state of each site's indexes, the shared state and the counters at each scrape."""

    lives: Sequence[LiveIndexes]
    counters: Callable[[], Mapping[str, int]]  # by name; each becomes `pincite_NAME_total`
    state: StateLink | None

    def collect(self) -> Iterator[Metric]:
        """Yield the current metrics."""
        yield InfoMetricFamily("pincite_build", "The version that runs.", {"version": __version__})
        ages = GaugeMetricFamily(
            "pincite_index_age_seconds", "Time since an index was built.", labels=["index_id", "locales"]
        )
        for served in chain.from_iterable(live.served for live in self.lives):
            if built := served.answerer.build.built:
                age = (datetime.datetime.now(datetime.UTC) - built).total_seconds()
                ages.add_metric([served.index_id, " ".join(served.locales)], age)
        yield ages
        swaps = CounterMetricFamily("pincite_index_swaps", "New builds.", labels=["outcome"])
        swaps.add_metric(["served"], sum(live.swaps for live in self.lives))
        swaps.add_metric(["refused"], sum(live.refusals for live in self.lives))
        yield swaps
        if self.state is not None:
            up = self.state.problem is None
            yield GaugeMetricFamily("pincite_shared_state_up", "Whether the shared state is reachable.", int(up))
        for name, value in self.counters().items():
            yield CounterMetricFamily(f"pincite_{name}", f"Count since the start: {name}.", value)


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
