"""Metrics of replies, with the names of the specifications."""

import re
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from prometheus_client import generate_latest
from tests.unit.server.http.records import ANSWER, ANSWERED, REFUSAL, REFUSED

from pincite_core.errors import InputError
from pincite_server.answering.outcome import GroundingScores, Outcome
from pincite_server.observe.metrics import Metrics
from pincite_server.observe.rates import EvaluatedRates
from pincite_server.reply.records import ValidationInfo

FAILED = ValidationInfo(False, ("low_overlap",), True, 0.35, 2)


@pytest.fixture
def metrics() -> Metrics:
    return Metrics()


def value(metrics: Metrics, name: str, **labels: str) -> float | None:
    return metrics.registry.get_sample_value(name, labels)


def test_answers_and_refusals_are_counted_by_kind(metrics: Metrics):
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


def test_an_answer_that_was_not_checked_neither_passed_nor_failed(metrics: Metrics):
    unchecked = ValidationInfo(None, ("not_checked",), False, 0.8, 2)
    answer = msgspec.structs.replace(ANSWER, validation=unchecked)
    metrics.observe_reply(replace(ANSWERED, reply=answer, checked=unchecked))
    for passed in ("true", "false", "none"):
        assert value(metrics, "pincite_validation_passed_total", arm="a", passed=passed) is None
    assert value(metrics, "pincite_validation_success_rate", arm="a") is None
    assert value(metrics, "pincite_validation_findings_total", arm="a", reason="not_checked") == 1
    assert value(metrics, "pincite_uncertainty_expressed_total", arm="a") is None


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


def test_each_arm_has_its_success_rate(metrics: Metrics):
    for arm, info in (("a", ANSWER.validation), ("a", FAILED), ("b", ANSWER.validation)):
        metrics.observe_reply(replace(ANSWERED, checked=info), arm)
    assert value(metrics, "pincite_validation_success_rate", arm="a") == 0.5
    assert value(metrics, "pincite_validation_success_rate", arm="b") == 1.0


def test_rates_are_shares_of_all_replies_of_an_arm(metrics: Metrics):
    for outcome in (ANSWERED, ANSWERED, REFUSED, replace(REFUSED, checked=FAILED)):
        metrics.observe_reply(outcome)
    metrics.observe_reply(ANSWERED, "b")
    assert value(metrics, "pincite_fallback_usage_rate", arm="a") == 0.25
    assert value(metrics, "pincite_fallback_usage_rate", arm="b") == 0
    assert value(metrics, "pincite_uncertainty_expression_rate", arm="a") == 0.5
    assert value(metrics, "pincite_uncertainty_expression_rate", arm="b") == 0


def test_the_reduction_rate_is_the_share_of_failed_answers_not_shown(metrics: Metrics):
    shown = msgspec.structs.replace(FAILED, used_fallback=False)
    for info in (FAILED, shown, shown, ANSWER.validation):
        metrics.observe_reply(replace(ANSWERED, checked=info))
    assert value(metrics, "pincite_hallucination_reduction_rate", arm="a") == pytest.approx(1 / 3)


def test_the_mean_similarity_is_that_of_answers_from_passages(metrics: Metrics):
    metrics.observe_reply(ANSWERED)
    assert value(metrics, "pincite_avg_similarity_score", arm="a") is None
    for similarity in (0.8, 0.6):
        metrics.observe_reply(replace(ANSWERED, grounding=GroundingScores(similarity, 0.5)))
    assert value(metrics, "pincite_avg_similarity_score", arm="a") == pytest.approx(0.7)


def test_a_rate_without_replies_is_omitted(metrics: Metrics):
    names = ("validation_success", "fallback_usage", "hallucination_reduction", "uncertainty_expression")
    assert [value(metrics, f"pincite_{name}_rate", arm="a") for name in names] == [None] * 4


def test_rates_of_labelled_questions_need_an_evaluation(metrics: Metrics, tmp_path: Path):
    assert b"false_negative" not in generate_latest(metrics.registry)
    file = tmp_path / "evaluation.json"
    share = {"hits": 1, "total": 4, "share": 0.25, "interval": [0.05, 0.7]}
    nothing = {"hits": 0, "total": 0, "share": None, "interval": [0, 1]}
    record = {"index": {"index_id": "i1"}, "measures": {"false_negative_rate": share, "false_positive_rate": nothing}}
    file.write_bytes(msgspec.json.encode(record))
    metrics.registry.register(EvaluatedRates(file))
    assert value(metrics, "pincite_false_negative_rate", index_id="i1") == 0.25
    assert value(metrics, "pincite_false_positive_rate", index_id="i1") is None
    assert value(metrics, "pincite_evaluated_passages", index_id="i1", measure="false_negative_rate") == 4


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (None, "cannot be read as an evaluation. Run `pincite eval ... --json"),
        ("{", "cannot be read as an evaluation"),
        ('{"index": {"index_id": "i"}, "measures": {}}', "has no question about a passage. Evaluate rows with"),
    ],
    ids=["missing", "broken", "without-passages"],
)
def test_an_unusable_evaluation_is_refused_with_a_fix(tmp_path: Path, text: str | None, told: str):
    file = tmp_path / "evaluation.json"
    if text is not None:
        file.write_text(text)
    with pytest.raises(InputError, match=re.escape(told)):
        EvaluatedRates(file)


def test_two_sidecars_in_one_process_do_not_share_counts(metrics: Metrics):
    metrics.observe_reply(ANSWERED)
    assert b"pincite_answers_total{" not in generate_latest(Metrics().registry)
