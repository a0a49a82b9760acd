"""A model's prompts go before passages in the build and before questions in the sidecar, which has the index alone."""

import json
from pathlib import Path

import numpy as np
import pytest
from tests.integration.indexing import copy_site, run_index
from tests.integration.serving import question, serve_app
from tests.integration.test_index_encoder import run_without
from tests.multilingual_model import E5, save_multilingual_model

from pincite_core.embedders import load_embedder
from pincite_core.embedders.sentence_transformer import quiet_libraries
from pincite_core.index.read import Index
from pincite_core.index.rows import IndexRows
from pincite_core.index.schema import text_hash
from pincite_core.types import Prompts
from pincite_indexer.pages.chunking import embedded_text
from pincite_server.answerer import Answerer
from pincite_server.http.app import create_app
from pincite_server.indexes.source import IndexSource
from pincite_server.settings import Settings

_TORCH = ("torch", "sentence_transformers", "transformers", "onnxscript")
_LARGE = {"hidden_size": 768, "num_attention_heads": 12, "max_position_embeddings": 514}


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model as multilingual-e5-base is one: XLM-RoBERTa, 768 components, 512 tokens."""
    with quiet_libraries():
        return save_multilingual_model(tmp_path_factory.mktemp("tiny"), prompts=E5, **_LARGE)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, model: Path) -> Path:
    root = copy_site("plain", tmp_path_factory.mktemp("site"))
    built = run_without(_TORCH, "index", root, "--model", model, "--site-url", "https://docs.example/")
    assert built.returncode == 0, built.stderr
    assert 'before questions "query: ", before passages "passage: "' in " ".join(built.stdout.split())
    return root


def test_the_index_tells_of_them(site: Path) -> None:
    facts = json.loads((site / "pincite/index.json").read_bytes())
    assert facts["prompts"] == E5
    assert (facts["dimension"], facts["encoder"]["max_tokens"]) == (768, 512)
    assert Index.open(site).info.prompts == Prompts(**E5)


def test_passages_were_embedded_with_theirs(site: Path, model: Path) -> None:
    rows = IndexRows.open(site)
    stored, paths = rows.texts_by_hash(), {target.target_id: target.heading_path for target in rows.targets()}
    texts = {embedded_text(paths[chunk.target_id], (), chunk.text) for chunk in rows.chunks()}
    known = [text for text in texts if text_hash(text) in stored]
    assert known
    vectors = np.stack([stored[text_hash(text)].vector for text in known]).astype(np.float32)
    assert vectors.shape == (len(known), 768)
    theirs = load_embedder(str(model)).model.encode_document(known, prompt="passage: ", normalize_embeddings=True)  # type: ignore[attr-defined]
    assert ((vectors * theirs).sum(axis=1) / np.linalg.norm(vectors, axis=1)).min() > 0.999


def test_questions_are_embedded_with_theirs_by_whoever_has_the_index(site: Path, model: Path) -> None:
    asked = "How do I install it?"
    answerer = Answerer.open(site)
    expected = load_embedder(str(model)).model.encode_query([asked], normalize_embeddings=True)[0]  # type: ignore[attr-defined]
    plain = load_embedder(str(model)).encode([asked], "passage")[0]
    assert answerer.embedder.encode([asked], "query")[0] @ expected > 0.999 > plain @ expected
    assert np.array_equal(answerer.encode(asked).vector, answerer.embedder.encode([asked], "query")[0])
    served = IndexSource(site / "pincite").open().served[0].answerer
    assert np.array_equal(served.encode(asked).vector, answerer.encode(asked).vector)


def test_a_sidecar_answers_and_takes_a_clients_own_embedding_of_that_length_alone(site: Path) -> None:
    source = IndexSource(site / "pincite")
    with serve_app(create_app(Settings(), source.open())) as client:
        asked = question("How do I install it?")
        assert client.post("/api/chat", json=asked).status_code == 200
        own = {**question("How do I install it?"), "embedding": [1.0] * 768}
        assert client.post("/api/chat", json=own).status_code == 200
        short = {**question("How do I install it?"), "embedding": [1.0] * 384}
        assert client.post("/api/chat", json=short).json()["code"] == "invalid_embedding"


def test_other_prompts_embed_everything_anew_and_the_same_ones_nothing(site: Path, model: Path, tmp_path: Path) -> None:
    counts = []
    for options in ((), ("--query-prompt", "ask: ")):
        built = run_index(
            site, "--out", tmp_path / "out", "--previous", site, "--no-cache", "--json", *options, model=str(model)
        )
        assert built.returncode == 0, built.stderr
        told = json.loads(built.stdout)
        counts.append((told["report"]["vectors_embedded"] > 0, told["prompts"]["query"]))
    assert counts == [(False, "query: "), (True, "ask: ")]


def test_without_an_encoder_the_sidecar_loads_the_model_with_the_prompts_of_the_index(
    model: Path, tmp_path: Path
) -> None:
    root = copy_site("plain", tmp_path)
    assert run_index(root, "--no-encoder", "--passage-prompt", "", model=str(model)).returncode == 0
    assert Index.open(root).info.prompts == Prompts("query: ", "")
    answerer = Answerer.open(root, model=str(model))
    assert answerer.embedder.info.prompts == Prompts("query: ", "")
