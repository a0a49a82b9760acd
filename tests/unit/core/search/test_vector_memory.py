"""The search over vectors in memory finds what a search without any shortcut finds."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite_core.index.quantise import cosines, to_int8
from pincite_core.search.vector_memory import Rows, VectorMemory

FEW = 80  # rows of a scope that are all compared by cosine, whatever their bits say
DIMENSIONS = st.sampled_from([8, 24, 64, 72, 384])  # words of 64 bits not full, full, and with a rest
SEEDS = st.integers(0, 2**32 - 1)


class Case:
    """Random vectors, rows of several scopes that share them, and a question."""

    def __init__(self, seed: int, dimension: int, vectors: int, rows: int, scopes: int) -> None:
        random = np.random.default_rng(seed)
        self.stored = to_int8(random.standard_normal((vectors, dimension)).astype(np.float32))
        query = random.standard_normal(dimension).astype(np.float32)
        self.query = query / np.linalg.norm(query)
        chunk_ids = np.sort(random.integers(1, rows + 1, rows))
        vector_ids = random.integers(1, vectors + 1, rows)
        scope_ids = random.integers(1, scopes + 1, rows)
        row_ids = np.cumsum(random.integers(1, 4, rows))
        self.table = np.stack([row_ids, chunk_ids, vector_ids, scope_ids], axis=1)
        self.rows = Rows(tuple(row) for row in self.table.tolist())
        self.memory = VectorMemory(self.stored)

    def naive(self, scope_ids: list[int], k: int, scanned: int) -> list[float]:
        """Return the best cosines: of each scope the rows whose bits differ least from the query's, then by cosine."""
        near: list[int] = []
        for scope_id in scope_ids:
            of_scope = self.table[self.table[:, 3] == scope_id, 2].tolist()
            near += sorted(of_scope, key=self.distance)[:scanned]
        return sorted(map(self.cosine, near), reverse=True)[:k]

    def cosine(self, vector_id: int) -> float:
        return float(cosines(self.query, self.stored[vector_id - 1][np.newaxis])[0])

    def cosines_of(self, row_ids: list[int]) -> list[float]:
        vector_of = dict(zip(self.table[:, 0].tolist(), self.table[:, 2].tolist(), strict=True))
        return [self.cosine(vector_of[row_id]) for row_id in row_ids]

    def distance(self, vector_id: int) -> int:
        return int(((self.stored[vector_id - 1] > 0) != (self.query > 0)).sum())


@given(SEEDS, DIMENSIONS, st.integers(1, FEW), st.integers(1, 4), st.integers(0, 30))
def test_a_small_index_is_searched_exactly(seed: int, dimension: int, rows: int, scopes: int, k: int) -> None:
    case = Case(seed, dimension, vectors=max(1, rows // 2), rows=rows, scopes=scopes)
    asked = list(range(1, scopes + 1, 2))
    found = case.memory.nearest(case.query, case.rows, asked, k)
    assert found.scores.tolist() == pytest.approx(case.naive(asked, k, scanned=rows), abs=1e-6)
    assert found.scores.tolist() == pytest.approx(case.cosines_of(found.row_ids.tolist()), abs=1e-6)
    assert len(set(found.row_ids.tolist())) == found.row_ids.size


@given(SEEDS, DIMENSIONS, st.sampled_from([1, 10, 40, 41, 100]))
def test_a_large_one_is_scanned_by_bits_in_each_scope_and_ordered_by_cosine(seed: int, dimension: int, k: int) -> None:
    case = Case(seed, dimension, vectors=600, rows=600, scopes=2)
    found = case.memory.nearest(case.query, case.rows, [1, 2], k)
    assert found.scores.tolist() == pytest.approx(case.naive([1, 2], k, scanned=max(80, 2 * k)), abs=1e-6)


@given(SEEDS)
def test_equal_rows_come_in_document_order(seed: int) -> None:
    case = Case(seed, 64, vectors=1, rows=30, scopes=1)
    assert case.memory.nearest(case.query, case.rows, [1], 5).row_ids.tolist() == case.table[:5, 0].tolist()


def test_the_scan_by_bits_loses_nobody_who_is_near() -> None:
    for seed in range(20):
        case = Case(seed, 384, vectors=600, rows=600, scopes=1)
        direction = case.stored[:5].astype(np.float32).sum(axis=0)
        case.query = direction / np.linalg.norm(direction)
        near = [score for score in case.naive([1], 10, scanned=600) if score > 0.3]
        assert case.memory.nearest(case.query, case.rows, [1], 10).scores[: len(near)].tolist() == pytest.approx(near)


def test_scopes_without_rows_find_nothing() -> None:
    case = Case(1, 64, vectors=5, rows=5, scopes=1)
    for asked in ([], [7], [7, 8]):
        assert case.memory.nearest(case.query, case.rows, asked, 5).row_ids.tolist() == []
    assert case.memory.nearest(case.query, case.rows, [1, 7], 5).row_ids.size == 5


def test_an_index_without_vectors_finds_nothing() -> None:
    memory, none = VectorMemory(np.zeros((0, 64), dtype=np.int8)), Rows(())
    assert memory.nearest(np.ones(64, dtype=np.float32), none, [1], 5).row_ids.tolist() == []
    assert none.of_each_scope([1]) == []
    assert none.of_chunks(np.array([1, 2])).tolist() == []


def test_vectors_are_taken_in_the_order_asked() -> None:
    case = Case(1, 64, vectors=5, rows=5, scopes=1)
    assert case.memory.take([3, 1, 3]).tolist() == case.stored[[2, 0, 2]].tolist()
    assert case.memory.take([]).shape == (0, 64)


@given(SEEDS, st.integers(1, 60), st.integers(1, 5))
def test_rows_are_found_by_scope_and_by_chunk(seed: int, rows: int, scopes: int) -> None:
    case = Case(seed, 8, vectors=3, rows=rows, scopes=scopes)
    _, chunk_ids, _, scope_ids = case.table.T
    wanted = np.unique(chunk_ids)[::2]
    found = sorted(place for places in case.rows.of_each_scope([1, 3]) for place in places.tolist())
    assert found == np.flatnonzero(np.isin(scope_ids, [1, 3])).tolist()
    assert case.rows.of_chunks(wanted).tolist() == np.flatnonzero(np.isin(chunk_ids, wanted)).tolist()
    assert case.rows.chunks_of(case.rows.row_ids[::-1]).tolist() == chunk_ids[::-1].tolist()
