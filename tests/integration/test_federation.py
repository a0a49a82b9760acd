"""One question to several sites of a sidecar: the best answers, each place says its site, no group starves others."""

import json
import re
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.integration.federated_sites import HARBOR, LANTERN, LEASE, PORT, TEXTS, arguments, chat, place
from tests.integration.serving import question, serve


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    root = tmp_path_factory.mktemp("sites")
    sites = [f"{name}={place(root, name)}" for name in TEXTS]
    with serve(*arguments(*sites, group="all=lantern,harbor"), "--cache-dir", root / "cache") as running:
        yield running


@pytest.mark.parametrize(("query", "site", "said"), [(PORT, "Lantern", "8080"), (LEASE, "Harbor", "thirty")])
def test_the_site_that_holds_the_answer_answers_and_every_place_says_its_site(
    client: httpx.Client, query: str, site: str, said: str
):
    reply = chat(client, query)
    assert said in reply["answer"]
    first = reply["citations"][0]
    assert (first["site"], first["heading_path"][0]) == (site, site)
    assert first["url"].startswith(f"https://{site.lower()}.example/guide")
    assert all(citation["site"] in ("Lantern", "Harbor") for citation in reply["citations"])
    assert all(citation["site"] == site for citation in reply["citations"] if citation["used"])
    assert reply["scope"]["site"] == site


def test_urls_of_the_page_s_own_site_stay_relative_and_those_of_others_have_their_host(client: httpx.Client):
    at_home = chat(client, PORT, page_url="/lantern")
    assert at_home["citations"][0]["url"] == "/guide#docker"
    away = chat(client, LEASE, page_url="/lantern")
    assert away["citations"][0]["url"] == f"{HARBOR}/guide#docker"
    by_build = chat(client, LEASE, build_id="b-harbor", page_url="/guide")
    assert by_build["citations"][0]["url"] == "/guide#docker"


def test_a_page_of_a_site_that_is_no_member_is_no_member_s_page(client: httpx.Client):
    body = question(PORT, page_url="/guide")
    reply = client.post("/sites/all/api/chat", json=body, headers={"Origin": "https://tide.example"}).json()
    assert reply["citations"][0]["url"] == f"{LANTERN}/guide#docker"


def test_when_no_site_has_the_answer_the_nearest_sections_of_several_are_shown(client: httpx.Client):
    reply = chat(client, "Who wrote the ninth symphony of the composer?")
    assert (reply["type"], reply["code"]) == ("refusal", "no_evidence")
    assert {one["site"] for one in reply["nearest"]} == {"Lantern", "Harbor"}
    assert set(reply["scope"]["site"].split(", ")) == {"Lantern", "Harbor"}


def test_a_site_that_is_no_member_is_not_asked(client: httpx.Client):
    assert chat(client, "What moves the tide table of Tide?")["type"] == "refusal"


def test_one_site_alone_says_no_site(client: httpx.Client):
    reply = client.post("/sites/harbor/api/chat", json=question(LEASE)).json()
    assert "site" not in reply["citations"][0]
    assert reply["citations"][0]["url"] == "/guide#docker"


def test_an_answer_across_sites_streams(client: httpx.Client):
    headers = {"Accept": "text/event-stream"}
    reply = client.post("/sites/all/api/chat", json=question(LEASE), headers=headers)
    assert "event: answer_start" in reply.text
    start = json.loads(re.findall("event: answer_start\r?\ndata: (.*)", reply.text)[0])
    assert start["scope"]["site"] == "Harbor"
    assert '"site":"Harbor"' in reply.text


def test_a_follow_up_is_understood_by_each_site(client: httpx.Client):
    turns = [{"query": "How long does the lease of a Harbor job last?", "answer": "Thirty seconds."}]
    assert "8080" in chat(client, PORT, turns=turns)["answer"]


def test_a_passage_is_asked_of_its_page_s_site_alone(client: httpx.Client):
    text = f"{TEXTS['harbor']} It ends when the worker that took it says so."
    selection = {"text": text, "page_url": "/harbor"}
    reply = chat(client, "How long does a lease last?", mode="selection", selection=selection, page_url="/harbor")
    assert reply["mode"] == "selection"
    assert all("site" not in citation for citation in reply["citations"])


def test_the_same_message_is_another_question_to_the_group(client: httpx.Client):
    body = question(PORT)
    assert client.post("/sites/all/api/chat", json=body).status_code == 200
    assert client.post("/sites/lantern/api/chat", json=body).status_code in (409, 422)


def test_search_finds_places_of_all_members_best_first(client: httpx.Client):
    found = client.get("/sites/all/api/search", params={"q": "lease of a Harbor job"}).json()["results"]
    assert found[0]["url"] == f"{HARBOR}/guide#docker"
    assert found[0]["heading_path"][0] == found[0]["site"] == "Harbor"
    assert {hit["site"] for hit in found} == {"Lantern", "Harbor"}
    assert [hit["score"] for hit in found] == sorted((hit["score"] for hit in found), reverse=True)


def test_a_version_that_no_member_has_is_refused_with_those_there_are(client: httpx.Client):
    reply = client.get("/sites/all/api/search", params={"q": "lease", "version": "9"})
    assert (reply.status_code, reply.json()["code"]) == (400, "invalid_request")
    assert "no version '9'" in reply.json()["detail"]


def test_a_stable_id_leads_to_the_member_that_it_names_or_that_has_it(client: httpx.Client):
    (used, *_) = chat(client, LEASE)["citations"]
    assert used["stable_id"] == "harbor:default/guide#docker"
    followed = client.get("/sites/all/c/harbor:default/guide", params={"s": "docker"})
    assert followed.headers["location"] == f"{HARBOR}/guide#docker"
    assert client.get("/sites/all/c/default/harbor").headers["location"] == f"{HARBOR}/harbor"
    assert client.get("/sites/all/c/default/tide").status_code == 404
    ids = [used["stable_id"], "default/harbor", "lantern:default/gone", "default/nowhere"]
    resolved = client.post("/sites/all/api/resolve", json={"ids": ids}).json()
    assert resolved[ids[0]] == {"url": f"{HARBOR}/guide#docker", "title": "Docker", "status": "current"}
    assert resolved[ids[1]]["url"] == f"{HARBOR}/harbor"
    assert [resolved[stable_id]["status"] for stable_id in ids[2:]] == ["lost", "lost"]
    own = client.post("/sites/all/api/resolve", json={"ids": ids[:1]}, headers={"Origin": HARBOR}).json()
    assert own[ids[0]]["url"] == "/guide#docker"


def test_an_id_that_is_lost_is_so_at_the_member_that_had_it_with_what_is_nearest_there(client: httpx.Client):
    reply = client.get("/sites/all/c/default/harbor", params={"s": "gone"})
    assert (reply.status_code, reply.json()["code"]) == (410, "id_lost")
    nearest = reply.json()["nearest"]
    assert (nearest["site"], nearest["url"]) == ("Harbor", f"{HARBOR}/harbor")


def test_a_question_is_kept_with_its_page_and_the_site_that_answered(tmp_path: Path):
    log = tmp_path / "questions.jsonl"
    sites = [f"{name}={place(tmp_path, name)}" for name in ("lantern", "harbor")]
    group = arguments(*sites, group="all=lantern,harbor")
    with serve(*group, "--cache-dir", tmp_path / "cache", "--log-questions", log) as client:
        chat(client, PORT, page_url="/harbor")
    (kept,) = map(json.loads, log.read_text(encoding="utf-8").splitlines())
    assert kept["page"] == "/harbor"
    assert kept["sections"][0]["heading_path"][0] == "Lantern"


def test_questions_are_offered_by_the_page_s_site_and_votes_are_counted(client: httpx.Client):
    offered, own = (
        client.get(f"/sites/{name}/api/questions", params={"page_url": "/harbor"}).json() for name in ("all", "harbor")
    )
    assert offered["index_id"] == own["index_id"]
    vote = {"message_id": question(PORT)["message_id"], "vote": "up"}
    assert client.post("/sites/all/api/feedback", json=vote).status_code == 200


def test_ready_tells_of_the_members(client: httpx.Client):
    assert [one["title"] for one in client.get("/sites/all/ready").json()["indexes"]] == ["Lantern", "Harbor"]


def call(client: httpx.Client, tool: str, **given: object) -> Any:
    params = {"name": tool, "arguments": given}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    headers = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-06-18"}
    return client.post("/sites/all/mcp", json=body, headers=headers).json()["result"]


def test_agents_ask_search_and_read_across_the_members(client: httpx.Client):
    answer = call(client, "ask", question=LEASE)["structuredContent"]
    assert "thirty" in answer["answer"]
    assert answer["sources"][0]["url"] == f"{HARBOR}/guide#docker"
    found = call(client, "search", query="Lantern image port")["structuredContent"]["results"][0]
    assert (found["heading_path"][0], found["url"]) == ("Lantern", f"{LANTERN}/guide#docker")
    for named in (found["url"], found["stable_id"]):
        read = call(client, "read_section", id=named)["structuredContent"]
        assert "8080" in read["text"]
        assert read["stable_id"] == found["stable_id"]
        assert call(client, "read_section", id=read["parent"]["stable_id"])["structuredContent"]["title"] == "Guide"
    assert call(client, "read_section", id="default/nowhere")["isError"]
    assert call(client, "ask", question=LEASE, version="9")["isError"]


def test_a_noisy_group_holds_up_neither_its_members_nor_other_sites(client: httpx.Client):
    def noise(_: int) -> None:
        client.post("/sites/all/api/chat", json=question(f"{PORT} " * 40))

    def quiet(name: str) -> float:
        started = time.perf_counter()
        assert client.post(f"/sites/{name}/api/chat", json=question(PORT)).status_code == 200
        return time.perf_counter() - started

    with ThreadPoolExecutor(40) as noisy:
        waiting = noisy.map(noise, range(150))
        time.sleep(0.3)
        waits = sorted(quiet(name) for name in ("harbor", "tide", "harbor", "tide", "harbor"))
        began = time.perf_counter()
        list(waiting)
        rest = time.perf_counter() - began
    assert waits[2] < max(1.0, rest / 2), (waits, rest)
