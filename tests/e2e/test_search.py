"""Search as you type: on sites of two generators, with a sidecar and without any server, by keyboard alone."""

import re
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import Locator, Page, Request, expect
from tests.e2e.conftest import BUILD, NewPage
from tests.e2e.reader import button, highlighted, open_chat, panel, visit
from tests.e2e.sites import DOCUSAURUS, VITEPRESS, Site
from tests.e2e.test_access import AXE, FINDINGS, FLATTEN

pytestmark = pytest.mark.browser

PAGE = "/docs/concepts/jobs"
PHONE = {"width": 390, "height": 800}
FOUND = {  # by site: what is typed, the section that it finds first, where it leads
    DOCUSAURUS: ("when a lease is lo", "When a lease is lost", r"/docs/concepts/leases-and-visibility/?#[\w-]+$"),
    VITEPRESS: ("with a socket", "With a socket", r"/handbook/guide\.html#with-a-socket$"),
}


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None: ...


@pytest.fixture(scope="session")
def static() -> Iterator[str]:
    """The example site on a plain server of files, with no sidecar anywhere; its address without a slash."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=BUILD)) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


def field(page: Page) -> Locator:
    return page.locator("pincite-chat input[role=combobox]")


def options(page: Page) -> Locator:
    return page.locator("pincite-chat [role=option]")


def chosen(page: Page) -> Locator:
    return page.locator("pincite-chat [role=option][aria-selected=true]")


def search(page: Page, text: str) -> None:
    """Open the search by its shortcut, type, and wait for what is found."""
    page.keyboard.press("Control+k")
    expect(field(page)).to_be_focused()
    page.keyboard.type(text)
    expect(options(page).last).to_contain_text(text)


def requests_of(page: Page) -> list[Request]:
    found: list[Request] = []
    page.on("request", lambda request: found.append(request))
    return found


def test_a_section_is_found_as_it_is_typed_and_lands_where_citations_do(site: Site, page: Page) -> None:
    typed, title, address = FOUND[site.docs]
    visit(page, site.start)
    open_chat(page)  # VitePress has a search of its own, which keeps its keys.
    button(page, "Search").click()
    expect(field(page)).to_be_focused()
    page.keyboard.type(typed)
    expect(chosen(page)).to_contain_text(title)
    expect(chosen(page).locator("mark").first).to_be_visible()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(address))
    page.wait_for_function("CSS.highlights.get('pincite-cited')?.size > 0")
    assert highlighted(page, "cited")


def test_without_a_server_sections_are_found_and_land(static: str, page: Page) -> None:
    visit(page, static + PAGE + "/")
    search(page, "When a lease is lo")
    expect(chosen(page)).to_contain_text("When a lease is lost")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/docs/concepts/leases-and-visibility/?#[\w-]+$"))
    page.wait_for_function("CSS.highlights.get('pincite-cited')?.size > 0")
    assert highlighted(page, "cited")


def test_without_a_server_a_question_is_told_what_it_is_told_today(static: str, page: Page) -> None:
    visit(page, static + PAGE + "/")
    search(page, "How long does a lease last?")
    page.keyboard.press("ArrowUp")  # From the first to the last.
    expect(chosen(page)).to_have_text("Ask: How long does a lease last?")
    page.keyboard.press("Enter")
    expect(page.locator("pincite-chat .turn .question")).to_contain_text("How long does a lease last?")
    expect(page.locator("pincite-chat .failure")).to_be_visible()


def test_nothing_is_asked_for_before_the_reader_opens_it(static: str, page: Page) -> None:
    visit(page, static + PAGE + "/")
    asked = requests_of(page)
    page.keyboard.press("ArrowDown")
    open_chat(page)
    assert not [request.url for request in asked if "/search/" in request.url or "pincite-search" in request.url]
    button(page, "Search").click()
    expect(field(page)).to_be_focused()
    page.wait_for_load_state("networkidle")
    urls = [request.url for request in asked]
    assert next(url for url in urls if "/pincite/search/" in url).endswith("manifest.json")
    assert not [url for url in urls if url.startswith("http") and not url.startswith(static)]


def test_the_pages_version_and_language_are_searched(static: str, page: Page) -> None:
    visit(page, static + "/fr/docs/concepts/jobs/")
    search(page, "bail perdu")
    expect(chosen(page)).to_have_attribute("href", re.compile("^/fr/docs/"))
    visit(page, static + "/docs/next/concepts/jobs/")
    search(page, "lease")
    for link in page.locator("pincite-chat a[role=option]").all():
        assert re.match("/docs/next/|/blog/", link.get_attribute("href") or "")


def test_searches_are_remembered_until_the_reader_forgets_them(static: str, page: Page) -> None:
    visit(page, static + PAGE + "/")
    search(page, "retry")
    page.keyboard.press("Enter")
    page.wait_for_load_state()
    page.keyboard.press("Control+k")
    field(page).fill("")
    expect(options(page)).to_have_text(["retry"])
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(field(page)).to_have_value("retry")
    field(page).fill("")
    button(page, "Forget recent searches").click()
    expect(options(page)).to_have_count(0)


def test_who_searches_again_before_the_found_place_is_there_goes_on_typing(static: str, page: Page) -> None:
    visit(page, static + PAGE + "/")
    search(page, "retry")
    page.evaluate("document.getElementById = () => null")  # the page is slow to show its headings
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("#"))
    search(page, "lease")
    page.evaluate("delete document.getElementById")
    page.wait_for_function("CSS.highlights.get('pincite-cited')?.size > 0")
    expect(field(page)).to_be_focused()


@pytest.mark.parametrize("key", ["/", "Control+k"])
def test_a_site_with_a_search_of_its_own_keeps_its_keys(static: str, page: Page, key: str) -> None:
    visit(page, static + PAGE + "/")
    page.evaluate("document.body.append(Object.assign(document.createElement('input'), {type: 'search'}))")
    page.keyboard.press(key)
    expect(panel(page)).to_be_hidden()
    page.evaluate("document.querySelector('input[type=search]').remove()")
    page.keyboard.press(key)
    expect(field(page)).to_be_focused()


def test_keys_that_are_typed_or_that_the_site_has_used_open_nothing(static: str, page: Page) -> None:
    visit(page, static + PAGE + "/")
    page.evaluate("document.body.append(Object.assign(document.createElement('input'), {id: 'own'}))")
    page.locator("#own").focus()
    page.keyboard.type("a/b")
    page.keyboard.press("Control+k")
    expect(page.locator("#own")).to_have_value("a/b")
    expect(panel(page)).to_be_hidden()
    page.locator("#own").blur()
    for capture in ("true", "false"):  # a theme's search listens where the widget does, and perhaps after it
        how = f"{{capture: {capture}, once: true}}"
        page.evaluate(f"document.addEventListener('keydown', (event) => event.preventDefault(), {how})")
        page.keyboard.press("/")
        expect(panel(page)).to_be_hidden()
    open_chat(page)
    page.keyboard.type("either/or")
    expect(page.locator("pincite-chat textarea")).to_have_value("either/or")


def test_files_that_cannot_be_had_leave_the_question(static: str, page: Page) -> None:
    page.route("**/pincite/search/**", lambda route: route.abort())
    visit(page, static + PAGE + "/")
    search(page, "lease")
    expect(panel(page)).to_contain_text("The search could not be loaded. You can still ask.")
    expect(options(page)).to_have_text(["Ask: lease"])
    page.unroute("**/pincite/search/**")
    page.keyboard.type("s")
    expect(options(page).first).not_to_contain_text("Ask")


def test_it_works_under_the_policy_that_the_docs_recommend(static: str, page: Page) -> None:
    policy = "default-src 'none'; script-src 'self'; connect-src 'self'"
    tags = '<script type="module" src="/pincite/pincite.js"></script><pincite-chat search></pincite-chat>'
    html = f'<!doctype html><html lang="en"><title>T</title><main><h1>T</h1></main>{tags}'
    headers = {"Content-Security-Policy": policy, "Content-Type": "text/html"}
    page.route("**/plain.html", lambda route: route.fulfill(body=html, headers=headers))
    page.goto(f"{static}/plain.html")
    page.wait_for_function("() => Boolean(customElements.get('pincite-chat'))")
    search(page, "when a lease is lo")
    expect(chosen(page)).to_contain_text("When a lease is lost")
    expect(chosen(page).locator(".found-text mark").first).to_be_visible()


def nothing(page: Page) -> None:
    page.keyboard.press("Control+k")
    expect(field(page)).to_be_focused()


def found(page: Page) -> None:
    search(page, "lease")
    expect(page.locator("pincite-chat .found-text mark").first).to_be_visible()


def not_found(page: Page) -> None:
    search(page, "zzzzqqqq")


def remembered(page: Page) -> None:
    search(page, "lease")
    page.keyboard.press("Enter")
    page.wait_for_function("document.querySelector('[data-pincite-target]')")
    page.keyboard.press("Control+k")
    field(page).fill("")
    expect(options(page)).to_have_text(["lease"])


@pytest.mark.parametrize("state", [nothing, found, not_found, remembered])
@pytest.mark.parametrize("looks", [{}, {"color_scheme": "dark"}, {"viewport": PHONE}], ids=["light", "dark", "phone"])
def test_axe_finds_nothing(
    static: str, new_page: NewPage, state: Callable[[Page], None], looks: dict[str, object]
) -> None:
    page = new_page(bypass_csp=True, **looks)
    visit(page, static + PAGE + "/")
    state(page)
    page.wait_for_timeout(300)
    page.evaluate(FLATTEN)
    page.add_script_tag(path=Path(AXE))
    findings = page.evaluate(FINDINGS, None)
    assert findings["violations"] == []
