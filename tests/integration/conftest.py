"""The browser's engine; a scripted language model before its first question, and a sidecar that it writes for."""

from collections.abc import Iterator

import httpx
import pytest
from tests.factories import PageSource, make_answerer
from tests.integration.browser_engine import BrowserEngine, browser_engine
from tests.integration.llm_serving import served
from tests.integration.scripted_llm import ScriptedModel, scripted_model
from tests.integration.serving import PAGES

from pincite_server.answerer import Answerer


@pytest.fixture(scope="module")
def browser() -> Iterator[BrowserEngine]:
    with browser_engine() as engine:
        yield engine


@pytest.fixture(scope="module")
def running() -> Iterator[ScriptedModel]:
    with scripted_model() as model:
        yield model


@pytest.fixture
def endpoint(running: ScriptedModel) -> ScriptedModel:
    running.reset()
    return running


@pytest.fixture(scope="module")
def answerer(tmp_path_factory: pytest.TempPathFactory) -> Answerer:
    pages = {url: PageSource(text) for url, text in PAGES.items()}
    return make_answerer(tmp_path_factory.mktemp("index"), pages, base_url="/kit/")


@pytest.fixture
def client(answerer: Answerer, endpoint: ScriptedModel) -> Iterator[httpx.Client]:
    with served(answerer, endpoint) as serving:
        yield serving
