"""Asking the pipeline on behalf of a route: on a thread, under the reader's arm, counted, and kept if so configured."""

from collections.abc import Callable

from pincite_server.answering.pipeline import answer
from pincite_server.engine import Engine
from pincite_server.http.idempotency import Answered
from pincite_server.http.sidecar import Sidecar
from pincite_server.indexes.registry import ServedIndex
from pincite_server.model import Answer, Question, Refusal

__all__ = ("ask",)


async def ask(
    sidecar: Sidecar,
    served: ServedIndex,
    question: Question,
    reader: str = "",
    how: Callable[[Engine, Question], Answer | Refusal] = answer,
) -> Answered:
    """Return the reply to a question.

    Args:
        sidecar: What answers.
        served: The index to answer from.
        question: What is asked.
        reader: The reader's token, which decides the arm of a comparison; "" for those who have none.
        how: The pipeline's entry.
    """
    engine, arm = sidecar.comparison.engine_for(served.engine, reader)
    reply = await sidecar.worker.run(how, engine, question)
    sidecar.metrics.observe_reply(reply, arm)
    if sidecar.questions is not None:
        sidecar.questions.write(question, reply, served.index_id)
    return Answered(reply, served.index_id, served.built_at)
