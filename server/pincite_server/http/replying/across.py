"""Asking the members of a group: who of them is at hand, the question as it is put to each, and one reply of all."""

from collections.abc import AsyncGenerator, Callable
from contextlib import ExitStack, aclosing
from dataclasses import dataclass, replace

from pincite_core.errors import IndexAwaitedError
from pincite_server.answering.across.asked_site import AskedSite
from pincite_server.answering.across.replying import AskedSites, reply_across
from pincite_server.answering.outcome import Outcome, Step
from pincite_server.http.replying.asking import observed
from pincite_server.http.replying.live_reply import LiveReply
from pincite_server.http.sidecar import Sidecar
from pincite_server.http.transport.problems import Problem
from pincite_server.indexes.registry import IndexSet, ServedIndex
from pincite_server.question.question import Question

__all__ = ("FromPage", "ask_across", "members_at_hand", "put_to_members", "steps_across")

QuestionFor = Callable[[ServedIndex, bool], Question | None]
"""The question as an index is asked it, which may be that of the reader's page; None where it cannot be put to it."""


@dataclass(frozen=True, slots=True)
class FromPage:
    """The page that a question is from: of which member, None for none of them, and what it says of itself."""

    home: str | None = None
    locale: str | None = None
    page_url: str | None = None
    build_id: str | None = None


def members_at_hand(sidecar: Sidecar) -> tuple[dict[str, IndexSet], tuple[str, ...]]:
    """Return what answers now of each member of a group, and the names of those that are not there yet.

    Raises:
        IndexAwaitedError: None is.
    """
    there = {name: live.current for name, live in sidecar.named_lives.items() if live.served}
    if not there:
        message = "The indexes of these sites are not there yet. Please try again in a minute."
        raise IndexAwaitedError(message)
    return there, tuple(name for name in sidecar.named_lives if name not in there)


def put_to_members(sidecar: Sidecar, page: FromPage, question_for: QuestionFor) -> AskedSites:
    """Return the members of a group with the question as each is asked it.

    Raises:
        IndexAwaitedError: None of them is there.
        Problem: The question cannot be put to any.
    """
    there, missing = members_at_hand(sidecar)
    sites: list[AskedSite] = []
    for name, indexes in there.items():
        is_home = name == page.home
        chosen = indexes.choose(page.locale, *((page.page_url, page.build_id) if is_home else ()))
        question = question_for(chosen, is_home)
        if question is None:
            missing = (*missing, chosen.answerer.corpus_name or name)
            continue
        served, question = indexes.speaking(question, chosen, page.build_id if is_home else None)
        sites.append(AskedSite(name, served.answerer, replace(question, elsewhere=not is_home)))
    if not sites:
        raise Problem("invalid_embedding", "No site that is asked has an index by the model of this embedding.")
    return AskedSites(tuple(sites), missing)


async def ask_across(sidecar: Sidecar, asked: AskedSites, reader: str = "") -> Outcome:
    """Return the whole reply to a question; the arguments are those of `steps_across`."""
    return await LiveReply(steps_across(sidecar, asked, reader)).whole()


async def steps_across(sidecar: Sidecar, asked: AskedSites, reader: str = "") -> AsyncGenerator[Step]:
    """Ask the members of a group, and yield the best one's reply as it comes about.

    Each member is asked in a turn of its own, in the group's queue: whoever waits for another site waits for one site's
    answer, not for those of a whole group.

    Args:
        sidecar: The group's.
        asked: Its members with the question as each is asked it.
        reader: The reader, which decides the arm of a comparison; "" for those who have no pass.
    """
    armed = [(site, *sidecar.comparison.answerer_for(site.answerer, reader)) for site in asked.sites]
    sites = tuple(replace(site, answerer=answerer) for site, answerer, _ in armed)
    replying = reply_across(replace(asked, sites=sites), sidecar.worker.run, sidecar.model)
    with ExitStack() as held:
        for site in sites:
            held.enter_context(site.answerer.index.held())
        asked_from = next((site.question for site in sites if site.is_home), sites[0].question)
        steps = observed(sidecar, asked_from, armed[0][2], replying)
        async with aclosing(steps):
            async for step in steps:
                yield step
