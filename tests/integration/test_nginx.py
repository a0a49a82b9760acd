"""The nginx configuration that the docs offer: a stream passes through it as it is sent."""

import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from tests.integration.serving import ask, build_tiny_index, serve

from pincite_server.doctor.findings import Finding
from pincite_server.doctor.sidecar import examine_stream

OFFERED = (Path(__file__).parents[2] / "deploy" / "nginx.conf").read_text(encoding="utf-8")
QUESTION = "Which port does the Lantern image listen on?"
_MAIN = """daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log; worker_processes 1;
events {{}}
http {{ access_log off; client_body_temp_path {folder}; proxy_temp_path {folder};
fastcgi_temp_path {folder}; uwsgi_temp_path {folder}; scgi_temp_path {folder};
{server} }}
"""

pytestmark = pytest.mark.skipif(shutil.which("nginx") is None, reason="nginx is not installed")


@pytest.fixture(scope="module")
def sidecar(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with serve(build_tiny_index(tmp_path_factory.mktemp("index"))) as client:
        yield client


@contextmanager
def in_front(sidecar: httpx.Client, folder: Path, configuration: str) -> Iterator[httpx.Client]:
    """Run nginx with a configuration whose ports are replaced by free ones."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = int(taken.getsockname()[1])
    upstream = sidecar.base_url.netloc.decode()
    server = configuration.replace("listen 80;", f"listen 127.0.0.1:{port};").replace("127.0.0.1:8765", upstream)
    file = folder / "nginx.conf"
    file.write_text(_MAIN.format(folder=folder, server=server))
    with subprocess.Popen(["nginx", "-c", str(file), "-p", str(folder), "-e", str(folder / "error.log")]) as process:
        try:
            _await(port, process)
            with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=30) as client:
                yield client
        finally:
            process.terminate()


def _await(port: int, process: subprocess.Popen[bytes]) -> None:
    while process.poll() is None:
        with socket.socket() as attempt:
            if attempt.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    pytest.fail("nginx refused its configuration")


def test_a_stream_passes_through_the_offered_configuration(sidecar: httpx.Client, tmp_path: Path):
    with in_front(sidecar, tmp_path, OFFERED) as client:
        found: Finding = examine_stream(client)
        reply = ask(client, QUESTION)
        assert client.get("/metrics").status_code == 404
    assert found.status == "ok", found.message
    assert reply.json()["type"] == "answer"
    assert len(reply.headers["X-Request-Id"]) == 32


def test_a_proxy_that_compresses_the_stream_is_found(sidecar: httpx.Client, tmp_path: Path):
    compressing = "proxy_buffering on; gzip on; gzip_types text/event-stream; gzip_proxied any; gzip_min_length 0;"
    with in_front(sidecar, tmp_path, OFFERED.replace("proxy_buffering off;", compressing)) as client:
        assert examine_stream(client).status != "ok"
