"""PostgreSQL as operators and readers meet it: commands, a served site, roles, lost connections, a killed push."""

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from tests.commands import pincite_anew, run_command
from tests.integration.hosting import deploy
from tests.integration.serving import ask, build_tiny_index, serve, serve_app, until
from tests.postgres_server import PostgresServer, opened

from pincite_core.embedders import FakeEmbedder
from pincite_core.errors import IndexFileError, IndexNotFoundError
from pincite_core.postgres.address import DatabaseAddress
from pincite_core.postgres.catalog import Catalog
from pincite_server.http.app import create_app
from pincite_server.indexes.database_source import DatabaseSource
from pincite_server.settings import Settings

PORT = "Which port does the Lantern image listen on?"


def pincite(*arguments: str | Path, rows: str = "") -> str:
    """Run a command; return what it prints."""
    run = run_command(*arguments, given=rows)
    return run.stdout + run.stderr


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_tiny_index(tmp_path_factory.mktemp("index"))


@pytest.fixture(scope="module")
def lantern(postgres: PostgresServer, index: Path) -> str:
    """A site in a database of its own."""
    address = postgres.address("lantern", postgres.new_database())
    postgres.push(index, address)
    return address


def database_of(address: str) -> str:
    return DatabaseAddress.parse(address).shown.rpartition("/")[2]


# -- commands


def test_the_commands_take_a_database_in_place_of_a_folder(postgres: PostgresServer, index: Path, tmp_path: Path):
    place = postgres.new_site()
    shown = f"postgresql:///pincite/{DatabaseAddress.parse(place).site}"
    assert pincite("push", index, place) == f"{shown} is answered from this build now: 2 pages, 4 chunks, 7 units.\n"
    assert pincite("push", index, place) == f"{shown} has this build already.\n"
    assert json.loads(pincite("inspect", place, "--json"))["file"] == shown
    answers = [json.loads(pincite("ask", where, PORT, "--json")) for where in (place, str(index))]
    assert "8080" in answers[0]["answer"]
    for answer in answers:
        answer.pop("timings_ms")
    assert answers[0] == answers[1]
    row = json.dumps({"id": "1", "query": PORT})
    found = [json.loads(pincite("search", where, "-", "-k", "3", rows=row)) for where in (place, index)]
    assert found[0] | {"ms": 0} == found[1] | {"ms": 0}
    assert found[0]["results"]
    questions = tmp_path / "questions.yml"
    questions.write_text(f"- question: {PORT}\n  expect: /kit/install#docker\n", encoding="utf-8")
    assert json.loads(pincite("eval", place, questions, "--json"))["measures"]["page_recall_1"]["hits"] == 1
    assert "answered with" in pincite("doctor", place, "--question", PORT)


def test_the_other_languages_and_their_addresses_go_along(postgres: PostgresServer, tmp_path: Path):
    deploy(tmp_path, 8080, siblings=("de",))
    deploy(tmp_path, 8080, locale="de", siblings=("en",))
    address, _ = postgres.push(tmp_path / "kit/pincite")
    source = DatabaseSource(address)
    try:
        assert source.open().locales == ("en", "de")
    finally:
        source.close()


# -- a served site


@pytest.fixture
def site(postgres: PostgresServer, tmp_path: Path) -> str:
    deploy(tmp_path, 8080, gone="# Gone\nThis page is about lanterns of glass.\n")
    return postgres.push(tmp_path / "kit/pincite")[0]


@pytest.fixture
def client(site: str) -> Iterator[httpx.Client]:
    source = DatabaseSource(site)
    settings = Settings(rate_limit=0, address_limit=0, poll_seconds=0.02, threads=2)
    with serve_app(create_app(settings, source.open(), source)) as running:
        yield running
    source.close()


def build_ids(client: httpx.Client) -> tuple[list[str], list[str]]:
    reply = client.get("/ready").json()
    return tuple([item["build_id"] for item in reply[name]] for name in ("indexes", "earlier"))  # type: ignore[return-value]


def test_a_push_is_served_without_a_restart_and_the_build_before_answers_its_own_pages(
    postgres: PostgresServer, site: str, client: httpx.Client, tmp_path: Path
):
    assert "8080" in ask(client, PORT).json()["answer"]
    for port in (9090, 7070):
        before = build_ids(client)[0]
        deploy(tmp_path / str(port), port)
        postgres.push(tmp_path / str(port) / "kit/pincite", site)
        until(lambda before=before, port=port: build_ids(client) == ([f"b-{port}"], before))  # type: ignore[misc]
        assert str(port) in ask(client, PORT).json()["answer"]
    assert "9090" in ask(client, PORT, build_id="b-9090").json()["answer"]
    assert "7070" in ask(client, PORT, build_id="b-8080").json()["answer"]


def test_the_sidecar_needs_the_database_alone(postgres: PostgresServer, index: Path):
    address, _ = postgres.push(index)
    with serve(address) as client:
        until(lambda: client.get("/ready").status_code == 200)
        assert "8080" in ask(client, PORT).json()["answer"]


def test_a_reader_does_not_notice_that_connections_were_lost(postgres: PostgresServer, client: httpx.Client):
    assert "8080" in ask(client, PORT).json()["answer"]
    for _ in range(3):
        postgres.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()", "postgres")
        assert "8080" in ask(client, f"{PORT} {_}").json()["answer"]


def test_while_the_database_is_away_that_is_said_and_then_answers_come_again(
    postgres: PostgresServer, site: str, client: httpx.Client, monkeypatch: pytest.MonkeyPatch
):
    assert "8080" in ask(client, PORT).json()["answer"]
    monkeypatch.setattr("pincite_core.postgres.database._WAIT_SECONDS", 0.2)
    with postgres.connect("postgres") as other:
        other.execute("ALTER DATABASE pincite ALLOW_CONNECTIONS false")
        try:
            other.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'pincite'")
            refused = ask(client, "How is glass made into lanterns?")
            assert (refused.status_code, refused.json()["code"]) == (503, "index_awaited")
            assert "Retry-After" in refused.headers
            until(lambda: bool(client.get("/ready").json()["problem"]))
        finally:
            other.execute("ALTER DATABASE pincite ALLOW_CONNECTIONS true")
    until(lambda: client.get("/ready").json()["problem"] is None)
    assert ask(client, "How is glass made into lanterns?").status_code == 200


# -- who may read what


@pytest.fixture(scope="module")
def reader(postgres: PostgresServer, lantern: str, index: Path) -> str:
    """A role that may read one of a database's two sites."""
    postgres.push(index, lantern.replace("/lantern", "/other"))
    postgres.run("CREATE ROLE docs_reader LOGIN")
    postgres.run("SELECT let_read('docs_reader', 'lantern')", database_of(lantern))
    return lantern.replace("postgres@", "docs_reader@")


def test_a_reader_reads_its_site_and_no_other(reader: str):
    with opened(reader) as index:
        assert index.counts()["pages"] == 2
        assert index.match_terms(["imag"], [1], 3)
        assert index.nearest_chunks(FakeEmbedder().encode(["image port"])[0], [1], 3)
    with pytest.raises(IndexNotFoundError, match=r"no site .*/other that this role may read"):
        Catalog(DatabaseAddress.parse(reader.replace("/lantern", "/other"))).builds()


def test_a_reader_sees_the_rows_of_its_site_alone(postgres: PostgresServer, lantern: str, reader: str):
    database = database_of(lantern)
    for table in ("sites", "builds", "indexes", "pages", "chunks", "vectors", "postings", "chunk_bits", "meta"):
        counts = [
            postgres.run(f"SELECT count(*) FROM {table}", database, user)[0][0] for user in ("postgres", "docs_reader")
        ]
        assert counts[0] == 2 * counts[1] > 0, table


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM pages",
        "UPDATE sites SET current = NULL",
        "INSERT INTO readers VALUES ('docs_reader', 'other')",
        "SELECT let_read('docs_reader', 'other')",
        "SELECT * FROM readers",
        "CREATE TABLE mine ()",
        "DROP TABLE pages",
        "SELECT * FROM pages_1",
    ],
)
def test_a_reader_can_only_select(postgres: PostgresServer, lantern: str, reader: str, statement: str):
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        postgres.run(statement, database_of(lantern), "docs_reader")


def test_who_may_read_nothing_is_told_what_to_do(postgres: PostgresServer, lantern: str):
    postgres.run("CREATE ROLE stranger LOGIN")
    with pytest.raises(IndexFileError, match=r"SELECT pincite.let_read\('ROLE', 'SITE'\)"):
        Catalog(DatabaseAddress.parse(lantern.replace("postgres@", "stranger@")))


# -- for people who use SQL


def matched(postgres: PostgresServer, lantern: str, rest: str, user: str = "postgres") -> list[tuple[Any, ...]]:
    vector = FakeEmbedder().encode(["Which port does the Lantern image listen on?"])[0].tolist()
    return postgres.run(f"SELECT * FROM match_chunks('{vector}', {rest})", database_of(lantern), user)


def test_match_chunks_gives_the_nearest_sections_with_their_pages(postgres: PostgresServer, lantern: str, reader: str):
    rows = matched(postgres, lantern, "match_count => 2, threshold => 0.1", "docs_reader")
    assert 0 < len(rows) <= 2
    chunk_id, content, meta, _, title, url, similarity = rows[0]
    assert "port 8080" in content
    assert (meta["site"], meta["anchor"], meta["heading_path"]) == ("lantern", "docker", ["Install", "Docker"])
    assert (title, url) == ("Install", "https://docs.example/kit/install")
    assert [row[-1] for row in rows] == sorted((row[-1] for row in rows), reverse=True)
    with opened(lantern) as index:
        query = FakeEmbedder().encode(["Which port does the Lantern image listen on?"])[0]
        best = index.nearest_chunks(query, [1], 1)[0]
    assert (chunk_id & 0xFFFFFFFF, similarity) == (best.row_id, pytest.approx(best.score, abs=1e-5))


def test_match_chunks_takes_the_site_the_version_and_a_threshold(postgres: PostgresServer, lantern: str, reader: str):
    everywhere = matched(postgres, lantern, "10, 0.1")
    assert {row[2]["site"] for row in everywhere} == {"lantern", "other"}
    assert {row[2]["site"] for row in matched(postgres, lantern, "10, 0.1, site => 'other'")} == {"other"}
    assert matched(postgres, lantern, "10, 0.1, version => '0.9'") == []
    assert matched(postgres, lantern, "10, 0.1, locale => 'de'") == []
    assert matched(postgres, lantern, "10, 1.01") == []
    with pytest.raises(psycopg.errors.RaiseException, match="vectors of 3 components"):
        postgres.run("SELECT * FROM match_chunks('[1,2,3]', 5, 0)", database_of(lantern))


# -- a push that dies


@pytest.mark.parametrize("table", ["sites", "indexes", "meta", "chunk_bits"])
def test_a_push_that_is_killed_leaves_nothing_behind(postgres: PostgresServer, index: Path, tmp_path: Path, table: str):
    """It is held up where it first touches a table: at its beginning, while it loads, and while it attaches."""
    database = postgres.new_database()
    address = postgres.address("kit", database)
    deploy(tmp_path, 8080)
    postgres.push(tmp_path / "kit/pincite", address)
    deploy(tmp_path, 9090)
    tables = "SELECT count(*) FROM pg_class WHERE relname ~ '_[0-9]+$'"
    before = postgres.run(tables, database)
    with postgres.connect(database) as other:
        with other.transaction():
            other.execute(f"LOCK TABLE {table} IN SHARE UPDATE EXCLUSIVE MODE")
            other.execute(f"LOCK TABLE {table} IN SHARE ROW EXCLUSIVE MODE")
            with subprocess.Popen(pincite_anew("push", tmp_path / "kit/pincite", address)) as process:
                until(lambda: bool(postgres.run("SELECT 1 FROM pg_locks WHERE NOT granted", database)))
                os.kill(process.pid, signal.SIGKILL)
        gone = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        until(lambda: not other.execute(gone).fetchall())
    assert postgres.run(tables, database) == before
    assert postgres.run("SELECT count(*) FROM builds", database) == [(1,)]
    with opened(address) as found:
        assert "port 8080" in found.chunks()[-1].text
    assert postgres.push(tmp_path / "kit/pincite", address)[1].is_new
    with opened(address) as found:
        assert "port 9090" in found.chunks()[-1].text
