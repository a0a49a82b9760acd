"""Build the final reply from a language model's text: an answer, or a substitute if no text was released."""

from pincite_core.wording import Key
from pincite_server.answering.generation import GenerationContext
from pincite_server.answering.outcome import Outcome
from pincite_server.answering.replies import build_answer
from pincite_server.answering.written.gate import Gate
from pincite_server.guards.chain import Finding, ValidationResult
from pincite_server.guards.release import confidence_score
from pincite_server.llm.messages import LlmError
from pincite_server.question.resolve import ResolvedQuestion
from pincite_server.reply.records import Notice, ValidationInfo

__all__ = ("conclude", "reply_without_text", "without_model")

_INCOMPLETE = Finding("incomplete", "soft")
_DROPPED = Finding("sentences_dropped", "soft")
_DOUBTFUL = Finding("doubtful_claims", "soft")


def conclude(context: GenerationContext, gate: Gate, *, complete: bool) -> Outcome:
    """Return the released answer, with the results of the checks that need the whole text.

    `passed` describes the released text. Dropped or doubtful sentences still add a reason and lower the confidence.
    """
    resolved = context.resolved
    citations = gate.citer.citations()
    whole = context.check_whole(" ".join(gate.written), citations)
    found = (*gate.passed_over, *whole.findings)
    speculative = (f"\n\n{resolved.say('speculative')}",) if found else ()
    shown = ValidationResult((*found, *(() if complete else (_INCOMPLETE,))), gate.checks)
    doubtful = gate.checks and any(claim.support == "doubtful" for claim in gate.claims)
    beside = (*((_DROPPED,) if gate.dropped else ()), *((_DOUBTFUL,) if doubtful else ()))
    checked = ValidationResult((*shown.findings, *beside), gate.checks)
    score = confidence_score(len(gate.excerpt_texts), checked)
    return build_answer(
        resolved,
        mode=context.mode,
        composer="llm",
        pieces=(*gate.released, *speculative),
        citations=citations,
        claims=tuple(gate.claims),
        evidence=context.evidence,
        validation=ValidationInfo(shown.verdict, checked.told, False, score, len(gate.excerpt_texts)),
        learning=() if shown.passed else context.topics(),
        grounding=whole.grounding,
    )


def reply_without_text(
    extractive: Outcome, context: GenerationContext, gate: Gate, failure: LlmError | None
) -> Outcome:
    """Return the reply if no text was released.

    This is a refusal if the model found no answer, the quoted answer if the model failed, else the fallback.
    """
    timings = context.resolved.clock.timings()
    if gate.declined:
        return context.decline().timed(timings)
    if failure is not None:
        return without_model(extractive, context.resolved, failure)
    failed = ValidationResult(tuple(gate.dropped))
    score = confidence_score(len(gate.excerpt_texts), failed)
    validation = ValidationInfo(False, failed.reasons, True, score, len(gate.excerpt_texts))
    return context.fall_back(failed, validation).timed(timings)


def without_model(extractive: Outcome, resolved: ResolvedQuestion, failure: LlmError) -> Outcome:
    """Return the quoted answer with a notice that the model failed or its budget is spent."""
    key: Key = "llm_budget" if failure.failure == "budget" else "llm_unavailable"
    return extractive.with_notices(Notice(key, resolved.say(key))).timed(resolved.clock.timings())
