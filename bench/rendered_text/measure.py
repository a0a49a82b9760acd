"""Measure a built site: which of its pages are compared, and the comparison of each page."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from bench.rendered_text.browser import for_each_page, open_browser, read_context, read_words, serve_site
from bench.rendered_text.compare import Comparison, compare
from bench.rendered_text.index_text import index_words
from playwright.async_api import Error, Page

from pincite_indexer.generators.known_generators import generator_named
from pincite_indexer.pages.page_draft import PageDraft
from pincite_indexer.site.scan import find_html, scan_site

__all__ = ("Options", "PageResult", "measure_site")

_Item = TypeVar("_Item")
_READ_MORE = 3  # times as many files as pages are read, because some files are redirects or private


@dataclass(frozen=True, slots=True)
class Options:
    """Choices of a run."""

    pages: int = 100
    scripts: bool = False  # whether the site's scripts run
    tabs: int = 3
    base: str = "/"  # URL path of the site
    only: str = ""  # part of the paths of the pages to compare
    with_context: bool = False
    indexed: Path | None = None  # folder that the index was made from, if it is not the site itself


@dataclass(frozen=True, slots=True)
class PageResult:
    """Comparison of one page; `failure` tells why it could not be read. `markup` is around the missing words."""

    file: str
    comparison: Comparison = field(default_factory=Comparison)
    failure: str = ""
    markup: tuple[str, ...] = ()


async def measure_site(site: Path, options: Options) -> list[PageResult]:
    """Compare some pages of a site, evenly spread over all, and return a result for each."""
    drafts = {draft.file: draft for draft in chosen_pages(options.indexed or site, options)}
    results: list[PageResult] = []
    with serve_site(site) as server:
        address = server + options.base.rstrip("/")

        async def read(page: Page, file: str) -> None:
            results.append(await _measure_page(page, site, address, drafts[file], with_context=options.with_context))

        async with open_browser() as browser:
            await for_each_page(browser, list(drafts), read, scripts=options.scripts, tabs=options.tabs)
    return sorted(results, key=lambda result: result.file)


def chosen_pages(site: Path, options: Options) -> list[PageDraft]:
    """Return the drafts of the pages to compare: pages that the index would have, with some content."""
    files = [file for file in find_html(site) if options.only in file]
    files = _spread(files, options.pages * _READ_MORE)
    scan = scan_site(site, files, keep_noindex=False, advance=lambda: None)
    return _spread([draft for draft in scan.pages if draft.has_root and not _is_left_out(draft)], options.pages)


def _is_left_out(draft: PageDraft) -> bool:
    """Return whether the index leaves a page out: its author says so, or it only lists other pages or code."""
    listings = generator_named(draft.facts.generator).listing_files
    return draft.facts.private or (listings is not None and listings.search(draft.file) is not None)


def _spread(items: list[_Item], count: int) -> list[_Item]:
    step = max(1.0, len(items) / count)
    return [items[int(at * step)] for at in range(min(count, len(items)))]


async def _measure_page(page: Page, site: Path, address: str, draft: PageDraft, *, with_context: bool) -> PageResult:
    try:
        seen = await read_words(page, site, address, draft.file)
        if seen is None:
            return PageResult(draft.file, failure="The browser did not find the content.")
        comparison = compare(seen, index_words(draft.pieces))
        words = [missing.seen for missing in comparison.missing if missing.seen] if with_context else []
        markup = [await read_context(page, word) for word in words]
    except Error as error:
        return PageResult(draft.file, failure=error.message.splitlines()[0])
    return PageResult(draft.file, comparison, markup=tuple(markup))
