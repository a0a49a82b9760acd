"""A reader asks on the real site: answers stream, citations land, and what the docs do not hold is refused."""

import json
from urllib.parse import unquote, urlsplit

import pytest
from playwright.sync_api import Page, Request, expect
from tests.e2e.reader import ask, cited_links, finished, open_chat, select_text

pytestmark = pytest.mark.browser

QUESTION = "How long does a lease last by default?"


def test_nothing_is_requested_from_the_sidecar_before_the_reader_acts(page: Page, sidecar: str) -> None:
    seen: list[Request] = []
    page.on("request", lambda request: seen.append(request))
    page.goto(f"{sidecar}/docs/concepts/jobs")
    page.wait_for_load_state("networkidle")
    expect(page.locator("pincite-chat [part=launcher]")).to_be_visible()
    urls = [request.url for request in seen]
    assert [url for url in urls if "/pincite/" in url] == [f"{sidecar}/pincite/pincite.js"]
    assert not [url for url in urls if "/api/" in url]
    assert not [url for url in urls if not url.startswith((sidecar, "data:"))], "nothing comes from another host"


def test_an_answer_arrives_as_a_stream_of_events_with_its_citations(page: Page, sidecar: str) -> None:
    page.goto(f"{sidecar}/docs/concepts/jobs")
    with page.expect_response("**/api/chat") as response:
        turn = ask(page, QUESTION)
    assert response.value.headers["content-type"].startswith("text/event-stream")
    events = [line[7:] for line in response.value.text().splitlines() if line.startswith("event: ")]
    assert events[0] == "answer_start"
    assert events.count("answer_delta") >= 1
    assert events[-2:] == ["sources", "answer_end"]
    expect(turn.locator("[part=answer]")).to_contain_text("A lease lasts 30 seconds.")
    assert cited_links(turn), "every claim carries a citation"


def test_each_citation_puts_the_cited_heading_in_view(page: Page, sidecar: str) -> None:
    start = f"{sidecar}/docs/concepts/jobs"
    page.goto(start)
    turn = ask(page, QUESTION)
    links = cited_links(turn)
    assert links
    for number, link in enumerate(links):
        if number:
            page.goto(start)
            ask(page, QUESTION)
        page.locator(f"pincite-chat a.cite[href$='{link}']").first.click()
        page.wait_for_url(f"**{link}")
        anchor = unquote(urlsplit(link).fragment)
        heading = page.locator(f"[id='{anchor}']" if anchor else "article h1").first
        expect(heading).to_be_in_viewport()
        expect(heading).to_be_visible()


@pytest.mark.parametrize(
    ("question", "link"),
    [
        ("How do I add the apt repository and its signing key?", "/docs/installation#apt-repository"),
        ("May a job run for hours?", "/docs/faq#faq-long-jobs"),
    ],
    ids=["closed tab", "closed details"],
)
def test_a_citation_opens_what_hides_its_target(page: Page, sidecar: str, question: str, link: str) -> None:
    page.goto(f"{sidecar}{link.partition('#')[0]}")
    anchor = urlsplit(link).fragment
    inside = page.locator(f"[id='{anchor}'] p, [id='{anchor}']:not(details)").first
    expect(inside).to_be_hidden()
    turn = ask(page, question)
    turn.locator(f"a[href$='{link}']").first.click()
    expect(inside).to_be_visible()
    expect(inside).to_be_in_viewport()


def test_a_question_the_docs_do_not_answer_is_refused_with_the_nearest_sections(page: Page, sidecar: str) -> None:
    page.goto(f"{sidecar}/docs/concepts/jobs")
    turn = ask(page, "What is the best recipe for sourdough bread?")
    refusal = turn.locator("[part=refusal]")
    expect(refusal).to_contain_text("I don't have enough information to answer that question.")
    nearest = refusal.locator("a[href*='/docs/']")
    assert nearest.count() == 3
    assert turn.locator("a.cite").count() == 0


def test_a_highlighted_passage_answers_alone_and_is_cited(page: Page, sidecar: str) -> None:
    page.goto(f"{sidecar}/docs/concepts/jobs")
    passage = select_text(page, "article .markdown > p")
    assert len(passage) >= 50
    page.locator("pincite-chat [part=ask-this]").click()
    box = page.locator("pincite-chat textarea")
    expect(box).to_be_visible()
    with page.expect_request("**/api/chat") as sent:
        box.fill("What is a job?")
        box.press("Enter")
    turn = finished(page)
    body = json.loads(sent.value.post_data or "{}")
    assert body["mode"] == "selection"
    assert body["selection"]["text"].split() == passage.split()
    answer = turn.locator("[part=answer]").inner_text()
    assert "A job is one unit of work" in answer


def test_the_conversation_is_there_again_after_a_reload(page: Page, sidecar: str) -> None:
    page.goto(f"{sidecar}/docs/concepts/jobs")
    first = ask(page, QUESTION).locator("[part=answer]").inner_text()
    page.reload()
    panel = open_chat(page)
    expect(panel.locator("[part=question]").first).to_contain_text(QUESTION)
    assert panel.locator("[part=answer]").first.inner_text() == first


@pytest.mark.parametrize(
    ("path", "own"),
    [
        ("/docs/concepts/leases-and-visibility", "/docs/"),
        ("/docs/next/concepts/leases-and-visibility", "/docs/next/"),
        ("/fr/docs/concepts/leases-and-visibility", "/fr/"),
    ],
    ids=["released version", "next version", "French"],
)
def test_answers_cite_only_the_version_and_language_the_reader_is_in(
    page: Page, sidecar: str, path: str, own: str
) -> None:
    page.goto(f"{sidecar}{path}")
    question = "Combien de temps dure un bail ?" if own == "/fr/" else "How long does a lease last by default?"
    turn = ask(page, question)
    links = cited_links(turn, "[part=citation] a, a.cite")
    assert links
    elsewhere = {"/docs/": ("/docs/next/", "/fr/"), "/docs/next/": ("/fr/",), "/fr/": ()}[own]
    for link in links:
        assert link.startswith((own, "/blog", "/community"))
        assert not link.startswith(elsewhere)
