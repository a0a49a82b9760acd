"""The earlier build's indexes without the places that the newest build no longer has.

A page that was loaded before a deploy is answered from the index that it belongs to, but the reader's next click goes
to the site as it is now.
"""

import dataclasses
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path

import numpy as np

from pincite_core.index.read import Index, Match, Place
from pincite_core.search.bm25 import EVEN_WEIGHTS, TermScores, TermWeights
from pincite_core.types import Link, Page, Target
from pincite_core.urls import lookup_key
from pincite_server.indexes.registry import IndexSet, ServedIndex

__all__ = ("NarrowedIndex", "narrow")


class NarrowedIndex(Index):
    """An index in which nothing is found on some of its pages, and some targets lead to what encloses them.

    Args:
        file: The index file.
        hidden_pages: Row ids of pages that are gone.
        stand_ins: The target that stands for a gone one, by the gone one's row id.
    """

    def __init__(self, file: Path, hidden_pages: frozenset[int], stand_ins: dict[int, int]) -> None:
        super().__init__(file)
        self._hidden = hidden_pages
        self._stand_ins = stand_ins

    def nearest_chunks(self, query: np.ndarray, scope_ids: Sequence[int], k: int) -> list[Match]:
        """Return the nearest chunks, hidden pages' left out."""
        return self._visible(super().nearest_chunks(query, scope_ids, k))

    def nearest_sentences(self, query: np.ndarray, scope_ids: Sequence[int], k: int) -> list[Match]:
        """Return the nearest sentences, hidden pages' left out."""
        found = super().nearest_sentences(query, scope_ids, k)
        chunk_ids = self.chunks_of_sentences(match.row_id for match in found)
        return [match for match, chunk_id in zip(found, chunk_ids, strict=True) if chunk_id not in self._hidden_chunks]

    def score_terms(
        self, terms: Sequence[str], scope_ids: Sequence[int], weights: TermWeights = EVEN_WEIGHTS
    ) -> TermScores:
        """Return the chunks that hold any of `terms`, hidden pages' left out."""
        found = super().score_terms(terms, scope_ids, weights)
        return found.only(~np.isin(found.row_ids, list(self._hidden_chunks)))

    def page_at(self, url: str) -> Page | None:
        """Return the page that a URL leads to, None for a hidden one."""
        page = super().page_at(url)
        return None if page is None or page.page_id in self._hidden else page

    def target(self, target_id: int) -> Target:
        """Return a target, or what stands for it."""
        return super().target(self._stand_ins.get(target_id, target_id))

    def targets_by_id(self, target_ids: Iterable[int]) -> dict[int, Target]:
        """Return targets, or what stands for them, by the row ids that were asked for."""
        asked = {target_id: self._stand_ins.get(target_id, target_id) for target_id in target_ids}
        found = super().targets_by_id(set(asked.values()))
        return {target_id: found[stand_in] for target_id, stand_in in asked.items() if stand_in in found}

    def targets_of_page(self, page_id: int) -> list[Target]:
        """Return a page's targets that are still there."""
        return [target for target in super().targets_of_page(page_id) if target.target_id not in self._stand_ins]

    def links_from(self, target_ids: Iterable[int]) -> list[Link]:
        """Return the links that leave some targets for pages that are still there."""
        links = super().links_from(target_ids)
        targets = super().targets_by_id({link.to_target_id for link in links})
        return [link for link in links if targets[link.to_target_id].page_id not in self._hidden]

    def links_to(self, target_ids: Iterable[int]) -> list[Link]:
        """Return the links that lead to some targets from pages that are still there."""
        links = super().links_to(target_ids)
        targets = super().targets_by_id({link.from_target_id for link in links})
        return [link for link in links if targets[link.from_target_id].page_id not in self._hidden]

    def _visible(self, found: list[Match]) -> list[Match]:
        return [match for match in found if match.row_id not in self._hidden_chunks]

    @cached_property
    def _hidden_chunks(self) -> frozenset[int]:
        return frozenset(chunk.chunk_id for page_id in self._hidden for chunk in self.chunks_of_page(page_id))


def narrow(earlier: Iterable[ServedIndex], newest: Iterable[ServedIndex]) -> IndexSet:
    """Return an earlier build's indexes with only those places that any of the newest build's indexes has."""
    now = [item.engine.index for item in newest]
    there = {place for index in now for place in _places(index)}
    return IndexSet(_narrowed(item, now, there) for item in earlier)


def _places(index: Index) -> Iterable[tuple[str, str]]:
    keys = {page_id: lookup_key(url) for page_id, url in index.page_urls().items()}
    return ((keys[place.page_id], place.anchor) for place in index.places())


def _narrowed(served: ServedIndex, now: Sequence[Index], there: set[tuple[str, str]]) -> ServedIndex:
    index = served.engine.index
    leads_to = {page_id: _key_now(url, now) for page_id, url in index.page_urls().items()}
    hidden = frozenset(page_id for page_id, key in leads_to.items() if key is None)
    places = {place.target_id: place for place in index.places() if place.page_id not in hidden}
    gone = {place.target_id for place in places.values() if (leads_to[place.page_id], place.anchor) not in there}
    stand_ins = {target_id: _enclosing(places[target_id], places, gone) for target_id in gone}
    engine = dataclasses.replace(served.engine, index=NarrowedIndex(index.file, hidden, stand_ins))
    return dataclasses.replace(served, engine=engine)


def _key_now(url: str, now: Sequence[Index]) -> str | None:
    """Return where a page's URL leads now, redirects followed; None when it leads nowhere."""
    found = next((page for index in now if (page := index.page_at(url))), None)
    return lookup_key(found.url) if found else None


def _enclosing(place: Place, places: dict[int, Place], gone: set[int]) -> int:
    """Return the innermost enclosing target that is still there; the page itself always is."""
    while place.target_id in gone and place.parent_id is not None and place.parent_id < place.target_id:
        place = places[place.parent_id]
    return place.target_id
