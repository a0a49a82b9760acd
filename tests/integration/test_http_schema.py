"""What `/schema` says of replies is what comes."""

from collections.abc import Iterator

import httpx
import pytest
from tests.integration.serving import ask, build_tiny_index, serve

PLACES = {
    "/health": "/health",
    "/ready": "/ready",
    "/api/search": "/api/search?q=port",
    "/api/questions": "/api/questions?page_url=/kit/install",
    "/api/stream-check": "/api/stream-check",
    "/c/{stable_id}": "/c/default/kit/nothing",
}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with serve(build_tiny_index(tmp_path_factory.mktemp("index"))) as running:
        yield running


def test_every_route_that_is_read_is_tried_here(client: httpx.Client):
    paths = client.get("/schema/openapi.json").json()["paths"]
    assert {path for path, methods in paths.items() if "get" in methods} == PLACES.keys()


@pytest.mark.parametrize("path", PLACES)
def test_a_replys_status_and_media_type_are_described(client: httpx.Client, path: str):
    described = client.get("/schema/openapi.json").json()["paths"][path]["get"]["responses"]
    reply = client.get(PLACES[path])
    assert reply.headers["content-type"].partition(";")[0] in described[str(reply.status_code)]["content"]


def test_an_embedding_without_numbers_is_neither_described_nor_taken(client: httpx.Client):
    fields = client.get("/schema/openapi.json").json()["components"]["schemas"]["ChatRequest"]["properties"]
    assert fields["embedding"]["minItems"] == 1
    assert "`invalid_embedding`" in fields["embedding"]["description"]
    reply = ask(client, "Which port?", embedding=[])
    assert (reply.status_code, reply.json()["code"]) == (400, "invalid_embedding")
    assert ask(client, "Which port?", embedding=None).status_code == 200
