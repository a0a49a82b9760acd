"""Answer a question from a group of sites: ask each site separately, and stream the best reply."""

import dataclasses
import logging
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass

from msgspec.structs import replace

from pincite_core.errors import IndexUnavailableError, PinciteError, WorkLimitError
from pincite_server.answering.outcome import Outcome, Step
from pincite_server.answering.pipeline import prepare
from pincite_server.answering.written.live import written_reply
from pincite_server.answering.written.reading import Planner, ReadQuestion, read_question
from pincite_server.answering.written.writing import Offload
from pincite_server.federation.federated_site import FederatedSite, open_members, share_encodings
from pincite_server.federation.result_merging import SiteReply, merge_replies, rank_replies, scope_of
from pincite_server.indexes.live_indexes import LiveIndexes
from pincite_server.indexes.registry import ServedIndex
from pincite_server.llm.model import LanguageModel
from pincite_server.llm.reply_model import ReplyModel
from pincite_server.question.question import Question
from pincite_server.reply.records import Notice, Opening, Progress

__all__ = ("FederatedQuestion", "PageContext", "federated_reply", "question_to_members")

logger = logging.getLogger("pincite")

QuestionFor = Callable[[ServedIndex, bool], Question | None]
"""Returns the question for an index, given whether the reader's page belongs to it; None to skip the index."""


@dataclass(frozen=True, slots=True)
class PageContext:
    """The reader's page.

    Attributes:
        home: The name of its site; None if the site is not in the group.
        locale: Its language.
        page_url: Its URL.
        build_id: The ID of its build.
    """

    home: str | None = None
    locale: str | None = None
    page_url: str | None = None
    build_id: str | None = None


@dataclass(frozen=True, slots=True)
class FederatedQuestion:
    """The sites, each with its question, and the names of the sites that cannot be asked."""

    sites: tuple[FederatedSite, ...]
    left_out: tuple[str, ...] = ()

    @property
    def question(self) -> Question:
        """The question to the site of the reader's page, else to the first site."""
        return next((site.question for site in self.sites if site.is_home), self.sites[0].question)


def question_to_members(
    lives: Mapping[str, LiveIndexes], page: PageContext, question_for: QuestionFor
) -> FederatedQuestion:
    """Return the members of a group, each with its question; no sites if the question fits no member.

    Raises:
        IndexAwaitedError: No member has an index.
    """
    opened, left_out = open_members(lives)
    sites: list[FederatedSite] = []
    for name, indexes in opened.items():
        is_home = name == page.home
        chosen = indexes.choose(page.locale, *((page.page_url, page.build_id) if is_home else ()))
        question = question_for(chosen, is_home)
        if question is None:
            left_out = (*left_out, chosen.answerer.corpus_name or name)
            continue
        served, question = indexes.for_language(question, chosen, page.build_id if is_home else None)
        sites.append(FederatedSite(name, served.answerer, dataclasses.replace(question, elsewhere=not is_home)))
    return FederatedQuestion(tuple(sites), left_out)


async def federated_reply(
    asked: FederatedQuestion, offload: Offload, model: LanguageModel | None = None
) -> AsyncGenerator[Step]:
    """Yield the steps of the best site's reply; the last one is the whole outcome.

    The best site is the one whose docs most likely hold the answer. The reply quotes only that site, and a model writes
    only from that site's sections. A site that fails is left out, and a notice names it.

    Args:
        asked: The sites, at least one.
        offload: Runs the computation of one site.
        model: The language model; None to quote the docs.

    Raises:
        IndexUnavailableError: No site can be asked.
        WorkLimitError: The sites together exceed the processor time of one request.
    """
    reply_model = ReplyModel(model) if model is not None else None
    gathering = _Gathering(share_encodings(asked.sites), offload, reply_model)
    async with aclosing(gathering.steps()) as gathered:
        async for progress in gathered:
            yield progress
    ranked = rank_replies(gathering.replies)
    first = ranked[0]
    notices = _left_out(first, (*asked.left_out, *gathering.failed))
    read = ReadQuestion(first.prepared, first.queries)
    async with aclosing(written_reply(read, reply_model, offload)) as steps:
        async for step in steps:
            if isinstance(step, Opening):
                yield replace(step, notices=(*step.notices, *notices), scope=scope_of(step, [first.site]))
            elif isinstance(step, Outcome):
                yield merge_replies(step, ranked).with_notices(*notices)
            else:
                yield step


class _Gathering:
    """Searches one site after another.

    Attributes:
        replies: The reply of each site.
        failed: The titles of the sites that failed.
    """

    def __init__(self, sites: Sequence[FederatedSite], offload: Offload, model: ReplyModel | None) -> None:
        self._sites, self._offload, self._model = sites, offload, model
        self.replies: list[SiteReply] = []
        self.failed: list[str] = []

    async def steps(self) -> AsyncGenerator[Progress]:
        """Yield the progress, each search query once.

        Raises:
            IndexUnavailableError: No site can be asked.
            WorkLimitError: The sites together exceed the processor time of one request.
        """
        planner = Planner(self._model) if self._model is not None else None
        seen: set[Progress] = set()
        for site in self._sites:
            try:
                reading = read_question(site.answerer, site.question, prepare, planner, self._offload)
                async with aclosing(reading):
                    async for read in reading:
                        if isinstance(read, ReadQuestion):
                            self.replies.append(SiteReply(site, read.prepared, read.queries))
                        elif read not in seen:
                            seen.add(read)
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
    """Return a notice that names the sites that could not be asked, in the language of the reply."""
    told = first.prepared.resolved.say("sites_left_out", sites=", ".join(sites))
    return (Notice("sites_left_out", told),) if sites else ()
