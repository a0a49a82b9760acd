"""The configurations of proxies that the docs offer: a stream passes through them as it is sent."""

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.integration.proxies import behind_caddy, behind_nginx, caddy
from tests.integration.serving import ask, build_tiny_index, serve_app

from pincite_server.doctor.sidecar_check import examine_stream
from pincite_server.http.app import create_app
from pincite_server.indexes.source import IndexSource
from pincite_server.settings import Settings

DEPLOY = Path(__file__).parents[2] / "deploy"
QUESTION = "Which port does the Lantern image listen on?"


@pytest.fixture(scope="module")
def upstream(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a sidecar that runs."""
    indexes = IndexSource(build_tiny_index(tmp_path_factory.mktemp("index"))).open()
    with serve_app(create_app(Settings(), indexes)) as client:
        yield client.base_url.netloc.decode()


@pytest.fixture
def nginx(upstream: str) -> str:
    offered = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
    return offered.replace("listen 80;", "listen 127.0.0.1:PORT;").replace("127.0.0.1:8765", upstream)


@pytest.fixture
def caddyfile(upstream: str) -> str:
    """The offered configuration on a free port, where no name needs a certificate."""
    offered = (DEPLOY / "Caddyfile").read_text(encoding="utf-8")
    return offered.replace("chat.example.com", "http://127.0.0.1:PORT").replace("127.0.0.1:8765", upstream)


def check_passage(client: httpx.Client) -> httpx.Response:
    """Check that streams, answers and nothing internal come through; return the reply to a question."""
    found = examine_stream(client)
    assert found.status == "ok", found.message
    assert client.get("/metrics").status_code == 404
    reply = ask(client, QUESTION)
    assert reply.json()["type"] == "answer"
    return reply


def test_a_stream_passes_through_nginx(nginx: str, tmp_path: Path):
    with behind_nginx(tmp_path, nginx) as client:
        assert len(check_passage(client).headers["X-Request-Id"]) == 32, "nginx's own id is kept"


def test_a_proxy_that_compresses_the_stream_is_found(nginx: str, tmp_path: Path):
    compressing = "proxy_buffering on; gzip on; gzip_types text/event-stream; gzip_proxied any; gzip_min_length 0;"
    with behind_nginx(tmp_path, nginx.replace("proxy_buffering off;", compressing)) as client:
        assert examine_stream(client).status != "ok"


def test_a_stream_passes_through_caddy(caddyfile: str, tmp_path: Path):
    with behind_caddy(tmp_path, caddyfile) as client:
        check_passage(client)


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a sidecar that answers one question a minute of an address, behind one proxy."""
    indexes = IndexSource(build_tiny_index(tmp_path_factory.mktemp("index"))).open()
    with serve_app(create_app(Settings(rate_limit=1, trusted_proxies="1"), indexes)) as client:
        yield client.base_url.netloc.decode()


@pytest.mark.parametrize("proxy", [behind_nginx, behind_caddy])
def test_what_a_reader_writes_into_the_headers_of_proxies_does_not_pass(
    nginx: str, caddyfile: str, upstream: str, strict: str, tmp_path: Path, proxy: Callable[..., Any]
):
    offered = (nginx if proxy is behind_nginx else caddyfile).replace(upstream, strict)
    with proxy(tmp_path, offered) as client:
        made_up = [
            {"X-Forwarded-For": f"203.0.113.{number}", "Forwarded": f"for=203.0.113.{number}"} for number in (1, 2)
        ]
        replies = [client.post("/api/chat", json={}, headers=headers).status_code for headers in made_up]
    assert replies[-1] == 429


def test_caddy_has_nothing_to_say_about_its_file():
    command = [caddy(), "validate", "--config", str(DEPLOY / "Caddyfile"), "--adapter", "caddyfile"]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    assert '"level":"warn"' not in told
    assert (
        subprocess.run([caddy(), "fmt", "--diff", command[3]], stdout=subprocess.DEVNULL, check=False).returncode == 0
    )
