"""Sites asked at once, served in this process: with a language model, in other languages, with an embedding."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.factories import build_index, make_scope
from tests.integration.scripted_llm import DONE, ScriptedModel, Status
from tests.integration.serving import question, serve_app

from pincite_core.embedders import FakeEmbedder
from pincite_server.answerer import Answerer
from pincite_server.http.app import create_federated_app
from pincite_server.indexes.live_indexes import LiveIndexes
from pincite_server.indexes.registry import IndexSet, ServedIndex
from pincite_server.settings import Settings

PORT = "Which port does the Lantern image listen on?"
TEXTS = {
    "lantern": "Run the Lantern image with docker run lantern. The image listens on port 8080.",
    "harbor": "A lease of a Harbor job lasts thirty seconds. The Harbor image listens to workers.",
}
EVENTS = {"accept": "text/event-stream"}


def live(folder: Path, name: str, text: str, locale: str = "en") -> LiveIndexes:
    pages = {"/guide": f"# Guide\n## Docker {{#docker}}\n{text}\n"}
    index = build_index(
        folder / name,
        pages,
        title=name.capitalize(),
        scopes=(make_scope(locale=locale),),
        default_locale=locale,
        site_url=f"https://{name}.example",
    )
    return LiveIndexes(IndexSet([ServedIndex(Answerer.with_embedder(index, FakeEmbedder()), {})]))


@contextmanager
def served(sites: Mapping[str, LiveIndexes], endpoint: ScriptedModel | None = None) -> Iterator[httpx.Client]:
    settings = Settings(
        site_indexes=tuple(f"{name}=x" for name in sites),
        site_groups=(f"all={','.join(sites)}",),
        rate_limit=0,
        address_limit=0,
    )
    llm = endpoint.settings(retries=0) if endpoint else None
    with serve_app(create_federated_app(settings, sites, llm)) as client:
        yield client


@pytest.fixture
def sites(tmp_path: Path) -> dict[str, LiveIndexes]:
    return {name: live(tmp_path, name, text) for name, text in TEXTS.items()}


def chat(client: httpx.Client, query: str, **fields: Any) -> dict[str, Any]:
    reply = client.post("/sites/all/api/chat", json=question(query, **fields))
    assert reply.status_code == 200, reply.text
    return dict(reply.json())


def test_a_model_writes_from_the_sections_of_the_site_that_answers_alone(
    sites: dict[str, LiveIndexes], endpoint: ScriptedModel
):
    endpoint.says("The image listens on port 8080. {1}", DONE)
    with served(sites, endpoint) as client:
        reply = chat(client, PORT)
    assert (reply["composer"], reply["answer"]) == ("llm", "The image listens on port 8080. [1]")
    assert reply["citations"][0]["site"] == "Lantern"
    assert reply["citations"][0]["url"] == "https://lantern.example/guide#docker"
    assert len(endpoint.requests) == 1
    assert "Harbor" not in endpoint.prompt()


def test_a_stream_begins_with_the_name_of_the_site_that_is_missing(
    sites: dict[str, LiveIndexes], endpoint: ScriptedModel
):
    endpoint.says("The image listens on port 8080. {1}", DONE)
    with served({**sites, "awaited": LiveIndexes(None)}, endpoint) as client:
        told = client.post("/sites/all/api/chat", json=question(PORT), headers=EVENTS).text
    start, *_ = told.partition("event: answer_start")[2].split("event: answer_delta")
    assert "Could not be searched right now: awaited." in start
    assert told.count("Could not be searched") == 1


def test_a_model_that_fails_leaves_the_quoted_answer(sites: dict[str, LiveIndexes], endpoint: ScriptedModel):
    endpoint.says(Status(500))
    with served(sites, endpoint) as client:
        reply = chat(client, PORT)
    assert (reply["composer"], reply["citations"][0]["site"]) == ("extractive", "Lantern")
    assert [notice["code"] for notice in reply["notices"]] == ["llm_unavailable"]


def test_one_plan_is_made_for_all_sites(sites: dict[str, LiveIndexes], endpoint: ScriptedModel):
    endpoint.plans("question: Which port does the Lantern image listen on?\nport\n", DONE)
    endpoint.says("The image listens on port 8080. {1}", DONE)
    turns = [{"query": "How do I run the Lantern image?", "answer": "With docker run lantern; it listens on a port."}]
    with served(sites, endpoint) as client:
        told = client.post("/sites/all/api/chat", json=question("and which port?", turns=turns), headers=EVENTS).text
    assert (len(endpoint.plan_requests), len(endpoint.requests)) == (1, 1)
    assert told.count('{"phase":"searching","queries":["port"]}') == 1
    assert "8080" in told


def test_a_model_that_finds_no_answer_refuses_with_sections_of_several_sites(
    sites: dict[str, LiveIndexes], endpoint: ScriptedModel
):
    endpoint.says("{0}", DONE)
    with served(sites, endpoint) as client:
        reply = chat(client, PORT)
    assert reply["type"] == "refusal"
    assert {one["site"] for one in reply["nearest"]} == {"Lantern", "Harbor"}
    assert all(one["n"] is None and not one["used"] for one in reply["nearest"])


def test_a_page_s_language_and_version_bind_only_the_sites_that_have_them(tmp_path: Path):
    sites = {
        "lantern": live(tmp_path, "lantern", TEXTS["lantern"]),
        "hafen": live(tmp_path, "hafen", "Ein Vertrag dauert so viele Sekunden: dreißig.", "de"),
    }
    with served(sites) as client:
        reply = chat(client, PORT, page_url="https://hafen.example/guide", scope={"locale": "de", "version": "7.1"})
        own = chat(client, "Wie viele Sekunden dauert ein Vertrag?", page_url="https://hafen.example/guide")
    assert (reply["citations"][0]["site"], reply["scope"]["locale"]) == ("Lantern", "en")
    assert [notice for notice in reply["notices"] if notice["code"] in ("unknown_locale", "unknown_version")] == []
    assert own["citations"][0]["url"] == "/guide#docker"


def test_an_embedding_alone_is_put_to_the_sites_whose_model_it_is_of(sites: dict[str, LiveIndexes]):
    embedding = FakeEmbedder().encode(["The image listens on port 8080."])[0].tolist()
    with served(sites) as client:
        body = question("", embedding=embedding)
        assert client.post("/sites/all/api/chat", json=body).status_code == 200
        short = client.post("/sites/all/api/chat", json=question("", embedding=[1.0, 0.0]))
        assert (short.status_code, short.json()["code"]) == (400, "invalid_embedding")
        assert "8080" in chat(client, PORT, embedding=[1.0, 0.0])["answer"]
