"""What a language model's text ends as: an answer, or what takes its place when none of it was released."""

import dataclasses

from pincite_server.answering.guard import guard_answer
from pincite_server.answering.written.material import Material
from pincite_server.answering.written.sentence_gate import SentenceGate
from pincite_server.guards.chain import Draft, Finding, ValidationResult
from pincite_server.guards.score import confidence_score
from pincite_server.llm.errors import LlmError
from pincite_server.model import Answer, Notice, Refusal, ValidationInfo
from pincite_server.wording import Key

__all__ = ("conclude", "reply_without_text")

_INCOMPLETE = Finding("incomplete", "soft")
_DROPPED = Finding("sentences_dropped", "soft")


def conclude(material: Material, gate: SentenceGate, *, complete: bool) -> Answer:
    """Return the answer that was released, with what only the whole of it shows.

    `passed` speaks of what was released. That sentences were dropped is a reason, and costs confidence, all the same.
    """
    situation = material.situation
    citations = gate.citer.citations()
    whole = material.check_whole(" ".join(claim.text for claim in gate.claims), citations)
    draft = Draft("llm", tuple(gate.claims), gate.context)
    verdict = guard_answer(draft, situation.engine.policy, [*gate.passed_over, *whole.findings])
    doubtful = (f"\n\n{situation.say('speculative')}",) if verdict.result.findings else ()
    shown = ValidationResult((*verdict.result.findings, *(() if complete else (_INCOMPLETE,))))
    return Answer(
        mode=material.mode,
        scope=situation.scope,
        notices=situation.notices,
        evidence=round(material.evidence, 4),
        learning_suggestions=() if shown.passed else material.topics(),
        composer="llm",
        deltas=(*gate.released, *doubtful),
        citations=citations,
        validation=_validation(gate, shown),
        grounding=whole.grounding,
        timings_ms=situation.clock.timings(),
    )


def reply_without_text(
    extractive: Answer, material: Material, gate: SentenceGate, failure: LlmError | None
) -> Answer | Refusal:
    """Return the refusal of a model that found no answer, the quoted answer when it failed, else the fallback."""
    timings = material.situation.clock.timings()
    if gate.declined:
        return dataclasses.replace(material.decline(), timings_ms=timings)
    if failure is not None:
        key: Key = "llm_budget" if failure.failure == "budget" else "llm_unavailable"
        notice = Notice(key, material.situation.say(key))
        return dataclasses.replace(extractive, notices=(*extractive.notices, notice), timings_ms=timings)
    failed = ValidationResult(tuple(gate.dropped))
    score = confidence_score(len(gate.context), failed)
    validation = ValidationInfo(False, failed.reasons, True, score, len(gate.context))
    return dataclasses.replace(material.fall_back(failed, validation), timings_ms=timings)


def _validation(gate: SentenceGate, shown: ValidationResult) -> ValidationInfo:
    found = ValidationResult((*shown.findings, *((_DROPPED,) if gate.dropped else ())))
    score = confidence_score(len(gate.context), found)
    return ValidationInfo(shown.passed, found.reasons, False, score, len(gate.context))
