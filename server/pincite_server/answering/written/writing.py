"""Stage 3 with a language model: check and release its text sentence by sentence while it writes."""

from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import ParamSpec, Protocol, TypeVar

from pincite_server.answering.generation import Excerpt, GenerationContext
from pincite_server.answering.outcome import Outcome, ReadingTrace, Step
from pincite_server.answering.replies import open_answer
from pincite_server.answering.written.answer_translation import AnswerTranslation
from pincite_server.answering.written.gate import Gate, JudgedUnit
from pincite_server.answering.written.llm_verifier import LlmVerifier
from pincite_server.answering.written.markers import Markers
from pincite_server.answering.written.prompt import Task, build_prompt
from pincite_server.answering.written.unit_queue import UnitQueue, UnitQueues
from pincite_server.answering.written.units import WrittenUnit, WrittenUnits
from pincite_server.answering.written.written_replies import conclude, reply_without_text
from pincite_server.llm.messages import LlmError
from pincite_server.llm.reply_model import ReplyModel
from pincite_server.reply.records import Progress

__all__ = ("Offload", "write_answer")

_FEWEST_TOKENS = 500  # of the docs; if a prompt is too long even with so few, fewer excerpts do not help

P = ParamSpec("P")
T = TypeVar("T")


class Offload(Protocol):
    """Runs a function off the event loop."""

    async def __call__(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Return the function's result."""
        ...


async def write_answer(
    extractive: Outcome, context: GenerationContext, model: ReplyModel, offload: Offload
) -> AsyncGenerator[Step]:
    """Yield a written reply: an opening, released text and the answer; or a single reply without a model's text.

    If the model fails before the first sentence is released, the quoted answer is sent with a notice. If the model
    finds no answer, or no sentence passes the checks, a refusal is sent. A prompt that is too long for the model, or
    for the budget of one answer, is sent again with fewer sections.

    Args:
        extractive: The reply without a model.
        context: The context for the model.
        model: The language model of this reply.
        offload: Runs the checks off the event loop.
    """
    for tokens in _narrowing(model.evidence_tokens):
        excerpts = await offload(context.excerpts, tokens)
        if not excerpts:  # there is no excerpt that the model may read
            yield extractive
            return
        writing = _Writing(context, excerpts, model, offload)
        if not model.affords(writing.messages) and tokens > _FEWEST_TOKENS:
            continue
        yield Progress("reading", titles=tuple(excerpt.title for excerpt in excerpts if excerpt.is_quoted))
        async with aclosing(writing.steps()) as steps:
            async for step in steps:
                yield step
        if not writing.is_too_long:
            break
        model.narrow(tokens // 2)
    read = dict.fromkeys(unit.chunk.target_id for one in excerpts if one.is_quoted for unit in one.units)
    outcome = await writing.outcome(extractive)
    for text in outcome.pieces[len(writing.gate.released) :] if writing.gate.released else ():
        yield text
    yield replace(outcome, trace=ReadingTrace(read=tuple(read)))


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
        self, context: GenerationContext, excerpts: Sequence[Excerpt], model: ReplyModel, offload: Offload
    ) -> None:
        self._context, self._model, self._offload = context, model, offload
        markers = _markers(context, excerpts)
        self.gate = Gate(context, excerpts, markers)
        self.messages = build_prompt(_task(context, excerpts), markers)
        self.failure: LlmError | None = None
        self._queues = UnitQueues(_queues(self.gate, model, context))

    @property
    def is_too_long(self) -> bool:
        """Whether the model rejected the prompt because of its length."""
        return self.failure is not None and self.failure.failure == "too_long"

    async def steps(self) -> AsyncGenerator[Step]:
        """Yield the released text, while the model writes and after its second check."""
        try:
            try:
                async with aclosing(self._judged()) as units:
                    async for unit in units:
                        async for step in self._released(self._queues.take(unit)):
                            yield step
            except LlmError as error:
                self.failure = error
            if not self.gate.declined:
                if self._queues.hold_back:
                    yield Progress("checking")
                async for step in self._released(await self._queues.rest()):
                    yield step
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

    async def _judged(self) -> AsyncGenerator[JudgedUnit]:
        """Yield units with their verdicts, until the model declines or too many units were dropped."""
        gate = self.gate
        async with aclosing(self._units()) as units:
            async for unit in units:
                judged = await self._offload(_timed_judgement, self._context, gate, unit)
                if judged is not None:
                    yield judged
                if gate.declined or gate.is_hopeless:
                    return

    async def _units(self) -> AsyncGenerator[WrittenUnit]:
        """Yield the model's text in complete units; the time spent waiting for the model is the stage `model`."""
        resolved = self._context.resolved
        written = WrittenUnits(resolved.scope.locale)
        async with aclosing(self._model.write("write", self.messages)) as pieces:
            while True:
                with resolved.clock.stage("model"):
                    piece = await anext(pieces, None)
                if piece is None:
                    break
                for unit in written.feed(piece):
                    yield unit
        for unit in written.finish():
            yield unit

    async def _released(self, units: Sequence[JudgedUnit]) -> AsyncGenerator[Step]:
        """Yield the text that some units release, after an opening if it is the first text."""
        gate, context = self.gate, self._context
        for unit in units:
            began = bool(gate.released)
            pieces = await self._offload(gate.release, unit)
            if pieces and not began:
                yield open_answer(context.resolved, context.mode, "llm")
            for piece in pieces:
                yield piece


def _queues(gate: Gate, model: ReplyModel, context: GenerationContext) -> list[UnitQueue]:
    """Return the queues that units pass before release: the second check and the translation."""
    resolved = context.resolved
    queues: list[UnitQueue] = [LlmVerifier(gate, model, resolved.question.query)]
    if resolved.reader_language is not None:
        queues.append(AnswerTranslation(gate, model, resolved.scope.locale, resolved.reader_language))
    return queues


def _markers(context: GenerationContext, excerpts: Sequence[Excerpt]) -> Markers:
    shown = (excerpt.evidence for excerpt in excerpts)
    return Markers.draw(max(excerpt.number for excerpt in excerpts), [context.resolved.question.query, *shown])


def _task(context: GenerationContext, excerpts: Sequence[Excerpt]) -> Task:
    resolved = context.resolved
    return Task(
        question=resolved.question.query,
        corpus=resolved.corpus,
        built_on=resolved.answerer.built_on,
        excerpts=tuple(excerpts),
        from_selection=context.mode == "selection",
    )


def _timed_judgement(context: GenerationContext, gate: Gate, unit: WrittenUnit) -> JudgedUnit | None:
    with context.resolved.clock.stage("guard"):
        return gate.judge(unit)
