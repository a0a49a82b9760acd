"""A reply as it comes about, with a language model when one is configured and without one otherwise."""

import dataclasses
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing

from pincite_server.answerer import Answerer
from pincite_server.answering.material import Prepared
from pincite_server.answering.outcome import Step
from pincite_server.answering.question import MAX_QUERY, Question
from pincite_server.answering.scope import scope_of_question
from pincite_server.answering.written.judging import judged_reply
from pincite_server.answering.written.question_translation import translate_question
from pincite_server.answering.written.rewriting import rewrite_follow_up
from pincite_server.answering.written.writing import Offload, write_answer
from pincite_server.guards.boundaries import crossed_boundary
from pincite_server.llm.model import LanguageModel
from pincite_server.reply.records import Refusal

__all__ = ("ModelReading", "live_reply", "written_reply")


async def live_reply(
    answerer: Answerer,
    question: Question,
    how: Callable[[Answerer, Question], Prepared],
    offload: Offload,
    model: LanguageModel | None = None,
) -> AsyncGenerator[Step]:
    """Yield the steps of the reply to a question; the last one is the whole outcome.

    What the extractive pipeline refuses is refused, and the model is not asked: the evidence decides whether there is
    an answer, and the model how it is said, or whether what is quoted is one. Nor is it asked where the reader has kept
    the question's words.

    Args:
        answerer: The index to answer from.
        question: What is asked.
        how: The pipeline's entry.
        offload: Runs what computes.
        model: The language model, None to quote the docs.
    """
    if model is not None and question.query:
        question = await ModelReading(model, offload).read(answerer, question)
    prepared = await offload(how, answerer, question)
    async with aclosing(written_reply(prepared, question, model, offload)) as steps:
        async for step in steps:
            yield step


async def written_reply(
    prepared: Prepared, question: Question, model: LanguageModel | None, offload: Offload
) -> AsyncGenerator[Step]:
    """Yield the steps of a prepared reply: as a model writes or judges it, or as it is where it does neither."""
    outcome = prepared.outcome
    if model is None or not question.query or prepared.material is None or isinstance(outcome.reply, Refusal):
        yield outcome
        return
    if model.settings.role == "judge":
        yield outcome if prepared.quotation is None else await judged_reply(outcome, prepared.quotation, model, offload)
        return
    async with aclosing(write_answer(outcome, prepared.material, model, offload)) as steps:
        async for step in steps:
            yield step


class ModelReading:
    """How a language model reads one question: whole, and in the language of the docs. It is asked of it once each.

    Args:
        model: The language model.
        offload: Runs what computes.
    """

    def __init__(self, model: LanguageModel, offload: Offload) -> None:
        self._model = model
        self._offload = offload
        self._whole: str | None = None
        self._translations: dict[str, str | None] = {}

    async def read(self, answerer: Answerer, question: Question) -> Question:
        """Return the question as it is asked of some docs: to each that are asked it, with its own page and filters."""
        if _is_follow_up(answerer, question):
            question = await self._made_whole(question)
        return await self._in_docs_language(answerer, question)

    async def _in_docs_language(self, answerer: Answerer, question: Question) -> Question:
        """Return a question in another language than the docs in theirs; one out of bounds is not made into another."""
        scope, _ = await self._offload(scope_of_question, answerer.index, question)
        query = question.query[:MAX_QUERY]
        if scope.foreign is None or crossed_boundary(query, answerer.policy.blocked_topics) is not None:
            return question
        if scope.locale not in self._translations:
            self._translations[scope.locale] = await translate_question(self._model, query, scope.locale)
        translation = self._translations[scope.locale]
        if translation is None:
            return question
        asked = question.asked or question.query
        return dataclasses.replace(question, query=translation, asked=asked, spoken=scope.foreign, embedding=None)

    async def _made_whole(self, question: Question) -> Question:
        if self._whole is None:
            self._whole = await rewrite_follow_up(self._model, question.query[:MAX_QUERY], question.turns)
        if self._whole.casefold() == " ".join(question.query[:MAX_QUERY].split()).casefold():
            return question
        return dataclasses.replace(question, query=self._whole, asked=question.query, embedding=None)


def _is_follow_up(answerer: Answerer, question: Question) -> bool:
    """Whether earlier turns may be needed to understand a question. One out of bounds is not made into another."""
    query = question.query[:MAX_QUERY]
    within = crossed_boundary(query, answerer.policy.blocked_topics) is None
    return question.mode == "corpus" and bool(question.turns) and within
