"""Asking the pipeline on behalf of a route: under the reader's arm, counted, and kept if so configured."""

from collections.abc import AsyncGenerator
from contextlib import aclosing

from pincite_server.answering.material import Prepare
from pincite_server.answering.outcome import Outcome, Step
from pincite_server.answering.pipeline import prepare
from pincite_server.answering.written.live import live_reply
from pincite_server.http.replying.live_reply import LiveReply
from pincite_server.http.sidecar import Sidecar
from pincite_server.indexes.registry import ServedIndex
from pincite_server.question.question import Question

__all__ = ("ask", "observed", "reply_steps")


async def ask(
    sidecar: Sidecar,
    served: ServedIndex,
    question: Question,
    reader: str = "",
    how: Prepare = prepare,
) -> Outcome:
    """Return the whole reply to a question; the arguments are those of `reply_steps`."""
    return await LiveReply(reply_steps(sidecar, served, question, reader, how)).whole()


async def reply_steps(
    sidecar: Sidecar,
    served: ServedIndex,
    question: Question,
    reader: str = "",
    how: Prepare = prepare,
) -> AsyncGenerator[Step]:
    """Answer a question, and yield the reply as it comes about.

    Args:
        sidecar: What answers.
        served: The index to answer from.
        question: What is asked.
        reader: The reader, which decides the arm of a comparison; "" for those who have no pass.
        how: The pipeline's entry.
    """
    answerer, arm = sidecar.comparison.answerer_for(served.answerer, reader)
    replying = live_reply(answerer, question, how, sidecar.worker.run, sidecar.model)
    with answerer.index.held():  # while it waits its turn too: another index may take this one's place meanwhile
        async with aclosing(observed(sidecar, question, arm, replying)) as steps:
            async for step in steps:
                yield step


async def observed(
    sidecar: Sidecar, question: Question, arm: str, replying: AsyncGenerator[Step]
) -> AsyncGenerator[Step]:
    """Yield the steps of a reply, which is counted at its end, and kept where questions are."""
    async with aclosing(replying) as steps:
        async for step in steps:
            if isinstance(step, Outcome):
                sidecar.metrics.observe_reply(step, arm)
                if sidecar.questions is not None:
                    sidecar.questions.write(question, step)
            yield step
