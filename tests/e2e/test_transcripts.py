"""What capable readers said in a model's place, said again to the whole product: all of it reaches the reader."""

from collections.abc import Iterator

import httpx
import pytest
from httpx_sse import ServerSentEvent, connect_sse
from playwright.sync_api import Page, expect
from tests.e2e.conftest import BUILD
from tests.e2e.reader import ask
from tests.integration.scripted_llm import running
from tests.integration.serving import question, serve
from tests.integration.transcript_model import Transcript, TranscriptModel, read_transcripts

TRANSCRIPTS = read_transcripts()
EVENTS = {"accept": "text/event-stream"}


@pytest.fixture(scope="module")
def model() -> Iterator[TranscriptModel]:
    with running(TranscriptModel()) as played:
        yield played


@pytest.fixture(scope="module")
def client(model: TranscriptModel) -> Iterator[httpx.Client]:
    with serve("--site", BUILD, PINCITE_LLM_BASE_URL=model.base_url, PINCITE_LLM_MODEL="played") as served:
        yield served


def events_of(client: httpx.Client, transcript: Transcript) -> list[ServerSentEvent]:
    with connect_sse(client, "POST", "/api/chat", json=question(transcript.question), headers=EVENTS) as source:
        return list(source.iter_sse())


@pytest.mark.parametrize("transcript", [one for one in TRANSCRIPTS if one.answer], ids=lambda one: one.question[:30])
def test_an_answer_is_released_whole_and_all_of_it_is_proved(client: httpx.Client, transcript: Transcript) -> None:
    dropped = client.get("/ready").json()["counters"].get("llm_dropped_sentences", 0)
    events = events_of(client, transcript)
    statuses = [one.json() for one in events if one.event == "status"]
    assert [one["phase"] for one in statuses[:3]] == ["searching", "searching", "reading"]
    assert statuses[1]["queries"] == transcript.plan.splitlines()
    assert 1 <= len(statuses[2]["titles"]) <= 12
    end = next(one.json() for one in events if one.event == "answer_end")
    assert {claim["support"] for claim in end["claims"]} <= {"verified", "absent"}
    assert ("[[0]]" in transcript.answer) == any(claim["support"] == "absent" for claim in end["claims"])
    assert client.get("/ready").json()["counters"].get("llm_dropped_sentences", 0) == dropped
    sources = next(one.json() for one in events if one.event == "sources")
    used = [citation["url"] for citation in sources["citations"] if citation["used"]]
    assert used
    assert all(client.get(url.partition("#")[0], follow_redirects=True).status_code == 200 for url in used)


@pytest.mark.parametrize(
    "transcript", [one for one in TRANSCRIPTS if not one.answer], ids=lambda one: one.question[:30]
)
def test_a_foreign_question_is_refused_after_the_plan(
    client: httpx.Client, model: TranscriptModel, transcript: Transcript
) -> None:
    before = len(model.requests)
    assert events_of(client, transcript)[-1].event == "refusal"
    assert len(model.requests) == before


@pytest.mark.browser
def test_a_reader_sees_what_is_done_and_then_the_cited_answer(client: httpx.Client, page: Page) -> None:
    transcript = next(one for one in TRANSCRIPTS if "429" in one.question)
    page.goto(str(client.base_url.join("/docs/concepts/jobs")))
    turn = ask(page, transcript.question)
    expect(turn.locator(".prose")).to_contain_text("RetryLater")
    expect(turn.locator("[part=status]")).to_have_count(0)
    cited = turn.locator("a.cite").first
    cited.click()
    page.wait_for_url("**/docs/concepts/retries**")
