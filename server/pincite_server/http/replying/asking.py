"""Runs the answering pipeline for a route with the reader's comparison arm, metrics and the question log."""

from collections.abc import AsyncGenerator
from contextlib import ExitStack, aclosing
from dataclasses import replace

from pincite_server.answering.generation import Prepare
from pincite_server.answering.outcome import Outcome, Step
from pincite_server.answering.pipeline import prepare
from pincite_server.answering.written.live import live_reply
from pincite_server.federation.federated_reply import FederatedQuestion, federated_reply
from pincite_server.http.replying.live_reply import LiveReply
from pincite_server.http.sidecar import Sidecar
from pincite_server.indexes.registry import ServedIndex
from pincite_server.question.question import Question

__all__ = ("ask", "federated_steps", "reply_steps")


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
    """Answer a question, and yield the steps of the reply as they come.

    Args:
        sidecar: The sidecar of the asked site.
        served: The index to answer from.
        question: The question.
        reader: The reader, which decides the arm of a comparison; "" for readers without a session token.
        how: The pipeline's entry point.
    """
    answerer, arm = sidecar.comparison.answerer_for(served.answerer, reader)
    replying = live_reply(answerer, question, how, sidecar.worker.run, sidecar.model)
    with answerer.index.held():  # while the question waits too, since another index may replace this one
        async with aclosing(_observed(sidecar, question, arm, replying)) as steps:
            async for step in steps:
                yield step


async def federated_steps(sidecar: Sidecar, asked: FederatedQuestion, reader: str = "") -> AsyncGenerator[Step]:
    """Ask the members of a group, and yield the steps of the best member's reply.

    Each member's work is queued separately in the group's queue. So the next question waits for the work of one member,
    not of the whole group.

    Args:
        sidecar: The group's sidecar.
        asked: The group's members with the question for each.
        reader: The reader, which decides the arm of a comparison; "" for readers without a session token.
    """
    armed = [(site, *sidecar.comparison.answerer_for(site.answerer, reader)) for site in asked.sites]
    asked = replace(asked, sites=tuple(replace(site, answerer=answerer) for site, answerer, _ in armed))
    replying = federated_reply(asked, sidecar.worker.run, sidecar.model)
    with ExitStack() as held:
        for site in asked.sites:
            held.enter_context(site.answerer.index.held())
        async with aclosing(_observed(sidecar, asked.question, armed[0][2], replying)) as steps:
            async for step in steps:
                yield step


async def _observed(
    sidecar: Sidecar, question: Question, arm: str, replying: AsyncGenerator[Step]
) -> AsyncGenerator[Step]:
    """Yield the steps of a reply; count the reply at its end, and log the question if configured."""
    async with aclosing(replying) as steps:
        async for step in steps:
            if isinstance(step, Outcome):
                sidecar.metrics.observe_reply(step, arm)
                if sidecar.questions is not None:
                    sidecar.questions.write(question, step)
            yield step
