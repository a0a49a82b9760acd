"""`pincite index --previous`: where the last deploy's index may be, and what of it a build does not do again."""

import hashlib
import json
import shutil
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import apsw
import pytest
from tests.integration.indexing import copy_site, run_index
from tests.unit.indexer.builds import LEASE, RETRY, Builds, guide, section

from pincite_core.embedders import FakeEmbedder
from pincite_core.index.read import Index
from pincite_core.types import Role
from pincite_indexer.moves.previous import open_previous


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None: ...


@pytest.fixture(scope="module")
def deployed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder laid out as deployed, under the base path `/kit/`."""
    root = tmp_path_factory.mktemp("host")
    copy_site("harbor", root)
    (root / "harbor").rename(root / "kit")
    assert run_index(root / "kit").returncode == 0
    return root


@pytest.fixture(scope="module")
def host(deployed: Path) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(QuietHandler, directory=str(deployed)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.parametrize("path", ["/kit/", "/kit", "/kit/pincite/", "/kit/pincite/index.json", "/kit/pincite/index.db"])
def test_a_deployed_index_is_found_at_any_of_its_addresses(host: str, deployed: Path, path: str) -> None:
    with open_previous(host + path) as previous:
        assert previous is not None
        assert previous.index.file.read_bytes() == (deployed / "kit/pincite/index.db").read_bytes()


def test_a_build_on_the_deployed_index_embeds_nothing_and_gives_the_same_bytes(
    host: str, deployed: Path, tmp_path: Path
) -> None:
    site = deployed / "kit"
    for place in (f"{host}/kit/", site, site / "pincite/index.db"):
        built = run_index(site, "--out", tmp_path, "--no-cache", "--json", "--previous", str(place))
        report = json.loads(built.stdout)["report"]
        assert (report["vectors_embedded"], report["previous"]) == (0, str(place))
        assert (tmp_path / "index.db").read_bytes() == (site / "pincite/index.db").read_bytes()


def test_a_deployed_encoder_comes_along_from_wherever_the_index_points(host: str, deployed: Path) -> None:
    french, encoder, tokenizer = deployed / "kit/fr/pincite", b"an encoder", b"its tokenizer"
    french.mkdir(parents=True, exist_ok=True)
    (french / "index.db").write_bytes((deployed / "kit/pincite/index.db").read_bytes())
    (deployed / "kit/pincite/encoder.onnx").write_bytes(encoder)
    (deployed / "kit/pincite/tokenizer.json").write_bytes(tokenizer)
    facts = json.loads((deployed / "kit/pincite/index.json").read_text())
    facts["encoder"] = {
        "file": "../../pincite/encoder.onnx",
        "sha256": hashlib.sha256(encoder).hexdigest(),
        "tokenizer": "../../pincite/tokenizer.json",
        "tokenizer_sha256": hashlib.sha256(tokenizer).hexdigest(),
        "max_tokens": 256,
        "pooling": "mean",
    }
    (french / "index.json").write_text(json.dumps(facts))
    with open_previous(f"{host}/kit/fr/") as previous:
        assert previous is not None
        folder = previous.index.file.parent
        assert (folder / facts["encoder"]["file"]).read_bytes() == encoder
        assert (folder / facts["encoder"]["tokenizer"]).read_bytes() == tokenizer


def test_before_the_first_deploy_there_is_no_earlier_index_and_the_report_says_so(host: str, tmp_path: Path) -> None:
    site = copy_site("plain", tmp_path)
    built = run_index(site, "--previous", f"{host}/nowhere/")
    assert built.returncode == 0
    assert f"none yet at {host}/nowhere/" in built.stdout


@pytest.mark.parametrize(
    ("place", "code", "message"),
    [
        ("{host}/kit/docs/api/index.html", 0, ""),
        ("http://127.0.0.1:1/pincite/", 2, "cannot be fetched"),
        ("missing", 2, "There is no index at missing"),
    ],
)
def test_an_earlier_index_that_cannot_be_had_ends_in_one_sentence(
    host: str, tmp_path: Path, place: str, code: int, message: str
) -> None:
    built = run_index(copy_site("plain", tmp_path), "--previous", place.format(host=host))
    assert built.returncode == code, built.stderr
    assert message in built.stderr
    assert "Traceback" not in built.stderr


def test_an_earlier_index_of_another_format_is_refused_with_what_to_do(deployed: Path, tmp_path: Path) -> None:
    shutil.copy(deployed / "kit/pincite/index.db", tmp_path / "index.db")
    connection = apsw.Connection(str(tmp_path / "index.db"))
    connection.pragma("user_version", 99)
    connection.close()
    built = run_index(copy_site("plain", tmp_path), "--previous", tmp_path)
    assert built.returncode == 1
    assert "Build once without --previous" in built.stderr


def test_an_address_that_sends_something_else_is_refused(host: str, deployed: Path, tmp_path: Path) -> None:
    (deployed / "app").mkdir()
    (deployed / "app/index.json").write_text("<!doctype html><title>App</title>")
    built = run_index(copy_site("plain", tmp_path), "--previous", f"{host}/app/")
    assert built.returncode == 1
    assert "is a web page, not the index.json of an index" in built.stderr


def test_half_a_deploy_is_not_built_upon(host: str, deployed: Path, tmp_path: Path) -> None:
    (deployed / "half").mkdir()
    facts = json.loads((deployed / "kit/pincite/index.json").read_text())
    (deployed / "half/index.json").write_text(json.dumps({**facts, "sha256": hashlib.sha256(b"").hexdigest()}))
    (deployed / "half/index.db").write_bytes((deployed / "kit/pincite/index.db").read_bytes())
    built = run_index(copy_site("plain", tmp_path), "--previous", f"{host}/half")
    assert built.returncode == 2
    assert "A deploy may be in progress" in built.stderr


def test_only_the_changed_pages_texts_are_embedded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    embedded: list[str] = []
    encode = FakeEmbedder.encode

    def counting(self: FakeEmbedder, texts: list[str], role: Role = "passage") -> Any:
        embedded.extend(texts)
        return encode(self, texts, role)

    monkeypatch.setattr(FakeEmbedder, "encode", counting)
    builds = Builds(tmp_path)
    leases, retries = section("lease", "Leases", LEASE), section("retry", "Retries", RETRY)
    builds.add({"docs/jobs.html": guide("Jobs", leases), "docs/ops.html": guide("Ops", retries)})
    assert embedded
    embedded.clear()
    changed = guide("Ops", section("retry", "Retries", "A failed job is put aside for a person to look at."))
    builds.add({"docs/jobs.html": guide("Jobs", leases), "docs/ops.html": changed})
    assert embedded
    assert all("put aside" in text for text in embedded)
    embedded.clear()
    builds.add({"docs/jobs.html": guide("Jobs", leases), "docs/ops.html": changed})
    assert embedded == []


def test_another_models_vectors_are_not_taken_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site = {"docs/jobs.html": guide("Jobs", section("lease", "Leases", LEASE))}
    builds = Builds(tmp_path)
    builds.add(site)
    other = type(FakeEmbedder.info)("fake", "1" * 64, FakeEmbedder.info.dimension, FakeEmbedder.info.max_tokens)
    monkeypatch.setattr(FakeEmbedder, "info", other)
    index = builds.add(site)
    assert builds.report.vectors_reused == 0
    assert isinstance(index, Index)
