"""The chat on sites that Docusaurus did not make: one script and one tag, or `pincite serve --widget` and no change."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from tests.e2e.reader import ask
from tests.integration.generators.conftest import GeneratedSite
from tests.integration.serving import serve

pytestmark = pytest.mark.browser

GENERATORS = ("plain_html", "mkdocs", "vitepress", "sphinx")
QUESTION = "Which port does the socket listen on?"
ANSWER = "The socket listens on port 4180."
TWO_LINES = (
    '<script type="module" src="{base}pincite/pincite.js"></script>\n'
    '<pincite-chat base-url="{base}" site-title="Lantern"></pincite-chat>\n'
)
CITED_WORDS_IN_VIEW = """() => [...(CSS.highlights.get('pincite-cited') ?? [])].some((range) => {
  const {top, bottom} = range.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight && bottom > top;
})"""


def with_two_lines(site: GeneratedSite, folder: Path) -> GeneratedSite:
    """Return a copy with the two lines of the documentation at the end of each page, as a theme puts them."""
    lines = TWO_LINES.format(base=site.index.info.base_url)
    copy = Path(shutil.copytree(site.folder, folder / "site"))
    for file in copy.rglob("*.html"):
        text = file.read_text(encoding="utf-8")
        file.write_text(text.replace("</body>", f"{lines}</body>"), encoding="utf-8")
    return GeneratedSite(copy, site.index)


@contextmanager
def served(site: GeneratedSite, *options: str) -> Iterator[str]:
    """Serve a site with its sidecar; yield the address of its start page, with a slash."""
    with serve("--site", site.folder, *options) as client:
        yield str(client.base_url.join(site.index.info.base_url))


def follow_the_answer(page: Page, start: str) -> None:
    """Ask on the start page, follow the answer's citation, and check that the reader is at the place it names."""
    page.goto(start)
    expect(page.locator("pincite-chat [part=launcher]")).to_be_visible()
    turn = ask(page, QUESTION)
    expect(turn.locator("[part=answer]")).to_contain_text(ANSWER)
    said = turn.locator("[part=answer]").locator("p, li").filter(has_text=ANSWER).locator("a.cite")
    chip = said.first if said.count() else turn.locator("a.cite").first  # below code and lists the marker stands apart
    link = chip.get_attribute("href")
    chip.click()
    page.wait_for_url(f"**{link}")
    expect(page.locator("pincite-chat dialog")).to_be_visible()  # the conversation came along
    page.wait_for_function(CITED_WORDS_IN_VIEW)
    cited: str = page.evaluate("() => [...CSS.highlights.get('pincite-cited')].join('')")
    assert ANSWER.removesuffix(".") in cited  # on one of the pages a footnote's mark follows the number


@pytest.mark.parametrize("generator", GENERATORS)
def test_two_lines_of_html_bring_the_chat_to_any_site(
    page: Page, request: pytest.FixtureRequest, tmp_path: Path, generator: str
) -> None:
    site: GeneratedSite = request.getfixturevalue(generator)
    with served(with_two_lines(site, tmp_path)) as start:
        follow_the_answer(page, start)


def test_the_sidecar_puts_the_chat_on_a_site_that_does_not_have_it(page: Page, plain_html: GeneratedSite) -> None:
    with served(plain_html, "--widget") as start:
        follow_the_answer(page, start)
