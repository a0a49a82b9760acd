"""The nginx configuration that the docs offer: a stream passes through it as it is sent."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from tests.integration.nginx import in_front
from tests.integration.serving import ask, build_tiny_index, serve_app

from pincite_server.doctor.sidecar import examine_stream
from pincite_server.http.app import create_app
from pincite_server.indexes.source import IndexSource
from pincite_server.settings import Settings

OFFERED = (Path(__file__).parents[2] / "deploy" / "nginx.conf").read_text(encoding="utf-8")
QUESTION = "Which port does the Lantern image listen on?"


@pytest.fixture(scope="module")
def configuration(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The offered configuration, for a sidecar that runs."""
    indexes = IndexSource(build_tiny_index(tmp_path_factory.mktemp("index"))).open()
    with serve_app(create_app(Settings(), indexes)) as client:
        upstream = client.base_url.netloc.decode()
        yield OFFERED.replace("listen 80;", "listen 127.0.0.1:PORT;").replace("127.0.0.1:8765", upstream)


def test_a_stream_passes_through_the_offered_configuration(configuration: str, tmp_path: Path):
    with in_front(tmp_path, configuration) as client:
        found = examine_stream(client)
        reply: httpx.Response = ask(client, QUESTION)
        assert client.get("/metrics").status_code == 404
    assert found.status == "ok", found.message
    assert reply.json()["type"] == "answer"
    assert len(reply.headers["X-Request-Id"]) == 32, "nginx's own id is kept"


def test_a_proxy_that_compresses_the_stream_is_found(configuration: str, tmp_path: Path):
    compressing = "proxy_buffering on; gzip on; gzip_types text/event-stream; gzip_proxied any; gzip_min_length 0;"
    with in_front(tmp_path, configuration.replace("proxy_buffering off;", compressing)) as client:
        assert examine_stream(client).status != "ok"
