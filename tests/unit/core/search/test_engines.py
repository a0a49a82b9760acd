"""What an engine and the postings find is what a search without any shortcut finds, in a file and in PostgreSQL."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from tests.factories import make_scope
from tests.postgres_server import PostgresServer, opened
from tests.unit.core.index.index_content import INFO, make_content

from pincite_core.index.quantise import cosines, to_int8
from pincite_core.index.read import Index
from pincite_core.index.write import write_index
from pincite_core.postgres import engine as postgres_engine
from pincite_core.postgres import push
from pincite_core.search import table_engine
from pincite_core.search.engine import SearchEngine
from pincite_core.search.postings import ChunkTerms
from pincite_core.types import Chunk, Unit

FEW = 80  # rows of a scope that are all compared by cosine, whatever their bits say
DIMENSIONS = st.sampled_from([8, 24, 64, 72, 384])
FIXTURES = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
SEEDS = st.integers(0, 2**32 - 1)


class Case:
    """Random vectors, chunks of several scopes that share them, and a question."""

    index: Index

    def __init__(
        self, folder: Path | str, seed: int, dimension: int, vectors: int, rows: int, scopes: int, units: int = 0
    ) -> None:
        random = np.random.default_rng(seed)
        self.stored = to_int8(random.standard_normal((vectors, dimension)).astype(np.float32))
        query = random.standard_normal(dimension).astype(np.float32)
        self.query = query / np.linalg.norm(query)
        self.vector_ids = random.integers(1, vectors + 1, rows)
        self.scope_ids = random.integers(1, scopes + 1, rows)
        columns = zip(self.scope_ids.tolist(), self.vector_ids.tolist(), strict=True)
        chunks = [Chunk(number, 1, 1, scope, number, "x", vector) for number, (scope, vector) in enumerate(columns, 1)]
        of_chunks = np.repeat(np.arange(1, rows + 1), random.integers(0, units + 1, rows))
        vectors_of = random.integers(0, vectors + 1, len(of_chunks))
        self.units = [
            Unit(number, chunk, 1, int(self.scope_ids[chunk - 1]), 0, 1, "prose", vector)
            for number, (chunk, vector) in enumerate(zip(of_chunks.tolist(), vectors_of.tolist(), strict=True), 1)
        ]
        content = make_content(
            info=replace(INFO, dimension=dimension),
            scopes=[make_scope(number) for number in range(1, scopes + 1)],
            pages=[replace(page, scope_id=1) for page in make_content().pages],
            chunks=chunks,
            units=self.units,
            terms=[ChunkTerms(chunk.chunk_id, "x", "", "", "", "") for chunk in chunks],
            vectors=self.stored,
            text_hashes=[number.to_bytes(16) for number in range(vectors)],
            tokens={},
        )
        write_index(content, Path(folder) / "index.db")

    @property
    def engine(self) -> SearchEngine:
        return self.index._engine

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


Hold = Callable[..., AbstractContextManager[Case]]


@contextmanager
def held(open_index: Callable[[str], AbstractContextManager[Index]], **how: int) -> Iterator[Case]:
    with TemporaryDirectory() as folder:
        case = Case(folder, **how)
        with open_index(folder) as case.index:
            yield case


@pytest.fixture(params=["a file", "PostgreSQL"])
def hold(request: pytest.FixtureRequest) -> Hold:
    """Return what makes a case and holds its index in one of the engines."""
    if request.param == "a file":
        return lambda **how: held(lambda folder: nullcontext(Index.open(folder)), **how)
    postgres: PostgresServer = request.getfixturevalue("postgres")
    return lambda **how: held(lambda folder: opened(postgres.push(folder)[0]), **how)


@settings(max_examples=15, suppress_health_check=FIXTURES)
@given(SEEDS, DIMENSIONS, st.integers(1, FEW), st.integers(1, 4), st.integers(0, 30))
def test_a_small_index_is_searched_exactly(
    hold: Hold, seed: int, dimension: int, rows: int, scopes: int, k: int
) -> None:
    vectors = max(1, rows // 2)
    with hold(seed=seed, dimension=dimension, vectors=vectors, rows=rows, scopes=scopes) as case:
        asked = list(range(1, scopes + 1, 2))
        assert case.found(asked, k) == pytest.approx(case.naive(asked, k, scanned=rows), abs=1e-6)


@settings(max_examples=8, suppress_health_check=FIXTURES)
@given(SEEDS, DIMENSIONS, st.sampled_from([1, 10, 40, 41, 100]))
def test_a_large_one_is_scanned_by_bits_in_each_scope_and_ordered_by_cosine(
    hold: Hold, seed: int, dimension: int, k: int
) -> None:
    with hold(seed=seed, dimension=dimension, vectors=600, rows=600, scopes=2) as case:
        assert case.found([1, 2], k) == pytest.approx(case.naive([1, 2], k, scanned=max(80, 2 * k)), abs=1e-6)


@settings(max_examples=4, suppress_health_check=FIXTURES)
@given(SEEDS, st.sampled_from([30, 900]))
def test_equal_rows_come_in_document_order(hold: Hold, seed: int, rows: int) -> None:
    with hold(seed=seed, dimension=64, vectors=1, rows=rows, scopes=1) as case:
        assert [match.row_id for match in case.index.nearest_chunks(case.query, [1], 5)] == [1, 2, 3, 4, 5]


def test_the_scan_by_bits_loses_nobody_who_is_near(hold: Hold) -> None:
    for seed in range(10):
        with hold(seed=seed, dimension=384, vectors=600, rows=600, scopes=1) as case:
            direction = case.stored[:5].astype(np.float32).sum(axis=0)
            case.query = direction / np.linalg.norm(direction)
            near = [score for score in case.naive([1], 10, scanned=600) if score > 0.3]
            assert case.found([1], 10)[: len(near)] == pytest.approx(near)


def test_scopes_without_rows_find_nothing(hold: Hold) -> None:
    with hold(seed=1, dimension=64, vectors=5, rows=5, scopes=1) as case:
        for asked in ([], [7], [7, 8]):
            assert case.index.nearest_chunks(case.query, asked, 5) == []
        assert len(case.index.nearest_chunks(case.query, [1, 7], 5)) == 5


def test_vectors_are_given_in_the_order_asked(hold: Hold) -> None:
    with hold(seed=1, dimension=64, vectors=5, rows=5, scopes=1) as case:
        assert case.engine.vectors([3, 1, 3]).tolist() == case.stored[[2, 0, 2]].tolist()
        assert case.engine.vectors([]).shape == (0, 64)


@settings(max_examples=15, suppress_health_check=FIXTURES)
@given(SEEDS, st.integers(1, 300), st.integers(0, 4), st.integers(1, 40))
@example(seed=1, rows=255, units=4, step=1)  # the last number that a byte holds
def test_the_units_of_chunks_are_those_with_a_vector(hold: Hold, seed: int, rows: int, units: int, step: int) -> None:
    with hold(seed=seed, dimension=8, vectors=5, rows=rows, scopes=2, units=units) as case:
        asked = list(range(1, rows + 1, step))
        own = [(one.unit_id, one.chunk_id, one.vector_id) for one in case.units if one.vector_id]
        found = case.engine.units_of_chunks(asked)
        assert list(zip(*(column.tolist() for column in found), strict=True)) == [row for row in own if row[1] in asked]
        near = case.engine.near_units(case.query, [1, 2], 5)
        assert set(zip(*(column.tolist() for column in near), strict=True)) <= set(own)


def test_what_is_asked_of_an_engine_is_answered(hold: Hold) -> None:
    with hold(seed=1, dimension=8, vectors=3, rows=7, scopes=2) as case:
        engine = case.engine
        assert engine.chunk_lengths.tolist() == [1] * 7
        assert engine.chunk_scopes.tolist() == case.scope_ids.tolist()
        assert engine.units_of_chunks([1, 2]).row_ids.tolist() == []
        assert engine.near_units(case.query, [1, 2], 3).row_ids.tolist() == []
        assert engine.tokens([1, 2]) == {}
        assert engine.vectors_by_hash([(1).to_bytes(16), bytes(15)]) == {(1).to_bytes(16): 2}
        assert engine.postings(["x", "y"])["x"].row_ids.tolist() == list(range(1, 8))
        assert engine.spellings("x", 1, 3) == {"x": 7}
        assert engine.spellings("x", 2, 3) == engine.spellings("w", 1, 3) == {}
        engine.retire()
        assert engine.vectors([2]).tolist() == case.stored[[1]].tolist()


def test_vectors_that_are_kept_in_the_same_place_are_not_taken_for_each_other(
    hold: Hold, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_engine, "_MOST_VECTORS", 2)
    with hold(seed=1, dimension=64, vectors=5, rows=5, scopes=1) as case:
        for asked in ([1, 2, 3, 4, 5], [3], [5, 1, 3], [4, 2], [2, 2, 4], [1, 2, 3, 4, 5]):
            assert case.engine.vectors(asked).tolist() == case.stored[np.array(asked) - 1].tolist()


def test_of_a_large_scope_the_graph_finds_nearly_all_that_a_scan_finds(
    postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(push, "LEAST_GRAPH", 1500)
    with held(
        lambda folder: opened(postgres.push(folder)[0]), seed=2, dimension=64, vectors=4000, rows=4000, scopes=2
    ) as case:
        scanned = case.engine.near_chunks(case.query, [2, 1], 100)
        monkeypatch.setattr(postgres_engine, "LEAST_GRAPH", 1500)
        found = case.engine.near_chunks(case.query, [2, 1], 100)
        assert np.array_equal(case.vector_ids[found.row_ids - 1], found.vector_ids)
        far, near = (sorted(map(case.distance, rows.vector_ids.tolist())) for rows in (found, scanned))
        assert len(far) == 200
        assert np.mean(np.array(far) <= np.array(near) + 1) >= 0.98
    assert postgres.run("SELECT count(*) FROM pg_indexes WHERE indexdef LIKE '%USING hnsw%'")[0][0] > 0
