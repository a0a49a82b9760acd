"""`pincite doctor` on real sidecars, real sites and a proxy that buffers."""

import json
import os
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner
from tests.integration.serving import build_tiny_index, serve_app

from pincite_core.index.read import Index
from pincite_server.cli.doctor_command import doctor
from pincite_server.doctor.diagnosis import Diagnosis
from pincite_server.doctor.examination import Examination, examine_sidecar
from pincite_server.http.app import create_app
from pincite_server.indexes.registry import IndexSet
from pincite_server.indexes.source import IndexSource
from pincite_server.settings import ENVIRONMENT_PREFIX, Settings

QUESTION = "Which port does the Lantern image listen on?"
TOKEN = "a-token-of-this-test"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A deployed site whose page has the anchor that the answer cites."""
    folder = tmp_path_factory.mktemp("site") / "kit"
    (folder / "install").mkdir(parents=True)
    (folder / "index.html").write_text("<title>Kit</title>")
    (folder / "install" / "index.html").write_text('<h2 class="x" id="docker">Docker</h2><a id=npm>')
    build_tiny_index(folder / "pincite")
    facts = {"index_id": Index.open(folder / "pincite").info.index_id, "built_at": "2026-02-13T10:00:00Z"}
    (folder / "pincite" / "index.json").write_text(json.dumps(facts))
    return folder.parent


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


def examine(url: object, site: str = "", token: str = "") -> tuple[bool, dict[str, Diagnosis]]:
    """Return whether nothing failed, and the findings by what was examined."""
    how = Examination(QUESTION, site, token)
    found = {finding.check: finding for finding in examine_sidecar(str(url), how, environment={})}
    return not any(finding.status == "fail" for finding in found.values()), found


def statuses(findings: Mapping[str, Diagnosis], *checks: str) -> list[str]:
    return [findings[check].status for check in checks]


@pytest.fixture(scope="module")
def indexes(site: Path) -> IndexSet:
    return IndexSource(site / "kit" / "pincite").open()


@contextmanager
def served(indexes: IndexSet, **settings: object) -> Iterator[str]:
    chosen = Settings(**settings)  # type: ignore[arg-type]
    with serve_app(create_app(chosen, indexes)) as client:
        yield str(client.base_url).rstrip("/")


def test_a_sidecar_that_is_fit_is_well_in_everything(site: Path, indexes: IndexSet):
    with deployed(site) as origin, served(indexes, cors_origins=(origin,)) as sidecar:
        fit, found = examine(sidecar, f"{origin}/kit/")
    assert fit
    assert {check for check, finding in found.items() if finding.status != "ok"} == set()
    assert "answered with" in found["question"].message
    assert "/kit/install#docker exists" in found["citation"].message
    assert found["CSP"].message.endswith(f"script-src 'self'; connect-src 'self' {sidecar}")


def test_what_keeps_readers_out_fails_with_the_fix(site: Path, indexes: IndexSet):
    with deployed(site, "default-src 'self'") as origin, served(indexes, address_limit=0) as sidecar:
        fit, found = examine(sidecar, f"{origin}/kit/")
    assert not fit
    assert statuses(found, "CORS", "CSP", "limits") == ["fail", "fail", "warn"]
    assert found["CORS"].fix == f"Start the sidecar with --cors-origin {origin}."
    assert f"connect-src 'self' {sidecar}" in found["CSP"].fix


def test_a_site_of_another_build_and_without_the_cited_anchor_is_told(indexes: IndexSet, tmp_path: Path):
    (tmp_path / "kit" / "pincite").mkdir(parents=True)
    (tmp_path / "kit" / "install").mkdir()
    (tmp_path / "kit" / "install" / "index.html").write_text('<h2 id="container">Docker</h2>')
    (tmp_path / "kit" / "pincite" / "index.json").write_text('{"index_id": "another"}')
    with deployed(tmp_path) as origin, served(indexes) as sidecar:
        _, found = examine(sidecar, f"{origin}/kit/")
    assert statuses(found, "build", "citation") == ["warn", "fail"]


def test_a_site_without_an_index_is_told(indexes: IndexSet, tmp_path: Path):
    with deployed(tmp_path) as origin, served(indexes) as sidecar:
        _, found = examine(sidecar, origin)
    assert statuses(found, "build", "citation") == ["warn", "fail"]


def test_a_proxy_that_buffers_is_found(indexes: IndexSet):
    with served(indexes) as sidecar, httpx.Client(base_url=sidecar) as upstream:
        proxy = type("Proxy", (_BufferingProxy,), {"upstream": upstream})
        with running(proxy) as origin:
            _, behind = examine(origin)
    assert statuses(behind, "question", "stream") == ["ok", "fail"]
    assert "proxy_buffering off" in behind["stream"].fix


def test_private_docs_want_the_right_token(indexes: IndexSet):
    with served(indexes, token=TOKEN) as sidecar:
        for token, status in (("", "fail"), ("x" * 20, "fail"), (TOKEN, "ok")):
            _, found = examine(sidecar, token=token)
            assert found["token"].status == status
            assert TOKEN not in str(found)
        assert found["question"].status == "ok"


def test_an_address_without_a_sidecar_is_told(site: Path):
    with deployed(site) as origin:
        assert not examine(origin)[0]
    fit, found = examine("http://127.0.0.1:1")
    assert not fit
    assert list(found) == ["configuration", "reachable"]


def test_an_index_can_be_examined_by_itself(site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    for name in [name for name in os.environ if name.startswith(ENVIRONMENT_PREFIX)]:
        monkeypatch.delenv(name)  # those of the test run are nothing that the doctor knows
    command = CliRunner().invoke(doctor, [str(site / "kit" / "pincite"), "--json"])
    found = {row["check"]: row["status"] for row in json.loads(command.stdout)}
    assert found == {"configuration": "ok", "index": "ok", "build": "ok", "encoder": "warn", "question": "ok"}
    assert command.exit_code == 0
    missing = CliRunner().invoke(doctor, [str(tmp_path)])
    assert missing.exit_code == 1
    assert "FAIL  index" in missing.stdout


def test_people_see_what_to_do(indexes: IndexSet):
    with served(indexes, address_limit=0) as sidecar:
        command = CliRunner().invoke(doctor, [sidecar, "--site", "https://docs.example"])
    assert command.exit_code == 1
    assert "--cors-origin https://docs.example" in command.stdout
    assert "warn  limits" in command.stdout
