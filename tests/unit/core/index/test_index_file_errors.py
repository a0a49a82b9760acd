"""A file that is no usable index: each case says what is wrong and what to do."""

import os
import sqlite3
from pathlib import Path

import apsw
import numpy as np
import pytest
import sqlite_vec
from tests.unit.core.index.index_content import make_content, unit_vectors

from pincite_core.errors import IndexCorruptError, IndexFormatError, IndexNotFoundError, SearchEngineError
from pincite_core.index.read import Index
from pincite_core.index.rows import IndexRows
from pincite_core.index.sql import SqlFile
from pincite_core.index.write import write_index
from pincite_core.search.late_interaction import TOKEN_DIMENSION
from pincite_core.search.sqlite_engine import SqliteEngine

ROWS_APART = [
    "DELETE FROM vectors WHERE vector_id = 1",
    "DELETE FROM units WHERE unit_id = 1",
    "DELETE FROM units WHERE unit_id = (SELECT max(unit_id) FROM units WHERE vector_id > 0)",
    "UPDATE vectors SET int8 = substr(int8, 2) WHERE vector_id = 1",
    "UPDATE chunks SET vector_id = 999 WHERE chunk_id = 1",
    "UPDATE units SET chunk_id = 999 WHERE unit_id = 1",
    "UPDATE units SET chunk_id = 2 WHERE unit_id = 1",
]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    write_index(make_content(), tmp_path / "index.db")
    return tmp_path / "index.db"


def change(file: Path, sql: str) -> None:
    connection = apsw.Connection(str(file))
    connection.execute(sql)
    connection.close()


def open_to_change(file: Path) -> apsw.Connection:
    connection = apsw.Connection(str(file))
    connection.enable_load_extension(True)
    connection.load_extension(sqlite_vec.loadable_path())
    return connection


def search_once(index: Index) -> None:
    query = unit_vectors(1)[0]
    for search in (index.nearest_chunks, index.nearest_units):
        search(query, [1, 2], 3)


def test_a_place_without_an_index_says_how_to_build_one(tmp_path: Path) -> None:
    with pytest.raises(IndexNotFoundError, match=r"There is no index at .* Build one with `pincite index SITE_DIR`"):
        Index.open(tmp_path / "nowhere")


@pytest.mark.parametrize("share", [0.01, 0.5, 0.99])
def test_a_truncated_file_is_refused(file: Path, share: float) -> None:
    os.truncate(file, int(file.stat().st_size * share))
    with pytest.raises(IndexCorruptError, match=r"no usable index .* rebuild it"):
        Index.open(file)


def test_an_empty_file_is_refused_as_empty(file: Path) -> None:
    os.truncate(file, 0)
    with pytest.raises(IndexCorruptError, match="it is empty"):
        Index.open(file)


def test_a_file_that_is_no_database_is_refused(file: Path) -> None:
    file.write_text("<!doctype html><h1>404 Not Found</h1>" * 100)
    with pytest.raises(IndexCorruptError, match="not a database"):
        Index.open(file)


def test_another_programs_database_is_refused(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "index.db")
    connection.execute("CREATE TABLE notes (text)")
    connection.commit()
    connection.close()
    with pytest.raises(IndexCorruptError, match="another program's database"):
        Index.open(tmp_path)


def test_an_unknown_format_names_both_formats_and_the_way_out(file: Path) -> None:
    change(file, "PRAGMA user_version=99")
    with pytest.raises(IndexFormatError, match=r"index format 99; .* reads format 4. Rebuild"):
        Index.open(file)


def test_a_missing_table_is_named(file: Path) -> None:
    change(file, "DROP TABLE redirects")
    with pytest.raises(IndexCorruptError, match="the table redirects is missing"):
        Index.open(file)


@pytest.mark.parametrize("value", ["""'{"format": 1}'""", "'no json'", "'null'"])
def test_an_index_that_does_not_say_what_it_is_is_refused(file: Path, value: str) -> None:
    change(file, f"UPDATE meta SET value = {value} WHERE key = 'info'")
    with pytest.raises(IndexCorruptError, match="what it says of itself cannot be read"):
        Index.open(file)


def test_a_page_of_the_file_that_was_overwritten_is_found_when_it_is_read(file: Path) -> None:
    with file.open("r+b") as stream:
        stream.seek(4096)
        stream.write(b"\xff" * (file.stat().st_size - 4096))
    with pytest.raises(IndexCorruptError):
        Index.open(file).pages()


def test_opening_an_index_writes_nothing_beside_it(file: Path) -> None:
    file.chmod(0o444)
    assert len(Index.open(file).pages()) == 2
    assert [path.name for path in file.parent.iterdir()] == ["index.db"]


@pytest.mark.parametrize("damage", ROWS_APART)
def test_rows_without_their_vector_or_chunk_are_found_before_they_are_searched(file: Path, damage: str) -> None:
    change(file, damage)
    with pytest.raises(IndexCorruptError, match="rebuild it"):
        search_once(Index.open(file))


@pytest.mark.parametrize("damage", ROWS_APART)
def test_rows_that_fall_apart_while_the_index_is_open_are_found_when_they_are_searched(file: Path, damage: str) -> None:
    change(file, damage)
    rows = IndexRows(SqlFile(file))  # as if it had been whole when it was opened
    with pytest.raises(IndexCorruptError, match="rebuild it"):
        search_once(Index(rows, SqliteEngine(rows.sql, rows.info.dimension)))


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE postings SET chunk_ids = x'e7030000' WHERE term = 'second'",
        "UPDATE postings SET chunk_ids = x'010000' WHERE term = 'second'",
        "UPDATE postings SET chunk_ids = x'00000000' WHERE term = 'second'",
        "UPDATE postings SET body = x'01000100' WHERE term = 'second'",
        "UPDATE postings SET body = x'010001' WHERE term = 'second'",
        "DELETE FROM chunks WHERE chunk_id = 1",
    ],
)
def test_words_without_their_chunk_and_words_that_are_cut_off_are_found_when_words_are_searched_for(
    file: Path, damage: str
) -> None:
    change(file, damage)
    with pytest.raises(IndexCorruptError, match="rebuild it"):
        Index.open(file).score_terms(["second"], [1, 2])


def test_tokens_that_are_cut_off_are_found_when_they_are_compared(file: Path) -> None:
    change(file, "UPDATE tokens SET packed = x'00' WHERE vector_id = 1")
    rows = IndexRows(SqlFile(file))  # as if it had been whole when it was opened
    index = Index(rows, SqliteEngine(rows.sql, rows.info.dimension))
    with pytest.raises(IndexCorruptError, match="cut off"):
        index.token_similarities(np.ones((1, TOKEN_DIMENSION), dtype=np.float32), index.chunks())


def test_without_sqlite_vec_a_search_says_how_to_get_it_back(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite_vec, "loadable_path", lambda: str(file.parent / "vec0"))
    with pytest.raises(SearchEngineError, match=r"cannot load sqlite-vec, .* Install it again: `pip install"):
        Index.open(file).nearest_chunks(unit_vectors(1)[0], [1], 3)


@pytest.mark.parametrize("row", ["chunk", "unit"])
def test_what_sqlite_vec_does_not_hold_is_not_near(file: Path, row: str) -> None:
    connection = open_to_change(file)
    connection.execute(f"DELETE FROM {row}_bits WHERE {row}_id = 1")
    connection.close()
    index, query = Index.open(file), unit_vectors(1)[0]
    near = {"chunk": index.nearest_chunks, "unit": index.nearest_units}
    assert 1 not in {match.row_id for match in near.pop(row)(query, [1, 2], 10)}
    assert 1 in {match.row_id for match in near.popitem()[1](query, [1, 2], 10)}
