"""What the index file is asked, in PostgreSQL's words."""

from pathlib import Path

from tests.factories import build_index
from tests.postgres_server import PostgresServer

from pincite_core.index.sql import ANY_ID, ANY_TEXT, id_list
from pincite_core.postgres.sql import to_postgres

ROWS = 2_000
NUMBER = 1_000_000  # that no push has


def test_of_a_list_no_more_rows_are_expected_than_it_names(postgres: PostgresServer, tmp_path: Path) -> None:
    postgres.push(build_index(tmp_path, {"/a": "# Lamps\nLamps burn oil.\n"}).file)  # for the tables
    sql = to_postgres(f"SELECT unit_id FROM units WHERE unit_id {ANY_ID} ORDER BY 1", NUMBER)
    with postgres.connect() as connection, connection.transaction(force_rollback=True):
        connection.execute(f"CREATE TABLE large PARTITION OF units FOR VALUES IN ({NUMBER})")
        connection.execute(
            f"INSERT INTO units SELECT {NUMBER}, n, 1, 1, 1, 0, 1, 'prose', 0 FROM generate_series(1, {ROWS}) n"
        )
        connection.execute("ANALYZE large")
        wanted = [ROWS, 1, ROWS // 2]
        assert connection.execute(sql, (id_list(wanted),)).fetchall() == [(n,) for n in sorted(wanted)]
        plan = connection.execute(f"EXPLAIN (FORMAT JSON) {sql}", (id_list(wanted),)).fetchone()
        assert plan is not None
        assert plan[0][0]["Plan"]["Plan Rows"] < 100


def test_lists_of_texts_and_hashes_are_lists_too() -> None:
    by_text = to_postgres(f"SELECT term FROM postings WHERE term {ANY_TEXT}", 7)
    of_one = "(SELECT * FROM postings WHERE index_no = 7) AS postings"
    a_list = "SELECT value FROM json_array_elements_text(%s::json) AS each(value)"
    assert by_text == f"SELECT term FROM {of_one} WHERE term = ANY (ARRAY({a_list}))"
    by_hash = to_postgres("SELECT 1 FROM vectors WHERE text_hash IN (SELECT unhex(value) FROM json_each(?))", 7)
    assert "= ANY (ARRAY(SELECT unhex(value) FROM json_array_elements_text(%s::json)" in by_hash
