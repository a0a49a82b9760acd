"""Resolve the stable IDs of one site, and find the nearest section for each lost ID."""

from collections.abc import Iterable

from pincite_core.budget import check_budget
from pincite_server.answerer import Answerer
from pincite_server.answering.named_sections import id_words, parent_id, resolve_id, target_url
from pincite_server.answering.pipeline import search_hits
from pincite_server.reply.records import ResolvedId, SearchHit

__all__ = ("nearest_to", "resolve_all")

_MAX_SEARCHES = 10  # each search costs as much as a question


def resolve_all(
    answerer: Answerer, ids: Iterable[str], version: str | None, locale: str | None
) -> dict[str, ResolvedId]:
    """Resolve every ID. Only the first `_MAX_SEARCHES` lost IDs get a nearest section."""
    resolved: dict[str, ResolvedId] = {}
    searches = 0
    for stable_id in dict.fromkeys(ids):
        check_budget()
        found = resolve_id(answerer.index, stable_id, version, locale)
        if found.target is not None:
            url = target_url(answerer.index, found.target)
            resolved[stable_id] = ResolvedId(url, found.target.title, found.status)
            continue
        searches += 1
        nearest = nearest_to(answerer, stable_id, version, locale) if searches <= _MAX_SEARCHES else None
        resolved[stable_id] = ResolvedId(None, None, "lost", nearest)
    return resolved


def nearest_to(answerer: Answerer, stable_id: str, version: str | None, locale: str | None) -> SearchHit | None:
    """Return the page of a lost section if the page still exists, else the best search result for the ID's words."""
    page = parent_id(stable_id)
    found = resolve_id(answerer.index, page, version, locale) if page else None
    if found is not None and found.target is not None:
        target = found.target
        url = target_url(answerer.index, target)
        return SearchHit(
            url=url,
            anchor=target.anchor or None,
            stable_id=target.stable_id,
            title=target.title,
            heading_path=target.heading_path,
            score=1.0,
            snippet="",
        )
    hits = search_hits(answerer, id_words(stable_id), 1, version, locale) if id_words(stable_id) else []
    return hits[0] if hits else None
