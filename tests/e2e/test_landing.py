"""Following a citation on the real site: through its own router, into what hides the place, with the focus there."""

import re
from typing import Any
from urllib.parse import urlsplit

import pytest
from bench.landing import DESKTOP, PHONE, follow_all
from playwright.sync_api import Browser, Page, expect
from tests.e2e.conftest import NewPage
from tests.e2e.reader import ask, highlighted, open_chat, panel, visit
from tests.e2e.sites import DOCUSAURUS, VITEPRESS, Site

pytestmark = pytest.mark.browser

START = "/docs/concepts/jobs"
QUESTION = "How long does a lease last by default?"
FIRST, LAST = "A lease lasts 30 seconds.", "The shortest lease is 5 seconds, the longest 12 hours."  # of the passage
MARKED = {  # by what the answer stands in
    DOCUSAURUS: {
        "paragraph": QUESTION,
        "tab": "How do I add the apt repository and its signing key?",
        "details": "May a job run for hours?",
        "row": "What is retention_succeeded?",
    },
    VITEPRESS: {
        "paragraph": "Which port does the socket listen on?",
        "tab": "What uninstalls lantern on macOS?",
        "details": "How much of a file made by xz is read?",
        "row": "What does the option --follow do?",
    },
}
LINK = "/docs/concepts/leases-and-visibility#default"
FOCUSED = "(id) => document.activeElement?.id === id"


def at(link: str) -> re.Pattern[str]:
    """Return what matches a link's address; a page that is loaded gets a slash from the server."""
    path, _, fragment = link.partition("#")
    return re.compile(f"{re.escape(path)}/?#{re.escape(fragment)}$")


def follow(page: Page, link: str) -> None:
    """Follow a citation, and wait until its landing is over."""
    page.locator(f"pincite-chat :is(.cite, .citation-title)[href$='{link}']").first.click()
    page.wait_for_url(at(link))
    page.wait_for_function(FOCUSED, arg=urlsplit(link).fragment)


def mark(page: Page) -> None:
    """Leave a mark that a reload would take away."""
    page.evaluate("() => { window.notReloaded = true; }")


def is_marked(page: Page) -> bool:
    marked: bool = page.evaluate("() => window.notReloaded === true")
    return marked


def shows_the_passage(page: Page) -> bool:
    words = highlighted(page, "cited")
    return words.startswith(FIRST) and words.endswith(LAST)


def test_a_citation_of_another_page_is_reached_without_a_reload(page: Page, sidecar: str) -> None:
    visit(page, f"{sidecar}{START}")
    mark(page)
    turn = ask(page, QUESTION)
    follow(page, LINK)
    expect(page.locator("article h1")).to_have_text("Leases and the visibility timeout")
    expect(page.locator("#default")).to_be_in_viewport()
    assert shows_the_passage(page)
    assert is_marked(page)
    expect(panel(page)).to_be_visible()
    expect(turn.locator("[part=answer]")).to_contain_text("A lease lasts 30 seconds.")
    page.go_back()
    expect(page.locator("article h1")).to_have_text("Jobs")
    assert is_marked(page)


@pytest.mark.parametrize(
    ("question", "link", "opened"),
    [
        ("How do I add the apt repository and its signing key?", "/docs/installation#apt-repository", "tab"),
        ("May a job run for hours?", "/docs/faq#faq-long-jobs", "details"),
    ],
    ids=["tab", "details"],
)
def test_a_citation_opens_what_hides_its_place_on_another_page(
    page: Page, sidecar: str, question: str, link: str, opened: str
) -> None:
    visit(page, f"{sidecar}{START}")
    mark(page)
    ask(page, question)
    follow(page, link)
    anchor = urlsplit(link).fragment
    expect(page.locator(f"[id='{anchor}']")).to_be_visible()
    expect(page.locator(f"[id='{anchor}']")).to_be_in_viewport()
    if opened == "tab":
        expect(page.get_by_role("tab", name="apt")).to_have_attribute("aria-selected", "true")
    else:
        expect(page.locator(f"details[id='{anchor}'] p").first).to_be_visible()
    assert highlighted(page, "cited")
    assert is_marked(page)


def test_a_citation_of_a_table_row_marks_that_row(page: Page, sidecar: str) -> None:
    link = "/docs/reference/configuration#storage-retention-succeeded"
    visit(page, f"{sidecar}{START}")
    ask(page, "What is retention_succeeded?")
    follow(page, link)
    row = page.locator("tr[data-pincite-target]")
    expect(row).to_contain_text("How long succeeded and cancelled jobs are kept")
    expect(row).to_be_in_viewport()


def test_a_link_in_the_quoted_words_is_followed_without_a_reload(page: Page, sidecar: str) -> None:
    link = "/docs/reference/configuration#storage-retention-succeeded"
    visit(page, f"{sidecar}{START}")
    mark(page)
    turn = ask(page, "What is retention_succeeded?")
    turn.locator(f"[part=answer] a:not(.cite)[href$='{link}']").first.click()
    page.wait_for_url(at(link))
    page.wait_for_function(FOCUSED, arg=urlsplit(link).fragment)
    expect(page.locator("tr[data-pincite-target]")).to_be_in_viewport()
    assert is_marked(page)
    expect(panel(page)).to_be_visible()


def test_the_mark_goes_when_the_reader_clicks_and_another_landing_sets_another(page: Page, sidecar: str) -> None:
    visit(page, f"{sidecar}{START}")
    ask(page, QUESTION)
    follow(page, LINK)
    page.locator("article h1").click()
    assert highlighted(page, "cited") == ""
    page.locator("#default").evaluate("(heading) => heading.blur()")
    follow(page, LINK)
    assert shows_the_passage(page)


@pytest.mark.parametrize("click", [{"modifiers": ["ControlOrMeta"]}, {"button": "middle"}], ids=["control", "middle"])
def test_a_modified_click_opens_a_tab_of_its_own(page: Page, sidecar: str, click: dict[str, object]) -> None:
    visit(page, f"{sidecar}{START}")
    turn = ask(page, QUESTION)
    with page.context.expect_page() as opened:
        turn.locator("a.cite").first.click(**click)  # type: ignore[arg-type]
    opened.value.wait_for_url(at(LINK))
    assert page.url == f"{sidecar}{START}/"
    expect(panel(page)).to_be_visible()


def test_where_the_router_has_no_say_the_landing_goes_on_after_the_load(page: Page, sidecar: str) -> None:
    visit(page, f"{sidecar}{START}")
    mark(page)
    ask(page, QUESTION)
    page.evaluate("() => { document.querySelector('pincite-chat').navigate = null; }")
    follow(page, LINK)
    assert not is_marked(page)
    assert shows_the_passage(page)
    expect(panel(page)).to_be_visible()


def test_the_site_can_take_a_citation_over(page: Page, sidecar: str) -> None:
    visit(page, f"{sidecar}{START}")
    page.evaluate("""() => document.addEventListener('pincite-citation', (event) => {
      event.preventDefault();
      window.taken = event.detail.stableId;
    })""")
    ask(page, QUESTION).locator("a.cite").first.click()
    assert page.evaluate("() => window.taken") == "concepts/leases#default"
    assert page.url == f"{sidecar}{START}/"


def test_on_a_phone_the_sheet_gets_out_of_the_way(new_page: NewPage, sidecar: str) -> None:
    page = new_page(**PHONE)
    visit(page, f"{sidecar}{START}")
    ask(page, QUESTION)
    follow(page, LINK)
    expect(panel(page)).to_be_hidden()
    expect(page.locator("#default")).to_be_in_viewport()
    open_chat(page)
    expect(page.locator("pincite-chat [part=answer]")).to_contain_text("A lease lasts 30 seconds.")


@pytest.mark.parametrize("settings", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("what", MARKED[DOCUSAURUS])
def test_every_marker_of_an_answer_lands_on_the_words_of_its_own_claim(
    browser: Browser, site: Site, what: str, settings: dict[str, Any]
) -> None:
    landed = list(follow_all(browser, settings, site.start, MARKED[site.docs][what]))
    assert landed, "the answer has markers"
    assert [one.detail for one in landed if one.words != "exact"] == []
    assert [one.detail for one in landed if not one.with_heading] == []
