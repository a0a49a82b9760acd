import pytest

from pincite_core.wording import LANGUAGES
from pincite_server.grounding.names import unsupported_names
from pincite_server.grounding.verdict import judge_support
from pincite_server.guards.chain import (
    CitationRequired,
    Claim,
    ConfidenceValidator,
    Draft,
    EvidenceOverlap,
    Finding,
    NumericUnitsBasic,
    ValidationResult,
    must_fall_back,
)
from pincite_server.guards.release import FallbackHandler, confidence_score, guard_answer
from pincite_server.policy import Policy

CONTEXT = "The cache keeps pages for 30 minutes and holds up to 1,500 entries."


def draft(
    text: str,
    evidence: str | None = CONTEXT,
    context: tuple[str, ...] = (CONTEXT,),
    composer: str = "llm",
    language: str = "en",
) -> Draft:
    return Draft(composer, (Claim(text, evidence),), context, language)  # type: ignore[arg-type]


def result(*reasons: str, severity: str = "hard") -> ValidationResult:
    return ValidationResult(tuple(Finding(reason, severity) for reason in reasons))  # type: ignore[arg-type]


def test_a_claim_without_a_citation_is_found() -> None:
    assert [item.reason for item in CitationRequired().check(draft("The cache is fast.", None))] == ["missing_citation"]
    assert not CitationRequired().check(draft("The cache is fast."))


def test_an_answer_without_claims_lacks_a_citation() -> None:
    assert CitationRequired().check(Draft("llm", (), (CONTEXT,)))


def test_a_claim_that_shares_no_word_with_its_source_is_found() -> None:
    assert EvidenceOverlap(0.01).check(draft("Kubernetes orchestrates containers."))
    assert not EvidenceOverlap(0.01).check(draft("The cache is emptied by nobody."))


def test_a_quotation_of_stop_words_alone_overlaps() -> None:
    draft = Draft("extractive", (Claim("No.", "May I? No. Never."),), ())
    assert EvidenceOverlap().check(draft) == []


def test_the_overlap_threshold_is_the_share_of_the_claims_words() -> None:
    half = draft("cache zeppelin")
    assert not EvidenceOverlap(0.5).check(half)
    assert EvidenceOverlap(0.51).check(half)


@pytest.mark.parametrize(
    "claim", ["It keeps pages for 30 minutes.", "It holds 1500 entries.", "It holds 1,500.0 entries."]
)
def test_a_number_of_the_source_may_be_written_differently(claim: str) -> None:
    assert not NumericUnitsBasic().check(draft(claim))


def test_a_number_that_the_source_does_not_have_is_found() -> None:
    assert [item.detail for item in NumericUnitsBasic().check(draft("It keeps pages for 45 minutes."))] == ["45"]


def test_a_number_of_another_section_than_the_cited_one_is_found() -> None:
    elsewhere = "The queue retries a job after 45 seconds."
    claim = draft("It keeps pages for 45 minutes.", CONTEXT, (CONTEXT, elsewhere))
    assert [item.detail for item in NumericUnitsBasic().check(claim)] == ["45"]


def test_a_number_without_a_citation_may_come_from_any_section() -> None:
    assert not NumericUnitsBasic().check(draft("It keeps pages for 30 minutes.", None))


def test_a_spelled_number_supports_its_digits() -> None:
    assert not NumericUnitsBasic().check(draft("There are 3 caches.", "There are three caches."))


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("I don't know.", "en"),
        ("I'm not certain about that.", "en"),
        ("I cannot answer this.", "en"),
        ("Tôi không biết.", "vi"),
        ("Tôi không rõ.", "vi"),
        ("Không có đủ thông tin để trả lời.", "vi"),
        ("Tôi không thể trả lời câu hỏi này.", "vi"),
        ("我不知道。", "zh"),
        ("我不确定。", "zh"),
        ("Das weiß ich nicht, ich bin mir nicht sicher.", "de"),
        ("Je ne sais pas.", "fr"),
    ],
)
def test_uncertainty_is_understood_in_the_language_of_the_docs(text: str, language: str) -> None:
    assert not ConfidenceValidator().check(draft(text, None, (), language=language))


@pytest.mark.parametrize("text", ["Definitely X.", "Chắc chắn 100%.", "绝对是这样。", "The cache is fast."])
def test_certainty_without_context_fails(text: str) -> None:
    findings = ConfidenceValidator().check(draft(text, None, ()))
    assert [item.reason for item in findings] == ["missing_uncertainty_no_context"]


def test_certainty_with_context_passes() -> None:
    assert not ConfidenceValidator().check(draft("Definitely 30 minutes."))


def test_a_hedge_at_the_start_of_a_sentence_is_not_a_name() -> None:
    context = "The image listens on port 8080."
    written = Draft("llm", (Claim("Maybe it listens on port 8080.", context),), (context,))
    assert [item.reason for item in ConfidenceValidator().check(written)] == ["hedging"]
    assert unsupported_names("Maybe it listens.", frozenset()) == []
    judged = judge_support(context, "Which port?", "Maybe it listens on port 8080.")
    assert (judged.grounded, judged.unsupported) == (True, ())


@pytest.mark.parametrize(
    ("text", "language", "fails"), [("Tôi không chắc chắn.", "vi", False), ("This is absolutely right.", "en", True)]
)
def test_a_phrase_of_uncertainty_does_not_count_as_certainty(text: str, language: str, fails: bool) -> None:
    certain = ConfidenceValidator(require_uncertainty_when_no_context=False)
    assert bool(certain.check(draft(text, None, (), language=language))) is fails


def test_hedge_words_count_against_generated_text_only() -> None:
    assert ConfidenceValidator().check(draft("Maybe the cache is full."))[0].severity == "soft"
    assert not ConfidenceValidator().check(draft("Maybe the cache is full.", composer="extractive"))


@pytest.mark.parametrize(
    ("strictness", "hard", "soft"), [("strict", True, True), ("hybrid", True, False), ("permissive", False, False)]
)
def test_strictness_decides_what_is_overridden(strictness: str, hard: bool, soft: bool) -> None:
    assert must_fall_back(result("low_overlap"), strictness) is hard  # type: ignore[arg-type]
    assert must_fall_back(result("hedging", severity="soft"), strictness) is soft  # type: ignore[arg-type]
    assert not must_fall_back(result(), strictness)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("documents", "reasons", "score"),
    [
        (0, (), 0.3),
        (1, (), 0.6),
        (2, (), 0.9),
        (5, (), 0.9),
        (0, ("missing_uncertainty_no_context",), 0.1),
        (1, ("missing_uncertainty_no_context",), 0.4),
        (2, ("missing_citation",), 0.6),
        (2, ("low_overlap",), 0.65),
        (2, ("unsupported_number",), 0.7),
        (1, ("missing_citation", "low_overlap"), 0.15),
        (0, ("low_overlap", "unsupported_number"), 0.0),
    ],
)
def test_the_confidence_score_follows_the_table(documents: int, reasons: tuple[str, ...], score: float) -> None:
    assert confidence_score(documents, result(*reasons)) == pytest.approx(score)


def test_a_measured_likelihood_replaces_the_base_for_several_documents() -> None:
    assert confidence_score(3, result(), 0.62) == pytest.approx(0.62)
    assert confidence_score(3, result("low_overlap"), 0.62) == pytest.approx(0.62 - 0.1 - 0.15)
    assert confidence_score(1, result(), 0.62) == pytest.approx(0.6)


@pytest.mark.parametrize("reason", ["missing_citation", "low_overlap"])
def test_the_fallback_is_triggered_by_the_designs_reasons(reason: str) -> None:
    assert FallbackHandler.is_triggered(result(reason), ())
    assert not FallbackHandler.is_triggered(result(reason), (CONTEXT,))
    assert FallbackHandler.is_triggered(result("missing_uncertainty_no_context"), (CONTEXT,))
    assert not FallbackHandler.is_triggered(result("hedging"), ())


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_fallback_says_why_and_when_in_the_readers_language(language: str) -> None:
    handler = FallbackHandler("Lantern", "2026-11-21")
    text = handler.get_fallback_answer(language, result("unsupported_number"))
    assert "Lantern" in text
    assert "2026-11-21" in text
    assert "{" not in text
    assert (text == handler.get_fallback_answer("en", result("unsupported_number"))) is (language == "en")


def test_a_failed_answer_is_replaced_and_says_so() -> None:
    verdict = guard_answer(draft("It keeps pages for 45 minutes."), Policy())
    assert verdict.info.used_fallback
    assert verdict.info.reasons == ("unsupported_number",)
    assert not verdict.info.passed


def test_permissive_guards_only_warn() -> None:
    verdict = guard_answer(draft("It keeps pages for 45 minutes."), Policy(strictness="permissive"))
    assert verdict.warn
    assert not verdict.info.used_fallback


def test_validators_can_be_turned_off() -> None:
    verdict = guard_answer(draft("It keeps pages for 45 minutes."), Policy(validators_enabled=False))
    assert verdict.info.passed is None
    assert verdict.info.reasons == ("not_checked",)
    assert verdict.info.confidence_score < guard_answer(draft("It keeps pages."), Policy()).info.confidence_score
    assert not verdict.warn
