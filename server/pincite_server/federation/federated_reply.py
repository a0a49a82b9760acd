"""Answer a question from a group of sites: ask each site separately, and stream the best reply."""

import dataclasses
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from pincite_core.errors import IndexUnavailableError, PinciteError, WorkLimitError
from pincite_server.answering.generation import Offload
from pincite_server.answering.outcome import Outcome
from pincite_server.answering.pipeline import prepare
from pincite_server.answering.reply_broadcast import Publish, ReplyEvent, StartEvent
from pincite_server.answering.written.answer_question import Planner, read_question, written_reply
from pincite_server.federation.federated_site import FederatedSite, open_members, share_encodings
from pincite_server.federation.result_merging import SiteReply, merge_replies, rank_replies, scope_of
from pincite_server.indexes.live_indexes import LiveIndexes
from pincite_server.indexes.registry import ServedIndex
from pincite_server.llm.model import LanguageModel
from pincite_server.llm.reply_model import ReplyModel
from pincite_server.question.question import Question
from pincite_server.reply.records import Notice

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
        """The question for the site of the reader's page, or for the first site if that site is not in the group."""
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
    asked: FederatedQuestion, offload: Offload, publish: Publish, model: LanguageModel | None = None
) -> Outcome:
    """Return the best site's reply, and publish its events on the way.

    The best site is the one whose docs most likely hold the answer. The reply quotes only that site, and a model writes
    only from that site's sections. A site that fails is left out, and a notice names it.

    There is at least one site. `offload` runs the computation of one site. Without a model the docs are quoted.

    Raises:
        IndexUnavailableError: No site can be asked.
        WorkLimitError: The sites together exceed the processor time of one request.
    """
    reply_model = ReplyModel(model) if model is not None else None
    replies, failed = await _read_all(share_encodings(asked.sites), offload, publish, reply_model)
    ranked = rank_replies(replies)
    first = ranked[0]
    left_out = ", ".join((*asked.left_out, *failed))
    said = first.prepared.resolved.say("sites_left_out", sites=left_out)
    notices = (Notice("sites_left_out", said),) if left_out else ()

    def publish_labelled(event: ReplyEvent) -> None:
        if isinstance(event, StartEvent):
            opening = event.opening
            scope = scope_of(opening, [first.site])
            event = StartEvent(replace(opening, notices=(*opening.notices, *notices), scope=scope))
        publish(event)

    outcome = await written_reply(first.prepared, reply_model, offload, publish_labelled)
    return merge_replies(outcome, ranked).with_notices(*notices)


async def _read_all(
    sites: Sequence[FederatedSite], offload: Offload, publish: Publish, model: ReplyModel | None
) -> tuple[list[SiteReply], list[str]]:
    """Search one site after another, and publish each search query once.

    Returns:
        The reply of each site, and the titles of the sites that failed.

    Raises:
        IndexUnavailableError: No site can be asked.
        WorkLimitError: The sites together exceed the processor time of one request.
    """
    planner = Planner(model) if model is not None else None
    replies: list[SiteReply] = []
    failed: list[str] = []
    published: set[ReplyEvent] = set()

    def publish_once(event: ReplyEvent) -> None:
        if event not in published:
            published.add(event)
            publish(event)

    for site in sites:
        try:
            prepared = await read_question(site.answerer, site.question, prepare, planner, offload, publish_once)
            replies.append(SiteReply(site, prepared))
        except WorkLimitError:
            raise
        except PinciteError as error:
            logger.warning("The site %s is left out of an answer across sites. %s", site.name, error)
            failed.append(site.title)
    if not replies:
        message = "None of the sites can be asked now. Please try again in a minute."
        raise IndexUnavailableError(message)
    return replies, failed
