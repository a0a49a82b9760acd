"""Rates of validation (METRIC-2), measured live or taken from the last evaluation.

Only labelled questions show whether a refusal or an answer was right. So the false negative and false positive rates
come from a file of `pincite eval --json`; without such a file they are missing.
"""

from collections.abc import Iterator
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class LiveRates(Collector):
    """Rates of the replies since the start, by arm; a rate without any reply is omitted."""

    replies: tuple[Counter, Counter]  # answers and refusals
    validated: Counter  # checked answers, by `passed`
    fallbacks: Counter  # replaced answers
    prevented: Counter  # answers that were replaced because a check failed
    uncertain: Counter  # replies that state uncertainty
    similarity: Histogram  # of answers to their passage

    def collect(self) -> Iterator[Metric]:
        """Yield the current rates."""
        passed, failed = _by_arm(self.validated, passed="true"), _by_arm(self.validated, passed="false")
        validated = {arm: passed[arm] + failed[arm] for arm in ARMS}
        answers, refusals = (_by_arm(counter) for counter in self.replies)
        replies = {arm: answers[arm] + refusals[arm] for arm in ARMS}
        cosines, passages = _by_arm(self.similarity, end="_sum"), _by_arm(self.similarity, end="_count")
        fallbacks, prevented, uncertain = map(_by_arm, (self.fallbacks, self.prevented, self.uncertain))
        for name, description, parts, wholes in (
            ("validation_success_rate", "Share of validated answers that passed.", passed, validated),
            ("avg_similarity_score", "Mean cosine of answers to their passages.", cosines, passages),
            ("fallback_usage_rate", "Share of replies that replace an answer.", fallbacks, replies),
            ("hallucination_reduction_rate", "Share of failed answers that were not shown.", prevented, failed),
            ("uncertainty_expression_rate", "Share of replies that state uncertainty.", uncertain, replies),
        ):
            family = GaugeMetricFamily(f"pincite_{name}", description, labels=["arm"])
            for arm in ARMS:
                if wholes[arm]:
                    family.add_metric([arm], parts[arm] / wholes[arm])
            yield family


def _by_arm(metric: Counter | Histogram, end: str = "_total", **labels: str) -> dict[str, float]:
    """Return the sum of a metric's samples with some labels, by arm."""
    sums = dict.fromkeys(ARMS, 0.0)
    for family in metric.collect():
        for sample in family.samples:
            if sample.name.endswith(end) and labels.items() <= sample.labels.items():
                sums[sample.labels["arm"]] += sample.value
    return sums


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
    """The false negative and false positive rates of selection mode in a file of `pincite eval --json`.

    Raises:
        InputError: The file cannot be read, or has no question about a passage.
    """

    def __init__(self, file: Path) -> None:
        try:
            evaluation = msgspec.json.decode(file.read_bytes(), type=_Evaluation)
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
            message = f"{file} cannot be read as an evaluation. Run `pincite eval ... --json > {file}` again."
            raise InputError(message) from error
        self._index_id = evaluation.index.index_id
        self._measures = {
            name: share for name in _EVALUATED if (share := evaluation.measures.get(name)) and share.total
        }
        if not self._measures:
            message = f"{file} has no question about a passage. Evaluate rows with `passage` and `answerable`."
            raise InputError(message)

    def collect(self) -> Iterator[Metric]:
        """Yield the rates, and the number of passages behind each."""
        counts = GaugeMetricFamily(
            "pincite_evaluated_passages", "Number of passages behind a rate.", labels=["index_id", "measure"]
        )
        for name, share in self._measures.items():
            description = f"{name} of selection mode in the last evaluation."
            family = GaugeMetricFamily(f"pincite_{name}", description, labels=["index_id"])
            if share.share is not None:
                family.add_metric([self._index_id], share.share)
            counts.add_metric([self._index_id, name], share.total)
            yield family
        yield counts
