"""What the sidecar has to say beside an answer reaches the reader, in the language of the page."""

import json
from importlib import resources

import pytest
from playwright.sync_api import Page, expect
from tests.e2e.conftest import BUILD
from tests.e2e.reader import ask
from tests.integration.serving import serve

pytestmark = pytest.mark.browser

NOBODY = "http://127.0.0.1:9/v1"  # the discard port: nothing listens there


@pytest.mark.parametrize(
    ("language", "path", "question"),
    [
        ("en", "/docs/concepts/jobs", "How long does a lease last by default?"),
        ("fr", "/fr/docs/concepts/jobs", "Combien de temps dure un bail ?"),
    ],
)
def test_a_reader_is_told_that_the_language_model_is_not_there(
    page: Page, language: str, path: str, question: str
) -> None:
    wording = json.loads(resources.files("pincite_server.wording").joinpath(f"{language}.json").read_bytes())
    settings = {"PINCITE_LLM_BASE_URL": NOBODY, "PINCITE_LLM_MODEL": "none", "PINCITE_LLM_API_KEY": "none"}
    with serve("--site", BUILD, **settings) as client:
        page.goto(str(client.base_url.join(path)))
        turn = ask(page, question)
    expect(turn.locator("[part=notice]")).to_have_text(wording["llm_unavailable"])
    expect(turn.locator("a.cite").first).to_be_visible()  # quoted instead
