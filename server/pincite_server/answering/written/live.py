"""A reply as it comes about, with a language model when one is configured and without one otherwise."""

import dataclasses
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing

from pincite_server.answerer import Answerer
from pincite_server.answering.material import Prepared
from pincite_server.answering.outcome import Step
from pincite_server.answering.question import MAX_QUERY, Question
from pincite_server.answering.scope import scope_of_question
from pincite_server.answering.written.question_translation import translate_question
from pincite_server.answering.written.rewriting import rewrite_follow_up
from pincite_server.answering.written.writing import Offload, write_answer
from pincite_server.guards.boundaries import crossed_boundary
from pincite_server.llm.model import LanguageModel
from pincite_server.reply.records import Refusal

__all__ = ("live_reply",)


async def live_reply(
    answerer: Answerer,
    question: Question,
    how: Callable[[Answerer, Question], Prepared],
    offload: Offload,
    model: LanguageModel | None = None,
) -> AsyncGenerator[Step]:
    """Yield the steps of the reply to a question; the last one is the whole outcome.

    The evidence decides whether there is an answer, the model only how it is said: what the extractive pipeline
    refuses is refused, and the model is not asked; nor is it where the reader has kept the question's words.

    Args:
        answerer: The index to answer from.
        question: What is asked.
        how: The pipeline's entry.
        offload: Runs what computes.
        model: The language model, None to quote the docs.
    """
    model = model if question.query else None
    if model is not None and _is_follow_up(answerer, question):
        question = await _made_whole(model, question)
    if model is not None:
        question = await _in_docs_language(model, answerer, question, offload)
    prepared = await offload(how, answerer, question)
    outcome = prepared.outcome
    if model is None or prepared.material is None or isinstance(outcome.reply, Refusal):
        yield outcome
        return
    async with aclosing(write_answer(outcome, prepared.material, model, offload)) as steps:
        async for step in steps:
            yield step


async def _in_docs_language(model: LanguageModel, answerer: Answerer, question: Question, offload: Offload) -> Question:
    """Return a question in another language than the docs in theirs; one out of bounds is not made into another."""
    scope, _ = await offload(scope_of_question, answerer.index, question)
    query = question.query[:MAX_QUERY]
    if scope.foreign is None or crossed_boundary(query, answerer.policy.blocked_topics) is not None:
        return question
    translation = await translate_question(model, query, scope.locale)
    if translation is None:
        return question
    asked = question.asked or question.query
    return dataclasses.replace(question, query=translation, asked=asked, spoken=scope.foreign, embedding=None)


def _is_follow_up(answerer: Answerer, question: Question) -> bool:
    """Whether earlier turns may be needed to understand a question. One out of bounds is not made into another."""
    query = question.query[:MAX_QUERY]
    within = crossed_boundary(query, answerer.policy.blocked_topics) is None
    return question.mode == "corpus" and bool(question.turns) and within


async def _made_whole(model: LanguageModel, question: Question) -> Question:
    query = await rewrite_follow_up(model, question.query[:MAX_QUERY], question.turns)
    if query.casefold() == " ".join(question.query[:MAX_QUERY].split()).casefold():
        return question
    return dataclasses.replace(question, query=query, asked=question.query, embedding=None)
