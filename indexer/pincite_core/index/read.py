"""Read and search an index: `Index` combines the rows, the search engine and the view that hides rows.

`Index` is thread-safe.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import cached_property, partial
from pathlib import Path
from typing import NamedTuple, Self, TypeVar

import numpy as np
import numpy.typing as npt

from pincite_core.errors import InputError
from pincite_core.index.quantise import Int8Vectors
from pincite_core.index.ref_count import RefCount
from pincite_core.index.row_cache import RowCache
from pincite_core.index.rows import IndexRows, Place
from pincite_core.index.schema import text_hash
from pincite_core.index.sql import SqlFile
from pincite_core.index.view import View
from pincite_core.search.bm25 import EVEN_WEIGHTS, TermScores, TermWeights
from pincite_core.search.engine import Ids, Nearest, SearchEngine, make_engine, nearest
from pincite_core.search.language_profile import DEFAULT_PROFILE, LANGUAGES_KEY, LanguageProfile, parse_profiles
from pincite_core.search.late_interaction import TokenVectors, token_similarities
from pincite_core.search.lexical_index import LexicalIndex
from pincite_core.search.sqlite_engine import SqliteEngine
from pincite_core.types import Alias, Chunk, Link, Page, Redirect, Target, Title, Unit
from pincite_core.urls import split_fragment

__all__ = ("Index", "Match", "Place")

_CUT_BEFORE = "en"  # tokenizer language of indexes that record no languages
_MOST_TITLES = 16_384  # cached titles, about 100 bytes each
_Row = TypeVar("_Row", Page, Target, Chunk)


class Match(NamedTuple):
    """A search result: a row id and a score. The score is a cosine for vectors and a BM25 score for terms."""

    row_id: int
    score: float


class Index:
    """One index, seen through a view. No method returns a row that the view hides.

    Args:
        rows: The rows of the index.
        engine: The search engine, which finds candidates in the index.
        view: The rows that may be returned. The default is every row.
        lease: The reference counter of the rows and the engine, if several `Index` objects share them.

    Attributes:
        name: The name of the index in messages.
        info: The metadata of the index.
        scopes: All scopes of the index.
    """

    def __init__(
        self, rows: IndexRows, engine: SearchEngine, view: View | None = None, lease: RefCount | None = None
    ) -> None:
        self._rows = rows
        self._engine = engine
        self._view = view or View()
        self._lease = lease or RefCount(partial(_close, rows, engine))
        self.name = rows.sql.name
        self.info = rows.info
        self.scopes = rows.scopes
        self._title_vectors = RowCache[int](_MOST_TITLES)

    @classmethod
    def open(cls, place: Path | str, *, checked: bool = False) -> Self:
        """Open the index at `place`: an index file, a folder that contains an index file, or a built site.

        Args:
            place: The path of the file, folder or site.
            checked: Whether to skip validation, since the same unchanged file was opened before.

        Raises:
            IndexFileError: There is no index, or the index cannot be read or is invalid.
            SearchEngineError: SQLite cannot load sqlite-vec.
            PluginError: The engine that `PINCITE_ENGINE` names cannot be created.
        """
        rows = IndexRows.open(place, checked=checked)
        return cls(rows, make_engine(SqliteEngine, rows.sql, rows.info.dimension))

    @property
    def file(self) -> Path:
        """The path of the index file.

        Raises:
            InputError: The index is in PostgreSQL and not in a file.
        """
        if isinstance(self._rows.sql, SqlFile):
            return self._rows.sql.file
        message = f"{self.name} is no file. Name the index folder that was pushed."
        raise InputError(message)

    def without(self, pages: Collection[int], targets: Collection[int]) -> "Index":
        """Return this index with some pages hidden and some targets replaced by enclosing targets (`View`).

        Args:
            pages: Row ids of the pages to hide.
            targets: Row ids of the targets to replace.
        """
        return Index(self._rows, self._engine, View.without(self._rows.places(), pages, targets), self._lease)

    def held(self) -> AbstractContextManager[None]:
        """Return a context manager that keeps the index open, so that `retire` takes effect after the block."""
        return self._lease.held()

    def retire(self) -> None:
        """Release files and memory as soon as the last user releases this index.

        Call this method when another index replaces this one. Reads from this index and from the results of `without`
        still work, as long as the file exists.
        """
        self._lease.retire()
        self._title_vectors.forget()

    # -- whole tables -------------------------------------------------------------------------------------------

    def pages(self) -> list[Page]:
        """Return every page, sorted by URL."""
        return self._seen_pages(self._rows.pages())

    def targets(self) -> list[Target]:
        """Return every target, in document order."""
        return self._view.targets(self._rows.targets())

    def chunks(self) -> list[Chunk]:
        """Return every chunk, in document order."""
        return self._view.chunks(self._rows.chunks())

    def units(self) -> list[Unit]:
        """Return every unit, in document order."""
        return self._view.units(self._rows.units())

    def redirects(self) -> list[Redirect]:
        """Return every redirect that leads to a visible page."""
        if self._view.is_whole:
            return self._rows.redirects()
        return [found for item in self._rows.redirects() if (found := self._redirected(item))]

    def aliases(self) -> list[Alias]:
        """Return the alias of every stable ID that is no longer current, sorted by ID."""
        return [self._followed(alias) for alias in self._rows.aliases()]

    def meta(self, key: str) -> object | None:
        """Return the value that the builder stored under `key`, such as a calibration, or None if there is no value."""
        return self._rows.meta(key)

    def counts(self) -> dict[str, int]:
        """Return the number of rows of each main table. Rows of hidden pages do not count, except vectors."""
        tables = ("pages", "targets", "chunks", "units", "vectors", "links", "redirects")
        counts = {table: self._rows.count(table) for table in tables}
        if not self._view.is_whole:
            targets = self.targets()
            counts["pages"], counts["targets"] = len(self.page_urls()), len(targets)
            counts["chunks"], counts["units"] = self.chunk_count, len(self.units())
            counts["links"] = len(self.links_from(target.target_id for target in targets))
            counts["redirects"] = len(self.redirects())
        return counts

    def page_urls(self) -> dict[int, str]:
        """Return every page's URL by its row id."""
        return {key: url for key, url in self._rows.page_urls().items() if key not in self._view.hidden_pages}

    def places(self) -> list[Place]:
        """Return the position of every target, in document order. This takes much less memory than `targets`."""
        seen_as = self._view.seen_as
        return [
            place._replace(parent_id=place.parent_id and seen_as(place.parent_id))
            for place in self._rows.places()
            if seen_as(place.target_id) == place.target_id
        ]

    # -- single rows --------------------------------------------------------------------------------------------

    def page(self, page_id: int) -> Page:
        """Return a page by its row id.

        Raises:
            KeyError: There is no such page.
        """
        return _only(self.pages_by_id([page_id]), page_id)

    def target(self, target_id: int) -> Target:
        """Return a target, or its stand-in, by its row id.

        Raises:
            KeyError: There is no such target.
        """
        return _only(self.targets_by_id([target_id]), target_id)

    def chunk(self, chunk_id: int) -> Chunk:
        """Return a chunk by its row id.

        Raises:
            KeyError: There is no such chunk.
        """
        return _only(self.chunks_by_id([chunk_id]), chunk_id)

    def page_at(self, url: str) -> Page | None:
        """Return the page at a URL of this site, or None. The URL is normalised, and redirects are followed."""
        page_id = self._rows.page_id_at(url)
        return self.pages_by_id([page_id]).get(page_id) if page_id else None

    def target_at(self, url: str) -> Target | None:
        """Return the target at a URL with a fragment, or its stand-in.

        Return the target of the page itself if the fragment does not exist, and None if the page does not exist.
        """
        page = self.page_at(url)
        found = page and self._rows.target_anchored(page.page_id, split_fragment(url)[1])
        return self.target(found.target_id) if found else None

    # -- rows that belong together --------------------------------------------------------------------------------

    def chunks_of_target(self, target_id: int) -> list[Chunk]:
        """Return the chunks of a section and of the targets it stands in for, in document order."""
        return self._view.chunks(self._rows.chunks_of_targets(self._view.behind([target_id])))

    def chunks_of_page(self, page_id: int) -> list[Chunk]:
        """Return the chunks of a page, in document order."""
        return self._view.chunks(self._rows.chunks_of_page(page_id))

    def chunks_by_id(self, chunk_ids: Iterable[int]) -> dict[int, Chunk]:
        """Return the chunks with the given row ids, by row id."""
        return {chunk.chunk_id: chunk for chunk in self._view.chunks(self._rows.chunks_by_id(chunk_ids))}

    def units_by_id(self, unit_ids: Iterable[int]) -> dict[int, Unit]:
        """Return the units with the given row ids, by row id."""
        rows = self._rows.units_by_id(unit_ids)
        return {unit.unit_id: unit for unit in self._view.units(rows)}

    def units_of_chunks(self, chunk_ids: Iterable[int]) -> list[Unit]:
        """Return the units of the given chunks, in document order."""
        return self._view.units(self._rows.units_of_chunks(chunk_ids))

    def targets_of_page(self, page_id: int) -> list[Target]:
        """Return a page's targets, in document order."""
        return self._view.targets(self._rows.targets_of_page(page_id))

    def targets_by_id(self, target_ids: Iterable[int]) -> dict[int, Target]:
        """Return targets or their stand-ins, by requested row id."""
        asked = {target_id: self._view.seen_as(target_id) for target_id in target_ids}
        rows = self._rows.targets_by_id(seen for seen in asked.values() if seen is not None)
        found = {target.target_id: target for target in self._view.targets(rows)}
        return {target_id: found[seen] for target_id, seen in asked.items() if seen in found}

    def children_of(self, target_ids: Iterable[int]) -> list[tuple[int, int]]:
        """Return (target_id, parent_id) of each child of the given targets, in document order."""
        seen_as = self._view.seen_as
        rows = self._rows.children_of(self._view.behind(target_ids))
        found = ((child, seen_as(parent)) for child, parent in rows if seen_as(child) == child)
        return [(child, parent) for child, parent in found if parent is not None]

    def titles_by_id(self, target_ids: Iterable[int]) -> dict[int, Title]:
        """Return the titles of targets or of their stand-ins, by requested row id."""
        asked = {target_id: self._view.seen_as(target_id) for target_id in target_ids}
        found = self._rows.titles_by_id(seen for seen in asked.values() if seen is not None)
        return {target_id: found[seen] for target_id, seen in asked.items() if seen in found}

    def pages_by_id(self, page_ids: Iterable[int]) -> dict[int, Page]:
        """Return the pages with the given row ids, by row id."""
        return {page.page_id: page for page in self._seen_pages(self._rows.pages_by_id(page_ids))}

    def targets_by_stable_id(self, stable_id: str) -> list[Target]:
        """Return the targets with a stable ID, at most one per locale and version."""
        return self._view.targets(self._rows.targets_by_stable_id(stable_id))

    def alias(self, stable_id: str) -> Alias | None:
        """Return the alias of a stable ID that is no longer current, or None if the ID is unknown."""
        alias = self._rows.alias(stable_id)
        return alias and self._followed(alias)

    def links_from(self, target_ids: Iterable[int]) -> list[Link]:
        """Return the links from the given targets."""
        return self._view.links(self._rows.links_from(self._view.behind(target_ids)))

    def links_to(self, target_ids: Iterable[int]) -> list[Link]:
        """Return the links to the given targets."""
        return self._view.links(self._rows.links_to(self._view.behind(target_ids)))

    # -- vectors belong to texts, not to pages; callers get vector ids from visible rows only -----------------------

    def vectors(self, vector_ids: npt.ArrayLike) -> Int8Vectors:
        """Return stored vectors in the order of `vector_ids`: int8, shape (len(vector_ids), dimension)."""
        return self._engine.vectors(vector_ids)

    def title_vectors(self, target_ids: Iterable[int]) -> dict[int, int]:
        """Return the vector id of each target's title, by target row id. It is 0 if the title was not embedded."""
        return self._title_vectors.of(target_ids, self._read_title_vectors)

    def unit_vectors(self, chunk_ids: npt.NDArray[np.int64]) -> tuple[Ids, Ids, Int8Vectors]:
        """Return the embedded units of the given chunks: unit row ids, chunk row ids and vectors."""
        found = self._engine.units_of_chunks(np.setdiff1d(chunk_ids, self._hidden_chunks).tolist())
        return found.row_ids, found.chunk_ids, self.vectors(found.vector_ids)

    def token_similarities(self, query: TokenVectors, chunks: Sequence[Chunk]) -> npt.NDArray[np.float64]:
        """Return the late-interaction score of a query for each chunk, or NaN if the chunk has no token vectors."""
        vector_ids = [chunk.vector_id for chunk in chunks]
        try:
            return token_similarities(query, self._engine.tokens(set(vector_ids)), vector_ids)
        except ValueError as error:
            raise self._rows.sql.corrupt(f"of some of its texts the {error}") from error

    # -- search -------------------------------------------------------------------------------------------------

    def language_of(self, scope_ids: Sequence[int]) -> str:
        """Return the language whose rules split the text of the first given scope into words, as a BCP 47 tag."""
        locale = self._locale_of(scope_ids)
        return locale if locale in self._profiles else _CUT_BEFORE

    def language_profile(self, scope_ids: Sequence[int]) -> LanguageProfile:
        """Return the language profile that the build recorded for the first given scope."""
        return self._profiles.get(self._locale_of(scope_ids), DEFAULT_PROFILE)

    @cached_property
    def chunk_count(self) -> int:
        """The number of chunks in the whole index."""
        return len(self._engine.chunk_scopes) - len(self._hidden_chunks)

    def corpus_size(self, scope_ids: Sequence[int]) -> int:
        """Return the number of chunks in the languages of the given scopes, including all versions."""
        return self._lexical.corpus_size(scope_ids)

    def document_frequencies(self, terms: Iterable[str], scope_ids: Sequence[int] | None = None) -> dict[str, int]:
        """Return the document frequency of each term: the number of chunks that contain the term.

        A term that occurs in no chunk is left out.

        Args:
            terms: The terms to count.
            scope_ids: Count the chunks in the languages of these scopes. None counts all chunks of the index.
        """
        return self._lexical.document_frequencies(terms, scope_ids)

    def max_matched_share(self, weighted: Mapping[str, float], scope_ids: Sequence[int]) -> float:
        """Return the largest weighted share of terms that one chunk of the given scopes contains, from 0 to 1.

        Args:
            weighted: The weight of each term.
            scope_ids: The scopes to search.
        """
        return self._lexical.max_matched_share(weighted, scope_ids)

    def correct_spelling(self, term: str, scope_ids: Sequence[int]) -> str:
        """Return the most likely correct spelling of a term in the languages of some scopes, or the term itself."""
        return self._lexical.correct_spelling(term, scope_ids)

    def nearest_chunks(self, query: npt.NDArray[np.float32], scope_ids: Sequence[int], k: int) -> list[Match]:
        """Return the `k` chunks in the given scopes with the highest cosine to the normalised query, best first."""
        return _matches(nearest(self._engine, self._engine.near_chunks, query, scope_ids, k, self._hidden_chunks))

    def nearest_units(self, query: npt.NDArray[np.float32], scope_ids: Sequence[int], k: int) -> list[Match]:
        """Return the `k` units in the given scopes with the highest cosine to the normalised query, best first."""
        return _matches(nearest(self._engine, self._engine.near_units, query, scope_ids, k, self._hidden_chunks))

    def chunks_of_units(self, unit_ids: Iterable[int]) -> list[int]:
        """Return the chunk row id of each given unit. Sentences in hidden chunks are left out."""
        asked = list(unit_ids)
        found = self._rows.chunks_of_units(asked)
        hidden = set(self._hidden_chunks.tolist())
        return [found[asked_id] for asked_id in asked if asked_id in found and found[asked_id] not in hidden]

    def match_terms(
        self, terms: Sequence[str], scope_ids: Sequence[int], k: int, weights: TermWeights = EVEN_WEIGHTS
    ) -> list[Match]:
        """Return the `k` chunks of the given scopes with the highest weighted BM25 score for `terms`, best first.

        `pincite_core.search.terms` makes the terms of a text. A weight of 0 excludes a column.
        """
        return _matches(self.score_terms(terms, scope_ids, weights).best(k))

    def score_terms(
        self, terms: Sequence[str], scope_ids: Sequence[int], weights: TermWeights = EVEN_WEIGHTS
    ) -> TermScores:
        """Return all chunks of the given scopes that contain any of `terms`, with the scores of `match_terms`."""
        return self._lexical.scores(terms, scope_ids, weights)

    # -- plumbing -----------------------------------------------------------------------------------------------

    @cached_property
    def _profiles(self) -> Mapping[str, LanguageProfile]:
        return parse_profiles(self.meta(LANGUAGES_KEY))

    def _locale_of(self, scope_ids: Sequence[int]) -> str:
        return next((scope.locale for scope in self.scopes if scope.scope_id in scope_ids), "")

    @cached_property
    def _lexical(self) -> LexicalIndex:
        return LexicalIndex(self._engine, self.scopes, self._hidden_chunks)

    @cached_property
    def _hidden_chunks(self) -> Ids:
        return np.array(self._rows.chunk_ids_of_pages(self._view.hidden_pages), dtype=np.int32)

    def _read_title_vectors(self, target_ids: list[int]) -> dict[int, int]:
        hashes = {target_id: text_hash(title.text) for target_id, title in self.titles_by_id(target_ids).items()}
        found = self._engine.vectors_by_hash(set(hashes.values()))
        return {target_id: found.get(digest, 0) for target_id, digest in hashes.items()}

    def _seen_pages(self, pages: list[Page]) -> list[Page]:
        return [page for page in pages if page.page_id not in self._view.hidden_pages]

    def _redirected(self, redirect: Redirect) -> Redirect | None:
        """Apply the view to a redirect.

        Return None if it leads to a hidden page. Drop the fragment if it leads to a gone target.
        """
        page = self.page_at(redirect.to_url)
        if page is None:
            return None
        anchor = split_fragment(redirect.to_url)[1]
        found = self._rows.target_anchored(page.page_id, anchor)
        gone = found is not None and self._view.seen_as(found.target_id) != found.target_id
        return Redirect(redirect.url, page.url) if gone else redirect

    def _followed(self, alias: Alias) -> Alias:
        """Apply the view to an alias: remove its successor if no visible target has that stable ID."""
        if self._view.is_whole or alias.successor is None or self.targets_by_stable_id(alias.successor):
            return alias
        return Alias(alias.stable_id, None)


def _close(rows: IndexRows, engine: SearchEngine) -> None:
    rows.retire()
    engine.retire()


def _only(rows: Mapping[int, _Row], row_id: int) -> _Row:
    if row_id not in rows:
        message = f"the index has no such row: {row_id}"
        raise KeyError(message)
    return rows[row_id]


def _matches(found: Nearest | TermScores) -> list[Match]:
    return list(map(Match, found.row_ids.tolist(), found.scores.tolist()))
