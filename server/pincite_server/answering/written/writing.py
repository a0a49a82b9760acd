"""Stage 3 with a language model: its text is released sentence by sentence, while it still writes."""

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from typing import ParamSpec, Protocol, TypeVar

from pincite_server.answering.material import Excerpt, Material
from pincite_server.answering.outcome import Outcome, Step
from pincite_server.answering.replies import open_answer
from pincite_server.answering.written.answer_translation import AnswerTranslation
from pincite_server.answering.written.gate import Gate, JudgedUnit
from pincite_server.answering.written.markers import Markers
from pincite_server.answering.written.prompt import PromptExcerpt, Task, build_prompt
from pincite_server.answering.written.second_look import SecondLook
from pincite_server.answering.written.unit_queue import UnitQueue, UnitQueues
from pincite_server.answering.written.units import WrittenUnit, WrittenUnits
from pincite_server.answering.written.written_replies import conclude, reply_without_text
from pincite_server.llm.exchanged import LlmError, Message
from pincite_server.llm.model import LanguageModel

__all__ = ("Offload", "write_answer")

P = ParamSpec("P")
T = TypeVar("T")


class Offload(Protocol):
    """Runs a function off the event loop."""

    async def __call__(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Return what the function returns."""
        ...


async def write_answer(
    extractive: Outcome, material: Material, model: LanguageModel, offload: Offload
) -> AsyncGenerator[Step]:
    """Yield a reply as it is written: an opening, released text and the answer; or one reply in place of them all.

    Nothing is decided until a sentence is released. When the model fails before that, the extractive answer comes with
    a notice; when it finds no answer, a refusal; when nothing of what it wrote may be shown, the fallback.

    Args:
        extractive: The answer without a model.
        material: What the model is shown.
        model: The language model.
        offload: Runs the checks, which compute.
    """
    excerpts = await offload(material.excerpts, model.settings.evidence_tokens)
    if not excerpts:  # the model may not be shown what readers may
        yield extractive
        return
    markers = _markers(material, excerpts)
    gate = Gate(material, excerpts, markers)
    queues = UnitQueues(_queues(gate, model, material))
    failure: LlmError | None = None
    messages = build_prompt(_task(material, excerpts), markers)
    try:
        try:
            async with aclosing(_judged(_units(model, messages, material), material, gate, offload)) as units:
                async for unit in units:
                    async for step in _released(queues.take(unit), material, gate, offload):
                        yield step
        except LlmError as error:
            failure = error
        if not gate.declined:
            async for step in _released(await queues.rest(), material, gate, offload):
                yield step
        gate.finish()
    finally:
        await queues.aclose()
        for name, amount in gate.counts.items():
            model.count(name, amount)
    if not gate.released:
        model.count("llm_declined" if gate.declined else "llm_degraded" if failure else "llm_fallbacks", 1)
        yield reply_without_text(extractive, material, gate, failure)
        return
    outcome = await offload(conclude, material, gate, complete=failure is None)
    for text in outcome.pieces[len(gate.released) :]:
        yield text
    yield outcome


def _queues(gate: Gate, model: LanguageModel, material: Material) -> list[UnitQueue]:
    """Return what units wait in before they are released: for a second look, and for their translation."""
    situation = material.situation
    queues: list[UnitQueue] = [SecondLook(gate, model)]
    if situation.spoken is not None:
        queues.append(AnswerTranslation(gate, model, situation.scope.locale, situation.spoken))
    return queues


async def _judged(
    units: AsyncGenerator[WrittenUnit], material: Material, gate: Gate, offload: Offload
) -> AsyncGenerator[JudgedUnit]:
    """Yield units with their verdicts, until the model declines or has written too much that is dropped."""
    async with aclosing(units):
        async for unit in units:
            judged = await offload(_timed_judgement, material, gate, unit)
            if judged is not None:
                yield judged
            if gate.declined or gate.is_hopeless:
                return


async def _released(
    units: Sequence[JudgedUnit], material: Material, gate: Gate, offload: Offload
) -> AsyncGenerator[Step]:
    """Yield what some units release, after an opening when it is the first."""
    for unit in units:
        began = bool(gate.released)
        pieces = await offload(gate.release, unit)
        if pieces and not began:
            yield open_answer(material.situation, material.mode, "llm")
        for piece in pieces:
            yield piece


async def _units(model: LanguageModel, messages: Sequence[Message], material: Material) -> AsyncGenerator[WrittenUnit]:
    """Yield what the model writes in whole units; the time spent waiting for it is the stage `model`."""
    written = WrittenUnits(material.situation.scope.locale)
    async with aclosing(model.write(messages)) as pieces:
        while True:
            with material.situation.clock.stage("model"):
                piece = await anext(pieces, None)
            if piece is None:
                break
            for unit in written.feed(piece):
                yield unit
    for unit in written.finish():
        yield unit


def _markers(material: Material, excerpts: Sequence[Excerpt]) -> Markers:
    shown = (excerpt.evidence for excerpt in excerpts)
    return Markers.draw(len(excerpts), [material.situation.question.query, *shown])


def _task(material: Material, excerpts: Sequence[Excerpt]) -> Task:
    situation = material.situation
    return Task(
        question=situation.question.query,
        corpus=situation.corpus,
        built_on=situation.answerer.built_on,
        excerpts=tuple(PromptExcerpt(excerpt.title, excerpt.text) for excerpt in excerpts),
        from_selection=material.mode == "selection",
    )


def _timed_judgement(material: Material, gate: Gate, unit: WrittenUnit) -> JudgedUnit | None:
    with material.situation.clock.stage("guard"):
        return gate.judge(unit)
