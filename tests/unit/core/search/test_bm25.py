"""BM25 on arrays gives what SQLite's FTS5 gives."""

from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import apsw
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.factories import build_index
from tests.unit.core.index.index_content import make_content, unit_vectors

from pincite_core.index.quantise import to_int8
from pincite_core.index.read import Index
from pincite_core.index.sql import SqlFile
from pincite_core.index.write import write_index
from pincite_core.search import bm25
from pincite_core.search.bm25 import TermScores, TermWeights, summed
from pincite_core.search.postings import COLUMNS, ChunkTerms, Postings
from pincite_core.search.sqlite_engine import SqliteEngine
from pincite_core.search.terms import terms
from pincite_core.types import Chunk, Scope

BODY = TermWeights(1, 0, 0, 0, 0)
NOTHING = 1e-4  # what FTS5 gives for terms that most chunks have
WORDS = ("port", "host", "lantern", "wick", "λόγοσ", "straße", "日本", "x.y", "--flag")
TEXT = st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join)
CHUNKS = st.lists(st.tuples(TEXT, TEXT, TEXT, TEXT, TEXT), min_size=1, max_size=12)
WEIGHTS = st.tuples(*[st.sampled_from([0.0, 1.0, 2.5])] * len(COLUMNS)).map(lambda weights: TermWeights(*weights))


def written(folder: Path, columns: list[tuple[str, str, str, str, str]], second: str = "ar") -> Index:
    numbers = range(1, len(columns) + 1)
    content = make_content(
        scopes=[
            Scope(1, "docs", "default", "2.0", None, True, "en"),
            Scope(2, "docs", "default", "1.0", None, False, second),
        ],
        chunks=[Chunk(number, 1, 1, number % 2 + 1, number, "Text.", number) for number in numbers],
        terms=[ChunkTerms(number, *columns[number - 1]) for number in numbers],
        units=[],
        vectors=to_int8(unit_vectors(len(columns))),
        text_hashes=[number.to_bytes(16) for number in numbers],
        tokens={},
    )
    write_index(content, folder / "index.db")
    return Index.open(folder)


def opened(index: Index) -> SqliteEngine:
    return SqliteEngine(SqlFile(index.file), index.info.dimension)


def by_fts5(chunks: list[tuple[str, str, str, str, str]], asked: list[str], weights: TermWeights) -> dict[int, float]:
    """Return the scores that FTS5 itself gives."""
    connection = apsw.Connection(":memory:")
    connection.execute(
        """CREATE VIRTUAL TABLE chunk_terms USING fts5(
        body, headings, page, links, code, tokenize="unicode61 remove_diacritics 0 tokenchars '-.'")"""
    )
    connection.executemany("INSERT INTO chunk_terms VALUES (?,?,?,?,?)", chunks)
    columns = " ".join(name for name, weight in zip(COLUMNS, weights, strict=True) if weight)
    quoted = " OR ".join(f'"{term}"' for term in asked)
    match = f"{{{columns}}} : ({quoted})"
    bm25 = f"-bm25(chunk_terms, {', '.join(map(str, weights))})"
    return dict(connection.execute(f"SELECT rowid, {bm25} FROM chunk_terms WHERE chunk_terms MATCH ?", (match,)))


@settings(max_examples=80, deadline=None)
@given(CHUNKS, st.lists(st.sampled_from(WORDS), min_size=1, max_size=4, unique=True), WEIGHTS.filter(any))
@example([("port", "", "", "", "")] * 3, ["port"], BODY)
def test_scores_are_those_of_fts5(
    columns: list[tuple[str, str, str, str, str]], asked: list[str], weights: TermWeights
) -> None:
    with TemporaryDirectory() as folder:
        index = written(Path(folder), columns)
        found = index.score_terms(asked, [1, 2], weights)
        scored = dict(zip(found.row_ids.tolist(), found.scores.tolist(), strict=True))
        expected = by_fts5(columns, asked, weights)
    assert list(scored) == sorted(scored)
    assert set(scored) <= set(expected)
    assert all(scored.get(row_id, 0.0) == pytest.approx(score, abs=NOTHING) for row_id, score in expected.items())


@given(st.lists(st.dictionaries(st.integers(1, 40), st.floats(0, 9), max_size=12), max_size=4), st.integers(1, 50))
def test_sums_are_the_same_however_many_rows_are_summed_at_a_time(parts: list[dict[int, float]], block: int) -> None:
    def worth(part: dict[int, float], held: Postings) -> npt.NDArray[np.float64]:
        return np.array([part[row_id] for row_id in held.row_ids.tolist()])

    columns = [
        (
            Postings(np.array(sorted(part), dtype=np.int32), np.ones((len(part), len(COLUMNS)), np.uint16)),
            partial(worth, part),
        )
        for part in parts
    ]
    expected: dict[int, float] = {}
    for part in parts:
        for row_id, value in part.items():
            expected[row_id] = expected.get(row_id, 0.0) + value
    expected = {row_id: value for row_id, value in expected.items() if value}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bm25, "_BLOCK", block)
        found = summed(columns)
    assert dict(zip(found.row_ids.tolist(), found.scores.tolist(), strict=True)) == expected
    assert found.row_ids.tolist() == sorted(expected)


def test_letters_that_are_one_in_either_case_are_one(tmp_path: Path) -> None:
    pairs = ["µμ", "ςσ", "ſs", "ϐβ", "ẛṡ", "\u1fbeι", "Σς"]
    index = written(tmp_path, [(" ".join(terms(f"a{one}b")), "", "", "", "") for one, _ in pairs])
    for number, (_, other) in enumerate(pairs, start=1):
        assert number in index.score_terms(terms(f"a{other}b"), [1, 2], BODY).row_ids


def test_a_version_scores_its_own_chunks_as_the_whole_language_does(tmp_path: Path) -> None:
    index = written(tmp_path, [("port " * (number % 7) + "host", "", "", "", "") for number in range(40)], "en")
    whole = index.score_terms(["port"], [1, 2])
    for scope_id in (1, 2):
        alone, expected = index.score_terms(["port"], [scope_id]), whole.only(whole.row_ids % 2 + 1 == scope_id)
        assert alone.row_ids.tolist() == expected.row_ids.tolist()
        assert alone.scores.tolist() == expected.scores.tolist()


def test_a_text_of_any_length_is_counted(tmp_path: Path) -> None:
    lengths = [0, 1, 127, 128, 16_383, 16_384, 70_000]
    engine = opened(written(tmp_path, [("port " * length, "", "host", "", "") for length in lengths]))
    postings = engine.postings(["port", "host", "nowhere"])
    assert engine.chunk_lengths.tolist() == [length + 1 for length in lengths]
    assert postings["port"].counts[:, 0].tolist() == [*lengths[1:-1], 65_535]
    assert postings["host"].row_ids.tolist() == list(range(1, len(lengths) + 1))
    assert postings["nowhere"].row_ids.tolist() == []


def test_no_more_postings_are_kept_than_memory_is_meant_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pincite_core.search.table_engine._MOST_CACHED", 10)
    engine = opened(written(tmp_path, [(f"port w{number}", "", "", "", "") for number in range(6)]))
    for word in ("port", *(f"w{number}" for number in range(6))):
        assert engine.postings([word])[word] is engine.postings([word])[word]
        assert sum(len(held.row_ids) for held in engine._known.values()) <= 10


def test_a_term_of_more_chunks_than_are_kept_is_found_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pincite_core.search.table_engine._MOST_CACHED", 2)
    index = written(tmp_path, [("port", "", "", "", "")] * 6)
    assert index.document_frequencies(["port"]) == {"port": 6}


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
