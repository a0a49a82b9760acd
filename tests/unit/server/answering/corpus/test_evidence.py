import dataclasses

import pytest

from pincite_core.search.evidence import DEFAULT_CALIBRATION, EvidenceSignals
from pincite_server.answering.corpus.corpus_evidence import judge_evidence
from pincite_server.policy import Policy

NOTHING = EvidenceSignals.uniform(0.0)
COSINE = Policy(evidence_mode="cosine")


@pytest.mark.parametrize(("cosine", "answered"), [(0.34, False), (0.35, True), (0.36, True)])
def test_the_specifications_cosine_threshold_is_inclusive(cosine: float, answered: bool) -> None:
    signals = dataclasses.replace(NOTHING, best_chunk=cosine)
    assert judge_evidence(signals, DEFAULT_CALIBRATION, COSINE).sufficient is answered


def test_no_chunk_at_all_is_no_evidence() -> None:
    assert not judge_evidence(NOTHING, DEFAULT_CALIBRATION, COSINE).sufficient
    assert not judge_evidence(NOTHING, DEFAULT_CALIBRATION, Policy()).sufficient


def test_the_probability_is_compared_with_the_operators_threshold() -> None:
    signals = dataclasses.replace(EvidenceSignals.uniform(0.4), best_sentence=0.6, coverage=0.8)
    value = judge_evidence(signals, DEFAULT_CALIBRATION, Policy()).value
    assert judge_evidence(signals, DEFAULT_CALIBRATION, Policy(evidence_threshold=value)).sufficient
    assert not judge_evidence(signals, DEFAULT_CALIBRATION, Policy(evidence_threshold=value + 0.001)).sufficient


@pytest.mark.parametrize(("cosine", "weak"), [(0.17, False), (0.18, True), (0.34, True), (0.35, False)])
def test_evidence_is_weak_between_half_the_threshold_and_the_threshold(cosine: float, weak: bool) -> None:
    signals = dataclasses.replace(NOTHING, best_chunk=cosine)
    assert judge_evidence(signals, DEFAULT_CALIBRATION, COSINE).weak is weak
