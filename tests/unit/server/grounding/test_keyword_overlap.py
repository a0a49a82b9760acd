"""The unit tests of ADR-003 (selected-text validation), and what its rule leaves open."""

import pytest

from pincite_core.embedders import FakeEmbedder, load_embedder
from pincite_server.grounding.keyword_overlap import (
    WINDOW_TOKENS,
    extract_keywords,
    validate_response_in_context,
    windows_of,
)
from pincite_server.grounding.verdict import judge_support, validate_grounding

ENCODE = FakeEmbedder().encode
SELECTED = "ROS 2 supports distributed systems."
FACTORIAL = "def factorial(n): return 1 if n==0 else n*factorial(n-1)"


def test_the_adr_accepts_a_response_by_its_keywords() -> None:
    assert validate_response_in_context("ROS 2 enables distributed systems.", SELECTED, ENCODE).passed


def test_the_adr_rejects_an_unrelated_response() -> None:
    verdict = validate_response_in_context("Kubernetes provides container orchestration.", SELECTED, ENCODE)
    assert not verdict.passed
    assert verdict.keyword_overlap == 0.0


def test_the_adr_handles_code() -> None:
    assert validate_response_in_context("factorial function computes factorial", FACTORIAL, ENCODE).passed


def test_the_default_accepts_the_adrs_code_example_and_no_other_story_about_the_code() -> None:
    asked = "What does this do?"
    assert judge_support(FACTORIAL, asked, "factorial function computes factorial").grounded
    assert not judge_support(FACTORIAL, asked, "factorial function deletes all files").grounded
    assert not judge_support("factorial is a word", asked, "factorial function computes factorial").grounded


@pytest.mark.model
@pytest.mark.parametrize(
    ("response", "selected", "passed"),
    [
        ("ROS 2 enables distributed systems.", SELECTED, True),
        ("Kubernetes provides container orchestration.", SELECTED, False),
        ("factorial function computes factorial", FACTORIAL, True),
    ],
)
def test_the_adrs_three_tests_hold_with_the_real_model(response: str, selected: str, passed: bool) -> None:
    assert validate_response_in_context(response, selected, load_embedder().encode).passed is passed


def test_the_adr_passes_a_response_without_keywords() -> None:
    assert extract_keywords("It is so.") == []
    assert validate_response_in_context("It is so.", "Anything.", ENCODE).passed


def test_stop_words_and_short_words_are_no_keywords() -> None:
    assert extract_keywords("They have been there with a hot set of these caches.") == ["caches"]


def test_the_adr_score_is_the_better_of_its_two_measures() -> None:
    verdict = validate_grounding("The cache is large.", "?", "The cache large, Kubernetes.", ENCODE, mode="adr-003")
    assert verdict.score == pytest.approx(max(verdict.similarity, verdict.keyword_overlap), abs=1e-4)
    assert verdict.score < 1


def test_the_adr_mode_is_a_choice() -> None:
    passage, answer = "The cache is large.", "The cache large, Kubernetes."
    verdict = validate_grounding(passage, "?", answer, ENCODE, mode="adr-003")
    assert verdict.grounded
    assert verdict.keyword_overlap == pytest.approx(2 / 3)
    assert not judge_support(passage, "?", answer).grounded


def test_a_passage_longer_than_the_models_window_is_compared_where_it_says_the_same() -> None:
    filler = "The garden has roses, and roses need water in every dry summer. " * 100
    answer = "Nodes talk over topics with the rclpy library."
    verdict = validate_response_in_context(answer, f"{filler}{answer} {filler}", ENCODE)
    alone = validate_response_in_context(answer, filler, ENCODE)
    assert verdict.similarity > alone.similarity


def test_windows_are_whole_sentences_and_lose_nothing() -> None:
    passage = " ".join(f"Sentence {number} is about the garden." for number in range(200))
    windows = windows_of(passage)
    assert "".join(windows) == passage
    assert len(windows) > 1
    assert all(window.rstrip().endswith(".") for window in windows)


def test_a_passage_that_fits_the_window_is_one() -> None:
    assert windows_of(SELECTED) == [SELECTED]
    assert windows_of("word " * (WINDOW_TOKENS - 1)) == ["word " * (WINDOW_TOKENS - 1)]
