"""An index at a URL: taken over when it is deployed, refused in one sentence when anything is wrong with it."""

import gzip
import hashlib
import json
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

import apsw
import click
import httpx
import msgspec
import pytest
from click.testing import CliRunner
from tests.integration.hosting import Host, Reply, deploy, host, write_facts
from tests.integration.serving import ask, serve, serve_app, serve_command, until
from tests.patience import PATIENCE

from pincite_core.errors import IndexFetchError, PinciteError
from pincite_indexer.command_line import inspect
from pincite_server.cli.ask_commands import ask as ask_command
from pincite_server.cli.ask_commands import search as search_command
from pincite_server.http.app import create_app
from pincite_server.indexes.source import IndexSource
from pincite_server.settings import Settings

QUESTION = "Which port does the Lantern image listen on?"
INFO, DATABASE = "/kit/pincite/index.json", "/kit/pincite/index.db"
SETTINGS = Settings(rate_limit=0, address_limit=0, poll_seconds=0.05, threads=2)


def build_id(client: httpx.Client) -> str:
    return str(client.get("/ready").json()["indexes"][0]["build_id"])


def problem(client: httpx.Client) -> str:
    return client.get("/ready").json()["problem"] or ""


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Host]:
    deploy(tmp_path / "site", 8080)
    with host(tmp_path / "site") as running:
        yield running


@pytest.fixture
def client(site: Host, tmp_path: Path) -> Iterator[httpx.Client]:
    source = IndexSource(f"{site.url}/kit/pincite/", cache=tmp_path / "cache")
    with serve_app(create_app(SETTINGS, source.open_stored(), source)) as running:
        until(lambda: running.get("/ready").status_code == 200)
        yield running


def test_a_new_deploy_answers_from_then_on_and_what_has_not_changed_is_not_sent_again(site: Host, client: httpx.Client):
    assert "8080" in ask(client, QUESTION).json()["answer"]
    until(lambda: site.unchanged[INFO] >= 2)
    assert (site.sent[INFO], site.sent[DATABASE]) == (1, 1)
    deploy(site.folder, 9090)
    until(lambda: build_id(client) == "b-9090")
    assert "9090" in ask(client, QUESTION).json()["answer"]
    assert site.sent[DATABASE] == 2


def test_a_site_that_is_built_again_without_a_change_sends_no_database(site: Host, client: httpx.Client):
    write_facts(site.folder / "kit/pincite", 8081, "/kit/")
    until(lambda: build_id(client) == "b-8081")
    assert site.sent[DATABASE] == 1


def damage(site: Host, sql: str = "", **changes: object) -> None:
    """Deploy a newer build at whose database somebody has been, or with other facts than it has."""
    staged = site.folder.parent / "staged"
    deploy(staged, 9090)
    out = staged / "kit/pincite"
    connection = apsw.Connection(str(out / "index.db"))
    connection.execute(sql)
    connection.close()
    write_facts(out, 9090, "/kit/", **changes)
    for name in ("index.db", "index.json"):
        (out / name).replace(site.folder / "kit/pincite" / name)


def damaged(sql: str = "", **changes: object) -> Callable[[Host], None]:
    return partial(damage, sql=sql, **changes)


def instead(path: str, reply: Reply) -> Callable[[Host], None]:
    def misbehave(site: Host) -> None:
        site.instead[path] = reply
        deploy(site.folder, 9090)

    return misbehave


def with_french(reply: Reply) -> Callable[[Host], None]:
    def misbehave(site: Host) -> None:
        site.instead["/kit/fr/pincite/index.json"] = reply
        damage(site, siblings=["/kit/fr/pincite/"])

    return misbehave


PAGE = b"<!doctype html><html><title>Not found</title>"
WRONG: dict[str, tuple[Callable[[Host], None], str]] = {
    "no index.json": (instead(INFO, Reply(404, b"gone")), "There is no index at"),
    "index.json fails": (instead(INFO, Reply(503, b"busy")), "answers 503"),
    "a page for every address": (instead(INFO, Reply(200, PAGE, {"Content-Type": "text/html"})), "is a web page"),
    "index.json cut short": (instead(INFO, Reply(200, b'{"build_id": "b-9090", "sha')), "is damaged"),
    "index.json of another kind": (instead(INFO, Reply(200, b'["index"]')), "is damaged"),
    "index.json of megabytes": (instead(INFO, Reply(200, b" " * (2 << 20))), "is larger than 1,048,576 bytes"),
    "index.json as a zip bomb": (
        instead(INFO, Reply(200, gzip.compress(b" " * (8 << 20)), {"Content-Encoding": "gzip"})),
        "is larger than 1,048,576 bytes",
    ),
    "no encoding at all": (instead(INFO, Reply(200, b"\x1f\x8bxx", {"Content-Encoding": "gzip"})), "cannot be fetched"),
    "a digest that is none": (damaged(sha256="abc"), "is damaged"),
    "no digest": (damaged(sha256=None), "does not say which database"),
    "a negative size": (damaged(size=-1), "is damaged"),
    "an absurd size": (damaged(size=1 << 40), "more than can be served"),
    "another size": (damaged(size=1000), "is larger than 1,000 bytes"),
    "another format": (damaged(format=99), "has format 99"),
    "redirects in a circle": (instead(INFO, Reply(302, b"", {"Location": INFO})), "cannot be fetched"),
    "no database yet": (instead(DATABASE, Reply(404, b"gone")), "answers 404. A deploy may be under way"),
    "the database fails": (instead(DATABASE, Reply(500, b"oh")), "answers 500"),
    "a page for the database": (instead(DATABASE, Reply(200, PAGE)), "is not the file that its index.json names"),
    "the database cut short": (instead(DATABASE, Reply(stop_after=40_000)), "cannot be fetched"),
    "a file without its end": (instead(DATABASE, Reply(200, b"SQLite format 3\x00")), "is not the file"),
    "a trigger": (
        damaged("CREATE TRIGGER t AFTER INSERT ON pages BEGIN DELETE FROM pages; END"),
        "kit/pincite/index.db is no usable index (it holds the trigger t",
    ),
    "a view": (damaged("CREATE VIEW v AS SELECT * FROM pages"), "it holds the view v"),
    "a table too many": (damaged("CREATE TABLE passwords (a)"), "it holds the table passwords"),
    "a view in a table's place": (
        damaged("DROP TABLE redirects; CREATE VIEW redirects AS SELECT 'a' AS url, 'b' AS to_url"),
        "the table redirects is missing",
    ),
    "a table of another shape": (
        damaged("ALTER TABLE links ADD COLUMN x GENERATED ALWAYS AS (upper(text))"),
        "the table links is not as an index has it",
    ),
    "another program's database": (damaged("PRAGMA application_id=1"), "another program's"),
    "content that cannot be read": (
        damaged("UPDATE meta SET value='{}' WHERE key='info'"),
        "what it says of itself cannot be read",
    ),
    "an index that no question can be put to": (
        damaged("UPDATE vectors SET int8 = x'00'"),
        "",
    ),
    "a sibling that fails": (with_french(Reply(503, b"busy")), "fr/pincite/index.json answers 503"),
    "a sibling that is a page": (with_french(Reply(200, PAGE)), "fr/pincite/index.json is a web page"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_what_is_wrong_with_a_deploy_is_told_while_the_earlier_index_answers_until_it_is_right(
    site: Host, client: httpx.Client, wrong: str
):
    misbehave, told = WRONG[wrong]
    misbehave(site)
    until(lambda: bool(problem(client)))
    until(lambda: told in problem(client))
    ready = client.get("/ready").json()
    assert ready["newest_refused"]
    assert str(Path.home()) not in ready["problem"]
    assert "unfinished" not in ready["problem"]
    assert (build_id(client), "8080" in ask(client, QUESTION).json()["answer"]) == ("b-8080", True)
    site.instead.clear()
    deploy(site.folder, 9091)
    until(lambda: build_id(client) == "b-9091")
    assert not client.get("/ready").json()["newest_refused"]


def test_a_deploy_half_done_is_taken_once_it_is_whole(site: Host, client: httpx.Client):
    """`index.json` is new and a cache on the way still sends the earlier database."""
    site.instead[DATABASE] = Reply(200, (site.folder / "kit/pincite/index.db").read_bytes())
    deploy(site.folder, 9090)
    until(lambda: "A deploy may be in progress" in problem(client))
    site.instead.clear()
    until(lambda: build_id(client) == "b-9090")


def test_redirects_are_followed_and_files_are_looked_for_where_they_lead(tmp_path: Path):
    deploy(tmp_path / "site", 8080)
    shutil.copytree(tmp_path / "site/kit", tmp_path / "site/v2/kit")
    shutil.rmtree(tmp_path / "site/kit")
    with host(tmp_path / "site") as site:
        site.instead[INFO] = Reply(301, b"", {"Location": f"/v2{INFO}"})
        indexes = IndexSource(f"{site.url}/kit/pincite", cache=tmp_path / "cache").open()
        assert indexes.default.build_id == "b-8080"
        assert site.sent[f"/v2{DATABASE}"] == 1


@pytest.mark.parametrize("path", ["/kit/", "/kit", "/kit/pincite", "/kit/pincite/index.json", "/kit/pincite/index.db"])
def test_any_address_of_the_index_will_do(site: Host, tmp_path: Path, path: str):
    assert IndexSource(site.url + path, cache=tmp_path / "cache").open().default.build_id == "b-8080"


def test_every_language_comes_and_the_encoder_of_all_comes_once(tmp_path: Path):
    deploy(tmp_path / "site", 8080, siblings=("fr", "de"))
    deploy(tmp_path / "site", 8080, locale="fr", siblings=("en", "de"))
    with host(tmp_path / "site") as site:
        source = IndexSource(f"{site.url}/kit/pincite/", cache=tmp_path / "cache")
        assert [item.locales for item in source.open().served] == [("en",), ("fr",)]
        deploy(site.folder, 8080, locale="de", siblings=("en", "fr"))
        fresh = source.refresh()
        assert fresh is not None
        assert [item.locales for item in fresh.served] == [("en",), ("fr",), ("de",)]
        assert site.sent[DATABASE] == 1


def test_an_encoder_is_fetched_when_it_is_another_one_and_only_then(tmp_path: Path):
    source, out = None, tmp_path / "site/kit/pincite"
    with host(tmp_path / "site") as site:
        for port, encoder in ((8080, b"one"), (8081, b"one"), (8082, b"two")):
            deploy(site.folder, port)
            (out / "encoder.onnx").write_bytes(encoder)
            (out / "tokenizer.json").write_bytes(b"{}")
            entry = {
                "file": "encoder.onnx",
                "sha256": hashlib.sha256(encoder).hexdigest(),
                "tokenizer": "tokenizer.json",
                "tokenizer_sha256": hashlib.sha256(b"{}").hexdigest(),
                "max_tokens": 256,
                "pooling": "mean",
            }
            write_facts(out, port, "/kit/", encoder=entry)
            source = source or IndexSource(f"{site.url}/kit/", cache=tmp_path / "cache")
            assert source.refresh() is not None
        assert (site.sent["/kit/pincite/encoder.onnx"], site.sent["/kit/pincite/tokenizer.json"]) == (2, 1)


@pytest.mark.parametrize(
    "sibling",
    ["/../../../../etc/", "//evil.example/pincite/", "http://evil.example/pincite/", "\x00", "", "/" * 5000],
)
def test_siblings_that_lead_elsewhere_never_leave_the_host_or_the_cache(tmp_path: Path, sibling: str):
    deploy(tmp_path / "site", 8080)
    write_facts(tmp_path / "site/kit/pincite", 8080, "/kit/", siblings=[sibling])
    with host(tmp_path / "site") as site:
        source = IndexSource(f"{site.url}/kit/pincite/", cache=tmp_path / "cache")
        with suppress(PinciteError):
            source.refresh()
    written = [path for path in tmp_path.rglob("index.db") if "site" not in path.relative_to(tmp_path).parts[:1]]
    assert all(path.is_relative_to(tmp_path / "cache") for path in written)


def test_a_base_path_that_climbs_stays_in_the_cache(tmp_path: Path):
    deploy(tmp_path / "site", 8080)
    write_facts(tmp_path / "site/kit/pincite", 8080, "/../../../../../../escaped/")
    with host(tmp_path / "site") as site:
        source = IndexSource(f"{site.url}/kit/pincite/", cache=tmp_path / "cache")
        assert source.open().default.build_id == "b-8080"
    assert not list(tmp_path.parent.glob("escaped"))


def test_a_name_and_password_in_the_address_are_told_nobody(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    source = IndexSource("http://reader:hunter2@127.0.0.1:9/pincite/", cache=tmp_path / "cache")
    with serve_app(create_app(SETTINGS, source.open_stored(), source)) as client:
        until(lambda: "cannot be fetched" in problem(client))
        assert "hunter2" not in client.get("/ready").text + caplog.text
    assert not [path for path in tmp_path.rglob("*") if "hunter2" in path.name]


def test_without_any_index_every_question_is_told_to_come_back(tmp_path: Path):
    source = IndexSource("http://127.0.0.1:9/pincite/", cache=tmp_path / "cache")
    with serve_app(create_app(SETTINGS, source.open_stored(), source)) as client:
        until(lambda: bool(problem(client)))
        ready = client.get("/ready")
        assert (ready.status_code, ready.json()["status"], ready.json()["indexes"]) == (503, "waiting", [])
        assert client.get("/health").status_code == 200
        for reply in (ask(client, QUESTION), client.get("/api/search?q=port"), client.get("/c/default/kit/install")):
            assert (reply.status_code, reply.json()["code"]) == (503, "index_awaited")
            assert int(reply.headers["retry-after"]) > 0
    assert msgspec.json.decode(ready.content)["looked_at"] is None


def test_commands_take_a_url_fetch_its_index_once_and_do_with_the_copy_when_the_site_is_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("PINCITE_CACHE_DIR", str(tmp_path / "cache"))
    deploy(tmp_path / "site", 8080)
    with host(tmp_path / "site") as site:
        url = f"{site.url}/kit/"
        assert "8080" in run(ask_command, url, QUESTION)
        assert json.loads(run(search_command, url, "port", "--json"))["results"]
        assert json.loads(run(inspect, url, "--json"))["counts"]["pages"] == 1
        assert site.sent[DATABASE] == 1
        deploy(site.folder, 9090)
        assert "9090" in run(ask_command, url, QUESTION)
    assert "9090" in run(ask_command, url, QUESTION)
    with pytest.raises(IndexFetchError, match="cannot be fetched"):
        run(ask_command, "http://127.0.0.1:9/pincite/", QUESTION)


def run(command: click.Command, *arguments: str) -> str:
    return CliRunner().invoke(command, arguments, catch_exceptions=False).stdout


def test_a_real_sidecar_waits_for_a_site_that_is_down_and_serves_it_when_it_comes(tmp_path: Path):
    deploy(tmp_path / "site", 8080)
    with host(tmp_path / "site") as gone:
        port = gone.server.server_port
    options = ("--cache-dir", tmp_path / "cache", "--poll-seconds", "0.1")
    with serve(f"http://127.0.0.1:{port}/kit/pincite/", *options) as client:
        assert client.get("/ready").status_code == 503
        with host(tmp_path / "site", port):
            until(lambda: client.get("/ready").status_code == 200)
        assert "8080" in ask(client, QUESTION).json()["answer"]
        until(lambda: "cannot be fetched" in problem(client))


def test_a_site_that_is_served_as_well_needs_its_index_at_once(tmp_path: Path):
    command = serve_command("http://127.0.0.1:9/pincite/", "--site", tmp_path, "--cache-dir", tmp_path, "--port", "0")
    ended = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert (ended.returncode, "Traceback" in ended.stderr) == (1, False)
    assert "which holds the site's base path, does not exist yet" in ended.stderr
