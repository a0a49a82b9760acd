"""Reading an index. `Index` is safe to share between threads: each thread gets a connection of its own."""

import threading
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Self

import apsw
import msgspec
import numpy as np

from pincite_core.database import corrupt, locate_database, open_database
from pincite_core.quantise import Int8Vectors, cosines, to_bits
from pincite_core.text_hash import text_hash
from pincite_core.types import Alias, Chunk, IndexInfo, Landing, Link, Page, Redirect, Scope, Sentence, Target
from pincite_core.urls import lookup_key, split_fragment

__all__ = ("EVEN_WEIGHTS", "Index", "Match", "Place", "TermWeights")

_VOCABULARY = "CREATE VIRTUAL TABLE IF NOT EXISTS temp.vocabulary USING fts5vocab(main, chunk_terms, row)"
_RESCORE_LEAST = 80  # bits fetch eight times the ten best, whose int8 rescoring then reaches recall 1.0 ...
_RESCORE_FACTOR = 2  # ... and twice a longer list, whose tail matters less than the time it takes

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


class TermWeights(NamedTuple):
    """BM25 weight of each full-text column."""

    body: float = 1.0
    headings: float = 1.0
    page: float = 1.0
    links: float = 1.0
    code: float = 1.0


EVEN_WEIGHTS = TermWeights()


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

    def vectors(self, vector_ids: Sequence[int]) -> Int8Vectors:
        """Return stored vectors in the order asked: int8, shape (len(vector_ids), dimension)."""
        sql = "SELECT vector_id, int8 FROM vectors WHERE vector_id IN (SELECT value FROM json_each(?))"
        found = {row[0]: np.frombuffer(row[1], dtype=np.int8) for row in self._rows(sql, (_json(vector_ids),))}
        if not vector_ids:
            return np.zeros((0, self.info.dimension), dtype=np.int8)
        return np.stack([found[vector_id] for vector_id in vector_ids])

    def vectors_of_texts(self, texts: Iterable[str]) -> dict[str, Int8Vectors]:
        """Return the stored vectors of some texts, int8, shape (dimension,) each; a text never embedded is left out."""
        by_hash = {text_hash(text).hex(): text for text in texts}
        sql = "SELECT hex(text_hash), int8 FROM vectors WHERE text_hash IN (SELECT unhex(value) FROM json_each(?))"
        rows = self._rows(sql, (msgspec.json.encode(list(by_hash)).decode(),))
        return {by_hash[digest.lower()]: np.frombuffer(stored, dtype=np.int8) for digest, stored in rows}

    def vectors_by_hash(self) -> dict[bytes, Int8Vectors]:
        """Return all stored vectors by the hash of their text: int8, shape (dimension,) each."""
        rows = self._rows("SELECT text_hash, int8 FROM vectors")
        return {bytes(digest): np.frombuffer(stored, dtype=np.int8) for digest, stored in rows}

    def sentence_vectors(self, chunk_ids: Iterable[int]) -> tuple[list[tuple[int, int]], Int8Vectors]:
        """Return (sentence_id, chunk_id) of every sentence of some chunks that has a vector, and those vectors."""
        sql = (
            "SELECT sentence_id, chunk_id, int8 FROM sentences JOIN vectors USING (vector_id) "
            "WHERE chunk_id IN (SELECT value FROM json_each(?)) ORDER BY sentence_id"
        )
        rows = self._rows(sql, (_json(chunk_ids),))
        stored = np.frombuffer(b"".join(row[2] for row in rows), dtype=np.int8)
        return [(row[0], row[1]) for row in rows], stored.reshape(len(rows), self.info.dimension)

    # -- search -------------------------------------------------------------------------------------------------

    @property
    def chunk_count(self) -> int:
        """The number of chunks in the whole index."""
        if not hasattr(self, "_chunk_count"):
            self._chunk_count = int(self._value("SELECT count(*) FROM chunks"))
        return self._chunk_count

    def document_frequencies(self, terms: Iterable[str]) -> dict[str, int]:
        """Return in how many chunks, of all scopes, each term occurs; a term that never does is left out."""
        self._connection().execute(_VOCABULARY)
        sql = "SELECT term, doc FROM temp.vocabulary WHERE term IN (SELECT value FROM json_each(?))"
        return dict(self._rows(sql, (msgspec.json.encode(list(terms)).decode(),)))

    def nearest_chunks(self, query: np.ndarray, scope_ids: Sequence[int], k: int) -> list[Match]:
        """Return the `k` chunks of some scopes nearest to a unit vector, by cosine, best first."""
        return self._nearest("chunk", query, scope_ids, k)

    def nearest_sentences(self, query: np.ndarray, scope_ids: Sequence[int], k: int) -> list[Match]:
        """Return the `k` sentences of some scopes nearest to a unit vector, by cosine, best first."""
        return self._nearest("sentence", query, scope_ids, k)

    def match_terms(
        self, terms: Sequence[str], scope_ids: Sequence[int], k: int, weights: TermWeights = EVEN_WEIGHTS
    ) -> list[Match]:
        """Return the `k` chunks of some scopes that hold any of `terms`, by weighted BM25, best first.

        Terms are those of `pincite_core.tokens`; a column's weight of 0 leaves that column out.
        """
        if not (match := _match_expression(terms, weights)):
            return []
        sql = (
            f"SELECT chunk_id, {_bm25(weights)} AS score FROM chunk_terms JOIN chunks ON chunk_id = chunk_terms.rowid "
            "WHERE chunk_terms MATCH ? AND scope_id IN (SELECT value FROM json_each(?)) "
            "ORDER BY score DESC, chunk_id LIMIT ?"
        )
        return [Match(*row) for row in self._rows(sql, (match, _json(scope_ids), k))]

    def score_terms(
        self, terms: Sequence[str], chunk_ids: Iterable[int], weights: TermWeights = EVEN_WEIGHTS
    ) -> list[Match]:
        """Return those of some chunks that hold any of `terms`, in no order, scored as `match_terms` does."""
        if not (match := _match_expression(terms, weights)):
            return []
        sql = (
            f"SELECT rowid, {_bm25(weights)} FROM chunk_terms "
            "WHERE chunk_terms MATCH ? AND +rowid IN (SELECT value FROM json_each(?))"  # +: one pass, not one a row id
        )
        return [Match(*row) for row in self._rows(sql, (match, _json(chunk_ids)))]

    def _nearest(self, what: str, query: np.ndarray, scope_ids: Sequence[int], k: int) -> list[Match]:
        bits = to_bits(query[np.newaxis, :])[0].tobytes()
        sql = (
            f"SELECT {what}_id FROM {what}_bits WHERE bits MATCH vec_bit(?) AND k = ? "
            "AND scope_id IN (SELECT value FROM json_each(?))"
        )
        count = max(_RESCORE_LEAST, k * _RESCORE_FACTOR)
        row_ids = [row[0] for row in self._rows(sql, (bits, count, _json(scope_ids)))]
        if not row_ids:
            return []
        sql = (
            f"SELECT {what}_id, int8 FROM {what}s JOIN vectors USING (vector_id) "
            f"WHERE {what}_id IN (SELECT value FROM json_each(?))"
        )
        rows = self._rows(sql, (_json(row_ids),))
        stored = np.frombuffer(b"".join(row[1] for row in rows), dtype=np.int8).reshape(len(rows), -1)
        scores = cosines(query, stored)
        order = np.lexsort(([row[0] for row in rows], -scores))[:k]
        return [Match(rows[position][0], float(scores[position])) for position in order]

    # -- plumbing -----------------------------------------------------------------------------------------------

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


def _json(values: Iterable[int]) -> str:
    return msgspec.json.encode(list(values)).decode()


def _page(row: tuple[Any, ...]) -> Page:
    breadcrumbs, tags = (tuple(msgspec.json.decode(value)) for value in row[7:9])
    return Page(*(*row[:7], breadcrumbs, tags, bool(row[9]), *row[10:]))


def _target(row: tuple[Any, ...]) -> Target:
    landing = tuple(Landing(*item) for item in msgspec.json.decode(row[11]))
    return Target(*(*row[:8], tuple(msgspec.json.decode(row[8])), *row[9:11], landing))


def _match_expression(terms: Sequence[str], weights: TermWeights) -> str:
    """Return what FTS5 is to match: any of the terms in any column that has a weight; empty when nothing could."""
    columns = [name for name, weight in zip(weights._fields, weights, strict=True) if weight]
    if not terms or not columns:
        return ""
    quoted = " OR ".join('"{}"'.format(term.replace('"', '""')) for term in dict.fromkeys(terms))
    return f"{{{' '.join(columns)}}} : ({quoted})"


def _bm25(weights: TermWeights) -> str:
    return f"-bm25(chunk_terms, {', '.join(str(float(weight)) for weight in weights)})"
