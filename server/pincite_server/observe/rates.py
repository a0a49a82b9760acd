"""Rates of validation (METRIC-2), measured live or taken from the last evaluation.

Only labelled questions show whether a refusal or an answer was right. So the false negative and false positive rates
come from a file of `pincite eval --json`; without such a file they are missing.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec
from prometheus_client import Counter, Histogram
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from pincite_core.errors import InputError

__all__ = ("ARMS", "EvaluatedRates", "LiveRates")

ARMS = ("a", "b")
"""The arms of a comparison of policies; without a comparison, all replies are in `a`."""

_EVALUATED = ("false_negative_rate", "false_positive_rate")


class LiveRates(Collector):
    """Rates of the replies since the start, by arm; a rate without any reply is omitted.

    Args:
        replies: The counters of answers and of refusals.
        validated: Counter of checked answers, by `passed`.
        fallbacks: Counter of replaced answers.
        prevented: Counter of answers that were replaced because a check failed.
        uncertain: Counter of replies that state uncertainty.
        similarity: Histogram of the similarity of answers to their passage.
    """

    def __init__(
        self,
        replies: tuple[Counter, Counter],
        validated: Counter,
        fallbacks: Counter,
        prevented: Counter,
        uncertain: Counter,
        similarity: Histogram,
    ) -> None:
        self._replies, self._validated = replies, validated
        self._fallbacks, self._prevented, self._uncertain = fallbacks, prevented, uncertain
        self._similarity = similarity

    def collect(self) -> Iterator[Metric]:
        """Yield the current rates."""
        passed, failed = _by_arm(self._validated, passed="true"), _by_arm(self._validated, passed="false")
        checked = {arm: passed[arm] + failed[arm] for arm in ARMS}
        answers, refusals = (_by_arm(counter) for counter in self._replies)
        replies = {arm: answers[arm] + refusals[arm] for arm in ARMS}
        cosines, passages = _by_arm(self._similarity, end="_sum"), _by_arm(self._similarity, end="_count")
        yield _shares("validation_success_rate", "Share of checked answers that passed.", passed, checked)
        yield _shares("avg_similarity_score", "Mean cosine of answers to their passages.", cosines, passages)
        yield _shares(
            "fallback_usage_rate", "Share of replies that replace an answer.", _by_arm(self._fallbacks), replies
        )
        yield _shares(
            "hallucination_reduction_rate",
            "Share of answers with a failed check that were not shown.",
            _by_arm(self._prevented),
            failed,
        )
        yield _shares(
            "uncertainty_expression_rate",
            "Share of replies that say what is not known.",
            _by_arm(self._uncertain),
            replies,
        )


def _by_arm(metric: Counter | Histogram, end: str = "_total", **labels: str) -> dict[str, float]:
    """Return the sum of a metric's samples with some labels, by arm."""
    sums = dict.fromkeys(ARMS, 0.0)
    for family in metric.collect():
        for sample in family.samples:
            if sample.name.endswith(end) and labels.items() <= sample.labels.items():
                sums[sample.labels["arm"]] += sample.value
    return sums


def _shares(name: str, what: str, parts: Mapping[str, float], wholes: Mapping[str, float]) -> Metric:
    family = GaugeMetricFamily(f"pincite_{name}", what, labels=["arm"])
    for arm in ARMS:
        if wholes[arm]:
            family.add_metric([arm], parts[arm] / wholes[arm])
    return family


class _Share(msgspec.Struct):
    total: int
    share: float | None


class _Index(msgspec.Struct):
    index_id: str


class _Evaluation(msgspec.Struct):
    """The used fields of the object that `pincite eval --json` prints."""

    index: _Index
    measures: dict[str, _Share]


class EvaluatedRates(Collector):
    """The false negative and false positive rates of selection mode in an evaluation, with its index.

    Args:
        file: The output of `pincite eval --json`.

    Raises:
        InputError: The file cannot be read, or has no question about a passage.
    """

    def __init__(self, file: Path) -> None:
        try:
            evaluation = msgspec.json.decode(file.read_bytes(), type=_Evaluation)
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
            message = f"{file} cannot be read as an evaluation. Write it anew with `pincite eval ... --json > {file}`."
            raise InputError(message) from error
        self._index_id = evaluation.index.index_id
        self._measures = {
            name: share for name in _EVALUATED if (share := evaluation.measures.get(name)) and share.total
        }
        if not self._measures:
            message = f"{file} holds no question asked of a passage. Add rows with `passage` and `answerable` to it."
            raise InputError(message)

    def collect(self) -> Iterator[Metric]:
        """Yield the rates, and the number of passages behind each."""
        counts = GaugeMetricFamily(
            "pincite_evaluated_passages", "Passages a rate was measured on.", labels=["index_id", "measure"]
        )
        for name, share in self._measures.items():
            what = f"Of selection mode, by the last evaluation: {name}."
            family = GaugeMetricFamily(f"pincite_{name}", what, labels=["index_id"])
            if share.share is not None:
                family.add_metric([self._index_id], share.share)
            counts.add_metric([self._index_id, name], share.total)
            yield family
        yield counts
