"""A reply across sites as it comes about: each is asked for itself, one after another, and the best answers."""

import logging
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass

from msgspec.structs import replace

from pincite_core.errors import IndexUnavailableError, PinciteError, WorkLimitError
from pincite_core.search.recognition import foreign_language
from pincite_core.wording import language_of, say
from pincite_server.answering.across.asked_site import AskedSite, reading_once
from pincite_server.answering.across.choosing import SiteReply, best_first, scope_of, with_others
from pincite_server.answering.outcome import Outcome, Step
from pincite_server.answering.pipeline import prepare
from pincite_server.answering.question import MAX_QUERY
from pincite_server.answering.written.live import ModelReading, written_reply
from pincite_server.answering.written.writing import Offload
from pincite_server.llm.model import LanguageModel
from pincite_server.reply.records import Notice, Opening

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
    replies, failed = await _replies(reading_once(asked.sites), offload, model)
    ranked = best_first(replies)
    first = ranked[0]
    notices = _left_out(first, (*asked.left_out, *failed))
    async with aclosing(written_reply(first.prepared, first.site.question, model, offload)) as steps:
        async for step in steps:
            if isinstance(step, Opening):
                yield replace(step, notices=(*step.notices, *notices), scope=scope_of(step, [first.site]))
            elif isinstance(step, Outcome):
                yield _with_notices(with_others(step, ranked), notices)
            else:
                yield step


async def _replies(
    sites: Sequence[AskedSite], offload: Offload, model: LanguageModel | None
) -> tuple[list[SiteReply], list[str]]:
    reading = ModelReading(model, offload) if model is not None else None
    replies: list[SiteReply] = []
    failed: list[str] = []
    for site in sites:
        question = site.question
        try:
            if reading is not None and question.query:
                question = await reading.read(site.answerer, question)
            prepared = await offload(prepare, site.answerer, question)
        except WorkLimitError:
            raise
        except PinciteError as error:
            logger.warning("The site %s is left out of an answer across sites. %s", site.name, error)
            failed.append(site.title)
        else:
            replies.append(SiteReply(site, prepared))
    if not replies:
        message = "None of the sites can be asked now. Please try again in a minute."
        raise IndexUnavailableError(message)
    return replies, failed


def _left_out(first: SiteReply, sites: Sequence[str]) -> tuple[Notice, ...]:
    """Return what a reader is told of sites that could not be asked, in the language of the reply."""
    if not sites:
        return ()
    query, locale = first.site.question.query[:MAX_QUERY], first.reply.scope.locale
    language = language_of(query, foreign_language(query, locale) or locale)
    return (Notice("sites_left_out", say("sites_left_out", language, sites=", ".join(sites))),)


def _with_notices(outcome: Outcome, notices: Sequence[Notice]) -> Outcome:
    """Return an outcome with further notices."""
    for notice in notices:
        outcome = outcome.with_notice(notice)
    return outcome
