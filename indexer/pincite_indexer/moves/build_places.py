"""The targets of one build as places with what they say, so that two builds can be compared."""

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from pincite_core.index.read import Index
from pincite_core.types import Scope, Target
from pincite_indexer.rows.assemble import Rows

__all__ = ("BuildPlace", "PlaceKey", "ScopeKey", "overlap", "places_of", "rows_of", "scope_key", "shingles")

ScopeKey = tuple[str, str, str | None]
"""(locale, plugin id, version): where an ID names one target."""

PlaceKey = tuple[ScopeKey, str]
"""(scope, stable ID)."""

_WORD = re.compile(r"\w+")
_SHINGLE = 3  # words: long enough that sentences on one subject differ, short enough that an edit spoils only a few
_KEPT = 4096  # places whose runs of words are kept for the next comparison: a large site's pages


@dataclass(frozen=True, slots=True, eq=False)  # one object a place: comparing its words at each look-up would be slow
class BuildPlace:
    """A target, the URL and ID of its page, and its words; a page's words are those of everything on it."""

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
        """What names the place in its build."""
        return self.scope, self.stable_id

    @property
    def page_key(self) -> PlaceKey:
        """What names its page in its build."""
        return self.scope, self.page_id


def rows_of(index: Index, *, with_text: bool = True) -> Rows:
    """Return the rows of an index as the build that wrote it had them; without its text when that is not needed."""
    rows = Rows(list(index.scopes), index.pages(), index.targets())
    if with_text:
        rows.chunks, rows.sentences = index.chunks(), index.sentences()
    return rows


def scope_key(scope: Scope) -> ScopeKey:
    """Return what tells a scope apart in every build."""
    return scope.locale, scope.plugin_id, scope.version


def places_of(rows: Rows) -> list[BuildPlace]:
    """Return every target with its words, in document order.

    A section without words of its own has those of the sections in it; a row, item or term those of its sentences.
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
                scope_key(scope),
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
    """Return how much two places say the same, from 0 to 1: the Jaccard index of their runs of three words."""
    first, second = shingles(one.words), shingles(other.words)
    common = len(first & second)
    return common / (len(first) + len(second) - common) if common else 0.0


@lru_cache(maxsize=_KEPT)
def shingles(words: tuple[str, ...]) -> frozenset[tuple[str, ...]]:
    """Return every run of three words; of fewer, the words themselves as one run."""
    if not words:
        return frozenset()
    return frozenset(words[start : start + _SHINGLE] for start in range(max(1, len(words) - _SHINGLE + 1)))


def _texts(rows: Rows) -> dict[int, str]:
    """Return the text of each target that has one, by its row id."""
    chunks = {chunk.chunk_id: chunk for chunk in rows.chunks}
    sections = _joined((chunk.target_id, chunk.text) for chunk in rows.chunks)
    parts = _joined(
        (sentence.target_id, chunks[sentence.chunk_id].text[sentence.start : sentence.end])
        for sentence in rows.sentences
        if sentence.target_id != chunks[sentence.chunk_id].target_id
    )
    texts = {**parts, **sections}
    _fill_empty_sections(texts, rows.targets)
    whole = _joined((chunk.page_id, chunk.text) for chunk in rows.chunks)
    return texts | {target.target_id: whole.get(target.page_id, "") for target in rows.targets if not target.anchor}


def _fill_empty_sections(texts: dict[int, str], targets: list[Target]) -> None:
    """Give headings that are followed by headings alone the text below them; a target comes after its parent."""
    empty = {target.target_id for target in targets if target.kind == "heading" and target.target_id not in texts}
    below: dict[int, list[str]] = defaultdict(list)
    for target in reversed(targets):
        if target.target_id in empty:
            texts[target.target_id] = "\n".join(reversed(below[target.target_id]))
        if target.parent_id in empty and target.target_id in texts:
            below[target.parent_id].append(texts[target.target_id])


def _joined(parts: Iterable[tuple[int, str]]) -> dict[int, str]:
    found: dict[int, list[str]] = defaultdict(list)
    for key, text in parts:
        found[key].append(text)
    return {key: "\n".join(texts) for key, texts in found.items()}
