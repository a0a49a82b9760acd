"""`pincite serve`: what it serves, says, and refuses."""

import os
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx
import msgspec
import pytest
from tests.commands import run_command
from tests.integration.serving import ask, build_tiny_index, serve

QUESTION = "Which port does the Lantern image listen on?"
ORIGIN = "https://docs.example.com"


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_tiny_index(tmp_path_factory.mktemp("index"))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site of two pages with an index in each of its two languages, as the Docusaurus plugin leaves it."""
    folder = tmp_path_factory.mktemp("build")
    for name in ("index.html", "404.html", "install/index.html", "config.html", "fr/index.html"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"<title>{name}</title>", encoding="utf-8")
    (folder / "bundle.js").write_text("export {}")
    build_tiny_index(folder / "pincite")
    build_tiny_index(folder / "fr" / "pincite", locale="fr", base_url="/kit/fr/")
    facts = {"built_at": "2026-02-13T10:00:00Z", "base_url": "/kit/", "siblings": ["/kit/fr/pincite/"]}
    (folder / "pincite" / "index.json").write_bytes(msgspec.json.encode(facts))
    return folder


@pytest.fixture(scope="module")
def client(site: Path) -> Iterator[httpx.Client]:
    """What serves the site with both its indexes, and is asked by many tests."""
    with serve("--site", site) as running:
        yield running


def run(*arguments: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command line that must end by itself."""
    return run_command("serve", *arguments, environment=os.environ | environment)


def test_the_site_its_index_and_the_api_share_one_origin(client: httpx.Client):
    page = client.get("/kit/install/")
    assert (page.text, page.headers["content-type"]) == (
        "<title>install/index.html</title>",
        "text/html; charset=utf-8",
    )
    assert client.get("/kit/config").text == "<title>config.html</title>"
    assert client.get("/kit/bundle.js").headers["content-type"] == "text/javascript; charset=utf-8"
    assert client.get("/kit/pincite/index.json").json()["built_at"] == "2026-02-13T10:00:00Z"
    assert ask(client, QUESTION).json()["type"] == "answer"


def test_pages_below_the_apis_folder_are_the_sites_own(tmp_path: Path):
    (tmp_path / "api").mkdir()
    (tmp_path / "api" / "client.html").write_text("the client's reference")
    build_tiny_index(tmp_path / "pincite", base_url="/")
    with serve("--site", tmp_path) as client:
        assert client.get("/api/client").text == "the client's reference"
        assert client.get("/api/search", params={"q": "port"}).json()["results"]


def test_redirects_of_the_site_keep_the_query(client: httpx.Client):
    response = client.get("/kit/install?theme=dark")
    assert (response.status_code, response.headers["location"]) == (301, "/kit/install/?theme=dark")
    assert client.get("/").headers["location"] == "/kit/"


def test_a_page_that_is_not_there_is_the_sites_own_404(client: httpx.Client):
    response = client.get("/kit/nothing")
    assert (response.status_code, response.text) == (404, "<title>404.html</title>")
    assert client.get("/kit/%2e%2e/%2e%2e/etc/passwd").status_code == 404


def test_an_unchanged_file_is_not_sent_again(client: httpx.Client):
    etag = client.get("/kit/config").headers["etag"]
    again = client.get("/kit/config", headers={"If-None-Match": etag})
    assert (again.status_code, again.content) == (304, b"")


def test_head_tells_the_size_and_sends_nothing(client: httpx.Client):
    response = client.head("/kit/config")
    assert (response.status_code, response.content) == (200, b"")
    assert int(response.headers["content-length"]) == len("<title>config.html</title>")


def test_with_the_site_beside_it_a_stable_id_stays_on_the_origin(client: httpx.Client):
    assert client.get("/c/default/kit/install?s=docker").headers["location"] == "/kit/install#docker"


def test_a_reader_is_answered_from_the_index_of_their_language(client: httpx.Client):
    indexes = client.get("/ready").json()["indexes"]
    assert [item["locales"] for item in indexes] == [["en"], ["fr"]]
    by_locale = ask(client, QUESTION, scope={"locale": "fr", "locale_chosen": True}).json()
    by_page = ask(client, QUESTION, page_url="/kit/fr/config", scope={"locale_chosen": True}).json()
    by_default = ask(client, QUESTION).json()
    by_question = ask(client, QUESTION, scope={"locale": "fr"}).json()
    assert {item["url"].split("/")[2] for item in by_locale["citations"]} == {"fr"}
    assert by_page["index_id"] == by_locale["index_id"] == indexes[1]["index_id"]
    assert by_default["index_id"] == by_question["index_id"] == indexes[0]["index_id"]
    assert [notice["code"] for notice in by_question["notices"]] == ["own_language_searched"]


def test_a_search_in_a_language_that_no_index_has_names_those_of_all(client: httpx.Client):
    reply = client.get("/api/search", params={"q": "port", "locale": "xx"})
    assert (reply.status_code, client.get("/api/search?q=port&locale=fr").status_code) == (400, 200)
    assert reply.json()["detail"].endswith("Choose one of: en, fr.")


def test_a_named_index_is_served_in_place_of_the_sites_own(site: Path, index: Path):
    with serve(index, "--site", site) as client:
        assert len(client.get("/ready").json()["indexes"]) == 1
        assert client.get("/kit/config").status_code == 200


def test_every_flag_has_a_variable(index: Path):
    with serve(PINCITE_INDEX=str(index), PINCITE_CORS_ORIGINS=f"{ORIGIN} http://localhost:3000") as client:
        for origin in (ORIGIN, "http://localhost:3000"):
            reply = client.get("/ready", headers={"Origin": origin})
            assert reply.headers["access-control-allow-origin"] == origin


@pytest.mark.parametrize("allowed", ["", ORIGIN])
def test_pages_of_any_origin_learn_that_the_sidecar_lives_and_no_more(index: Path, allowed: str):
    with serve(PINCITE_INDEX=str(index), PINCITE_CORS_ORIGINS=allowed) as client:
        for origin in (ORIGIN, "https://other.example"):
            health, ready = (client.get(path, headers={"Origin": origin}).headers for path in ("/health", "/ready"))
            assert health.get_list("access-control-allow-origin") in (["*"], [origin])
            assert ready.get("access-control-allow-origin") == (origin if origin == allowed else None)


def test_flags_win_over_variables(index: Path):
    with serve(index, "--rate-limit", "1", PINCITE_RATE_LIMIT="5") as client:
        assert [ask(client, QUESTION).status_code for _ in range(2)] == [200, 429]


def test_a_trusted_proxys_word_on_the_readers_address_is_believed(index: Path):
    with serve(index, "--rate-limit", "1") as client:
        assert statuses_by_address(client, 1, 2, 2) == [400, 400, 429]


def test_an_untrusted_ones_is_not(index: Path):
    with serve(index, "--rate-limit", "1", "--trusted-proxies", "192.0.2.1") as client:
        assert statuses_by_address(client, 1, 2) == [400, 429]


@pytest.mark.parametrize("trusted", ["127.0.0.1", "127.0.0.0/8", "1"])
def test_what_a_reader_writes_left_of_the_proxys_word_is_not_believed(index: Path, trusted: str):
    with serve(index, "--rate-limit", "1", "--trusted-proxies", trusted) as client:
        assert statuses_by_address(client, 1, 2, 3, then=", 198.51.100.1") == [400, 429, 429]
        assert statuses_by_address(client, 1, then=", 198.51.100.2") == [400]


def statuses_by_address(client: httpx.Client, *numbers: int, then: str = "") -> list[int]:
    return [
        client.post("/api/chat", json={}, headers={"X-Forwarded-For": f"203.0.113.{number}{then}"}).status_code
        for number in numbers
    ]


@pytest.mark.parametrize(
    ("arguments", "environment", "told"),
    [
        ((), {}, "--site"),
        (("nowhere",), {}, "nowhere"),
        (("--site", "nowhere"), {}, "nowhere is no folder"),
        (("--cors-origin", "docs.example.com"), {}, "https://docs.example.com"),
        (("--rate-limit", "-1"), {}, "PINCITE_RATE_LIMIT"),
        (("--rate-limit", "many"), {}, "--rate-limit"),
        ((), {"PINCITE_TRUSTED_PROXIES": "*"}, "number of proxies in front, such as 1"),
        (("http://[::1/x",), {}, "is not a URL"),
        (("--port", "99999"), {}, "--port"),
        ((), {"PINCITE_TOKEN": "short"}, "PINCITE_TOKEN"),
        (("some-index", "--host", "203.0.113.1"), {}, "Could not listen on 203.0.113.1"),
    ],
)
def test_bad_usage_is_one_sentence_and_exit_code_2(
    tmp_path: Path, arguments: tuple[str, ...], environment: dict[str, str], told: str
):
    ended = run(*arguments, **environment)
    assert ended.returncode == 2
    assert told in ended.stderr
    assert "Traceback" not in ended.stderr
    assert ended.stdout == ""


def test_a_server_that_is_stopped_leaves_its_copy_in_the_cache_and_nothing_else(index: Path, tmp_path: Path):
    temporary, cache = tmp_path / "tmp", tmp_path / "cache"
    temporary.mkdir()
    for _ in range(2):
        with serve(index, "--cache-dir", cache, TMPDIR=str(temporary)) as client:
            assert ask(client, QUESTION).status_code == 200
    assert list(temporary.iterdir()) == []
    assert {path.name for path in cache.glob("sites/*/0/*")} == {"builds"}


def test_a_taken_port_is_told(index: Path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        ended = run(index, "--port", str(taken.getsockname()[1]))
    assert ended.returncode == 2
    assert "Choose another --port" in ended.stderr


def test_a_damaged_index_is_refused_in_one_sentence(index: Path, tmp_path: Path):
    (tmp_path / "index.db").write_bytes((index / "index.db").read_bytes()[:5000])
    ended = run(tmp_path, "--port", "0")
    assert ended.returncode == 1
    assert "is no usable index" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_language_that_was_not_built_is_left_out(site: Path, tmp_path: Path):
    for name in ("index.db", "index.json"):
        (tmp_path / name).write_bytes((site / "pincite" / name).read_bytes())
    with serve(tmp_path) as client:
        assert len(client.get("/ready").json()["indexes"]) == 1
        assert ask(client, QUESTION, scope={"locale": "fr"}).json()["type"] == "answer"
