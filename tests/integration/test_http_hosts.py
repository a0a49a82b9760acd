"""Every route answers to the names that the sidecar was told, and to no other: a rebound name reads nothing."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from litestar import Litestar
from tests.integration.serving import build_tiny_index, serve, serve_app

from pincite_server.http.app import create_app
from pincite_server.indexes.source import IndexSource
from pincite_server.settings import Settings

NAME = "chat.example.com"
THIS_MACHINE = ["localhost", "localhost:8765", "LOCALHOST.", "127.0.0.1:8765", "[::1]:8765"]
ADDRESSES = ["192.0.2.7", "[2001:db8::1]"]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    (folder / "index.html").write_text("<p>Secret docs</p>")
    return build_tiny_index(folder / "pincite")


@contextmanager
def served(index: Path, **settings: object) -> Iterator[tuple[Litestar, httpx.Client]]:
    app = create_app(Settings(site=index.parent, **settings), IndexSource(index).open())  # type: ignore[arg-type]
    with serve_app(app) as client:
        yield app, client


def status(client: httpx.Client, host: str, path: str = "/api/search?q=port", method: str = "GET") -> int:
    return client.request(method, path, headers={"Host": host}).status_code


def test_every_route_refuses_a_name_that_it_was_not_told(index: Path):
    with served(index, token="t" * 16) as (app, client):
        routes = [(route.path, method) for route in app.routes for method in getattr(route, "methods", ())]
        assert {"/api/chat", "/health", "/ready", "/metrics", "/"} <= {path for path, _ in routes}
        for path, method in [*routes, ("/mcp", "POST"), ("/nothing", "GET"), ("/kit/", "GET")]:
            assert status(client, "evil.example", path, method) == 421, f"{method} {path}"


def test_the_refusal_names_the_option_and_not_the_name(index: Path):
    with served(index) as (_, client):
        refused = client.get("/ready", headers={"Host": "evil.example:8765"})
    assert refused.headers["content-type"] == "application/problem+json"
    assert refused.json()["code"] == "unknown_host"
    assert "--host-name" in refused.json()["detail"]
    assert "evil" not in refused.text
    assert refused.headers["x-content-type-options"] == "nosniff"
    assert len(refused.headers["x-request-id"]) == 32


@pytest.mark.parametrize("host", [*THIS_MACHINE, *ADDRESSES])
def test_this_machines_names_and_addresses_pass(index: Path, host: str):
    with served(index, host_names=(NAME,)) as (_, client):
        assert [status(client, host, path) for path in ("/api/search?q=port", "/ready", "/kit/")] == [200] * 3


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        f"{NAME}.evil.example",
        "x@localhost",
        "a b",
        "",
    ],
)
def test_what_only_looks_like_them_does_not(index: Path, host: str):
    with served(index, host_names=(NAME,)) as (_, client):
        assert status(client, host) in {400, 421}


@pytest.mark.parametrize("host", [NAME, f"{NAME}:8443", NAME.upper(), f"{NAME}."])
def test_a_sidecar_answers_to_the_name_that_it_was_told(index: Path, host: str):
    with served(index, host_names=(NAME,)) as (_, client):
        assert status(client, host) == 200


def test_who_listens_to_a_network_and_was_told_no_name_answers_to_any(index: Path):
    with served(index, host="0.0.0.0") as (_, client):
        assert status(client, NAME) == 200
        assert status(client, NAME, "/mcp", "POST") in {400, 421}, "agents must be told the name"


def test_a_star_is_any_name(index: Path):
    with served(index, host_names=("*",)) as (_, client):
        assert status(client, "any.example") == 200


def test_the_command_takes_names_from_flags_and_the_environment(index: Path):
    for arguments, environment in ((("--host-name", NAME), {}), ((), {"PINCITE_HOST_NAMES": f"other.example {NAME}"})):
        with serve(index, *arguments, **environment) as client:
            assert (status(client, NAME), status(client, "evil.example")) == (200, 421)
