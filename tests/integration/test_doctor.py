"""`pincite doctor` on real sidecars, real sites and a proxy that buffers."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
import pytest
from tests.integration.serving import build_tiny_index, serve

QUESTION = "Which port does the Lantern image listen on?"
TOKEN = "a-token-of-this-test"
_MAIN = "from pincite_core.cli import main; main()"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A deployed site whose page has the anchor that the answer cites."""
    folder = tmp_path_factory.mktemp("site") / "kit"
    (folder / "install").mkdir(parents=True)
    (folder / "index.html").write_text("<title>Kit</title>")
    (folder / "install" / "index.html").write_text('<h2 class="x" id="docker">Docker</h2><a id=npm>')
    build_tiny_index(folder / "pincite")
    facts = {"index_id": index_id(folder / "pincite"), "built_at": "2026-02-13T10:00:00Z"}
    (folder / "pincite" / "index.json").write_text(json.dumps(facts))
    return folder.parent


def index_id(folder: Path) -> str:
    with serve(folder) as client:
        return str(client.get("/ready").json()["indexes"][0]["index_id"])


class _Site(SimpleHTTPRequestHandler):
    policy = ""

    def end_headers(self) -> None:
        if self.policy:
            self.send_header("Content-Security-Policy", self.policy)
        super().end_headers()

    def log_message(self, *_: object) -> None:
        pass


class _BufferingProxy(BaseHTTPRequestHandler):
    """Passes on a reply only when it is complete, as nginx does unless told otherwise."""

    upstream: httpx.Client

    def do_GET(self) -> None:
        self._pass_on()

    def do_POST(self) -> None:
        self._pass_on()

    def do_OPTIONS(self) -> None:
        self._pass_on()

    def _pass_on(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        sent = {name: value for name, value in self.headers.items() if name.lower() not in {"host", "connection"}}
        reply = self.upstream.request(self.command, self.path, content=body, headers=sent)
        self.send_response(reply.status_code)
        for name, value in reply.headers.items():
            if name not in {"content-length", "transfer-encoding", "connection"}:
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(reply.content)))
        self.end_headers()
        self.wfile.write(reply.content)

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def running(handler: object) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:  # type: ignore[arg-type]
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


@contextmanager
def deployed(site: Path, policy: str = "") -> Iterator[str]:
    handler = type("Site", (_Site,), {"policy": policy})
    with running(partial(handler, directory=str(site))) as origin:
        yield origin


def examine(place: object, *arguments: str, **environment: str) -> tuple[int, dict[str, dict[str, str]]]:
    """Run the command; return its exit code and the findings by what was checked."""
    command = [sys.executable, "-c", _MAIN, "doctor", str(place), "--json", "--question", QUESTION, *arguments]
    ended = subprocess.run(command, env=os.environ | environment, capture_output=True, text=True, timeout=60)
    assert "Traceback" not in ended.stderr, ended.stderr
    return ended.returncode, {finding["check"]: finding for finding in json.loads(ended.stdout)}


def statuses(findings: Mapping[str, Mapping[str, str]], *checks: str) -> list[str]:
    return [findings[check]["status"] for check in checks]


def test_a_sidecar_that_is_fit_is_well_in_everything(site: Path):
    with (
        deployed(site) as origin,
        serve(site / "kit" / "pincite", "--cors-origin", origin, PINCITE_ADDRESS_LIMIT="300") as client,
    ):
        code, found = examine(client.base_url, "--site", f"{origin}/kit/")
    assert {check: finding for check, finding in found.items() if finding["status"] != "ok"} == {}
    assert code == 0
    assert "answered with" in found["question"]["message"]
    assert "/kit/install#docker is there" in found["citation"]["message"]
    assert found["CSP"]["message"].endswith(f"script-src 'self'; connect-src {str(client.base_url).rstrip('/')}")


def test_what_keeps_readers_out_fails_with_the_fix(site: Path):
    with deployed(site, "default-src 'self'") as origin, serve(site / "kit" / "pincite") as client:
        code, found = examine(client.base_url, "--site", f"{origin}/kit/")
    assert code == 1
    assert statuses(found, "CORS", "CSP", "limits") == ["fail", "fail", "warn"]
    assert found["CORS"]["fix"] == f"Start the sidecar with --cors-origin {origin}."
    assert f"connect-src {str(client.base_url).rstrip('/')}" in found["CSP"]["fix"]


def test_a_site_of_another_build_and_without_the_cited_anchor_is_told(site: Path, tmp_path: Path):
    (tmp_path / "kit" / "pincite").mkdir(parents=True)
    (tmp_path / "kit" / "install").mkdir()
    (tmp_path / "kit" / "install" / "index.html").write_text('<h2 id="container">Docker</h2>')
    (tmp_path / "kit" / "pincite" / "index.json").write_text('{"index_id": "another"}')
    with deployed(tmp_path) as origin, serve(site / "kit" / "pincite", "--cors-origin", origin) as client:
        code, found = examine(client.base_url, "--site", f"{origin}/kit/")
    assert (code, statuses(found, "build", "citation")) == (1, ["warn", "fail"])


def test_a_site_without_an_index_is_told(site: Path, tmp_path: Path):
    with deployed(tmp_path) as origin, serve(site / "kit" / "pincite", "--cors-origin", origin) as client:
        _, found = examine(client.base_url, "--site", origin)
    assert statuses(found, "build", "citation") == ["warn", "fail"]


def test_a_proxy_that_buffers_is_found(site: Path):
    with serve(site / "kit" / "pincite") as client, httpx.Client(base_url=client.base_url) as upstream:
        proxy = type("Proxy", (_BufferingProxy,), {"upstream": upstream})
        with running(proxy) as origin:
            _, behind = examine(origin)
    assert statuses(behind, "question", "stream") == ["ok", "fail"]
    assert "proxy_buffering off" in behind["stream"]["fix"]


def test_private_docs_want_the_right_token(site: Path):
    with serve(site / "kit" / "pincite", PINCITE_TOKEN=TOKEN) as client:
        for environment, status in (
            ({}, "fail"),
            ({"PINCITE_TOKEN": "x" * 20}, "fail"),
            ({"PINCITE_TOKEN": TOKEN}, "ok"),
        ):
            _, found = examine(client.base_url, **environment)
            assert found["token"]["status"] == status
            assert TOKEN not in json.dumps(found)
        assert found["question"]["status"] == "ok"


def test_an_address_without_a_sidecar_is_told(site: Path):
    with deployed(site) as origin:
        assert examine(origin)[0] == 1
    code, found = examine("http://127.0.0.1:1")
    assert (code, list(found)) == (1, ["configuration", "reachable"])


def test_an_index_can_be_examined_by_itself(site: Path, tmp_path: Path):
    code, found = examine(site / "kit" / "pincite")
    assert (code, statuses(found, "index", "build", "question")) == (0, ["ok", "ok", "ok"])
    code, found = examine(tmp_path)
    assert (code, found["index"]["status"]) == (1, "fail")
