"""The launcher beside what else a real site has in its corner."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from tests.e2e.conftest import NewPage
from tests.e2e.reader import visit
from tests.e2e.test_any_site import served, with_two_lines
from tests.integration.generators.conftest import GeneratedSite

pytestmark = pytest.mark.browser

LONG_PAGE = "/docs/reference/configuration"
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
APART = """(selector) => {
  const box = (element) => element.getBoundingClientRect();
  const other = box(document.querySelector(selector));
  const own = box(document.querySelector('pincite-chat').shadowRoot.querySelector('.launcher'));
  return other.height > 0 && own.bottom <= other.top && own.top >= 0;
}"""


def scroll_up(page: Page) -> None:
    """Scroll down and up again, as readers do who want to go back."""
    page.evaluate("() => scrollTo(0, 2500)")
    page.wait_for_timeout(300)  # the site's own listener compares two positions
    for _ in range(4):
        page.evaluate("() => scrollBy(0, -120)")
        page.wait_for_timeout(50)


@pytest.mark.parametrize("settings", [{}, PHONE], ids=["desktop", "phone"])
def test_the_launcher_makes_room_for_docusauruss_own_way_back_to_the_top(
    new_page: NewPage, sidecar: str, settings: dict[str, object]
) -> None:
    page = new_page(**settings)
    visit(page, f"{sidecar}{LONG_PAGE}")
    scroll_up(page)
    back = page.locator(".theme-back-to-top-button")
    expect(back).to_be_visible()
    page.wait_for_function(APART, arg=".theme-back-to-top-button")
    back.click()  # fails when something else receives the click
    page.wait_for_function("() => scrollY === 0")


def test_on_a_site_of_mkdocs_it_makes_room_for_a_banner_and_comes_back_when_it_is_closed(
    page: Page, mkdocs: GeneratedSite, tmp_path: Path
) -> None:
    with served(with_two_lines(mkdocs, tmp_path)) as start:
        page.goto(start)
        launcher = page.locator("pincite-chat [part=launcher]")
        expect(launcher).to_be_visible()
        usual = launcher.bounding_box()
        page.evaluate(
            """() => {
              const banner = document.body.appendChild(document.createElement('div'));
              banner.id = 'consent';
              banner.innerHTML = '<button>Accept</button>';
              banner.style.cssText = 'position: fixed; inset: auto 0 0 0; height: 90px; background: silver';
              banner.firstChild.onclick = () => banner.remove();
              dispatchEvent(new Event('resize'));
            }"""
        )
        page.wait_for_function(APART, arg="#consent")
        page.locator("#consent button").click()
        page.wait_for_function(
            "(y) => document.querySelector('pincite-chat').shadowRoot.querySelector('.launcher')"
            ".getBoundingClientRect().y === y",
            arg=usual and usual["y"],
        )
