"""Makes replies for routes, with the reader's comparison arm, metrics and the question log."""

from contextlib import ExitStack
from dataclasses import replace
from functools import partial

from pincite_server.answering.generation import Prepare
from pincite_server.answering.outcome import Outcome
from pincite_server.answering.pipeline import prepare
from pincite_server.answering.reply_broadcast import Publish, ReplyBroadcast
from pincite_server.answering.written.answer_question import answer_question
from pincite_server.federation.federated_reply import FederatedQuestion, federated_reply
from pincite_server.http.sidecar import Sidecar
from pincite_server.indexes.registry import ServedIndex
from pincite_server.question.question import Question

__all__ = ("ask", "make_federated_reply", "make_reply")


async def ask(
    sidecar: Sidecar, served: ServedIndex, question: Question, reader: str = "", how: Prepare = prepare
) -> Outcome:
    """Return the whole reply to a question; the arguments are those of `make_reply`."""
    return await ReplyBroadcast(partial(make_reply, sidecar, served, question, reader=reader, how=how)).outcome()


async def make_reply(
    sidecar: Sidecar,
    served: ServedIndex,
    question: Question,
    publish: Publish,
    *,
    reader: str = "",
    how: Prepare = prepare,
) -> Outcome:
    """Answer a question, and publish the events of the reply.

    `reader` decides the arm of a comparison; it is "" for readers without a session token. `how` is the entry of the
    pipeline.
    """
    answerer, arm = sidecar.comparison.answerer_for(served.answerer, reader)
    with answerer.index.held():  # while the question waits too, since another index may replace this one
        outcome = await answer_question(answerer, question, how, sidecar.worker.run, publish, sidecar.model)
    return _observed(sidecar, question, arm, outcome)


async def make_federated_reply(
    sidecar: Sidecar, asked: FederatedQuestion, publish: Publish, *, reader: str = ""
) -> Outcome:
    """Ask the members of a group, and publish the events of the best member's reply.

    Each member's work is queued separately in the group's queue. So the next question waits for the work of one member,
    not of the whole group. The arguments are those of `make_reply`.
    """
    armed = [(site, *sidecar.comparison.answerer_for(site.answerer, reader)) for site in asked.sites]
    asked = replace(asked, sites=tuple(replace(site, answerer=answerer) for site, answerer, _ in armed))
    with ExitStack() as held:
        for site in asked.sites:
            held.enter_context(site.answerer.index.held())
        outcome = await federated_reply(asked, sidecar.worker.run, publish, sidecar.model)
    return _observed(sidecar, asked.question, armed[0][2], outcome)


def _observed(sidecar: Sidecar, question: Question, arm: str, outcome: Outcome) -> Outcome:
    """Count the reply, log the question if configured, and return the outcome."""
    sidecar.metrics.observe_reply(outcome, arm)
    if sidecar.questions is not None:
        sidecar.questions.write(question, outcome)
    return outcome
