"""What is pushed is what the index file holds, row by row; another build takes its place as a whole."""

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

import msgspec
import numpy as np
import psycopg
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.factories import build_index
from tests.postgres_server import PostgresServer, opened, postgres_server
from tests.unit.core.index.index_content import make_content

from pincite_core.errors import (
    IndexCorruptError,
    IndexFileError,
    IndexFormatError,
    IndexNotFoundError,
    IndexUnavailableError,
    InputError,
    OutputError,
)
from pincite_core.index.read import Index
from pincite_core.index.write import write_index
from pincite_core.postgres import push as pushing
from pincite_core.postgres.address import DatabaseAddress
from pincite_core.postgres.catalog import Catalog

Row = TypeVar("Row")
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)


def everything(index: Index) -> dict[str, object]:
    """Return all that an index says by methods that need no question."""
    targets = [target.target_id for target in index.targets()]
    pages = [page.page_id for page in index.pages()]
    return {
        "info": index.info,
        "scopes": index.scopes,
        "pages": index.pages(),
        "targets": index.targets(),
        "chunks": index.chunks(),
        "units": index.units(),
        "redirects": index.redirects(),
        "aliases": index.aliases(),
        "counts": index.counts(),
        "places": index.places(),
        "urls": list(index.page_urls().items()),
        "children": index.children_of(targets),
        "titles": index.titles_by_id(targets),
        "title vectors": index.title_vectors(targets),
        "links": (index.links_from(targets), index.links_to(targets)),
        "of pages": [(index.targets_of_page(page), index.chunks_of_page(page)) for page in pages],
        "at": [index.target_at(f"{page.url}#x") for page in index.pages()],
        "calibration": index.meta("calibration"),
        "vectors": index.vectors(range(1, index.counts()["vectors"] + 1)).tolist(),
    }


@pytest.fixture
def site(postgres: PostgresServer) -> str:
    return postgres.new_site()


def lantern(folder: Path, port: int) -> Path:
    build_index(folder, {"/install": f"# Install\n## Docker {{#docker}}\nThe image listens on port {port}.\n"})
    return folder


def test_every_row_comes_back_as_the_file_has_it(postgres: PostgresServer, tmp_path: Path):
    write_index(make_content(), tmp_path / "index.db")
    address, pushed = postgres.push(tmp_path)
    assert pushed.is_new
    with opened(address) as index:
        assert everything(index) == everything(Index.open(tmp_path))


@settings(max_examples=8)
@given(st.lists(TEXTS, min_size=8, max_size=8), st.integers(0, 2**32 - 1))
def test_whatever_texts_and_numbers_there_are_they_come_back(postgres: PostgresServer, texts: list[str], seed: int):
    a, b, c, d, e, f, g, h = texts
    whole, random = make_content(), np.random.default_rng(seed)
    content = replace(
        whole,
        pages=[changed(whole.pages[0], title=a, description=b, tags=(c, "\\N", "\t")), whole.pages[1]],
        targets=[whole.targets[0], changed(whole.targets[1], title=d, anchor=f"x{e}"), whole.targets[2]],
        chunks=[changed(whole.chunks[0], text=f), *whole.chunks[1:]],
        links=[changed(whole.links[0], text=g), *whole.links[1:]],
        meta={"calibration": {"any": h}},
        vectors=random.integers(-127, 128, whole.vectors.shape, dtype=np.int8),
    )
    with TemporaryDirectory() as folder:
        write_index(content, Path(folder) / "index.db")
        address, _ = postgres.push(folder)
        with opened(address) as index:
            assert everything(index) == everything(Index.open(folder))


def changed(row: Row, **changes: object) -> Row:
    change: Any = msgspec.structs.replace if isinstance(row, msgspec.Struct) else replace
    found: Row = change(row, **changes)
    return found


def test_the_same_build_again_changes_nothing(postgres: PostgresServer, site: str, tmp_path: Path):
    lantern(tmp_path, 8080)
    assert postgres.push(tmp_path, site)[1].is_new
    before = postgres.run("SELECT * FROM builds ORDER BY 1")
    assert not postgres.push(tmp_path, site)[1].is_new
    assert postgres.run("SELECT * FROM builds ORDER BY 1") == before


def test_the_build_before_is_kept_and_older_ones_go_when_nobody_can_be_on_them(
    postgres: PostgresServer, site: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    for port in (1, 2, 3):
        postgres.push(lantern(tmp_path / str(port), port), site)
    name = DatabaseAddress.parse(site).site
    builds = f"SELECT build_id FROM builds WHERE site = '{name}' ORDER BY 1"
    first, second, third = postgres.run(builds)
    assert postgres.run(f"SELECT current, earlier FROM sites WHERE site = '{name}'") == [(*third, *second)]
    monkeypatch.setattr(pushing, "GRACE_MINUTES", 0)
    (oldest,) = postgres.run(f"SELECT index_no FROM indexes WHERE build_id = {first[0]}")
    postgres.push(tmp_path / "3", site)
    assert postgres.run(builds) == [second, third]
    assert postgres.run(f"SELECT to_regclass('pages_{oldest[0]}'), to_regclass('chunk_bits_{oldest[0]}')") == [
        (None, None)
    ]
    with opened(site) as index:
        assert "port 3" in index.chunks()[-1].text


def test_old_tables_that_somebody_reads_are_left_to_the_next_push(
    postgres: PostgresServer, site: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(pushing, "GRACE_MINUTES", 0)
    monkeypatch.setattr(pushing, "_LOCK_SECONDS", 0.05)
    for port in (1, 2):
        postgres.push(lantern(tmp_path / str(port), port), site)
    with postgres.connect() as backup, backup.transaction():
        backup.execute("LOCK TABLE pages IN ACCESS SHARE MODE")
        assert postgres.push(lantern(tmp_path / "3", 3), site)[1].is_new
    name = DatabaseAddress.parse(site).site
    assert postgres.run(f"SELECT count(*) FROM builds WHERE site = '{name}'") == [(3,)]
    postgres.push(tmp_path / "3", site)
    assert postgres.run(f"SELECT count(*) FROM builds WHERE site = '{name}'") == [(2,)]


def test_a_site_is_called_by_its_title_unless_it_is_named(postgres: PostgresServer, tmp_path: Path):
    database = postgres.new_database()
    build_index(tmp_path, {"/a": "# A"}, title="Lantern Docs")
    postgres.push(tmp_path, postgres.address("", database))
    assert postgres.run("SELECT site FROM sites", database) == [("lantern-docs",)]
    with opened(postgres.address("", database)) as index:  # the only one needs no name
        assert index.info.title == "Lantern Docs"
    postgres.push(tmp_path, postgres.address("other", database))
    with pytest.raises(IndexNotFoundError, match=r"has the sites lantern-docs, other\. Name one"):
        Catalog(DatabaseAddress.parse(postgres.address("", database)))
    build_index(tmp_path, {"/a": "# A"}, title="")
    with pytest.raises(InputError, match="no title that would name"):
        postgres.push(tmp_path, postgres.address("", database))


def test_an_index_in_a_database_is_no_file(postgres: PostgresServer, tmp_path: Path):
    address, _ = postgres.push(lantern(tmp_path, 1))
    with opened(address) as index:
        assert index.name.startswith("postgresql:///pincite/site-")
        with pytest.raises(InputError, match="is no file"):
            _ = index.file


# -- what goes wrong ---------------------------------------------------------------------------------------------------


def test_a_damaged_index_is_not_pushed(postgres: PostgresServer, site: str, tmp_path: Path):
    (tmp_path / "index.db").write_bytes(b"SQLite format 3\0" + bytes(5000))
    with pytest.raises(IndexCorruptError):
        postgres.push(tmp_path, site)
    with pytest.raises(IndexNotFoundError, match=r"There is no index at .*nothing"):
        postgres.push(tmp_path / "nothing", site)


def test_an_encoder_that_is_another_is_not_pushed(postgres: PostgresServer, site: str, tmp_path: Path):
    lantern(tmp_path, 1)
    (tmp_path / "index.json").write_text('{"sha256": "' + "0" * 64 + '"}')
    with pytest.raises(InputError, match=r"is not the file that its index.json names"):
        postgres.push(tmp_path, site)


def test_a_database_that_is_away_is_told_in_one_sentence(tmp_path: Path):
    lantern(tmp_path, 1)
    away = DatabaseAddress.parse("postgresql://me:secret@127.0.0.1:1/docs/kit")
    for work in (lambda: pushing.push(tmp_path, away), lambda: Catalog(away)):
        with pytest.raises(IndexUnavailableError, match=r"postgresql://127.0.0.1:1/docs.*Connection refused") as told:
            work()
        assert "secret" not in str(told.value)
        assert "\n" not in str(told.value)


@pytest.fixture
def pushed(postgres: PostgresServer, tmp_path: Path) -> str:
    """A database of its own, with one site."""
    database = postgres.new_database()
    postgres.push(lantern(tmp_path / "pushed", 1), postgres.address("kit", database))
    return database


def test_a_full_disk_leaves_what_was_there(postgres: PostgresServer, pushed: str, tmp_path: Path):
    postgres.run(
        "CREATE FUNCTION fill() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE 'could not extend file' USING ERRCODE = 'disk_full'; END $$",
        pushed,
    )
    postgres.run("CREATE TRIGGER fill BEFORE UPDATE ON sites EXECUTE FUNCTION fill()", pushed)
    with pytest.raises(OutputError, match=r"nothing has changed: its disk is full \(could not extend file\)"):
        postgres.push(lantern(tmp_path / "2", 2), postgres.address("kit", pushed))
    with opened(postgres.address("kit", pushed)) as index:
        assert "port 1" in index.chunks()[-1].text
    assert postgres.run("SELECT count(*) FROM builds", pushed) == [(1,)]


def test_a_database_that_can_only_be_read_is_served_and_not_pushed_to(
    postgres: PostgresServer, pushed: str, tmp_path: Path
):
    postgres.run(f"ALTER DATABASE {pushed} SET default_transaction_read_only = on", "postgres")
    with pytest.raises(OutputError, match=r"it can only be read .*Push to the primary"):
        postgres.push(lantern(tmp_path / "2", 2), postgres.address("kit", pushed))
    with opened(postgres.address("kit", pushed)) as index:
        assert index.counts()["pages"] == 1


def test_a_slow_database_is_told_of_after_its_time(postgres: PostgresServer, pushed: str):
    slow = postgres.address("kit", pushed, options="-c%20statement_timeout%3D50")
    with opened(slow) as index, postgres.connect(pushed) as other, other.transaction():
        other.execute("LOCK TABLE pages")
        with pytest.raises(IndexUnavailableError, match="took longer than it may"):
            index.pages()


@pytest.mark.parametrize("number", ["format_2", "format_99"])
def test_tables_of_another_format_are_refused(postgres: PostgresServer, pushed: str, tmp_path: Path, number: str):
    postgres.run(f"UPDATE alembic_version SET version_num = '{number}'", pushed)
    address = postgres.address("kit", pushed)
    with pytest.raises(IndexFormatError, match=rf"has the tables of {number}; this version reads format_4"):
        Catalog(DatabaseAddress.parse(address))
    with pytest.raises(IndexFormatError, match="does not know"):
        postgres.push(lantern(tmp_path / "2", 2), address)


def test_a_build_of_the_format_before_is_refused_until_it_is_pushed_anew(postgres: PostgresServer, pushed: str):
    before = "jsonb_set(value::jsonb, '{format}', '3')::text"
    postgres.run(f"UPDATE meta SET value = {before} WHERE key = 'info'", pushed)
    with (
        pytest.raises(IndexFormatError, match=r"has index format 3; .* reads format 4\. Build .* and push it again"),
        opened(postgres.address("kit", pushed)),
    ):
        pass


def test_tables_of_the_format_before_become_tables_of_this_one(postgres: PostgresServer, pushed: str, tmp_path: Path):
    added = "block mark labels admonition tab first_tab role facts cells passage tab_passages links".split()
    postgres.run("ALTER TABLE units " + ", ".join(f"DROP COLUMN {name}" for name in added), pushed)
    for old, new in (("sentences", "units"), ("sentence_bits", "unit_bits")):
        postgres.run(f"ALTER TABLE {new} RENAME COLUMN unit_id TO sentence_id", pushed)
        postgres.run(f"ALTER TABLE {new} RENAME TO {old}", pushed)
        postgres.run(f"ALTER TABLE {new}_1 RENAME TO {old}_1", pushed)
    postgres.run("UPDATE alembic_version SET version_num = 'format_3'", pushed)
    address = postgres.address("kit", pushed)
    postgres.push(lantern(tmp_path / "2", 2), address)
    with opened(address) as index:
        assert index.units() == Index.open(tmp_path / "2").units()
    assert postgres.run("SELECT count(*) FROM units_1", pushed) == postgres.run("SELECT count(*) FROM units_2", pushed)


def test_a_database_without_builds_is_told_of(postgres: PostgresServer):
    with pytest.raises(IndexFormatError, match=r"has no tables of Pincite's; .*Run `pincite push"):
        Catalog(DatabaseAddress.parse(postgres.address("kit", postgres.new_database())))


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE meta SET value = '3' WHERE key = 'info'",
        "DELETE FROM meta",
        "DELETE FROM chunks WHERE chunk_id = 1",
        "UPDATE postings SET chunk_ids = convert_to('aaaa', 'utf8'), body = NULL",
        "DELETE FROM vectors",
        "DROP TABLE pages CASCADE",
    ],
)
def test_rows_that_no_push_has_written_are_told_of(postgres: PostgresServer, pushed: str, change: str):
    postgres.run(change, pushed)
    with pytest.raises(IndexFileError, match=r"no usable index|cannot be read"):
        read_and_search(postgres.address("kit", pushed))


def read_and_search(address: str) -> None:
    with opened(address) as index:
        index.pages()
        index.nearest_chunks(np.ones(index.info.dimension, np.float32), [1], 3)
        index.match_terms(["imag"], [1], 3)


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE pages SET breadcrumbs = '{}'",
        "UPDATE pages SET tags = 'no JSON'",
        "UPDATE pages SET url = 'https://elsewhere.example/'",
        "UPDATE targets SET parent_id = target_id",
        "UPDATE units SET kind = 'poem'",
        "UPDATE tokens SET packed = 'x'",
        "UPDATE postings SET chunks = chunks + 1",
        "UPDATE meta SET value = ''",
    ],
)
def test_the_database_itself_refuses_rows_that_no_index_has(postgres: PostgresServer, pushed: str, change: str):
    with pytest.raises((psycopg.errors.CheckViolation, psycopg.errors.InvalidTextRepresentation)):
        postgres.run(change, pushed)


def test_a_graph_is_built_where_a_container_lets_processes_share_little_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pushing, "LEAST_GRAPH", 2)
    build_index(tmp_path / "index", {"/a": "# Lamps\n## Oil {#oil}\nLamps burn oil.\n## Gas {#gas}\nLamps burn gas.\n"})
    with postgres_server(most_bytes=64 << 20) as server:  # what processes share are files
        server.run("ALTER SYSTEM SET min_parallel_table_scan_size = 0", "postgres")  # several build, however little
        server.run("ALTER SYSTEM SET parallel_setup_cost = 0", "postgres")
        server.run("SELECT pg_reload_conf()", "postgres")
        server.push(tmp_path / "index")
        graphs = server.run("SELECT count(*) FROM pg_indexes WHERE indexdef LIKE '%USING hnsw%'")
    assert graphs[0][0] > 0


def test_no_statement_of_a_question_is_compiled(postgres: PostgresServer, tmp_path: Path) -> None:
    build_index(tmp_path / "index", {"/a": "# Lamps\nLamps burn oil.\n"})
    with opened(postgres.push(tmp_path / "index")[0]) as index:
        assert index._rows.sql.rows("SELECT current_setting('jit')") == [("off",)]
