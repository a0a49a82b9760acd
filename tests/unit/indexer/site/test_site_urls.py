"""Where a site lives, told from its pages' canonical links."""

import pytest

from pincite_core.errors import InputError
from pincite_indexer.pages.page_draft import PageDraft
from pincite_indexer.pages.records import Facts
from pincite_indexer.site.site_urls import SiteUrls, site_urls


def draft(file: str, canonical: str = "", own_link: str = "") -> PageDraft:
    return PageDraft(file, Facts(canonical=canonical, own_link=own_link), has_root=True)


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        (
            {"index.html": "https://x.example/kit/", "docs/a/index.html": "https://x.example/kit/docs/a"},
            SiteUrls("https://x.example", "/kit/", bare=True),
        ),
        (
            {"index.html": "https://x.example/", "docs/a/index.html": "https://x.example/docs/a/"},
            SiteUrls("https://x.example", "/", bare=False),
        ),
        (
            {"docs/a.html": "https://x.example/kit/docs/a", "docs/b.html": "https://x.example/kit/docs/b"},
            SiteUrls("https://x.example", "/kit/", bare=True),
        ),
        (
            {"a.html": "https://x.example/kit/a.html", "b.html": "https://x.example/kit/b.html"},
            SiteUrls("https://x.example", "/kit/", bare=False),
        ),
        (
            {"日本/index.html": "https://x.example/%E6%97%A5%E6%9C%AC/"},
            SiteUrls("https://x.example", "/", bare=False),
        ),
        ({"index.html": "", "a.html": ""}, SiteUrls("", "/", bare=False)),
    ],
    ids=["unset", "slash", "no-slash-files", "html", "encoded", "none"],
)
def test_canonical_links_tell_origin_base_and_slashes(files: dict[str, str], expected: SiteUrls) -> None:
    assert site_urls([draft(*item) for item in files.items()], None, None) == expected


@pytest.mark.parametrize(
    ("links", "expected"),
    [
        ({"index.html": "", "a/b.html": "/kit/a/b", "c.html": "/kit/c"}, SiteUrls("", "/kit/", bare=True)),
        ({"index.html": "", "a/b.html": "/a/b.html", "c.html": "/x/c.html"}, SiteUrls("", "/", bare=False)),
        ({"a.html": "/kit/a.html", "b.html": "", "c.html": ""}, SiteUrls("", "/", bare=False)),
    ],
    ids=["clean-urls", "a-tie", "too-few"],
)
def test_without_canonical_links_the_menus_links_tell_the_base(links: dict[str, str], expected: SiteUrls) -> None:
    assert site_urls([draft(file, own_link=link) for file, link in links.items()], None, None) == expected


def test_canonical_links_from_the_root_tell_the_base_without_an_origin() -> None:
    pages = [draft("index.html", "/kit/"), draft("a/b.html", "/kit/a/b.html")]
    assert site_urls(pages, None, None) == SiteUrls("", "/kit/", bare=False)


def test_a_page_that_all_canonical_links_name_is_no_base() -> None:
    pages = [draft(file, "https://x.example/start.html") for file in ("a.html", "index.html")]
    assert site_urls(pages, None, None) == SiteUrls("", "/", bare=False)


def test_the_address_a_user_gives_keeps_the_base_that_menus_tell() -> None:
    pages = [draft("a.html", own_link="/kit/a"), draft("b.html", own_link="/kit/b")]
    assert site_urls(pages, "https://x.example", None) == SiteUrls("https://x.example", "/kit/", bare=True)


def test_a_page_has_the_spelling_of_the_menus_link_to_it() -> None:
    assert SiteUrls("", "/kit/", bare=True).of(draft("fr/index.html", own_link="/kit/fr/")) == "/kit/fr/"


def test_the_majority_wins_over_pages_that_name_another() -> None:
    pages = [draft(f"docs/{n}/index.html", f"https://x.example/kit/docs/{n}/") for n in range(5)]
    pages += [
        draft("v1/0/index.html", "https://x.example/kit/docs/0/"),
        draft("z/index.html", "https://other.example/z/"),
    ]
    assert site_urls(pages, None, None) == SiteUrls("https://x.example", "/kit/", bare=False)


def test_the_users_site_url_overrides_canonical_links() -> None:
    pages = [draft("docs/a/index.html", "https://x.example/kit/docs/a/")]
    assert site_urls(pages, "https://mine.example", None).site_url == "https://mine.example"
    assert site_urls(pages, "https://mine.example", None).base_url == "/kit/"
    assert site_urls(pages, "https://mine.example/deep", None).base_url == "/deep/"
    assert site_urls(pages, "https://mine.example", "/manifest/").base_url == "/manifest/"


@pytest.mark.parametrize("wrong", ["docs.example.com", "ftp://x.example", "/kit/"])
def test_a_site_url_that_is_no_address_is_refused(wrong: str) -> None:
    with pytest.raises(InputError, match=r"is not a web address\. Write it like"):
        site_urls([], wrong, None)


def test_a_page_has_the_spelling_of_its_own_canonical_link() -> None:
    urls = SiteUrls("https://x.example", "/kit/", bare=True)
    assert urls.of(draft("docs/a/index.html", "https://x.example/kit/docs/a/")) == "/kit/docs/a/"
    assert urls.of(draft("docs/café/index.html", "https://x.example/kit/docs/caf%C3%A9")) == "/kit/docs/caf%C3%A9"


def test_a_page_whose_canonical_link_names_another_page_has_its_files_url() -> None:
    urls = SiteUrls("https://x.example", "/kit/", bare=True)
    assert urls.of(draft("docs/1.0/a/index.html", "https://x.example/kit/docs/a")) == "/kit/docs/1.0/a"


@pytest.mark.parametrize(
    "origin", ["javascript://x.example", "ftp://x.example", "https://x@y.example", "https://{{host}}"]
)
def test_a_canonical_link_with_an_invalid_origin_is_ignored(origin: str) -> None:
    pages = [draft(f"{name}.html", f"{origin}/kit/{name}.html") for name in "ab"]
    assert site_urls(pages, None, None) == SiteUrls("", "/", bare=False)


@pytest.mark.parametrize("base", ["/k\\it/", "/k\u202eit/", "/../kit/"])
def test_an_invalid_base_path_is_ignored_in_links_and_refused_in_a_manifest(base: str) -> None:
    pages = [draft(f"{name}.html", own_link=f"{base}{name}.html") for name in "ab"]
    assert site_urls(pages, None, None).base_url == "/"
    with pytest.raises(InputError, match=r"is not a base path\. Write it like /docs/"):
        site_urls([], None, base)
