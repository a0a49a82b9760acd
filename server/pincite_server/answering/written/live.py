"""Stream a reply, written or judged by a language model if one is configured, else quoted."""

import dataclasses
from collections.abc import AsyncGenerator
from contextlib import aclosing

from pincite_server.answerer import Answerer
from pincite_server.answering.generation import Prepare
from pincite_server.answering.outcome import Outcome, ReadingTrace, Step
from pincite_server.answering.written.judging import judged_reply
from pincite_server.answering.written.reading import Planner, ReadQuestion, read_question
from pincite_server.answering.written.writing import Offload, write_answer
from pincite_server.llm.model import LanguageModel
from pincite_server.llm.reply_model import ReplyModel
from pincite_server.question.question import Question
from pincite_server.reply.records import Refusal

__all__ = ("live_reply", "written_reply")


async def live_reply(
    answerer: Answerer, question: Question, how: Prepare, offload: Offload, model: LanguageModel | None = None
) -> AsyncGenerator[Step]:
    """Yield the steps of the reply to a question; the last one is the whole outcome.

    A model plans the search queries, reads the sections found, and decides whether they answer the question. The model
    does not write if search found nothing near, or if the client withholds the question's words.

    Args:
        answerer: The index to answer from.
        question: The question.
        how: Prepares the quoted answer.
        offload: Runs computations off the event loop.
        model: The language model; None to quote the docs.
    """
    asked = ReplyModel(model) if model is not None else None
    planner = Planner(asked) if asked is not None else None
    async with aclosing(read_question(answerer, question, how, planner, offload)) as reading:
        async for read in reading:
            if not isinstance(read, ReadQuestion):
                yield read
                continue
            async with aclosing(written_reply(read, asked, offload)) as steps:
                async for step in steps:
                    yield step


async def written_reply(read: ReadQuestion, model: ReplyModel | None, offload: Offload) -> AsyncGenerator[Step]:
    """Yield the steps of a reply that the model writes or judges, or of the quoted reply if it does neither.

    The outcome includes the trace of the model's work.
    """
    if model is None:
        yield read.prepared.outcome
        return
    async with aclosing(_steps(read, model, offload)) as steps:
        async for step in steps:
            yield _traced(step, read, model) if isinstance(step, Outcome) else step


async def _steps(read: ReadQuestion, model: ReplyModel, offload: Offload) -> AsyncGenerator[Step]:
    prepared, outcome = read.prepared, read.prepared.outcome
    if model.settings.role == "judge":
        if prepared.quotation is None or isinstance(outcome.reply, Refusal):
            yield outcome
        else:
            yield await judged_reply(outcome, prepared.quotation, model, offload)
    elif prepared.context is None:
        yield outcome
    else:
        async with aclosing(write_answer(outcome, prepared.context, model, offload)) as steps:
            async for step in steps:
                yield step


def _traced(outcome: Outcome, read: ReadQuestion, model: ReplyModel) -> Outcome:
    if not model.requests:
        return outcome
    sections = outcome.trace.read if outcome.trace else ()
    return dataclasses.replace(outcome, trace=ReadingTrace(read.queries, sections, tuple(model.requests)))
