"""A/B comparison of two policies."""

import pytest
from tests.factories import build_index

from pincite_core.embedders import FakeEmbedder
from pincite_core.errors import InputError
from pincite_server.answerer import Answerer
from pincite_server.http.sidecar import Comparison

READERS = [f"reader-{number}" for number in range(200)]


@pytest.fixture(scope="module")
def answerer(tmp_path_factory: pytest.TempPathFactory) -> Answerer:
    return Answerer.with_embedder(build_index(tmp_path_factory.mktemp("index"), {"/a": "# A\nText."}), FakeEmbedder())


def test_without_a_comparison_all_readers_have_the_operators_policy(answerer: Answerer):
    compared = Comparison.from_assignments((), {})
    assert {compared.answerer_for(answerer, reader)[1] for reader in READERS} == {"a"}


def test_about_half_of_the_readers_get_the_changed_policy(answerer: Answerer):
    compared = Comparison.from_assignments(("PINCITE_GUARDS=strict",), {})
    arms = [compared.answerer_for(answerer, reader) for reader in READERS]
    changed = [chosen for chosen, arm in arms if arm == "b"]
    assert 60 < len(changed) < 140
    assert {chosen.policy.strictness for chosen in changed} == {"strict"}
    assert {chosen.policy.strictness for chosen, arm in arms if arm == "a"} == {"hybrid"}


def test_a_reader_stays_in_an_arm(answerer: Answerer):
    first, restarted = (Comparison.from_assignments(("PINCITE_GUARDS=strict",), {}) for _ in range(2))
    arms = [first.answerer_for(answerer, reader)[1] for reader in READERS]
    assert [restarted.answerer_for(answerer, reader)[1] for reader in reversed(READERS)] == arms[::-1]
    assert arms[:8] == ["a", "b", "b", "b", "b", "a", "b", "b"], "the arm depends on the session token alone"


def test_unchanged_settings_are_the_operators(answerer: Answerer):
    compared = Comparison.from_assignments(("PINCITE_GUARDS=strict",), {"PINCITE_EVIDENCE_THRESHOLD": "0.7"})
    assert compared.other is not None
    assert compared.other.evidence_threshold == 0.7


@pytest.mark.parametrize("wrong", ["strict", "PINCITE_PORT=80", "PINCITE_GUARDS=loose", "=strict"])
def test_an_invalid_comparison_is_refused(wrong: str):
    with pytest.raises(InputError, match="PINCITE_GUARDS"):
        Comparison.from_assignments((wrong,), {})
