"""Reading an index: `Index` puts together its rows, the engine that searches it, and the view of what may be seen.

Safe to share between threads.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import cached_property, partial
from pathlib import Path
from typing import NamedTuple, Self, TypeVar

import numpy as np
import numpy.typing as npt

from pincite_core.errors import InputError
from pincite_core.index.outside_links import OutsideLink, read_outside
from pincite_core.index.quantise import Int8Vectors
from pincite_core.index.ref_count import RefCount
from pincite_core.index.row_cache import RowCache
from pincite_core.index.rows import IndexRows, Place
from pincite_core.index.schema import OUTSIDE_LINKS
from pincite_core.index.sql import SqlFile
from pincite_core.index.text_hash import text_hash
from pincite_core.index.view import View
from pincite_core.search.bm25 import EVEN_WEIGHTS, TermScores, TermWeights
from pincite_core.search.engine import Ids, SearchEngine
from pincite_core.search.engine_choice import make_engine
from pincite_core.search.late_interaction import TokenVectors, token_similarities
from pincite_core.search.nearest import Nearest, nearest
from pincite_core.search.spoken import LANGUAGES_KEY, UNTOLD, Spoken, spoken_languages
from pincite_core.search.sqlite_engine import SqliteEngine
from pincite_core.search.words import Words
from pincite_core.types import Alias, Chunk, Link, Page, Redirect, Sentence, Target, Title
from pincite_core.urls import split_fragment

__all__ = ("Index", "Match", "Place")

_CUT_BEFORE = "en"  # what every index was cut as that says nothing of its languages
_MOST_TITLES = 16_384  # kept, about 100 bytes each
_MOST_PAGES = 64  # whose links to other sites are kept: the sections of a page are read one after another
_Row = TypeVar("_Row", Page, Target, Chunk)


class Match(NamedTuple):
    """A row found and how well it fits: a cosine for vectors, a BM25 score (higher is better) for terms."""

    row_id: int
    score: float


class Index:
    """One index as it may be seen. Nothing that its view hides is returned by any method.

    Args:
        rows: What was written.
        engine: Finds candidates among it.
        view: What may be seen; everything by default.
        lease: Who holds the rows and the engine, where others share them.

    Attributes:
        name: What it is called in messages.
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
        self._outside_links = RowCache[tuple[OutsideLink, ...]](_MOST_PAGES)

    @classmethod
    def open(cls, place: Path | str, *, checked: bool = False) -> Self:
        """Open the index at `place`: a file, a folder that holds one, or a built site.

        Args:
            place: Where it is.
            checked: Whether this very file was opened before, and nobody else can have changed it.

        Raises:
            IndexFileError: There is none, or it cannot be read, or holds what no index does.
            SearchEngineError: SQLite cannot load sqlite-vec.
            PluginError: `PINCITE_ENGINE` names an engine that cannot be made.
        """
        rows = IndexRows.open(place, checked=checked)
        return cls(rows, make_engine(SqliteEngine, rows.sql, rows.info.dimension))

    @property
    def file(self) -> Path:
        """The index file.

        Raises:
            InputError: The index is in a database.
        """
        if isinstance(self._rows.sql, SqlFile):
            return self._rows.sql.file
        message = f"{self.name} is no file. Name the index folder that was pushed."
        raise InputError(message)

    def without(self, pages: Collection[int], targets: Collection[int]) -> "Index":
        """Return this index without some pages and with stand-ins for some targets (`View`), both by row id."""
        return Index(self._rows, self._engine, View.without(self._rows.places(), pages, targets), self._lease)

    def held(self) -> AbstractContextManager[None]:
        """Return a context in which `retire` waits: what is read again and again is quick to the end."""
        return self._lease.held()

    def retire(self) -> None:
        """Give back files and memory when another index has taken this one's place and nobody holds it.

        Whoever still reads from it, or from what `without` made of it, can go on, as long as the file is there.
        """
        self._lease.retire()
        self._title_vectors.forget()
        self._outside_links.forget()

    # -- whole tables -------------------------------------------------------------------------------------------

    def pages(self) -> list[Page]:
        """Return every page, by URL."""
        return self._seen_pages(self._rows.pages())

    def targets(self) -> list[Target]:
        """Return every target, in document order."""
        return self._view.targets(self._rows.targets())

    def chunks(self) -> list[Chunk]:
        """Return every chunk, in document order."""
        return self._view.chunks(self._rows.chunks())

    def sentences(self) -> list[Sentence]:
        """Return every sentence, in document order."""
        return self._view.sentences(self._rows.sentences())

    def redirects(self) -> list[Redirect]:
        """Return every page that only forwards, to something that is there."""
        if self._view.is_whole:
            return self._rows.redirects()
        return [found for item in self._rows.redirects() if (found := self._redirected(item))]

    def aliases(self) -> list[Alias]:
        """Return every ID that is no longer current and what became of it, by ID."""
        return [self._followed(alias) for alias in self._rows.aliases()]

    def meta(self, key: str) -> object | None:
        """Return what the builder stored under `key` (a calibration, a parity report); None when it stored nothing."""
        return self._rows.meta(key)

    def counts(self) -> dict[str, int]:
        """Return the number of rows of each table that a reader would ask about, hidden pages' left out."""
        tables = ("pages", "targets", "chunks", "sentences", "vectors", "links", "redirects")
        counts = {table: self._rows.count(table) for table in tables}
        if not self._view.is_whole:
            targets = self.targets()
            counts["pages"], counts["targets"] = len(self.page_urls()), len(targets)
            counts["chunks"], counts["sentences"] = self.chunk_count, len(self.sentences())
            counts["links"] = len(self.links_from(target.target_id for target in targets))
            counts["redirects"] = len(self.redirects())
        return counts

    def page_urls(self) -> dict[int, str]:
        """Return every page's URL by its row id."""
        return {key: url for key, url in self._rows.page_urls().items() if key not in self._view.hidden_pages}

    def places(self) -> list[Place]:
        """Return where every target is, in document order: a fraction of what `targets` takes."""
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
            KeyError: There is none.
        """
        return _only(self.pages_by_id([page_id]), page_id)

    def target(self, target_id: int) -> Target:
        """Return a target, or what stands for it, by its row id.

        Raises:
            KeyError: There is none.
        """
        return _only(self.targets_by_id([target_id]), target_id)

    def chunk(self, chunk_id: int) -> Chunk:
        """Return a chunk by its row id.

        Raises:
            KeyError: There is none.
        """
        return _only(self.chunks_by_id([chunk_id]), chunk_id)

    def page_at(self, url: str) -> Page | None:
        """Return the page that a URL of this site leads to, however it is spelled; redirects are followed."""
        page_id = self._rows.page_id_at(url)
        return self.pages_by_id([page_id]).get(page_id) if page_id else None

    def target_at(self, url: str) -> Target | None:
        """Return the target that a URL with a fragment lands on, or what stands for it.

        The page itself when the fragment does not exist.
        """
        page = self.page_at(url)
        found = page and self._rows.target_anchored(page.page_id, split_fragment(url)[1])
        return self.target(found.target_id) if found else None

    # -- rows that belong together --------------------------------------------------------------------------------

    def chunks_of_target(self, target_id: int) -> list[Chunk]:
        """Return the parts of a section and of those that it stands for, in document order."""
        return self._view.chunks(self._rows.chunks_of_targets(self._view.behind([target_id])))

    def chunks_of_page(self, page_id: int) -> list[Chunk]:
        """Return the chunks of a page, in document order."""
        return self._view.chunks(self._rows.chunks_of_page(page_id))

    def chunks_by_id(self, chunk_ids: Iterable[int]) -> dict[int, Chunk]:
        """Return chunks by their row ids."""
        return {chunk.chunk_id: chunk for chunk in self._view.chunks(self._rows.chunks_by_id(chunk_ids))}

    def sentences_by_id(self, sentence_ids: Iterable[int]) -> dict[int, Sentence]:
        """Return sentences by their row ids."""
        rows = self._rows.sentences_by_id(sentence_ids)
        return {sentence.sentence_id: sentence for sentence in self._view.sentences(rows)}

    def sentences_of_chunks(self, chunk_ids: Iterable[int]) -> list[Sentence]:
        """Return the sentences of some chunks, in document order."""
        return self._view.sentences(self._rows.sentences_of_chunks(chunk_ids))

    def targets_of_page(self, page_id: int) -> list[Target]:
        """Return a page's targets, in document order."""
        return self._view.targets(self._rows.targets_of_page(page_id))

    def targets_by_id(self, target_ids: Iterable[int]) -> dict[int, Target]:
        """Return targets, or what stands for them, by the row ids that were asked for."""
        asked = {target_id: self._view.seen_as(target_id) for target_id in target_ids}
        rows = self._rows.targets_by_id(seen for seen in asked.values() if seen is not None)
        found = {target.target_id: target for target in self._view.targets(rows)}
        return {target_id: found[seen] for target_id, seen in asked.items() if seen in found}

    def children_of(self, target_ids: Iterable[int]) -> list[tuple[int, int]]:
        """Return (target_id, parent_id) of what stands in some targets, in document order."""
        seen_as = self._view.seen_as
        rows = self._rows.children_of(self._view.behind(target_ids))
        found = ((child, seen_as(parent)) for child, parent in rows if seen_as(child) == child)
        return [(child, parent) for child, parent in found if parent is not None]

    def titles_by_id(self, target_ids: Iterable[int]) -> dict[int, Title]:
        """Return the titles of targets, or of what stands for them, by the row ids that were asked for."""
        asked = {target_id: self._view.seen_as(target_id) for target_id in target_ids}
        found = self._rows.titles_by_id(seen for seen in asked.values() if seen is not None)
        return {target_id: found[seen] for target_id, seen in asked.items() if seen in found}

    def pages_by_id(self, page_ids: Iterable[int]) -> dict[int, Page]:
        """Return pages by their row ids."""
        return {page.page_id: page for page in self._seen_pages(self._rows.pages_by_id(page_ids))}

    def targets_by_stable_id(self, stable_id: str) -> list[Target]:
        """Return the targets that bear a stable ID, one for each locale and version at most."""
        return self._view.targets(self._rows.targets_by_stable_id(stable_id))

    def alias(self, stable_id: str) -> Alias | None:
        """Return what became of an ID that is no longer current; None when nothing is known of it."""
        alias = self._rows.alias(stable_id)
        return alias and self._followed(alias)

    def links_from(self, target_ids: Iterable[int]) -> list[Link]:
        """Return the links that leave some targets."""
        return self._view.links(self._rows.links_from(self._view.behind(target_ids)))

    def links_to(self, target_ids: Iterable[int]) -> list[Link]:
        """Return the links that lead to some targets."""
        return self._view.links(self._rows.links_to(self._view.behind(target_ids)))

    def outside_links(self, page_id: int) -> list[OutsideLink]:
        """Return the links of a page to other sites, in document order; none of an index that holds none."""
        return list(self._outside_links.of([page_id], self._read_outside_links)[page_id])

    # -- vectors: of texts, not of places; who names one was given a row that bears it -----------------------------

    def vectors(self, vector_ids: npt.ArrayLike) -> Int8Vectors:
        """Return stored vectors in the order asked: int8, shape (len(vector_ids), dimension)."""
        return self._engine.vectors(vector_ids)

    def title_vectors(self, target_ids: Iterable[int]) -> dict[int, int]:
        """Return the vector id of each of some targets' titles, 0 for one that was never embedded."""
        return self._title_vectors.of(target_ids, self._read_title_vectors)

    def sentence_vectors(self, chunk_ids: npt.NDArray[np.int64]) -> tuple[Ids, Ids, Int8Vectors]:
        """Return the row ids of some chunks' sentences that have a vector, their chunks, and those vectors."""
        found = self._engine.sentences_of_chunks(np.setdiff1d(chunk_ids, self._hidden_chunks).tolist())
        return found.row_ids, found.chunk_ids, self.vectors(found.vector_ids)

    def token_similarities(self, query: TokenVectors, chunks: Sequence[Chunk]) -> npt.NDArray[np.float64]:
        """Return how near the words of a query come to those of each chunk; NaN for one without token vectors."""
        vector_ids = [chunk.vector_id for chunk in chunks]
        try:
            return token_similarities(query, self._engine.tokens(set(vector_ids)), vector_ids)
        except ValueError as error:
            raise self._rows.sql.corrupt(f"of some of its texts the {error}") from error

    # -- search -------------------------------------------------------------------------------------------------

    def language_of(self, scope_ids: Sequence[int]) -> str:
        """Return the language by whose rules the words of some scopes were cut: that of the first, a BCP 47 tag."""
        locale = self._locale_of(scope_ids)
        return locale if locale in self._spoken else _CUT_BEFORE

    def spoken(self, scope_ids: Sequence[int]) -> Spoken:
        """Return what the build found out about the language of some scopes."""
        return self._spoken.get(self._locale_of(scope_ids), UNTOLD)

    @cached_property
    def chunk_count(self) -> int:
        """The number of chunks in the whole index."""
        return len(self._engine.chunk_scopes) - len(self._hidden_chunks)

    def chunks_counted(self, scope_ids: Sequence[int]) -> int:
        """Return the number of chunks in the languages of some scopes, in all their versions."""
        return self._words.counted(scope_ids)

    def document_frequencies(self, terms: Iterable[str], scope_ids: Sequence[int] | None = None) -> dict[str, int]:
        """Return in how many of the chunks that count for some scopes each term occurs, or in how many of the index.

        A term that never does is left out.
        """
        return self._words.frequencies(terms, scope_ids)

    def best_share(self, weighted: Mapping[str, float], scope_ids: Sequence[int]) -> float:
        """Return the most, by weight, that the text of one chunk of some scopes holds of some terms: 0 to 1."""
        return self._words.best_share(weighted, scope_ids)

    def spelled(self, term: str, scope_ids: Sequence[int]) -> str:
        """Return the word in the languages of some scopes that a misspelled one most likely stands for, or itself."""
        return self._words.spelled(term, scope_ids)

    def nearest_chunks(self, query: npt.NDArray[np.float32], scope_ids: Sequence[int], k: int) -> list[Match]:
        """Return the `k` chunks of some scopes nearest to a unit vector, by cosine, best first."""
        return _matches(nearest(self._engine, self._engine.near_chunks, query, scope_ids, k, self._hidden_chunks))

    def nearest_sentences(self, query: npt.NDArray[np.float32], scope_ids: Sequence[int], k: int) -> list[Match]:
        """Return the `k` sentences of some scopes nearest to a unit vector, by cosine, best first."""
        return _matches(nearest(self._engine, self._engine.near_sentences, query, scope_ids, k, self._hidden_chunks))

    def chunks_of_sentences(self, sentence_ids: Iterable[int]) -> list[int]:
        """Return the row id of the chunk that holds each of some sentences; hidden ones are left out."""
        asked = list(sentence_ids)
        found = self._rows.chunks_of_sentences(asked)
        hidden = set(self._hidden_chunks.tolist())
        return [found[asked_id] for asked_id in asked if asked_id in found and found[asked_id] not in hidden]

    def match_terms(
        self, terms: Sequence[str], scope_ids: Sequence[int], k: int, weights: TermWeights = EVEN_WEIGHTS
    ) -> list[Match]:
        """Return the `k` chunks of some scopes that hold any of `terms`, by weighted BM25, best first.

        Terms are those of `pincite_core.search.terms`; a column's weight of 0 leaves that column out.
        """
        return _matches(self.score_terms(terms, scope_ids, weights).best(k))

    def score_terms(
        self, terms: Sequence[str], scope_ids: Sequence[int], weights: TermWeights = EVEN_WEIGHTS
    ) -> TermScores:
        """Return all chunks of some scopes that hold any of `terms`, scored as `match_terms` does."""
        return self._words.scores(terms, scope_ids, weights)

    # -- plumbing -----------------------------------------------------------------------------------------------

    @cached_property
    def _spoken(self) -> Mapping[str, Spoken]:
        return spoken_languages(self.meta(LANGUAGES_KEY))

    def _locale_of(self, scope_ids: Sequence[int]) -> str:
        return next((scope.locale for scope in self.scopes if scope.scope_id in scope_ids), "")

    @cached_property
    def _words(self) -> Words:
        return Words(self._engine, self.scopes, self._hidden_chunks)

    @cached_property
    def _hidden_chunks(self) -> Ids:
        return np.array(self._rows.chunk_ids_of_pages(self._view.hidden_pages), dtype=np.int32)

    def _read_outside_links(self, page_ids: list[int]) -> dict[int, tuple[OutsideLink, ...]]:
        return {page_id: tuple(self._outside_links_of(page_id)) for page_id in page_ids}

    def _outside_links_of(self, page_id: int) -> list[OutsideLink]:
        page = self.pages_by_id([page_id]).get(page_id)
        stored = read_outside(self.meta(f"{OUTSIDE_LINKS}{page.url}")) if page else ()
        if not stored:
            return []
        places = {target.position: target.target_id for target in self._rows.targets_of_page(page_id)}
        found = ((link, self._view.seen_as(places[link.position])) for link in stored if link.position in places)
        return [OutsideLink(seen, link.url, link.text, link.after) for link, seen in found if seen is not None]

    def _read_title_vectors(self, target_ids: list[int]) -> dict[int, int]:
        hashes = {target_id: text_hash(title.text) for target_id, title in self.titles_by_id(target_ids).items()}
        found = self._engine.vectors_by_hash(set(hashes.values()))
        return {target_id: found.get(digest, 0) for target_id, digest in hashes.items()}

    def _seen_pages(self, pages: list[Page]) -> list[Page]:
        return [page for page in pages if page.page_id not in self._view.hidden_pages]

    def _redirected(self, redirect: Redirect) -> Redirect | None:
        """Return a redirect as it leads now: None to a hidden page, without its fragment to a gone target."""
        page = self.page_at(redirect.to_url)
        if page is None:
            return None
        anchor = split_fragment(redirect.to_url)[1]
        found = self._rows.target_anchored(page.page_id, anchor)
        gone = found is not None and self._view.seen_as(found.target_id) != found.target_id
        return Redirect(redirect.url, page.url) if gone else redirect

    def _followed(self, alias: Alias) -> Alias:
        """Return an alias as it leads now: to nothing when no target bears its successor any more."""
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
