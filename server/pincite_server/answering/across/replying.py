"""A reply across sites as it comes about: each is asked for itself, one after another, and the best answers."""

import logging
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass

from msgspec.structs import replace

from pincite_core.errors import IndexUnavailableError, PinciteError, WorkLimitError
from pincite_server.answering.across.asked_site import AskedSite, reading_once
from pincite_server.answering.across.choosing import SiteReply, best_first, scope_of, with_others
from pincite_server.answering.outcome import Outcome, Step
from pincite_server.answering.pipeline import prepare
from pincite_server.answering.written.live import written_reply
from pincite_server.answering.written.reading import Planner, ReadQuestion, read_question
from pincite_server.answering.written.writing import Offload
from pincite_server.llm.model import LanguageModel
from pincite_server.llm.reply_model import ReplyModel
from pincite_server.reply.records import Notice, Opening, Progress

__all__ = ("AskedSites", "reply_across")

logger = logging.getLogger("pincite")


@dataclass(frozen=True, slots=True)
class AskedSites:
    """The sites that are asked one question, at least one, and the names of those that cannot be."""

    sites: tuple[AskedSite, ...]
    left_out: tuple[str, ...] = ()


async def reply_across(asked: AskedSites, offload: Offload, model: LanguageModel | None = None) -> AsyncGenerator[Step]:
    """Yield the steps of the reply to a question that several sites are asked; the last one is the whole outcome.

    The reply is one site's own, the one whose docs most likely hold the answer: nothing is quoted together with what
    another site says. A model writes from that site's sections alone. A site that fails is left out, and named.

    Args:
        asked: The sites.
        offload: Runs what computes, each site in a turn of its own.
        model: The language model, None to quote the docs.

    Raises:
        IndexUnavailableError: None of the sites can be asked.
        WorkLimitError: Together they take more than one request may.
    """
    reply_model = ReplyModel(model) if model is not None else None
    gathering = _Gathering(reading_once(asked.sites), offload, reply_model)
    async with aclosing(gathering.steps()) as gathered:
        async for told in gathered:
            yield told
    ranked = best_first(gathering.replies)
    first = ranked[0]
    notices = _left_out(first, (*asked.left_out, *gathering.failed))
    read = ReadQuestion(first.prepared, first.queries)
    async with aclosing(written_reply(read, reply_model, offload)) as steps:
        async for step in steps:
            if isinstance(step, Opening):
                yield replace(step, notices=(*step.notices, *notices), scope=scope_of(step, [first.site]))
            elif isinstance(step, Outcome):
                yield with_others(step, ranked).with_notices(*notices)
            else:
                yield step


class _Gathering:
    """Searches one site after another.

    Attributes:
        replies: What each site replies in its own words, and what a model may write from.
        failed: The titles of those that could not be asked.
    """

    def __init__(self, sites: Sequence[AskedSite], offload: Offload, model: ReplyModel | None) -> None:
        self._sites, self._offload, self._model = sites, offload, model
        self.replies: list[SiteReply] = []
        self.failed: list[str] = []

    async def steps(self) -> AsyncGenerator[Progress]:
        """Yield what is searched for, each query once.

        Raises:
            IndexUnavailableError: None of the sites can be asked.
            WorkLimitError: Together they take more than one request may.
        """
        planner = Planner(self._model) if self._model is not None else None
        told: set[Progress] = set()
        for site in self._sites:
            try:
                reading = read_question(site.answerer, site.question, prepare, planner, self._offload)
                async with aclosing(reading):
                    async for read in reading:
                        if isinstance(read, ReadQuestion):
                            self.replies.append(SiteReply(site, read.prepared, read.queries))
                        elif read not in told:
                            told.add(read)
                            yield read
            except WorkLimitError:
                raise
            except PinciteError as error:
                logger.warning("The site %s is left out of an answer across sites. %s", site.name, error)
                self.failed.append(site.title)
        if not self.replies:
            message = "None of the sites can be asked now. Please try again in a minute."
            raise IndexUnavailableError(message)


def _left_out(first: SiteReply, sites: Sequence[str]) -> tuple[Notice, ...]:
    """Return the notice on sites that could not be asked, in the language of the reply."""
    told = first.prepared.resolved.say("sites_left_out", sites=", ".join(sites))
    return (Notice("sites_left_out", told),) if sites else ()
