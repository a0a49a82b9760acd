"""The Markdown of pages holds the words that a browser shows, in their order, whichever generator made them."""

from pathlib import Path

import pytest
from bench.agent_texts import compare_pages, pages_of
from playwright.sync_api import Browser
from tests.e2e.conftest import BUILD
from tests.integration.indexing import FIXTURES

_LISTS = (
    "/tags/",
    "/authors/",
    "/page/",
    "/archive/",
    "search",
    "genindex",
    "modindex",
)  # without Markdown
_PAGES = {BUILD: 25, FIXTURES / "mkdocs": 10, FIXTURES / "sphinx": 10, FIXTURES / "vitepress": 10}


@pytest.mark.parametrize("site", _PAGES, ids=lambda site: site.name)
def test_a_pages_markdown_has_the_words_that_it_shows(browser: Browser, site: Path) -> None:
    files = [file for file in pages_of(site, 10_000) if not any(part in f"/{file}" for part in _LISTS)]
    compared = compare_pages(browser, site, files[: _PAGES[site]])
    assert sum(page.words for page in compared) > 15
    assert [page for page in compared if page.differences] == []
