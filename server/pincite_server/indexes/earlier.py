"""Restricts the previous build to the pages and anchors that the newest build still has."""

import dataclasses
from collections.abc import Iterable, Sequence

from pincite_core.index.read import Index
from pincite_core.urls import lookup_key
from pincite_server.indexes.registry import IndexSet, ServedIndex

__all__ = ("narrowed",)


def narrowed(earlier: Iterable[ServedIndex], newest: Iterable[ServedIndex]) -> IndexSet:
    """Return an earlier build's indexes, restricted to places that any index of the newest build has.

    A page that was loaded before a deploy is answered from its own index, but a click on a citation opens the new site.
    """
    now = [item.answerer.index for item in newest]
    there = {place for index in now for place in _places(index)}
    return IndexSet(_as_of_now(item, now, there) for item in earlier)


def _places(index: Index) -> Iterable[tuple[str, str]]:
    keys = {page_id: lookup_key(url) for page_id, url in index.page_urls().items()}
    return ((keys[place.page_id], place.anchor) for place in index.places())


def _as_of_now(served: ServedIndex, now: Sequence[Index], there: set[tuple[str, str]]) -> ServedIndex:
    index = served.answerer.index
    leads_to = {page_id: _key_now(url, now) for page_id, url in index.page_urls().items()}
    hidden = {page_id for page_id, key in leads_to.items() if key is None}
    gone = {place.target_id for place in index.places() if (leads_to[place.page_id], place.anchor) not in there}
    answerer = dataclasses.replace(served.answerer, index=index.without(hidden, gone))
    return dataclasses.replace(served, answerer=answerer)


def _key_now(url: str, now: Sequence[Index]) -> str | None:
    """Return the lookup key of the page that a URL leads to now, through redirects; None if there is none."""
    found = next((page for index in now if (page := index.page_at(url))), None)
    return lookup_key(found.url) if found else None
