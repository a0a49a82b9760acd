"""What the sidecar has to say beside an answer reaches the reader, in the language of the page."""

import json
from collections.abc import Iterator
from importlib import resources

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.e2e.conftest import BUILD
from tests.e2e.reader import ask, ask_again
from tests.integration.scripted_llm import DONE, ScriptedModel, scripted_model
from tests.integration.serving import serve

pytestmark = pytest.mark.browser

NOBODY = "http://127.0.0.1:9/v1"  # the discard port: nothing listens there
PAGE = "/docs/concepts/jobs"
LEASE = "How long does a lease last by default?"
WRITTEN = "A lease lasts 30 seconds [{1}]."


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    with scripted_model() as scripted:
        yield scripted


def wording(language: str) -> dict[str, str]:
    told: dict[str, str] = json.loads(resources.files("pincite_core.wording").joinpath(f"{language}.json").read_bytes())
    return told


def llm(base_url: str, **settings: str) -> dict[str, str]:
    """Return the environment of a sidecar whose answers are written at an address."""
    return {
        "PINCITE_LLM_BASE_URL": base_url,
        "PINCITE_LLM_MODEL": "scripted",
        "PINCITE_LLM_API_KEY": "none",
        **settings,
    }


def notices(turn: Locator) -> Locator:
    return turn.locator("[part=notice]")


@pytest.mark.parametrize(
    ("language", "path", "question"),
    [
        ("en", PAGE, LEASE),
        ("fr", "/fr/docs/concepts/jobs", "Combien de temps dure un bail ?"),
    ],
)
def test_a_reader_is_told_that_the_language_model_is_not_there(
    page: Page, language: str, path: str, question: str
) -> None:
    with serve("--site", BUILD, **llm(NOBODY)) as client:
        page.goto(str(client.base_url.join(path)))
        turn = ask(page, question)
    expect(notices(turn)).to_have_text(wording(language)["llm_unavailable"])
    expect(turn.locator("a.cite").first).to_be_visible()  # quoted instead


def test_a_reader_is_told_when_the_days_answers_of_the_model_are_used_up(page: Page, model: ScriptedModel) -> None:
    model.says(WRITTEN, DONE)
    with serve("--site", BUILD, **llm(model.base_url, PINCITE_LLM_DAILY_CALLS="2")) as client:
        page.goto(str(client.base_url.join(PAGE)))
        written = ask(page, LEASE)
        expect(notices(written)).to_have_count(0)
        quoted = ask_again(page, "What is the shortest lease?")
    expect(notices(quoted)).to_have_text(wording("en")["llm_budget"])
    expect(quoted.locator("a.cite").first).to_be_visible()
    assert len(model.requests) == 1


def test_a_reader_sees_how_a_follow_up_was_understood(page: Page, model: ScriptedModel) -> None:
    understood = "What is the shortest lease?"
    model.plans(f"question: {understood}\nshortest lease", DONE, about="And the shortest?")
    model.says(WRITTEN, DONE)
    model.says("The shortest lease is 5 seconds [{1}].", DONE)
    with serve("--site", BUILD, **llm(model.base_url)) as client:
        page.goto(str(client.base_url.join(PAGE)))
        ask(page, LEASE)
        turn = ask_again(page, "And the shortest?")
    expect(notices(turn)).to_have_text(wording("en")["question_rewritten"].format(query=understood))
    expect(turn.locator(".prose")).to_contain_text("5 seconds")
    assert LEASE in str(model.plan_requests[-1]["messages"]), "the widget sends the visible conversation along"


def test_a_reader_who_asks_in_another_language_is_answered_from_its_pages_and_told_so(page: Page) -> None:
    with serve("--site", BUILD) as client:
        page.goto(str(client.base_url.join(PAGE)))
        turn = ask(page, "Combien de temps dure un bail par défaut ?")
        told = wording("fr")["own_language_searched"].format(name="français")
        expect(notices(turn)).to_have_text(told)
        cited = turn.locator("a.cite").first
        assert "/fr/docs/" in (cited.get_attribute("href") or "")
        cited.click()
        page.wait_for_url("**/fr/docs/concepts/leases-and-visibility**")


def test_a_reader_whose_language_the_docs_lack_is_told_theirs_and_what_to_do(page: Page) -> None:
    with serve("--site", BUILD) as client:
        page.goto(str(client.base_url.join(PAGE)))
        turn = ask(page, "Wie starte ich einen fehlgeschlagenen Job neu?")
    expect(notices(turn)).to_have_text(wording("de")["docs_language"].format(name="Englisch"))
    expect(turn.locator("[part=refusal]")).to_contain_text("Auf Englisch fragen")
