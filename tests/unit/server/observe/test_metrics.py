"""Metrics of replies, by the names that the specifications gave them."""

from dataclasses import replace

import msgspec
import pytest
from prometheus_client import generate_latest
from tests.unit.server.http.records import ANSWER, ANSWERED, REFUSAL, REFUSED

from pincite_server.answering.outcome import GroundingScores, Outcome
from pincite_server.observe.metrics import Metrics
from pincite_server.reply.records import ValidationInfo

FAILED = ValidationInfo(False, ("low_overlap",), True, 0.35, 2)


@pytest.fixture
def metrics() -> Metrics:
    return Metrics()


def value(metrics: Metrics, name: str, **labels: str) -> float | None:
    return metrics.registry.get_sample_value(name, labels)


def test_answers_and_refusals_are_counted_by_what_they_are(metrics: Metrics):
    metrics.observe_reply(ANSWERED)
    metrics.observe_reply(REFUSED)
    assert value(metrics, "pincite_answers_total", arm="a", mode="corpus", composer="extractive") == 1
    assert value(metrics, "pincite_refusals_total", arm="a", mode="corpus", code="no_evidence") == 1
    assert value(metrics, "pincite_evidence_count") == 2


def test_stages_are_timed_in_seconds(metrics: Metrics):
    metrics.observe_reply(ANSWERED)
    assert value(metrics, "pincite_stage_seconds_sum", stage="retrieve") == pytest.approx(0.0035)


def test_a_checked_answer_from_a_passage_has_the_scores_of_the_specification(metrics: Metrics):
    metrics.observe_reply(replace(ANSWERED, grounding=GroundingScores(0.83, 0.6)).timed({"guard": 1.5}))
    assert value(metrics, "pincite_validation_passed_total", arm="a", passed="true") == 1
    assert value(metrics, "pincite_response_similarity_score_sum", arm="a") == pytest.approx(0.83)
    assert value(metrics, "pincite_keyword_overlap_ratio_sum", arm="a") == pytest.approx(0.6)
    assert value(metrics, "pincite_latency_validation_ms_sum", arm="a") == pytest.approx(1.5)
    assert value(metrics, "pincite_confidence_score_sum", arm="a") == pytest.approx(0.86)


def test_an_answer_that_is_not_shown_is_a_fallback_and_a_prevented_hallucination(metrics: Metrics):
    metrics.observe_reply(replace(REFUSED, checked=FAILED))
    assert value(metrics, "pincite_fallback_usage_total", arm="a") == 1
    assert value(metrics, "pincite_hallucination_prevented_total", arm="a") == 1
    assert value(metrics, "pincite_validation_findings_total", arm="a", reason="low_overlap") == 1


def test_a_refusal_without_an_answer_was_not_validated(metrics: Metrics):
    metrics.observe_reply(REFUSED)
    assert value(metrics, "pincite_validation_success_rate", arm="a") is None
    assert value(metrics, "pincite_uncertainty_expressed_total", arm="a") == 1


def test_a_capability_refusal_expresses_no_uncertainty(metrics: Metrics):
    metrics.observe_reply(Outcome(msgspec.structs.replace(REFUSAL, code="capability")))
    assert not value(metrics, "pincite_uncertainty_expressed_total", arm="a")


def test_the_success_rate_of_each_arm_stands_beside_the_others(metrics: Metrics):
    for arm, info in (("a", ANSWER.validation), ("a", FAILED), ("b", ANSWER.validation)):
        metrics.observe_reply(replace(ANSWERED, checked=info), arm)
    assert value(metrics, "pincite_validation_success_rate", arm="a") == 0.5
    assert value(metrics, "pincite_validation_success_rate", arm="b") == 1.0


def test_two_sidecars_in_one_process_do_not_share_counts(metrics: Metrics):
    metrics.observe_reply(ANSWERED)
    assert b"pincite_answers_total{" not in generate_latest(Metrics().registry)
