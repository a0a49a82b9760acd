"""Represent the targets of one build with their words, to compare two builds."""

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from pincite_core.index.read import Index
from pincite_indexer.rows.assemble import Rows

__all__ = ("BuildPlace", "PlaceKey", "ScopeKey", "overlap", "places_of", "rows_of", "shingles")

ScopeKey = tuple[str, str, str | None]
"""(locale, plugin ID, version): the scope in which an ID is unique, the same in every build."""

PlaceKey = tuple[ScopeKey, str]
"""(scope, stable ID)."""

_WORD = re.compile(r"\w+")
_SHINGLE = 3  # words: long enough to distinguish units on one subject, short enough to survive small edits
_KEPT = 4096  # places with cached shingles: the pages of a large site


@dataclass(frozen=True, slots=True, eq=False)  # compared by identity, because comparing all words would be slow
class BuildPlace:
    """Target with its page's URL and ID, and its words; a page's words are the words of all its sections."""

    stable_id: str
    scope: ScopeKey
    page_id: str
    page_url: str
    anchor: str
    title: str
    words: tuple[str, ...]
    leading: bool
    order: int

    @property
    def key(self) -> PlaceKey:
        """Return the key of the place within its build."""
        return self.scope, self.stable_id

    @property
    def page_key(self) -> PlaceKey:
        """Return the key of the place's page within its build."""
        return self.scope, self.page_id


def rows_of(index: Index, *, with_text: bool = True) -> Rows:
    """Return the rows of an index as in the build that wrote it, with or without the text."""
    texts = (index.chunks(), index.units()) if with_text else ()
    return Rows(list(index.scopes), index.pages(), index.targets(), *texts)


def places_of(rows: Rows) -> list[BuildPlace]:
    """Return every target with its words, in document order.

    A section without text gets the words of its subsections. A row, item or term gets the words of its units.
    """
    scopes = {scope.scope_id: scope for scope in rows.scopes}
    pages = {page.page_id: page for page in rows.pages}
    page_ids = {target.page_id: target.stable_id for target in rows.targets if not target.anchor}
    texts = _texts(rows)
    places = []
    for order, target in enumerate(rows.targets):
        page = pages[target.page_id]
        scope = scopes[page.scope_id]
        places.append(
            BuildPlace(
                target.stable_id,
                (scope.locale, scope.plugin_id, scope.version),
                page_ids[target.page_id],
                page.url,
                target.anchor,
                target.title,
                tuple(_WORD.findall(texts.get(target.target_id, "").casefold())),
                scope.is_last,
                order,
            )
        )
    return places


def overlap(one: BuildPlace, other: BuildPlace) -> float:
    """Return the similarity of two places, from 0 to 1: the Jaccard index of their shingles of three words."""
    first, second = shingles(one.words), shingles(other.words)
    common = len(first & second)
    return common / (len(first) + len(second) - common) if common else 0.0


@lru_cache(maxsize=_KEPT)
def shingles(words: tuple[str, ...]) -> frozenset[tuple[str, ...]]:
    """Return all shingles of three words; a shorter text is one shingle."""
    if not words:
        return frozenset()
    return frozenset(words[start : start + _SHINGLE] for start in range(max(1, len(words) - _SHINGLE + 1)))


def _texts(rows: Rows) -> dict[int, str]:
    chunks = {chunk.chunk_id: chunk for chunk in rows.chunks}
    sections = _joined((chunk.target_id, chunk.text) for chunk in rows.chunks)
    parts = _joined(
        (unit.target_id, chunks[unit.chunk_id].text[unit.start : unit.end])
        for unit in rows.units
        if unit.target_id != chunks[unit.chunk_id].target_id
    )
    texts = {**parts, **sections}
    empty = {target.target_id for target in rows.targets if target.kind == "heading" and target.target_id not in texts}
    below: dict[int, list[str]] = defaultdict(list)
    for target in reversed(rows.targets):  # subsections before their parents
        if target.target_id in empty:
            texts[target.target_id] = "\n".join(reversed(below[target.target_id]))
        if target.parent_id in empty and target.target_id in texts:
            below[target.parent_id].append(texts[target.target_id])
    whole = _joined((chunk.page_id, chunk.text) for chunk in rows.chunks)
    return texts | {target.target_id: whole.get(target.page_id, "") for target in rows.targets if not target.anchor}


def _joined(parts: Iterable[tuple[int, str]]) -> dict[int, str]:
    found: dict[int, list[str]] = defaultdict(list)
    for key, text in parts:
        found[key].append(text)
    return {key: "\n".join(texts) for key, texts in found.items()}
