"""Who may ask, and how often."""

from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import pytest
from tests.integration.serving import ask, build_tiny_index, serve_app
from tests.patience import PATIENCE

from pincite_server.http.app import create_app
from pincite_server.indexes.registry import IndexSet
from pincite_server.indexes.source import IndexSource
from pincite_server.settings import Settings

QUESTION = "Which port does the Lantern image listen on?"
TOKEN = "a-token-of-this-test"
ORIGIN = "https://docs.example.com"


@pytest.fixture(scope="module")
def indexes(tmp_path_factory: pytest.TempPathFactory) -> IndexSet:
    return IndexSource(build_tiny_index(tmp_path_factory.mktemp("index"))).open()


@contextmanager
def served(
    indexes: IndexSet, rate_limit: int = 0, address_limit: int = 0, **settings: object
) -> Iterator[httpx.Client]:
    chosen = Settings(rate_limit=rate_limit, address_limit=address_limit, **settings)  # type: ignore[arg-type]
    with serve_app(create_app(chosen, indexes)) as client:
        yield client


def statuses(client: httpx.Client, times: int) -> list[int]:
    return [ask(client, QUESTION).status_code for _ in range(times)]


def keep_token(client: httpx.Client) -> None:
    """Do as the widget does: ask once, and send the token back from then on."""
    client.headers["Pincite-Reader"] = ask(client, QUESTION).headers["Pincite-Reader"]


def test_of_25_questions_in_a_minute_20_are_answered(indexes: IndexSet):
    with served(indexes, rate_limit=20) as client:
        keep_token(client)
        assert statuses(client, 24) == [200] * 19 + [429] * 5


def test_dropping_the_token_is_no_way_around_the_limit(indexes: IndexSet):
    with served(indexes, rate_limit=20) as client:
        assert statuses(client, 25) == [200] * 20 + [429] * 5


def test_neither_is_another_session_or_a_made_up_token(indexes: IndexSet):
    with served(indexes, rate_limit=3) as client:
        replies = [
            ask(client, QUESTION, session_id=f"s-{number}").status_code
            if number % 2
            else client.post("/api/chat", json={}, headers={"Pincite-Reader": f"made-up-{number}"}).status_code
            for number in range(6)
        ]
    assert replies[3:] == [429] * 3


def test_one_reader_is_not_held_up_by_another_behind_the_same_address(indexes: IndexSet):
    with served(indexes, rate_limit=5) as greedy, httpx.Client(base_url=greedy.base_url, timeout=PATIENCE) as modest:
        keep_token(modest)
        keep_token(greedy)
        assert statuses(greedy, 6)[-1] == 429
        assert statuses(modest, 4) == [200] * 4


def test_all_readers_of_an_address_have_a_ceiling_together(indexes: IndexSet):
    with served(indexes, address_limit=6) as client:
        assert statuses(client, 4) == [200] * 4
        assert client.get("/api/search", params={"q": "port"}).status_code == 200
        assert client.get("/c/default/nothing").status_code == 404
        assert statuses(client, 1) == [429]
        assert client.get("/health").status_code == 200


def test_who_asked_too_much_is_told_how_long_to_wait(indexes: IndexSet):
    with served(indexes, rate_limit=1) as client:
        ask(client, QUESTION)
        response = ask(client, QUESTION)
    seconds = int(response.headers["Retry-After"])
    assert 1 <= seconds <= 60
    assert response.json()["code"] == "rate_limited"
    assert f"Please wait {seconds} second" in response.json()["detail"]


def test_a_token_is_handed_out_once(indexes: IndexSet):
    with served(indexes) as client:
        keep_token(client)
        assert "Pincite-Reader" not in ask(client, QUESTION).headers


def test_a_token_outlives_a_restart_when_the_secret_is_set(indexes: IndexSet):
    with served(indexes, reader_secret=b"s" * 32) as client:
        token = ask(client, QUESTION).headers["Pincite-Reader"]
    with served(indexes, reader_secret=b"s" * 32) as client:
        assert "Pincite-Reader" not in client.get("/health", headers={"Pincite-Reader": token}).headers
        client.headers["Pincite-Reader"] = token
        assert "Pincite-Reader" not in ask(client, QUESTION).headers


def test_private_docs_answer_to_the_bearer_token_alone(indexes: IndexSet):
    with served(indexes, token=TOKEN) as client:
        for header in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": TOKEN}, {"Authorization": "Bearer"}):
            response = client.get("/api/search", params={"q": "port"}, headers=header)
            assert (response.status_code, response.json()["code"]) == (401, "unauthorized")
            assert response.headers["www-authenticate"] == "Bearer"
        client.headers["Authorization"] = f"Bearer {TOKEN}"
        assert ask(client, QUESTION).status_code == 200
        assert client.get("/api/search", params={"q": "port"}).status_code == 200


@pytest.mark.parametrize("scheme", ["bearer ", "BEARER ", "Bearer   "])
def test_the_scheme_of_the_token_may_be_written_in_any_case(indexes: IndexSet, scheme: str):
    with served(indexes, token=TOKEN) as client:
        reply = client.get("/api/search", params={"q": "port"}, headers={"Authorization": f"{scheme}{TOKEN}"})
        assert reply.status_code == 200


@pytest.mark.parametrize(
    "header", [f"Basic {TOKEN}", f"Bearer {TOKEN} {TOKEN}", f"Bearer{TOKEN}", f"Bearer {TOKEN}\xe9"]
)
def test_what_is_not_the_token_is_refused(indexes: IndexSet, header: str):
    with served(indexes, token=TOKEN) as client:
        reply = client.get("/api/search", params={"q": "port"}, headers={"Authorization": header.encode("latin-1")})
        assert reply.status_code == 401


def test_readers_of_one_ipv6_network_share_the_anonymous_limit(indexes: IndexSet):
    with served(indexes, rate_limit=1) as client:
        addresses = ("2a00:1:2:3::1", "2a00:1:2:3::2", "2a00:1:2:4::1", "::ffff:203.0.113.7", "203.0.113.7")
        replies = [client.post("/api/chat", json={}, headers={"X-Forwarded-For": one}) for one in addresses]
    assert [reply.status_code for reply in replies] == [400, 429, 400, 400, 429]


def test_every_api_route_is_behind_the_token(indexes: IndexSet):
    with served(indexes, token=TOKEN) as client:
        for path in ("/api/chat", "/query-selected-text", "/api/resolve", "/api/feedback"):
            assert client.post(path, json={}).status_code == 401
        assert client.get("/c/default/install").status_code == 401
        assert client.get("/health").status_code == 200
        assert TOKEN not in client.get("/schema/openapi.json").text


def test_an_allowed_origin_may_ask_and_read_the_headers_it_needs(indexes: IndexSet):
    with served(indexes, cors_origins=(ORIGIN,)) as client:
        preflight = client.options(
            "/api/chat",
            headers={
                "Origin": ORIGIN,
                "Access-Control-Request-Method": "POST",
                "Access-Control-Request-Headers": "content-type, pincite-reader, authorization",
            },
        )
        client.headers["Origin"] = ORIGIN
        reply = ask(client, QUESTION)
        refused = client.post("/api/chat", json={})
    assert (preflight.status_code, preflight.headers["access-control-allow-origin"]) == (204, ORIGIN)
    assert reply.headers["access-control-allow-origin"] == ORIGIN
    assert {"Pincite-Reader", "Retry-After"} <= set(reply.headers["access-control-expose-headers"].split(", "))
    assert refused.headers["access-control-allow-origin"] == ORIGIN, "a page must be able to read errors"


def test_another_origin_gets_no_permission(indexes: IndexSet):
    with served(indexes, cors_origins=(ORIGIN,)) as client:
        headers = {"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"}
        assert "access-control-allow-origin" not in client.options("/api/chat", headers=headers).headers
        client.headers["Origin"] = "https://evil.example"
        assert "access-control-allow-origin" not in ask(client, QUESTION).headers


def test_without_an_allow_list_no_origin_is_allowed(indexes: IndexSet):
    with served(indexes) as client:
        client.headers["Origin"] = ORIGIN
        assert "access-control-allow-origin" not in client.get("/ready").headers
        assert "access-control-allow-origin" not in ask(client, QUESTION).headers
