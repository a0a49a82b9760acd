"""Pages that are not indexed, with their reasons."""

from pathlib import Path

import pytest
from tests.unit.indexer.one_page import document
from tests.unit.indexer.sites import make_site

from pincite_indexer.site.scan import SkippedFile
from pincite_indexer.site.site_page import SitePage

LAMP = "<h1>Lamp</h1><p>The lamp lasts nine days.</p>"
MISSING = "<h1>Page not found</h1><p>Go to the home page.</p>"
SEARCH = "<h1>Search</h1><p>Please type a word.</p><input type=search>"
SPHINX = (
    '<h1>Search</h1><p>Searching for several words.</p><form><input name="q"></form><div id="search-results"></div>'
)


def robots(content: str, name: str = 'name="robots"') -> str:
    return f'<meta {name} content="{content}">'


def indexed(tmp_path: Path, **files: str) -> tuple[list[str], list[SkippedFile]]:
    named = {name.replace("__", "/") + ".html": text for name, text in files.items()}
    site = make_site(tmp_path, {"index.html": document(LAMP), **named})
    return [page_file(page) for page in site.pages if page_file(page) != "index.html"], site.skipped


def page_file(page: SitePage) -> str:
    return page.draft.file


@pytest.mark.parametrize(
    "head",
    [
        robots("noindex"),
        robots("none"),
        robots("NONE"),
        robots(" NoIndex , nofollow", 'NAME="ROBOTS"'),
        robots("max-snippet:-1") + robots("noindex, nofollow"),
        robots("noindex") + robots("index, follow"),
        robots("nofollow; noindex"),
        robots("max-image-preview:large, noindex, noarchive"),
        robots("unavailable_after: 25 Jun 2010 15:00:00 PST"),
        robots("unavailable_after: Friday, 25-Jun-10 15:00:00 GMT"),
        robots("noarchive, unavailable_after: 2010-06-25, nofollow"),
        robots("noindex", 'http-equiv="X-Robots-Tag"'),
    ],
)
def test_pages_that_ask_not_to_be_indexed_are_left_out(tmp_path: Path, head: str) -> None:
    assert indexed(tmp_path, a=document(LAMP, head)) == ([], [SkippedFile("a.html", "noindex")])


@pytest.mark.parametrize(
    "head",
    [
        robots("index, follow"),
        robots("all"),
        robots("noimageindex"),
        robots("noindex", 'name="googlebot"'),
        robots("noindex", 'name="description"'),
        robots("unavailable_after: 2999-01-01"),
        robots("unavailable_after: soon"),
        robots("max-snippet:-1, max-image-preview:large"),
    ],
)
def test_other_values_and_marks_for_single_search_engines_leave_no_page_out(tmp_path: Path, head: str) -> None:
    assert indexed(tmp_path, a=document(LAMP, head)) == (["a.html"], [])


def test_each_of_several_pincite_elements_counts(tmp_path: Path) -> None:
    head = '<meta name="pincite" content="true"><meta name="Pincite" content="false">'
    assert indexed(tmp_path, a=document(LAMP, head)) == ([], [SkippedFile("a.html", "pincite: false")])


@pytest.mark.parametrize(
    ("name", "page", "reason"),
    [
        ("404", document(MISSING), "not-found page"),
        ("404__index", document(MISSING), "not-found page"),
        ("fr__404", document(MISSING, html='lang="fr"'), "not-found page"),
        ("pt-br__404__index", document(MISSING, html='lang="pt-BR"'), "not-found page"),
        ("latest__404", document("<h1>404 - Not found</h1>"), "not-found page"),
        ("search", document(SEARCH), "search page"),
        ("search", document("<h1>Search</h1>"), "search page"),
        ("v2__search__index", document(SPHINX), "search page"),
        ("find__index", document(LAMP, html='class="plugin-search-local"'), "search page"),
        ("old", '<!doctype html><meta http-equiv=refresh content="0; url=/">', "redirect"),
    ],
)
def test_a_page_without_content_of_its_own_is_left_out(tmp_path: Path, name: str, page: str, reason: str) -> None:
    files, skipped = indexed(tmp_path, **{name: page})
    assert (files, [item.reason for item in skipped]) == ([], [reason])


def test_a_copy_of_the_not_found_page_is_left_out(tmp_path: Path) -> None:
    files, skipped = indexed(tmp_path, **{"404": document(MISSING), "v2__404": document(MISSING)})
    assert (files, len(skipped)) == ([], 2)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("errors__404__index", "<h1>Error 404</h1><p>The hub answers 404 if the lamp is unknown.</p>"),
        ("errors__404", "<h1>Error 404</h1><p>The hub answers 404 if the lamp is unknown.</p>"),
        ("api__search__index", "<h1>Search</h1><h2 id=search-results>Results</h2><p>At most 250 lamps.</p>"),
        ("docs__search", "<h1>Search syntax</h1><p>A minus leaves a word out.</p>"),
        ("search", "<h1>Search syntax</h1><p>A minus leaves a word out.</p>"),
        ("components__search__index", f"{SEARCH}<p>One.</p><p>Two.</p><p>Three.</p>"),
    ],
)
def test_pages_about_searching_and_errors_are_content(tmp_path: Path, name: str, content: str) -> None:
    files, skipped = indexed(tmp_path, **{"404": document(MISSING), name: document(content)})
    assert (files, len(skipped)) == ([name.replace("__", "/") + ".html"], 1)


def test_the_file_that_has_the_url_of_a_duplicate_is_named(tmp_path: Path) -> None:
    canonical = '<link rel="canonical" href="https://lamp.example/a/">'
    site = make_site(tmp_path, {name: document(LAMP, canonical) for name in ("a/index.html", "a.html")})
    assert site.skipped == [SkippedFile("a/index.html", "same URL as another page", "a.html")]
