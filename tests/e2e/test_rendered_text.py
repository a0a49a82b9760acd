"""The index has the words and numbers that a reader sees on a page, as Chromium shows it, and no others."""

import asyncio
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from bench.rendered_text.measure import Options, PageResult, measure_site
from tests.e2e.browsers import IN_FIREFOX, installed
from tests.e2e.conftest import BUILD

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(IN_FIREFOX or installed() is None, reason="The comparison reads pages in Chromium."),
]

PAGES = Path(__file__).parents[1] / "fixtures" / "visible"


def measured(site: Path, *, indexed: Path | None = None, pages: int = 100) -> list[PageResult]:
    """Compare the pages of a site, and make sure that all of them were read."""
    options = Options(pages=pages, indexed=indexed, with_context=True)
    with ThreadPoolExecutor(1) as thread:  # the event loop of other tests' browser runs in this one
        results = thread.submit(asyncio.run, measure_site(site, options)).result()
    assert results
    assert not [result for result in results if result.failure]
    return results


def differences(results: list[PageResult]) -> dict[str, list[str]]:
    """Return the unexplained words of each page: missing ones with a minus, extra ones with a plus."""
    found = {}
    for result in results:
        missing = [f"-{difference.text}" for difference in result.comparison.missing]
        extra = [f"+{difference.text}" for difference in result.comparison.extra]
        found[result.file] = [*missing, *extra]
    return {file: words for file, words in found.items() if words}


def test_the_index_has_what_readers_see_on_pages_of_many_generators() -> None:
    assert differences(measured(PAGES)) == {}


def test_the_index_has_what_readers_see_on_the_example_site() -> None:
    results = measured(BUILD, pages=40)
    assert differences(results) == {}
    words = sum(result.comparison.words for result in results)
    assert sum(len(result.comparison.explained) for result in results) < 0.005 * words


@pytest.fixture
def changed(tmp_path: Path) -> Path:
    """A copy of the pages of which one says another number and lacks a word."""
    site = shutil.copytree(PAGES, tmp_path / "site")
    page = site / "rustdoc.html"
    text = page.read_text(encoding="utf-8")
    page.write_text(text.replace("90 seconds", "10<sup>9</sup> seconds").replace("square metres", "metres"), "utf-8")
    return site


def test_a_changed_number_and_an_invented_word_in_the_index_are_found(changed: Path) -> None:
    results = [result for result in measured(changed, indexed=PAGES) if result.file == "rustdoc.html"]
    assert differences(results) == {"rustdoc.html": ["-10^9", "+square", "+90"]}
    assert "Opens the zone for >>>10<sup>9" in results[0].markup[0]


def test_a_word_that_the_index_lost_is_found(changed: Path) -> None:
    results = [result for result in measured(PAGES, indexed=changed) if result.file == "rustdoc.html"]
    assert "-square" in differences(results)["rustdoc.html"]
