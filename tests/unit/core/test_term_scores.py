"""Full-text search within some scopes: the same chunks and scores as without any shortcut."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.factories import build_index
from tests.unit.core.index_content import DIMENSION, make_content, unit_vectors

from pincite_core.quantise import to_int8
from pincite_core.read import Index
from pincite_core.term_scores import TermScores, TermWeights, runs_of_chunks, telling_terms
from pincite_core.types import Chunk
from pincite_core.write import ChunkTerms, write_index

MOST_RUNS = 50
CHUNKS = 400
BODY = TermWeights(1, 0, 0, 0, 0)
IDS = st.sets(st.integers(1, 600), max_size=300)


def naive_runs(ids: list[int]) -> list[tuple[int, int]]:
    runs: list[tuple[int, int]] = []
    for number in ids:
        if runs and runs[-1][1] == number - 1:
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
    return runs


def runs_of(ids: set[int]) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Return the runs of some ids, and those of the naive way."""
    ascending = sorted(ids)
    return runs_of_chunks(np.array(ascending, dtype=np.int32)), naive_runs(ascending)


@given(IDS)
def test_up_to_fifty_runs_are_each_told(ids: set[int]) -> None:
    runs, naive = runs_of(ids)
    if len(naive) <= MOST_RUNS:
        assert runs == naive
    else:
        assert len(runs) == MOST_RUNS


@given(IDS.map(lambda ids: ids | set(range(1, 301, 2))))
def test_of_more_than_fifty_the_nearest_are_joined(ids: set[int]) -> None:
    runs, naive = runs_of(ids)
    assert len(naive) > MOST_RUNS == len(runs)
    assert {first for first, _ in runs} <= {first for first, _ in naive}
    assert {last for _, last in runs} <= {last for _, last in naive}
    assert all(any(first <= number <= last for first, last in runs) for number in ids)
    assert all(runs[number][1] < runs[number + 1][0] for number in range(len(runs) - 1))
    assert sorted(gaps(runs)) == sorted(gaps(naive))[-(MOST_RUNS - 1) :], "the widest gaps are left out"


def gaps(runs: list[tuple[int, int]]) -> list[int]:
    return [after[0] - before[1] for before, after in pairwise(runs)]


@pytest.mark.parametrize("ids", [set(), {7}, {1, 2, 3}])
def test_a_single_run_and_none_at_all(ids: set[int]) -> None:
    runs, naive = runs_of(ids)
    assert runs == naive


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    """Chunks that alternate between two scopes, in far more runs than one query may hold; each third says `port`."""
    folder: Path = tmp_path_factory.mktemp("runs")
    numbers = range(1, CHUNKS + 1)
    words = {number: "port " * (number % 7 + 1) if number % 3 == 0 else "host" for number in numbers}
    content = make_content(
        chunks=[Chunk(number, 1, 1, number % 2 + 1, number, words[number], number) for number in numbers],
        terms=[ChunkTerms(number, words[number], "", "", "", "") for number in numbers],
        vectors=to_int8(unit_vectors(CHUNKS)),
        text_hashes=[number.to_bytes(16) for number in numbers],
    )
    assert content.vectors.shape == (CHUNKS, DIMENSION)
    write_index(content, folder / "index.db")
    return Index.open(folder)


def test_a_scope_of_many_runs_scores_its_own_chunks_as_the_whole_index_does(index: Index) -> None:
    whole = index.score_terms(["port"], [1, 2])
    assert whole.row_ids.tolist() == list(range(3, CHUNKS + 1, 3))
    for scope_id in (1, 2):
        alone = index.score_terms(["port"], [scope_id])
        expected = whole.only(whole.row_ids % 2 + 1 == scope_id)
        assert alone.row_ids.tolist() == expected.row_ids.tolist()
        assert alone.scores.tolist() == expected.scores.tolist()


def test_the_best_come_first_and_the_earlier_of_equals() -> None:
    scores = TermScores.of([(1, 0.5), (4, 2.0), (6, 2.0), (9, 1.0)])
    assert scores.best(3).row_ids.tolist() == [4, 6, 9]
    assert scores.best(0).row_ids.tolist() == []


def test_a_chunk_without_any_term_has_no_score() -> None:
    column = TermScores.of([(2, 0.5), (5, 1.5)]).of_chunks(np.array([1, 2, 5, 6]))
    assert np.nan_to_num(column, nan=-1).tolist() == [-1, 0.5, 1.5, -1]


def test_a_term_of_most_chunks_is_not_asked_for_beside_a_rarer_one(tmp_path: Path) -> None:
    pages = {f"/docs/{number}": f"# Page {number}\nThe lantern has part {number}." for number in range(9)}
    index = build_index(tmp_path, {**pages, "/docs/wick": "# Wick\nThe lantern has a wick."})
    assert index.score_terms(["lantern", "wick"], [1], BODY).row_ids.tolist() == [10]
    assert len(index.score_terms(["lantern"], [1], BODY).row_ids) == 10


def test_a_term_is_common_or_telling_in_each_column_by_itself() -> None:
    frequencies = {"lantern": {"body": 6, "headings": 1}, "wick": {"body": 1}}
    assert telling_terms(frequencies, TermWeights(1, 0, 0, 0, 0), 10) == ("wick",)
    assert telling_terms(frequencies, TermWeights(0, 1, 0, 0, 0), 10) == ("lantern", "wick")
    assert telling_terms(frequencies, TermWeights(1, 1, 0, 0, 0), 10) == ("lantern", "wick")
