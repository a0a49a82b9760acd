"""A site whose versions are folders, on a plain server of files: search and answers stay in the version of the page."""

from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from playwright.sync_api import Page, expect
from tests.e2e.reader import ask, button, cited_links, open_chat
from tests.integration.indexing import run_index
from tests.integration.test_versions_in_folders import KINDS, QUESTION

pytestmark = pytest.mark.browser

CHAT = (
    '<link rel="icon" href="data:,"><script type="module" src="/pincite/pincite.js"></script>'
    '<pincite-chat base-url="/" answers="only" search></pincite-chat></body>'
)
PAGES = {"/1.0/ports/": ("1.0", 3), "/latest/ports/": ("2.0", 5), "/2.0/": ("2.0", 5), "/dev/limits/": ("dev", 8)}


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None: ...


@pytest.fixture(scope="module")
def static(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the address of the site, without a slash."""
    folder = tmp_path_factory.mktemp("versions")
    for name, text in KINDS["mike-copies"].files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        page = text.replace("</body>", CHAT).replace("https://kit.example/kit", "https://kit.example")
        (folder / name).write_text(page, encoding="utf-8")
    done = run_index(folder, "--browser-answers")
    assert done.returncode == 0, done.stderr
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=folder)) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


@pytest.mark.parametrize("path", PAGES)
def test_an_answer_in_the_browser_is_from_the_version_of_the_page(page: Page, static: str, path: str) -> None:
    version, retries = PAGES[path]
    page.goto(static + path)
    page.wait_for_function("document.querySelector('pincite-chat')?.shadowRoot?.querySelector('[part=launcher]')")
    turn = ask(page, QUESTION)
    expect(turn).to_contain_text(f"at most {retries} times")
    assert all(link.startswith(f"/{version}/") for link in cited_links(turn))


@pytest.mark.parametrize("path", PAGES)
def test_the_search_finds_sections_of_the_version_of_the_page(page: Page, static: str, path: str) -> None:
    version, _ = PAGES[path]
    page.goto(static + path)
    page.wait_for_function("document.querySelector('pincite-chat')?.shadowRoot?.querySelector('[part=launcher]')")
    open_chat(page)
    button(page, "Search").click()
    page.locator("pincite-chat input[role=combobox]").fill("retries")
    found = page.locator("pincite-chat [role=option]").first
    expect(found).to_contain_text("Retries")
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{static}/{version}/limits/#retries")
