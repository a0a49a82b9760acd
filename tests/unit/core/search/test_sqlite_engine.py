"""What sqlite-vec and the postings find is what a search without any shortcut finds."""

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.factories import make_scope
from tests.unit.core.index.index_content import INFO, make_content

from pincite_core.index.quantise import cosines, to_int8
from pincite_core.index.read import Index
from pincite_core.index.sql import SqlFile
from pincite_core.index.write import write_index
from pincite_core.search import sqlite_engine
from pincite_core.search.engine import SearchEngine
from pincite_core.search.postings import ChunkTerms
from pincite_core.search.sqlite_engine import SqliteEngine
from pincite_core.types import Chunk

FEW = 80  # rows of a scope that are all compared by cosine, whatever their bits say
DIMENSIONS = st.sampled_from([8, 24, 64, 72, 384])
SEEDS = st.integers(0, 2**32 - 1)


class Case:
    """Random vectors, chunks of several scopes that share them, and a question."""

    def __init__(self, folder: Path | str, seed: int, dimension: int, vectors: int, rows: int, scopes: int) -> None:
        random = np.random.default_rng(seed)
        self.stored = to_int8(random.standard_normal((vectors, dimension)).astype(np.float32))
        query = random.standard_normal(dimension).astype(np.float32)
        self.query = query / np.linalg.norm(query)
        self.vector_ids = random.integers(1, vectors + 1, rows)
        self.scope_ids = random.integers(1, scopes + 1, rows)
        columns = zip(self.scope_ids.tolist(), self.vector_ids.tolist(), strict=True)
        chunks = [Chunk(number, 1, 1, scope, number, "x", vector) for number, (scope, vector) in enumerate(columns, 1)]
        content = make_content(
            info=replace(INFO, dimension=dimension),
            scopes=[make_scope(number) for number in range(1, scopes + 1)],
            pages=[replace(page, scope_id=1) for page in make_content().pages],
            chunks=chunks,
            sentences=[],
            terms=[ChunkTerms(chunk.chunk_id, "x", "", "", "", "") for chunk in chunks],
            vectors=self.stored,
            text_hashes=[number.to_bytes(16) for number in range(vectors)],
            tokens={},
        )
        write_index(content, Path(folder) / "index.db")
        self.index = Index.open(folder)
        self.engine = SqliteEngine(SqlFile(self.index.file), dimension)

    def naive(self, scope_ids: list[int], k: int, scanned: int) -> list[float]:
        """Return the best cosines: of each scope the rows whose bits differ least from the query's, then by cosine."""
        near: list[int] = []
        for scope_id in scope_ids:
            near += sorted(self.vector_ids[self.scope_ids == scope_id].tolist(), key=self.distance)[:scanned]
        return sorted(map(self.cosine, near), reverse=True)[:k]

    def cosine(self, vector_id: int) -> float:
        return float(cosines(self.query, self.stored[vector_id - 1][np.newaxis])[0])

    def distance(self, vector_id: int) -> int:
        return int(((self.stored[vector_id - 1] > 0) != (self.query > 0)).sum())

    def found(self, scope_ids: list[int], k: int) -> list[float]:
        """Return the cosines of the chunks found, each of which is that chunk's own."""
        matches = self.index.nearest_chunks(self.query, scope_ids, k)
        assert len({match.row_id for match in matches}) == len(matches)
        own = [self.cosine(int(self.vector_ids[match.row_id - 1])) for match in matches]
        assert [match.score for match in matches] == pytest.approx(own, abs=1e-6)
        return own


@settings(max_examples=40, deadline=None)
@given(SEEDS, DIMENSIONS, st.integers(1, FEW), st.integers(1, 4), st.integers(0, 30))
def test_a_small_index_is_searched_exactly(seed: int, dimension: int, rows: int, scopes: int, k: int) -> None:
    with TemporaryDirectory() as folder:
        case = Case(folder, seed, dimension, vectors=max(1, rows // 2), rows=rows, scopes=scopes)
        asked = list(range(1, scopes + 1, 2))
        assert case.found(asked, k) == pytest.approx(case.naive(asked, k, scanned=rows), abs=1e-6)


@settings(max_examples=20, deadline=None)
@given(SEEDS, DIMENSIONS, st.sampled_from([1, 10, 40, 41, 100]))
def test_a_large_one_is_scanned_by_bits_in_each_scope_and_ordered_by_cosine(seed: int, dimension: int, k: int) -> None:
    with TemporaryDirectory() as folder:
        case = Case(folder, seed, dimension, vectors=600, rows=600, scopes=2)
        assert case.found([1, 2], k) == pytest.approx(case.naive([1, 2], k, scanned=max(80, 2 * k)), abs=1e-6)


@settings(max_examples=10, deadline=None)
@given(SEEDS, st.sampled_from([30, 900]))
def test_equal_rows_come_in_document_order(seed: int, rows: int) -> None:
    with TemporaryDirectory() as folder:
        case = Case(folder, seed, 64, vectors=1, rows=rows, scopes=1)
        assert [match.row_id for match in case.index.nearest_chunks(case.query, [1], 5)] == [1, 2, 3, 4, 5]


def test_the_scan_by_bits_loses_nobody_who_is_near(tmp_path: Path) -> None:
    for seed in range(10):
        case = Case(tmp_path, seed, 384, vectors=600, rows=600, scopes=1)
        direction = case.stored[:5].astype(np.float32).sum(axis=0)
        case.query = direction / np.linalg.norm(direction)
        near = [score for score in case.naive([1], 10, scanned=600) if score > 0.3]
        assert case.found([1], 10)[: len(near)] == pytest.approx(near)


def test_scopes_without_rows_find_nothing(tmp_path: Path) -> None:
    case = Case(tmp_path, 1, 64, vectors=5, rows=5, scopes=1)
    for asked in ([], [7], [7, 8]):
        assert case.index.nearest_chunks(case.query, asked, 5) == []
    assert len(case.index.nearest_chunks(case.query, [1, 7], 5)) == 5


def test_vectors_are_given_in_the_order_asked(tmp_path: Path) -> None:
    case = Case(tmp_path, 1, 64, vectors=5, rows=5, scopes=1)
    assert case.engine.vectors([3, 1, 3]).tolist() == case.stored[[2, 0, 2]].tolist()
    assert case.engine.vectors([]).shape == (0, 64)


def test_an_index_file_is_an_engine(tmp_path: Path) -> None:
    engine: SearchEngine = Case(tmp_path, 1, 8, vectors=3, rows=7, scopes=2).engine
    assert engine.chunk_lengths.tolist() == [1] * 7
    assert engine.sentences_of_chunks([1, 2]).row_ids.tolist() == []
    assert engine.tokens([1, 2]) == {}
    assert engine.spellings("x", 1, 3) == {"x": 7}
    assert engine.spellings("x", 2, 3) == engine.spellings("w", 1, 3) == {}


def test_vectors_that_are_kept_in_the_same_place_are_not_taken_for_each_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_engine, "_MOST_VECTORS", 2)
    case = Case(tmp_path, 1, 64, vectors=5, rows=5, scopes=1)
    for asked in ([1, 2, 3, 4, 5], [3], [5, 1, 3], [4, 2], [2, 2, 4], [1, 2, 3, 4, 5]):
        assert case.engine.vectors(asked).tolist() == case.stored[np.array(asked) - 1].tolist()
