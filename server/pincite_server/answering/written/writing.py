"""Stage 3 with a language model: check and release its text sentence by sentence while it writes."""

from collections.abc import Iterator, Sequence
from contextlib import aclosing
from dataclasses import replace

from pincite_core.wording import Key
from pincite_server.answering.generation import Excerpt, GenerationContext, Offload
from pincite_server.answering.outcome import Outcome, ReadingTrace
from pincite_server.answering.replies import build_answer, open_answer
from pincite_server.answering.reply_broadcast import Publish, StartEvent, StatusEvent, TextEvent
from pincite_server.answering.written.answer_translation import AnswerTranslation
from pincite_server.answering.written.gate import Gate, JudgedUnit
from pincite_server.answering.written.llm_verifier import LlmVerifier
from pincite_server.answering.written.markers import Markers
from pincite_server.answering.written.prompt import Task, build_prompt
from pincite_server.answering.written.unit_queue import UnitQueue, UnitQueues
from pincite_server.answering.written.units import WrittenUnit, WrittenUnits
from pincite_server.guards.chain import Finding, ValidationResult
from pincite_server.guards.release import confidence_score
from pincite_server.llm.messages import LlmError
from pincite_server.llm.reply_model import ReplyModel
from pincite_server.question.resolve import ResolvedQuestion
from pincite_server.reply.records import Notice, Progress, ValidationInfo

__all__ = ("conclude", "reply_without_text", "without_model", "write_answer")

_FEWEST_TOKENS = 500  # of the docs; if a prompt is too long even with so few, fewer excerpts do not help


async def write_answer(
    extractive: Outcome, context: GenerationContext, model: ReplyModel, offload: Offload, publish: Publish
) -> Outcome:
    """Return a written answer, and publish its text as it is released; or return a reply without a model's text.

    If the model fails before the first sentence is released, the quoted answer is sent with a notice. If the model
    finds no answer, or no sentence passes the checks, a refusal is sent. A prompt that is too long for the model, or
    for the budget of one answer, is sent again with fewer sections.

    `extractive` is the reply without a model.
    """
    for tokens in _narrowing(model.evidence_tokens):
        excerpts = await offload(context.excerpts, tokens)
        if not excerpts:  # there is no excerpt that the model may read
            return extractive
        writing = _Writing(context, excerpts, model, offload, publish)
        if not model.affords(writing.messages) and tokens > _FEWEST_TOKENS:
            continue
        quoted = [excerpt for excerpt in excerpts if excerpt.is_quoted]
        publish(StatusEvent(Progress("reading", titles=tuple(excerpt.title for excerpt in quoted))))
        await writing.run()
        if not writing.is_too_long:
            break
        model.narrow(tokens // 2)
    read = dict.fromkeys(unit.chunk.target_id for excerpt in quoted for unit in excerpt.units)
    outcome = await writing.outcome(extractive)
    for text in outcome.pieces[len(writing.gate.released) :] if writing.gate.released else ():
        publish(TextEvent(text))
    return replace(outcome, trace=ReadingTrace(read=tuple(read)))


def _narrowing(tokens: int) -> Iterator[int]:
    """Yield the number of tokens to quote from the docs at each attempt."""
    yield tokens
    while tokens > _FEWEST_TOKENS:
        tokens = max(_FEWEST_TOKENS, tokens // 2)
        yield tokens


class _Writing:
    """One request for an answer and the processing of its text.

    Attributes:
        messages: The prompt.
        gate: Checks the text.
        failure: The model's error; None if there is none.
    """

    def __init__(
        self,
        context: GenerationContext,
        excerpts: Sequence[Excerpt],
        model: ReplyModel,
        offload: Offload,
        publish: Publish,
    ) -> None:
        self._context, self._model, self._offload, self._publish = context, model, offload, publish
        resolved = context.resolved
        shown = (excerpt.evidence for excerpt in excerpts)
        markers = Markers.draw(max(excerpt.number for excerpt in excerpts), [resolved.question.query, *shown])
        self.gate = Gate(context, excerpts, markers)
        task = Task(
            question=resolved.question.query,
            corpus=resolved.corpus,
            built_on=resolved.answerer.built_on,
            excerpts=tuple(excerpts),
            from_selection=context.mode == "selection",
        )
        self.messages = build_prompt(task, markers)
        self.failure: LlmError | None = None
        queues: list[UnitQueue] = [LlmVerifier(self.gate, model, resolved.question.query)]
        if resolved.reader_language is not None:
            queues.append(AnswerTranslation(self.gate, model, resolved.scope.locale, resolved.reader_language))
        self._queues = UnitQueues(queues)

    @property
    def is_too_long(self) -> bool:
        """Whether the model rejected the prompt because of its length."""
        return self.failure is not None and self.failure.failure == "too_long"

    async def run(self) -> None:
        """Publish the released text, while the model writes and after its second check."""
        try:
            try:
                await self._write()
            except LlmError as error:
                self.failure = error
            if not self.gate.declined:
                if self._queues.hold_back:
                    self._publish(StatusEvent(Progress("checking")))
                await self._release(await self._queues.rest())
            self.gate.finish()
        finally:
            await self._queues.aclose()
            for name, amount in self.gate.counts.items():
                self._model.count(name, amount)

    async def outcome(self, extractive: Outcome) -> Outcome:
        """Return the final reply."""
        gate, context = self.gate, self._context
        if gate.released:
            return await self._offload(conclude, context, gate, complete=self.failure is None)
        self._model.count("llm_declined" if gate.declined else "llm_degraded" if self.failure else "llm_fallbacks")
        return reply_without_text(extractive, context, gate, self.failure)

    async def _write(self) -> None:
        """Read the model's text until it ends, the model declines, or too many units were dropped.

        The time spent waiting for the model is the stage `model`.
        """
        gate, resolved = self.gate, self._context.resolved
        written = WrittenUnits(resolved.scope.locale)
        async with aclosing(self._model.write("write", self.messages)) as pieces:
            piece: str | None = ""
            while piece is not None:
                with resolved.clock.stage("model"):
                    piece = await anext(pieces, None)
                for unit in written.finish() if piece is None else written.feed(piece):
                    judged = await self._offload(self._judge, unit)
                    if judged is not None:
                        await self._release(self._queues.take(judged))
                    if gate.declined or gate.is_hopeless:
                        return

    def _judge(self, unit: WrittenUnit) -> JudgedUnit | None:
        with self._context.resolved.clock.stage("guard"):
            return self.gate.judge(unit)

    async def _release(self, units: Sequence[JudgedUnit]) -> None:
        """Publish the text that some units release, after a start if it is the first text."""
        for unit in units:
            began = bool(self.gate.released)
            pieces = await self._offload(self.gate.release, unit)
            if pieces and not began:
                self._publish(StartEvent(open_answer(self._context.resolved, self._context.mode, "llm")))
            for piece in pieces:
                self._publish(TextEvent(piece))


def conclude(context: GenerationContext, gate: Gate, *, complete: bool) -> Outcome:
    """Return the released answer, with the results of the checks that need the whole text.

    `passed` describes the released text. Dropped or doubtful sentences still add a reason and lower the confidence.
    """
    resolved = context.resolved
    citations = gate.citer.citations()
    whole = context.check_whole(" ".join(gate.written), citations)
    found = (*gate.passed_over, *whole.findings)
    speculative = (f"\n\n{resolved.say('speculative')}",) if found else ()
    shown = ValidationResult((*found, *(() if complete else (Finding("incomplete", "soft"),))), gate.checks)
    further: list[Finding] = []
    if gate.dropped:
        further.append(Finding("sentences_dropped", "soft"))
    if gate.checks and any(claim.support == "doubtful" for claim in gate.claims):
        further.append(Finding("doubtful_claims", "soft"))
    checked = ValidationResult((*shown.findings, *further), gate.checks)
    score = confidence_score(len(gate.excerpt_texts), checked)
    return build_answer(
        resolved,
        mode=context.mode,
        composer="llm",
        pieces=(*gate.released, *speculative),
        citations=citations,
        claims=tuple(gate.claims),
        evidence=context.evidence,
        validation=ValidationInfo(shown.verdict, checked.client_reasons, False, score, len(gate.excerpt_texts)),
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
