"""The real site when something is missing: the sidecar, JavaScript, the chat's own files."""

import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, Request, expect
from tests.e2e.conftest import BUILD, NewPage
from tests.e2e.reader import ask, ask_again, open_chat, visit

pytestmark = pytest.mark.browser

PAGE = "/docs/concepts/jobs"
QUESTION = "backoff & jitter"
UNREACHABLE = "The assistant cannot be reached right now."
SHIFTS = """() => new Promise((resolve) => {
  const seen = [];
  new PerformanceObserver((list) => seen.push(...list.getEntries().map(({value}) => value)))
    .observe({type: 'layout-shift', buffered: true});
  setTimeout(() => resolve(seen), 300);
})"""


class _QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def static_host() -> Iterator[str]:
    """The built site on a host that serves files and nothing else."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_QuietHandler, directory=str(BUILD))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def refuse_connections(page: Page) -> None:
    page.route("**/api/**", lambda route: route.abort("connectionrefused"))


@pytest.mark.parametrize("trouble", ["nobody listens", "a host of files alone"])
def test_without_a_sidecar_the_reader_learns_of_it_only_on_asking_and_is_led_to_the_sites_search(
    page: Page, sidecar: str, static_host: str, trouble: str
) -> None:
    if trouble == "nobody listens":
        refuse_connections(page)
    asked: list[Request] = []
    page.on("request", lambda request: asked.append(request) if "/api/" in request.url else None)
    visit(page, f"{static_host if 'files' in trouble else sidecar}{PAGE}")
    page.locator("pincite-chat").evaluate("(chat) => chat.setAttribute('search-url', '/search')")
    open_chat(page)
    expect(page.locator("pincite-chat").get_by_text(UNREACHABLE)).to_have_count(0)
    assert {urlsplit(request.url).path for request in asked} <= {"/api/questions"}
    turn = ask_again(page, QUESTION)
    failure = turn.locator("[part=failure]")
    expect(failure).to_contain_text(UNREACHABLE)
    search = failure.get_by_role("link", name="Search the site instead")
    assert str(search.get_attribute("href")).endswith("/search?q=backoff%20%26%20jitter")


def test_when_the_sidecar_is_back_trying_again_answers(page: Page, sidecar: str) -> None:
    refuse_connections(page)
    visit(page, f"{sidecar}{PAGE}")
    turn = ask(page, "How long does a lease last by default?")
    expect(turn.locator("[part=failure]")).to_contain_text(UNREACHABLE)
    page.unroute_all()
    turn.get_by_role("button", name="Try again").click()
    expect(turn.locator("[part=answer]")).to_contain_text("A lease lasts 30 seconds.")
    expect(turn.locator("[part=failure]")).to_have_count(0)


def test_when_the_chats_own_file_does_not_come_the_launcher_says_so(page: Page, sidecar: str) -> None:
    page.route("**/pincite/pincite-chat.js", lambda route: route.abort())
    visit(page, f"{sidecar}{PAGE}")
    failed = page.locator("pincite-chat [role=alert]")
    expect(failed).to_be_hidden()
    page.locator("pincite-chat [part=launcher]").click()
    expect(failed).to_have_text("The chat could not be loaded. Reload the page.")


def test_without_javascript_the_page_is_as_it_would_be_without_the_chat(new_page: NewPage, sidecar: str) -> None:
    page = new_page(java_script_enabled=False)
    page.goto(f"{sidecar}{PAGE}")
    expect(page.locator("article h1")).to_have_text("Jobs")
    expect(page.locator("pincite-chat")).to_be_empty()
    box = page.locator("pincite-chat").bounding_box()
    assert box is None or box["height"] == 0


@pytest.mark.parametrize("path", [PAGE, "/", "/docs/installation"])
def test_nothing_on_the_page_moves_because_of_the_chat(page: Page, sidecar: str, path: str) -> None:
    page.route("**/pincite/pincite.js", lambda route: route.abort())
    page.goto(f"{sidecar}{path}")
    page.wait_for_function("() => document.documentElement.dataset.hasHydrated")
    without = page.evaluate(SHIFTS)
    page.unroute_all()
    visit(page, f"{sidecar}{path}")
    open_chat(page)
    assert sum(page.evaluate(SHIFTS)) <= sum(without)
