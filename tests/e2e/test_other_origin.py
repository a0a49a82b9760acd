"""The sidecar on an origin of its own: a reader is told whether it is down or does not know the site."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.e2e.conftest import BUILD
from tests.e2e.reader import ask
from tests.integration.serving import serve

pytestmark = pytest.mark.browser

NOBODY = "http://127.0.0.1:9"  # the discard port: nothing listens there
PAGE = "/docs/concepts/jobs"
LEASE = "How long does a lease last by default?"


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A tab whose console may complain, as it does of what the browser keeps from the page."""
    tab = browser.new_page()
    yield tab
    tab.close()


def visit(page: Page, address: str, api: str) -> None:
    """Go to a page, and name another sidecar there before the chat is opened."""
    page.goto(address)
    page.locator("pincite-chat").evaluate("(chat, api) => chat.setAttribute('api', api)", api)


@pytest.mark.parametrize("knows", [True, False], ids=["knows the site", "does not"])
def test_a_sidecar_that_does_not_know_the_site_is_told_from_one_that_is_there(page: Page, knows: bool) -> None:
    with serve("--site", BUILD) as site:
        origin = str(site.base_url).rstrip("/")
        with serve(BUILD / "pincite", **({"PINCITE_CORS_ORIGINS": origin} if knows else {})) as sidecar:
            visit(page, f"{origin}{PAGE}", str(sidecar.base_url).rstrip("/"))
            turn = ask(page, LEASE)
            if knows:
                expect(turn.locator("a.cite").first).to_be_visible()
            else:
                expect(turn.locator(".failure")).to_contain_text(f"--cors-origin {origin} (CORS)")


def test_a_sidecar_that_is_down_is_said_to_be_that(page: Page) -> None:
    with serve("--site", BUILD) as site:
        visit(page, str(site.base_url.join(PAGE)), NOBODY)
        expect(ask(page, LEASE).locator(".failure")).to_contain_text("cannot be reached right now")
