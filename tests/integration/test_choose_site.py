"""One sidecar, several sites: by name, by page, and while one of them is missing, new or noisy."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.integration.hosting import deploy
from tests.integration.indexing import assert_refused, run_pincite
from tests.integration.serving import ask, question, serve, until
from tests.postgres_server import PostgresServer

PORT = "Which port does the Lantern image listen on?"
CLOSED = 422


def place(root: Path, name: str, port: int) -> Path:
    """Write a site that says a port, with a page that no other has, and return where its index is."""
    deploy(
        root / name, port, **{name: f"# About {name}\n## Owner {{#owner}}\nThe owner of {name} is the {name} team.\n"}
    )
    return root / name / "kit/pincite"


def site_indexes(*sites: str) -> list[str]:
    return [argument for site in sites for argument in ("--site-index", site)]


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    root = tmp_path_factory.mktemp("sites")
    sites = [f"{name}={place(root, name, port)}" for name, port in (("lantern", 8080), ("harbor", 9090))]
    with serve(*site_indexes(*sites), "--cache-dir", root / "cache") as running:
        yield running


def told(reply: httpx.Response) -> str:
    assert reply.status_code == 200, reply.text
    return str(reply.json().get("answer", ""))


@pytest.mark.parametrize(("name", "port"), [("lantern", "8080"), ("harbor", "9090")])
def test_a_question_goes_to_the_site_that_is_named_or_whose_page_it_is_from(client: httpx.Client, name: str, port: str):
    assert port in told(client.post(f"/sites/{name}/api/chat", json=question(PORT)))
    assert port in told(ask(client, PORT, page_url=f"/kit/{name}"))
    assert port in told(ask(client, PORT, build_id=f"b-{port}", page_url="/kit/install"))


def test_without_a_page_or_a_name_the_first_site_answers(client: httpx.Client):
    assert "8080" in told(ask(client, PORT))


def test_a_name_wins_over_the_page(client: httpx.Client):
    reply = client.post("/sites/lantern/api/chat", json=question(PORT, page_url="/kit/harbor"))
    assert "8080" in told(reply)


def test_what_is_looked_up_is_the_sites_own(client: httpx.Client):
    found = client.get("/sites/harbor/api/search", params={"q": "owner"}).json()["results"]
    assert found[0]["url"].startswith("/kit/harbor")
    assert (
        client.get("/sites/lantern/api/search", params={"q": "harbor team"}).json()["results"][0]["url"]
        != found[0]["url"]
    )
    stable_id = found[0]["stable_id"]
    page, _, section = stable_id.partition("#")
    address = f"/c/{page.strip('/')}"
    assert client.get(f"/sites/harbor{address}", params={"s": section}).status_code == 302
    assert client.get(f"/sites/lantern{address}", params={"s": section}).status_code == 404
    resolved = client.post("/sites/lantern/api/resolve", json={"ids": [stable_id]}).json()
    assert resolved[stable_id]["status"] == "lost"


def test_a_message_of_one_site_is_not_answered_by_what_another_said(client: httpx.Client):
    body = question(PORT)
    assert "8080" in told(client.post("/sites/lantern/api/chat", json=body))
    assert client.post("/sites/harbor/api/chat", json=body).status_code in (409, CLOSED)


def test_passages_and_offers_go_by_their_page(client: httpx.Client):
    selected = {"query": PORT, "selected_text": "The Lantern image listens on port 9090.", "page_url": "/kit/harbor"}
    assert client.post("/query-selected-text", json=selected).json()["in_selected_text"]
    offered = [
        client.get("/api/questions", params={"page_url": f"/kit/{name}"}).json() for name in ("lantern", "harbor")
    ]
    assert offered[0]["index_id"] != offered[1]["index_id"]


def test_agents_find_each_site_at_its_name(client: httpx.Client):
    def call(path: str) -> Any:
        body = {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": {"name": "ask", "arguments": {"question": PORT}},
        }
        headers = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-06-18"}
        return client.post(path, json=body, headers=headers)

    for path, port in (("/sites/harbor/mcp", "9090"), ("/sites/lantern/mcp", "8080"), ("/mcp", "8080")):
        reply = call(path)
        assert reply.status_code == 200, reply.text
        assert port in reply.text


def test_ready_tells_of_all_sites_or_of_the_one_that_is_named(client: httpx.Client):
    assert [one["build_id"] for one in client.get("/ready").json()["indexes"]] == ["b-8080", "b-9090"]
    assert [one["build_id"] for one in client.get("/sites/harbor/ready").json()["indexes"]] == ["b-9090"]


def test_a_site_that_is_not_there_is_waited_for_and_told_of_while_others_answer(tmp_path: Path):
    lantern, harbor = place(tmp_path, "lantern", 8080), tmp_path / "harbor/kit/pincite"
    arguments = site_indexes(f"harbor={harbor}", f"lantern={lantern}")
    with serve(*arguments, "--poll-seconds", "0.1", "--cache-dir", tmp_path / "cache") as client:
        assert client.get("/ready").status_code == 200
        assert "8080" in told(ask(client, PORT, page_url="/kit/lantern"))
        awaited = client.post("/sites/harbor/api/chat", json=question(PORT))
        assert (awaited.status_code, awaited.json()["code"]) == (503, "index_awaited")
        assert client.get("/sites/harbor/ready").status_code == 503
        place(tmp_path, "harbor", 9090)
        until(lambda: client.get("/sites/harbor/ready").status_code == 200)
        assert "9090" in told(client.post("/sites/harbor/api/chat", json=question(PORT)))


def test_a_new_build_of_one_site_leaves_the_others_as_they_are(tmp_path: Path):
    sites = {name: place(tmp_path, name, port) for name, port in (("lantern", 8080), ("harbor", 9090))}
    arguments = site_indexes(*(f"{name}={where}" for name, where in sites.items()))
    with serve(*arguments, "--poll-seconds", "0.1", "--cache-dir", tmp_path / "cache") as client:
        place(tmp_path, "harbor", 7070)
        until(lambda: [one["build_id"] for one in client.get("/ready").json()["indexes"]] == ["b-8080", "b-7070"])
        assert "7070" in told(ask(client, PORT, page_url="/kit/harbor"))
        assert "8080" in told(ask(client, PORT, page_url="/kit/lantern"))
        (tmp_path / "harbor/kit/pincite/index.db").write_bytes(b"not a database")
        until(lambda: str(client.get("/ready").json()["problem"]).startswith("harbor: "))
        assert "7070" in told(client.post("/sites/harbor/api/chat", json=question(PORT)))


def test_a_file_and_a_database_may_be_served_together(postgres: PostgresServer, tmp_path: Path):
    pushed, _ = postgres.push(place(tmp_path, "harbor", 9090))
    awaited = postgres.address("never-pushed")
    sites = (f"lantern={place(tmp_path, 'lantern', 8080)}", f"harbor={pushed}", f"awaited={awaited}")
    with serve(*site_indexes(*sites)) as client:
        assert client.post("/sites/awaited/api/chat", json=question(PORT)).status_code == 503
        assert "9090" in told(client.post("/sites/harbor/api/chat", json=question(PORT)))
        assert "8080" in told(client.post("/sites/lantern/api/chat", json=question(PORT)))


def test_a_noisy_site_does_not_hold_another_one_up(client: httpx.Client):
    def noise(_: int) -> None:
        client.post("/sites/lantern/api/chat", json=question(f"{PORT} " * 40))

    def quiet() -> float:
        started = time.perf_counter()
        told(client.post("/sites/harbor/api/chat", json=question(PORT)))
        return time.perf_counter() - started

    with ThreadPoolExecutor(40) as noisy:
        waiting = noisy.map(noise, range(200))
        time.sleep(0.3)
        waits = sorted(quiet() for _ in range(5))
        began = time.perf_counter()
        list(waiting)
        rest = time.perf_counter() - began
    assert waits[2] < max(1.0, rest / 2), (waits, rest)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--site-index", "lantern"], "names no site"),
        (["--site-index", "a=x", "--site-index", "a=y"], "two sites of the name"),
        (["somewhere", "--site-index", "a=x"], "leave out INDEX"),
        (["--site", ".", "--site-index", "a=x"], "leave out INDEX, --site"),
    ],
)
def test_an_invalid_site_index_is_refused_in_one_sentence(arguments: list[str], said: str):
    assert_refused(run_pincite("serve", *arguments), said, code=2)


def test_sites_may_be_named_by_the_environment(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PINCITE_SITE_INDEXES", "a=x b=y a=z")
    assert_refused(run_pincite("serve"), "two sites of the name 'a'", code=2)
