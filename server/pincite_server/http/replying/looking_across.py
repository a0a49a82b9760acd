"""Looking something up in the members of a group, one after another, each in a turn of its own."""

import logging
from collections.abc import Iterator

from pincite_core.errors import IndexUnavailableError, InputError, PinciteError, WorkLimitError
from pincite_core.urls import origin_of
from pincite_server.answering.across.asked_site import STABLE_ID_MARK, AskedSite, reading_once
from pincite_server.answering.across.searching import SiteHits, hits_of_all
from pincite_server.answering.pipeline import search_with_evidence
from pincite_server.http.replying.across import members_at_hand
from pincite_server.http.sidecar import Sidecar
from pincite_server.question.question import Question
from pincite_server.question.scope import require_known_scope
from pincite_server.reply.records import SearchHit

__all__ = ("known_members", "members_for_id", "search_across")

logger = logging.getLogger("pincite")


async def search_across(
    sidecar: Sidecar, home: str | None, query: str, k: int, version: str | None = None, locale: str | None = None
) -> tuple[str, tuple[SearchHit, ...]]:
    """Return the `k` best places for a query in the members of a group, and the index that most likely has an answer.

    Args:
        sidecar: The group's.
        home: The member whose URLs need no host; None for none.
        query: What to look for.
        k: How many places.
        version: Only members that have this version, and of it alone.
        locale: Only members that have this language, and of it alone.

    Raises:
        IndexAwaitedError: No member is there.
        InputError: No member has the version or the language.
    """
    sites = reading_once(known_members(sidecar, home, version, locale, query))
    found: list[SiteHits] = []
    for site in sites:
        try:
            hits, evidence = await sidecar.worker.run(search_with_evidence, site.answerer, query, k, version, locale)
        except WorkLimitError:
            raise
        except PinciteError as error:
            logger.warning("The site %s is left out of a search across sites. %s", site.name, error)
        else:
            found.append((site, hits, evidence))
    if not found:
        message = "None of the sites can be searched now. Please try again in a minute."
        raise IndexUnavailableError(message)
    best, _, _ = max(found, key=lambda one: one[2])
    return best.answerer.index.info.index_id, hits_of_all(found, k)


def known_members(
    sidecar: Sidecar, home: str | None, version: str | None, locale: str | None, query: str = ""
) -> list[AskedSite]:
    """Return the members of a group that have a version and a language; any where none is named.

    Raises:
        IndexAwaitedError: No member is there.
        InputError: No member has them; the message is of one of those that were looked at.
    """
    there, _ = members_at_hand(sidecar)
    known: list[AskedSite] = []
    refused: InputError | None = None
    for name, indexes in there.items():
        answerer = indexes.choose(locale).answerer
        try:
            require_known_scope(answerer.index, version, locale, indexes.locales)
        except InputError as error:
            refused = refused or error
        else:
            known.append(AskedSite(name, answerer, Question(query, elsewhere=name != home)))
    if refused is not None and not known:
        raise refused
    return known


def members_for_id(members: list[AskedSite], named: str) -> Iterator[tuple[AskedSite, str]]:
    """Yield the members that a stable ID or a URL may be of, and the ID as each has it: the one that it names, or all.

    Args:
        members: Those to choose from.
        named: An ID as replies across sites have it, an ID as the sites have it, or a URL.
    """
    name, mark, own = named.partition(STABLE_ID_MARK)
    for site in members:
        if mark and site.name == name:
            yield site, own
            return
    origin = origin_of(named)
    there = [site for site in members if origin and origin_of(site.answerer.index.info.site_url) == origin]
    yield from ((site, named) for site in there or members)
