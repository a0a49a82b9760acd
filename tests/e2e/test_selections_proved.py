"""What readers highlight on real pages is known to stand there, with all that a browser selects along with the text."""

import pytest
from playwright.sync_api import Page, expect
from tests.e2e.reader import ask_again, cited_links, select_text, visit
from tests.e2e.test_any_site import served
from tests.integration.generators.conftest import GeneratedSite

pytestmark = pytest.mark.browser

INVENTED = "() => document.querySelector('article .markdown > p').append(' Every queue is free of charge on Sundays.')"


def links_of_answer(page: Page, first: str, last: str) -> list[str]:
    """Highlight all from one element to another, ask what it says, and return where the answer's citation leads."""
    assert len(select_text(page, first, last)) >= 50
    page.locator("pincite-chat [part=ask-this]").click()
    expect(page.locator("pincite-chat input[value=selection]")).to_be_checked()
    turn = ask_again(page, "What does this say?")
    return cited_links(turn, "a.cite[href]")


@pytest.mark.parametrize(
    ("path", "first", "last"),
    [
        ("/docs/concepts/queues", ".theme-admonition", ".theme-admonition"),
        ("/docs/examples/thumbnails", ".markdown > p", "[class*=codeBlockContainer]"),
        ("/docs/installation", ".tabs-container", ".tabs-container + *"),
        ("/docs/concepts/jobs", ".markdown > p:last-of-type", ".pagination-nav"),
    ],
    ids=["admonition", "titled code", "tabs", "beyond the end"],
)
def test_a_selection_on_a_docusaurus_page_is_cited_where_it_stands(
    page: Page, sidecar: str, path: str, first: str, last: str
) -> None:
    visit(page, f"{sidecar}{path}")
    links = links_of_answer(page, first, last)
    assert [link.partition("#")[0].rstrip("/") for link in links] == [path]


@pytest.mark.parametrize(
    ("first", "last"),
    [
        ("#levels h2", "#levels .admonition"),
        ("#levels .admonition", "#levels table"),
        ("#levels table", "#levels div[class*=highlight]"),
    ],
    ids=["admonition", "table", "numbered code with a caption"],
)
def test_a_selection_on_a_sphinx_page_is_cited_where_it_stands(
    page: Page, sphinx: GeneratedSite, first: str, last: str
) -> None:
    with served(sphinx, "--widget") as start:
        page.goto(start)
        links = links_of_answer(page, first, last)
    assert len(links) == 1


@pytest.mark.parametrize(
    ("first", "last"),
    [
        (".custom-block.warning", ".custom-block.note"),
        (".vp-code-group", "#after + p"),
        ("#reading-compressed-files + p", "#reading-compressed-files + p"),
    ],
    ids=["admonition", "tabs of titled code", "paragraph with a link"],
)
def test_a_selection_on_a_vitepress_page_is_cited_where_it_stands(
    page: Page, vitepress_sidecar: str, first: str, last: str
) -> None:
    visit(page, f"{vitepress_sidecar}/handbook/guide.html")
    links = links_of_answer(page, first, last)
    assert [link.partition("#")[0] for link in links] == ["/handbook/guide.html"]


def test_a_selection_that_the_page_was_made_to_show_afterwards_is_not_cited(page: Page, sidecar: str) -> None:
    visit(page, f"{sidecar}/docs/concepts/queues")
    page.evaluate(INVENTED)
    assert links_of_answer(page, ".markdown > p", ".markdown > p") == []
