"""Answer a question with a reply that a language model writes or judges if one is configured, else a quoted one."""

import dataclasses

from pincite_server.answerer import Answerer
from pincite_server.answering.generation import Offload, Prepare, PreparedAnswer
from pincite_server.answering.outcome import Outcome, ReadingTrace
from pincite_server.answering.reply_broadcast import Publish
from pincite_server.answering.written.judging import judged_reply
from pincite_server.answering.written.reading import Planner, read_question
from pincite_server.answering.written.writing import write_answer
from pincite_server.llm.model import LanguageModel
from pincite_server.llm.reply_model import ReplyModel
from pincite_server.question.question import Question
from pincite_server.reply.records import Refusal

__all__ = ("answer_question", "written_reply")


async def answer_question(
    answerer: Answerer,
    question: Question,
    how: Prepare,
    offload: Offload,
    publish: Publish,
    model: LanguageModel | None = None,
) -> Outcome:
    """Return the reply to a question, and publish its events on the way.

    A model plans the search queries, reads the sections found, and decides whether they answer the question. The model
    does not write if search found nothing near, or if the client withholds the question's words.

    Args:
        answerer: The index to answer from.
        question: The question.
        how: Prepares the quoted answer.
        offload: Runs computations off the event loop.
        publish: Adds an event to the reply.
        model: The language model; None to quote the docs.
    """
    reply_model = ReplyModel(model) if model is not None else None
    planner = Planner(reply_model) if reply_model is not None else None
    prepared = await read_question(answerer, question, how, planner, offload, publish)
    return await written_reply(prepared, reply_model, offload, publish)


async def written_reply(
    prepared: PreparedAnswer, model: ReplyModel | None, offload: Offload, publish: Publish
) -> Outcome:
    """Return the reply that the model writes or judges, or the quoted reply if it does neither.

    The outcome includes the trace of the model's work.
    """
    outcome = prepared.outcome
    if model is None:
        return outcome
    if model.settings.role == "judge":
        if prepared.quotation is not None and not isinstance(outcome.reply, Refusal):
            outcome = await judged_reply(outcome, prepared.quotation, model, offload)
    elif prepared.context is not None:
        outcome = await write_answer(outcome, prepared.context, model, offload, publish)
    if not model.requests:
        return outcome
    sections = outcome.trace.read if outcome.trace else ()
    return dataclasses.replace(outcome, trace=ReadingTrace(prepared.queries, sections, tuple(model.requests)))
