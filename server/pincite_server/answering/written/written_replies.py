"""Build the final reply from a language model's text: an answer, or a substitute if no text was released."""

from collections.abc import Iterator, Sequence

import msgspec

from pincite_core.wording import Key
from pincite_server.answering.material import Citer, Material
from pincite_server.answering.outcome import Outcome
from pincite_server.answering.replies import put_together
from pincite_server.answering.written.gate import Gate
from pincite_server.guards.chain import Finding, ValidationResult
from pincite_server.guards.release import confidence_score
from pincite_server.llm.messages import LlmError
from pincite_server.question.resolve import ResolvedQuestion
from pincite_server.reply.records import Notice, ShownClaim, ValidationInfo

__all__ = ("conclude", "reply_without_text", "without_model")

_INCOMPLETE = Finding("incomplete", "soft")
_DROPPED = Finding("sentences_dropped", "soft")
_DOUBTFUL = Finding("doubtful_claims", "soft")


def conclude(material: Material, gate: Gate, *, complete: bool) -> Outcome:
    """Return the released answer, with the results of the checks that need the whole text.

    `passed` describes the released text. Dropped or doubtful sentences still add a reason and lower the confidence.
    """
    resolved = material.resolved
    citations = gate.citer.citations()
    whole = material.check_whole(" ".join(gate.written), citations)
    found = (*gate.passed_over, *whole.findings)
    speculative = (f"\n\n{resolved.say('speculative')}",) if found else ()
    shown = ValidationResult((*found, *(() if complete else (_INCOMPLETE,))), gate.checks)
    return put_together(
        resolved,
        mode=material.mode,
        composer="llm",
        pieces=(*gate.released, *speculative),
        citations=citations,
        claims=tuple(_landed(gate.claims, gate.citer)),
        evidence=material.evidence,
        validation=_validation(gate, shown),
        learning=() if shown.passed else material.topics(),
        grounding=whole.grounding,
    )


def reply_without_text(extractive: Outcome, material: Material, gate: Gate, failure: LlmError | None) -> Outcome:
    """Return the reply if no text was released.

    This is a refusal if the model found no answer, the quoted answer if the model failed, else the fallback.
    """
    timings = material.resolved.clock.timings()
    if gate.declined:
        return material.decline().timed(timings)
    if failure is not None:
        return without_model(extractive, material.resolved, failure)
    failed = ValidationResult(tuple(gate.dropped))
    score = confidence_score(len(gate.context), failed)
    validation = ValidationInfo(False, failed.reasons, True, score, len(gate.context))
    return material.fall_back(failed, validation).timed(timings)


def without_model(extractive: Outcome, resolved: ResolvedQuestion, failure: LlmError) -> Outcome:
    """Return the quoted answer with a notice that the model failed or its budget is spent."""
    key: Key = "llm_budget" if failure.failure == "budget" else "llm_unavailable"
    return extractive.with_notices(Notice(key, resolved.say(key))).timed(resolved.clock.timings())


def _landed(claims: Sequence[ShownClaim], citer: Citer) -> Iterator[ShownClaim]:
    """Yield claims with the tabs and details that hide the first place they cite."""
    for claim in claims:
        yield msgspec.structs.replace(claim, landing=citer.landing(claim.citations[0]) if claim.citations else ())


def _validation(gate: Gate, shown: ValidationResult) -> ValidationInfo:
    doubtful = gate.checks and any(claim.support == "doubtful" for claim in gate.claims)
    beside = (*((_DROPPED,) if gate.dropped else ()), *((_DOUBTFUL,) if doubtful else ()))
    found = ValidationResult((*shown.findings, *beside), gate.checks)
    score = confidence_score(len(gate.context), found)
    return ValidationInfo(shown.verdict, found.client_reasons, False, score, len(gate.context))
