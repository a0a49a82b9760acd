"""Reading an index. `Index` is safe to share between threads: each thread gets a connection of its own."""

import threading
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, Self

import apsw
import msgspec
import numpy as np
import numpy.typing as npt

from pincite_core.index.database import corrupt, locate_database, open_database
from pincite_core.index.quantise import Int8Vectors, StoredText
from pincite_core.index.text_hash import text_hash
from pincite_core.search.bm25 import EVEN_WEIGHTS, Bm25, TermScores, TermWeights
from pincite_core.search.late_interaction import TOKEN_BYTES, TokenMemory, TokenVectors
from pincite_core.search.postings import TermPostings
from pincite_core.search.vector_memory import Ids, Nearest, Rows, VectorMemory
from pincite_core.types import Alias, Chunk, IndexInfo, Landing, Link, Page, Redirect, Scope, Sentence, Target
from pincite_core.urls import lookup_key, split_fragment

__all__ = ("Index", "Match", "Place")

_PAGE = (
    "page_id, scope_id, url, title, description, source_type, doc_id, breadcrumbs, tags, translated, source, "
    "content_hash"
)
_TARGET = (
    "target_id, page_id, parent_id, position, anchor, kind, level, title, heading_path, stable_id, id_kind, landing"
)
_CHUNK = "chunk_id, target_id, page_id, scope_id, ordinal, text, vector_id"
_SENTENCE = 'sentence_id, chunk_id, target_id, scope_id, start, "end", kind, vector_id'


class Match(NamedTuple):
    """A row found and how well it fits: a cosine for vectors, a BM25 score (higher is better) for terms."""

    row_id: int
    score: float


class Place(NamedTuple):
    """Where a target is: row ids of its own, its page and what encloses it, and the raw id."""

    target_id: int
    page_id: int
    parent_id: int | None
    anchor: str


class Index:
    """One opened index file."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._local = threading.local()
        self.info = self._read_info()
        self.scopes: tuple[Scope, ...] = tuple(
            Scope(*(*row[:5], bool(row[5]), row[6]))
            for row in self._rows(
                "SELECT scope_id, plugin, plugin_id, version, version_label, is_last, locale FROM scopes ORDER BY 1"
            )
        )

    @classmethod
    def open(cls, place: Path | str) -> Self:
        """Open the index at `place`: a file, a folder that holds one, or a built site.

        Raises:
            IndexFileError: There is none, or it cannot be read.
        """
        return cls(locate_database(Path(place)))

    # -- whole tables -------------------------------------------------------------------------------------------

    def pages(self) -> list[Page]:
        """Return every page, by URL."""
        return [_page(row) for row in self._rows(f"SELECT {_PAGE} FROM pages ORDER BY page_id")]

    def targets(self) -> list[Target]:
        """Return every target, in document order."""
        return [_target(row) for row in self._rows(f"SELECT {_TARGET} FROM targets ORDER BY target_id")]

    def chunks(self) -> list[Chunk]:
        """Return every chunk, in document order."""
        return [Chunk(*row) for row in self._rows(f"SELECT {_CHUNK} FROM chunks ORDER BY chunk_id")]

    def sentences(self) -> list[Sentence]:
        """Return every sentence, in document order."""
        return [Sentence(*row) for row in self._rows(f"SELECT {_SENTENCE} FROM sentences ORDER BY sentence_id")]

    def redirects(self) -> list[Redirect]:
        """Return every page that only forwards."""
        return [Redirect(*row) for row in self._rows("SELECT url, to_url FROM redirects ORDER BY url")]

    def aliases(self) -> list[Alias]:
        """Return every ID that is no longer current and what became of it, by ID."""
        return [Alias(*row) for row in self._rows("SELECT stable_id, successor FROM ids ORDER BY stable_id")]

    def meta(self, key: str) -> object | None:
        """Return what the builder stored under `key` (a calibration, a parity report); None when it stored nothing."""
        rows = self._rows("SELECT value FROM meta WHERE key = ?", (key,))
        value: object = msgspec.json.decode(rows[0][0]) if rows else None
        return value

    def counts(self) -> dict[str, int]:
        """Return the number of rows of each table that a reader would ask about."""
        tables = ("pages", "targets", "chunks", "sentences", "vectors", "links", "redirects")
        return {table: int(self._value(f"SELECT count(*) FROM {table}")) for table in tables}

    def page_urls(self) -> dict[int, str]:
        """Return every page's URL by its row id."""
        return dict(self._rows("SELECT page_id, url FROM pages"))

    def places(self) -> list[Place]:
        """Return where every target is, in document order: a fraction of what `targets` takes."""
        return [Place(*row) for row in self._rows("SELECT target_id, page_id, parent_id, anchor FROM targets")]

    # -- single rows --------------------------------------------------------------------------------------------

    def page(self, page_id: int) -> Page:
        """Return a page by its row id."""
        return _page(self._row(f"SELECT {_PAGE} FROM pages WHERE page_id = ?", (page_id,)))

    def target(self, target_id: int) -> Target:
        """Return a target by its row id."""
        return _target(self._row(f"SELECT {_TARGET} FROM targets WHERE target_id = ?", (target_id,)))

    def chunk(self, chunk_id: int) -> Chunk:
        """Return a chunk by its row id."""
        return Chunk(*self._row(f"SELECT {_CHUNK} FROM chunks WHERE chunk_id = ?", (chunk_id,)))

    def page_at(self, url: str) -> Page | None:
        """Return the page that a URL of this site leads to, however it is spelled; redirects are followed."""
        key = lookup_key(url)
        page_id = self._pages_by_key().get(key) or self._pages_by_key().get(self._redirect_keys().get(key, ""))
        return self.page(page_id) if page_id else None

    def target_at(self, url: str) -> Target | None:
        """Return the target that a URL with a fragment lands on: the page itself when the fragment does not exist."""
        page = self.page_at(url)
        if page is None:
            return None
        anchor = split_fragment(url)[1]
        rows = self._rows(
            f"SELECT {_TARGET} FROM targets WHERE page_id = ? AND anchor IN (?, '') ORDER BY anchor DESC",
            (page.page_id, anchor),
        )
        return _target(rows[0]) if rows else None

    # -- rows that belong together --------------------------------------------------------------------------------

    def chunks_of_target(self, target_id: int) -> list[Chunk]:
        """Return the parts of a section, in order."""
        sql = f"SELECT {_CHUNK} FROM chunks WHERE target_id = ? ORDER BY ordinal"
        return [Chunk(*row) for row in self._rows(sql, (target_id,))]

    def chunks_of_page(self, page_id: int) -> list[Chunk]:
        """Return the chunks of a page, in document order."""
        sql = f"SELECT {_CHUNK} FROM chunks WHERE page_id = ? ORDER BY chunk_id"
        return [Chunk(*row) for row in self._rows(sql, (page_id,))]

    def chunks_by_id(self, chunk_ids: Iterable[int]) -> dict[int, Chunk]:
        """Return chunks by their row ids."""
        sql = f"SELECT {_CHUNK} FROM chunks WHERE chunk_id IN (SELECT value FROM json_each(?))"
        return {row[0]: Chunk(*row) for row in self._rows(sql, (_json(chunk_ids),))}

    def sentences_by_id(self, sentence_ids: Iterable[int]) -> dict[int, Sentence]:
        """Return sentences by their row ids."""
        sql = f"SELECT {_SENTENCE} FROM sentences WHERE sentence_id IN (SELECT value FROM json_each(?))"
        return {row[0]: Sentence(*row) for row in self._rows(sql, (_json(sentence_ids),))}

    def sentences_of_chunks(self, chunk_ids: Iterable[int]) -> list[Sentence]:
        """Return the sentences of some chunks, in document order."""
        sql = (
            f"SELECT {_SENTENCE} FROM sentences WHERE chunk_id IN (SELECT value FROM json_each(?)) ORDER BY sentence_id"
        )
        return [Sentence(*row) for row in self._rows(sql, (_json(chunk_ids),))]

    def targets_of_page(self, page_id: int) -> list[Target]:
        """Return a page's targets, in document order."""
        sql = f"SELECT {_TARGET} FROM targets WHERE page_id = ? ORDER BY position"
        return [_target(row) for row in self._rows(sql, (page_id,))]

    def targets_by_id(self, target_ids: Iterable[int]) -> dict[int, Target]:
        """Return targets by their row ids."""
        sql = f"SELECT {_TARGET} FROM targets WHERE target_id IN (SELECT value FROM json_each(?))"
        return {row[0]: _target(row) for row in self._rows(sql, (_json(target_ids),))}

    def children_of(self, target_ids: Iterable[int]) -> list[tuple[int, int]]:
        """Return (target_id, parent_id) of what stands in some targets, in document order."""
        sql = "SELECT target_id, parent_id FROM targets WHERE parent_id IN (SELECT value FROM json_each(?)) ORDER BY 1"
        return self._rows(sql, (_json(target_ids),))

    def titles_by_id(self, target_ids: Iterable[int]) -> dict[int, str]:
        """Return targets' titles by their row ids."""
        sql = "SELECT target_id, title FROM targets WHERE target_id IN (SELECT value FROM json_each(?))"
        return dict(self._rows(sql, (_json(target_ids),)))

    def pages_by_id(self, page_ids: Iterable[int]) -> dict[int, Page]:
        """Return pages by their row ids."""
        sql = f"SELECT {_PAGE} FROM pages WHERE page_id IN (SELECT value FROM json_each(?))"
        return {row[0]: _page(row) for row in self._rows(sql, (_json(page_ids),))}

    def targets_by_stable_id(self, stable_id: str) -> list[Target]:
        """Return the targets that bear a stable ID, one for each locale and version at most."""
        sql = f"SELECT {_TARGET} FROM targets WHERE stable_id = ? ORDER BY target_id"
        return [_target(row) for row in self._rows(sql, (stable_id,))]

    def alias(self, stable_id: str) -> Alias | None:
        """Return what became of an ID that is no longer current; None when nothing is known of it."""
        rows = self._rows("SELECT stable_id, successor FROM ids WHERE stable_id = ?", (stable_id,))
        return Alias(*rows[0]) if rows else None

    def links_from(self, target_ids: Iterable[int]) -> list[Link]:
        """Return the links that leave some targets."""
        return self._links("from_target_id", target_ids)

    def links_to(self, target_ids: Iterable[int]) -> list[Link]:
        """Return the links that lead to some targets."""
        return self._links("to_target_id", target_ids)

    def vectors(self, vector_ids: npt.ArrayLike) -> Int8Vectors:
        """Return stored vectors in the order asked: int8, shape (len(vector_ids), dimension)."""
        return self._vector_memory.take(vector_ids)

    def vectors_of_texts(self, texts: Iterable[str]) -> dict[str, Int8Vectors]:
        """Return the stored vectors of some texts, int8, shape (dimension,) each; a text never embedded is left out."""
        by_hash = {text_hash(text): text for text in texts}
        asked = msgspec.json.encode([digest.hex() for digest in by_hash]).decode()
        sql = "SELECT text_hash, vector_id FROM vectors WHERE text_hash IN (SELECT unhex(value) FROM json_each(?))"
        rows = self._rows(sql, (asked,))
        return dict(zip((by_hash[row[0]] for row in rows), self.vectors([row[1] for row in rows]), strict=True))

    def texts_by_hash(self) -> dict[bytes, StoredText]:
        """Return all embedded texts by their hash."""
        rows = self._rows("SELECT text_hash, int8, packed FROM vectors LEFT JOIN tokens USING (vector_id)")
        return {bytes(digest): StoredText(np.frombuffer(stored, np.int8), packed) for digest, stored, packed in rows}

    def packed_tokens(self) -> dict[int, bytes]:
        """Return the packed tokens (`token_vectors`) of all texts that have some, by vector id."""
        return dict(self._rows("SELECT vector_id, packed FROM tokens ORDER BY vector_id"))

    def sentence_vectors(self, chunk_ids: npt.NDArray[np.int64]) -> tuple[Ids, Ids, Int8Vectors]:
        """Return the row ids of some chunks' sentences that have a vector, their chunks, and those vectors."""
        sentences = self._sentence_rows
        found = sentences.of_chunks(chunk_ids)
        return sentences.row_ids[found], sentences.chunk_ids[found], self.vectors(sentences.vector_ids[found])

    def token_similarities(self, query: TokenVectors, chunks: Sequence[Chunk]) -> npt.NDArray[np.float64]:
        """Return how near the words of a query come to those of each chunk (`TokenMemory`); NaN for one without."""
        return self._token_memory.similarities(query, [chunk.vector_id for chunk in chunks])

    # -- search -------------------------------------------------------------------------------------------------

    @cached_property
    def chunk_count(self) -> int:
        """The number of chunks in the whole index."""
        return int(self._value("SELECT count(*) FROM chunks"))

    def document_frequencies(self, terms: Iterable[str]) -> dict[str, int]:
        """Return in how many chunks, of all scopes, each term occurs; a term that never does is left out."""
        return {term: chunks for term in terms if (chunks := len(self._postings.of(term).row_ids))}

    def best_share(self, weighted: Mapping[str, float], scope_ids: Sequence[int]) -> float:
        """Return the most, by weight, that the text of one chunk of some scopes holds of some terms: 0 to 1."""
        held = np.zeros(self.chunk_count + 1)
        for term, weight in weighted.items():
            row_ids, counts = self._postings.of(term)
            held[row_ids[counts[:, 0] > 0]] += weight
        here = held[1:][np.isin(self._chunk_rows.scope_ids, scope_ids)]
        return float(here.max(initial=0.0)) / (sum(weighted.values()) or 1.0)

    @cached_property
    def vocabulary(self) -> dict[str, int]:
        """The words in Latin letters that the site uses, as stems, and how many chunks hold each."""
        return self._postings.vocabulary()

    def nearest_chunks(self, query: np.ndarray, scope_ids: Sequence[int], k: int) -> list[Match]:
        """Return the `k` chunks of some scopes nearest to a unit vector, by cosine, best first."""
        return _matches(self._vector_memory.nearest(query, self._chunk_rows, scope_ids, k))

    def nearest_sentences(self, query: np.ndarray, scope_ids: Sequence[int], k: int) -> list[Match]:
        """Return the `k` sentences of some scopes nearest to a unit vector, by cosine, best first."""
        return _matches(self._vector_memory.nearest(query, self._sentence_rows, scope_ids, k))

    def chunks_of_sentences(self, sentence_ids: Iterable[int]) -> list[int]:
        """Return the row id of the chunk that holds each of some sentences that have vectors."""
        chunk_ids: list[int] = self._sentence_rows.chunks_of(np.fromiter(sentence_ids, dtype=np.int32)).tolist()
        return chunk_ids

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
        scored = self._bm25.scores({term: self._postings.of(term) for term in terms}, weights)
        return scored.only(np.isin(self._chunk_rows.scope_ids[scored.row_ids - 1], scope_ids))

    # -- plumbing -----------------------------------------------------------------------------------------------

    @cached_property
    def _vector_memory(self) -> VectorMemory:
        rows = self._rows("SELECT vector_id, int8 FROM vectors ORDER BY vector_id")
        for number, (vector_id, stored) in enumerate(rows, start=1):
            if vector_id != number or len(stored) != self.info.dimension:
                raise corrupt(self.file, f"its vector {number} is missing or of another length")
        return VectorMemory(np.frombuffer(b"".join(row[1] for row in rows), np.int8).reshape(-1, self.info.dimension))

    @cached_property
    def _token_memory(self) -> TokenMemory:
        stored = self.packed_tokens()
        if any(not packed or len(packed) % TOKEN_BYTES for packed in stored.values()):
            raise corrupt(self.file, "the tokens of some of its texts are cut off")
        return TokenMemory(stored)

    @cached_property
    def _chunk_rows(self) -> Rows:
        sql = "SELECT chunk_id, chunk_id, vector_id, scope_id FROM chunks ORDER BY chunk_id"
        return self._with_vectors(Rows(self._rows(sql)))

    @cached_property
    def _sentence_rows(self) -> Rows:
        sql = "SELECT sentence_id, chunk_id, vector_id, scope_id FROM sentences WHERE vector_id > 0 ORDER BY 1"
        return self._with_vectors(Rows(self._rows(sql)))

    def _with_vectors(self, rows: Rows) -> Rows:
        """Return rows whose vectors and chunks are all there."""
        counts = self.counts()
        if rows.vector_ids.max(initial=0) > counts["vectors"] or rows.chunk_ids.max(initial=0) > counts["chunks"]:
            raise corrupt(self.file, "some of its rows have no vector or no chunk")
        return rows

    @cached_property
    def _postings(self) -> TermPostings:
        return TermPostings(self._rows)

    @cached_property
    def _bm25(self) -> Bm25:
        try:
            lengths = self._postings.lengths()
        except ValueError:
            lengths = {}
        if list(lengths) != list(range(1, self.chunk_count + 1)):
            raise corrupt(self.file, "some of its chunks have no search terms")
        return Bm25(np.fromiter(lengths.values(), dtype=np.int64))

    def _links(self, column: str, target_ids: Iterable[int]) -> list[Link]:
        sql = (
            "SELECT from_target_id, to_target_id, text, to_anchor_found FROM links "
            f"WHERE {column} IN (SELECT value FROM json_each(?)) ORDER BY rowid"
        )
        return [Link(*(*row[:3], bool(row[3]))) for row in self._rows(sql, (_json(target_ids),))]

    def _pages_by_key(self) -> dict[str, int]:
        if not hasattr(self, "_page_keys"):
            rows = self._rows("SELECT url, page_id FROM pages ORDER BY page_id DESC")
            self._page_keys = {lookup_key(url): page_id for url, page_id in rows}
        return self._page_keys

    def _redirect_keys(self) -> dict[str, str]:
        if not hasattr(self, "_redirects"):
            self._redirects = {lookup_key(item.url): lookup_key(item.to_url) for item in self.redirects()}
        return self._redirects

    def _connection(self) -> apsw.Connection:
        connection: apsw.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = self._local.connection = open_database(self.file)
        return connection

    def _read_info(self) -> IndexInfo:
        try:
            return msgspec.convert(self.meta("info"), IndexInfo)
        except (msgspec.ValidationError, msgspec.DecodeError) as error:
            raise corrupt(self.file, f"what it says of itself cannot be read: {error}") from error

    def _rows(self, sql: str, values: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        try:
            return list(self._connection().execute(sql, values))
        except (apsw.CorruptError, apsw.NotADBError) as error:
            raise corrupt(self.file, str(error)) from error

    def _row(self, sql: str, values: tuple[Any, ...]) -> tuple[Any, ...]:
        rows = self._rows(sql, values)
        if not rows:
            message = f"the index has no such row: {values}"
            raise KeyError(message)
        return rows[0]

    def _value(self, sql: str, values: tuple[Any, ...] = ()) -> Any:
        return self._row(sql, values)[0]


def _matches(found: Nearest | TermScores) -> list[Match]:
    return list(map(Match, found.row_ids.tolist(), found.scores.tolist()))


def _json(values: Iterable[int]) -> str:
    return msgspec.json.encode(list(values)).decode()


def _page(row: tuple[Any, ...]) -> Page:
    breadcrumbs, tags = (tuple(msgspec.json.decode(value)) for value in row[7:9])
    return Page(*(*row[:7], breadcrumbs, tags, bool(row[9]), *row[10:]))


def _target(row: tuple[Any, ...]) -> Target:
    landing = tuple(Landing(*item) for item in msgspec.json.decode(row[11]))
    return Target(*(*row[:8], tuple(msgspec.json.decode(row[8])), *row[9:11], landing))
