"""A scripted language model, one a module, as it is before its first question for each test."""

from collections.abc import Iterator

import pytest
from tests.integration.scripted_llm import ScriptedModel, scripted_model


@pytest.fixture(scope="module")
def running() -> Iterator[ScriptedModel]:
    with scripted_model() as model:
        yield model


@pytest.fixture
def endpoint(running: ScriptedModel) -> ScriptedModel:
    running.reset()
    return running
