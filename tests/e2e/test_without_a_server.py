"""Answers in the reader's browser: on a plain server of files with no sidecar, and while one cannot be reached."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import Locator, Page, Request, Route, expect
from tests.e2e.conftest import BUILD, NewPage
from tests.e2e.reader import (
    ask,
    ask_again,
    button,
    finished,
    highlighted,
    open_chat,
    panel,
    questions_sent,
    select_text,
    send,
    visit,
)
from tests.e2e.sites import NAME
from tests.e2e.test_access import AXE, FINDINGS, FLATTEN
from tests.integration.serving import serve

pytestmark = pytest.mark.browser

PAGE = "/docs/concepts/jobs/"
LEASE = "How long does a lease last by default?"
ANSWER = "A lease lasts 30 seconds."
FOREIGN = "What is the best recipe for sourdough bread?"
PHONE = {"width": 390, "height": 800}
AWAY = "The assistant cannot be reached. This was found in your browser"
# What the documentation recommends, and as strict beside it as a site can be.
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self' 'unsafe-inline'; "
    "connect-src 'self'; img-src 'self' data:; font-src 'self'; base-uri 'none'"
)


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None: ...


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example site with all that the browser needs to answer."""
    folder = Path(shutil.copytree(BUILD, tmp_path_factory.mktemp("without") / "site"))
    command = [sys.executable, "-m", "pincite_indexer", "index", str(folder), "--browser-answers", "--browser-encoder"]
    command += ["--previous", str(BUILD / "pincite" / "index.db")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def static(site: Path) -> Iterator[str]:
    """That site on a plain server of files; its address without a slash."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=site)) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


@pytest.fixture
def page(new_page: NewPage) -> Page:
    """A tab whose reader saves no data: one who does is asked before the encoder is loaded."""
    return new_page(saves_data=False)


def arrive(page: Page, address: str, answers: str = "only", *, encoder: bool = False) -> None:
    """Go to a page whose chat answers from files: always, or while the sidecar is away."""
    visit(page, address)
    page.locator("pincite-chat").evaluate(
        """(chat, [answers, encoder]) => {
          chat.setAttribute('answers', answers);
          if (encoder) chat.setAttribute('embedder', 'browser');
        }""",
        [answers, encoder],
    )


def requests_of(page: Page) -> list[Request]:
    found: list[Request] = []
    page.on("request", lambda request: found.append(request))
    return found


def first_marker(turn: Locator) -> Locator:
    return turn.locator("a.cite").first


@pytest.mark.parametrize("encoder", [False, True], ids=["words", "encoder"])
def test_a_question_is_answered_and_its_citation_lands(page: Page, static: str, *, encoder: bool) -> None:
    asked = requests_of(page)
    arrive(page, static + PAGE, encoder=encoder)
    turn = ask(page, LEASE)
    expect(turn).to_contain_text(ANSWER if encoder else "renew the lease every third of its length")
    first_marker(turn).click()
    page.wait_for_url(re.compile("#"))
    page.wait_for_function("() => CSS.highlights.get('pincite-cited')?.size")
    words = highlighted(page, "cited")
    assert ANSWER in words if encoder else words
    assert {request.method for request in asked} == {"GET"}
    assert not [
        request.url for request in asked if request.url.startswith("http") and not request.url.startswith(static)
    ]


def test_what_the_docs_do_not_hold_is_refused_with_the_nearest_sections(page: Page, static: str) -> None:
    arrive(page, static + PAGE, encoder=True)
    turn = ask(page, FOREIGN)
    expect(turn.locator(".refusal")).to_contain_text("I don't have enough information")
    assert turn.locator(".refusal a").count() >= 1
    expect(ask_again(page, "deploy my site for me")).to_contain_text("cannot do things for you")


def test_a_highlighted_passage_is_answered_from_alone(page: Page, static: str) -> None:
    arrive(page, static + PAGE, encoder=True)
    text = select_text(page, "article .markdown > p")
    page.locator("pincite-chat [part=ask-this]").click()
    send(page, "What is a job?")
    turn = finished(page)
    expect(turn).to_contain_text("Based on your selected text")
    quoted = turn.locator(".prose").inner_text().split("\N{NO-BREAK SPACE}1")[0].strip()
    assert " ".join(quoted.split()) in " ".join(text.split())


def test_a_follow_up_is_understood_and_the_conversation_is_kept(page: Page, static: str) -> None:
    arrive(page, static + PAGE)
    ask(page, LEASE)
    expect(ask_again(page, "and for webhooks?")).to_contain_text(f"Understood as: {LEASE} and for webhooks?")
    arrive(page, static + PAGE)
    open_chat(page)
    expect(panel(page).locator(".turn")).to_have_count(2)


def test_the_pages_own_questions_are_offered(page: Page, static: str) -> None:
    arrive(page, static + PAGE)
    open_chat(page)
    offered = panel(page).locator(".suggestions button, .welcome button").first
    question = offered.inner_text()
    offered.click()
    expect(finished(page)).to_contain_text(question)
    expect(panel(page).locator(".sources")).to_be_visible()


def test_by_keyboard_alone_it_is_opened_asked_and_followed(page: Page, static: str) -> None:
    arrive(page, static + PAGE, encoder=True)
    page.keyboard.press("Control+i")
    expect(page.locator("pincite-chat textarea")).to_be_focused()
    page.keyboard.type(LEASE)
    page.keyboard.press("Enter")
    turn = finished(page)
    for _ in range(60):
        page.keyboard.press("Shift+Tab")
        if first_marker(turn).evaluate("(marker) => marker.getRootNode().activeElement === marker"):
            break
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("leases-and-visibility"))
    page.wait_for_function("() => CSS.highlights.get('pincite-cited')?.size")


def test_a_page_in_french_is_answered_in_french(page: Page, static: str) -> None:
    arrive(page, f"{static}/fr{PAGE}")
    page.locator("pincite-chat").evaluate("(chat) => chat.setAttribute('search', '/pincite/search/')")
    turn = ask(page, "Quelle est la durée par défaut d'un bail ?")
    expect(turn.locator("a.cite").first).to_have_attribute("href", re.compile("/fr/docs/"))
    expect(turn).to_contain_text("bail")


def test_a_question_in_another_of_the_sites_languages_is_answered_from_its_pages(page: Page, static: str) -> None:
    arrive(page, static + PAGE)
    turn = ask(page, "Quelle est la durée par défaut d'un bail et comment est-ce que je la change ?")
    expect(turn.locator("a.cite").first).to_have_attribute("href", re.compile("/fr/docs/"))


def test_nobody_counts_votes_where_nobody_is(page: Page, static: str) -> None:
    arrive(page, static + PAGE)
    turn = ask(page, LEASE)
    expect(turn.locator(".vote").first).to_be_hidden()


def test_where_the_encoder_cannot_run_words_are_looked_for_and_it_is_said_once(new_page: NewPage, static: str) -> None:
    page = new_page(saves_data=False)
    page.add_init_script("delete globalThis.WebAssembly;")
    arrive(page, static + PAGE, encoder=True)
    ask(page, LEASE)
    note = "matched by its words alone"
    expect(panel(page)).to_contain_text(note)
    ask_again(page, "How do I deploy to Kubernetes?")
    assert panel(page).inner_text().count(note) == 1


def test_files_that_cannot_be_had_are_told_and_asked_for_again(page: Page, static: str) -> None:
    def cut(route: Route) -> None:
        route.abort()

    arrive(page, static + PAGE)
    page.route("**/pincite/search/*.json", cut)
    expect(ask(page, LEASE).locator(".failure")).to_contain_text("cannot be reached")
    page.unroute("**/pincite/search/*.json", cut)
    button(page, "Try again").click()
    expect(finished(page).locator(".sources")).to_be_visible()


def test_it_works_under_the_policy_that_the_docs_recommend(page: Page, static: str) -> None:
    tags = (
        '<script type="module" src="/pincite/pincite.js"></script><pincite-chat answers="only" embedder></pincite-chat>'
    )
    html = f'<!doctype html><html lang="en"><title>T</title><main><h1>T</h1></main>{tags}'
    policy = {"content-security-policy": POLICY}
    page.route("**/plain.html", lambda route: route.fulfill(body=html, content_type="text/html", headers=policy))

    def strict(route: Route) -> None:
        reply = route.fetch()
        route.fulfill(response=reply, headers=reply.headers | policy)

    page.route("**/worker.js*", strict)
    page.goto(f"{static}/plain.html")
    page.wait_for_function("() => Boolean(customElements.get('pincite-chat'))")
    expect(ask(page, LEASE)).to_contain_text(ANSWER)


def test_while_the_sidecar_is_away_the_browser_answers_and_when_it_is_back_it_does(page: Page, site: Path) -> None:
    def cut(route: Route) -> None:
        route.abort()

    with serve("--site", site, "--host-name", NAME, PINCITE_RATE_LIMIT="0", PINCITE_ADDRESS_LIMIT="0") as client:
        sent = questions_sent(page)
        arrive(page, f"{str(client.base_url).rstrip('/')}{PAGE}", "", encoder=True)
        here = ask(page, LEASE)
        expect(here).to_contain_text(ANSWER)
        expect(here).not_to_contain_text(AWAY)
        page.route("**/api/**", cut)
        page.route("**/health", cut)
        away = ask_again(page, "What happens when a lease is lost?")
        expect(away).to_contain_text(AWAY)
        expect(away.locator(".sources")).to_be_visible()
        before = len(sent)
        page.unroute("**/api/**", cut)
        page.unroute("**/health", cut)
        with page.expect_response("**/health"):
            ask_again(page, "How do I pause a queue?")  # What was found away stays so until it is seen to be back.
        back = ask_again(page, "How are priorities set?")
        expect(back).not_to_contain_text(AWAY)
        assert len(sent) == before + 1


@pytest.mark.parametrize("looks", [{}, {"color_scheme": "dark"}, {"viewport": PHONE}], ids=["light", "dark", "phone"])
def test_axe_finds_nothing(new_page: NewPage, static: str, looks: dict[str, object]) -> None:
    page = new_page(saves_data=False, bypass_csp=True, **looks)
    arrive(page, static + PAGE)
    ask(page, LEASE)
    ask_again(page, FOREIGN)
    page.wait_for_timeout(300)
    page.evaluate(FLATTEN)
    page.add_script_tag(path=Path(AXE))
    assert page.evaluate(FINDINGS, None)["violations"] == []
