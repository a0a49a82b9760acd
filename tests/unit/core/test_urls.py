"""URLs as browsers write them, and the files behind them."""

import string

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pincite_core.urls import (
    candidate_files,
    decoded_path,
    encode_path,
    file_to_url,
    is_base_url,
    is_origin,
    is_site_url,
    join_fragment,
    join_url,
    lies_below,
    lookup_key,
    normalise_base_url,
    origin_of,
    parse_url,
    resolve,
    split_fragment,
)

STEP = st.text(string.ascii_letters + string.digits + "-_ .%#?&+'éß日本語🎉", min_size=1, max_size=8).filter(
    lambda step: step.strip(". ") and step != "index" and not step.endswith((".html", " "))
)
BASE = st.sampled_from(["/", "/kit/", "/a/b/", "/café/"])
FILE = st.builds(
    lambda folders, name: "/".join([*folders, name]),
    st.lists(STEP, max_size=3),
    st.one_of(st.just("index.html"), STEP.map(lambda step: f"{step}.html")),
)
ANCHOR = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30)


@given(FILE, BASE, st.booleans())
def test_the_file_of_a_url_is_the_file_the_url_was_made_from(file: str, base: str, bare: bool) -> None:
    url = file_to_url(file, base, bare=bare)
    assert file in candidate_files(url, base)
    assert "#" not in url
    assert "?" not in url


@given(FILE, FILE, BASE, st.booleans())
def test_two_pages_never_share_a_url(one: str, other: str, base: str, bare: bool) -> None:
    assume(one != other)
    assume(not bare or one.replace("/index.html", ".html") != other.replace("/index.html", ".html"))
    assert file_to_url(one, base, bare=bare) != file_to_url(other, base, bare=bare)


@given(FILE, BASE)
def test_bare_and_slashed_spellings_of_a_page_have_one_key(file: str, base: str) -> None:
    spellings = {file_to_url(file, base, bare=bare) for bare in (True, False)}
    assert len({lookup_key(url) for url in spellings}) == 1


@given(FILE, BASE, st.booleans(), ANCHOR)
def test_any_id_survives_being_a_fragment(file: str, base: str, bare: bool, anchor: str) -> None:
    url = file_to_url(file, base, bare=bare)
    joined = join_fragment(url, anchor)
    assert split_fragment(joined) == (url, anchor)
    assert " " not in joined
    assert '"' not in joined
    assert "<" not in joined


@given(FILE, BASE)
def test_an_absolute_link_to_a_page_of_the_site_resolves_to_that_page(file: str, base: str) -> None:
    url = file_to_url(file, base, bare=False)
    assert resolve(url, base, "https://docs.example") == url
    assert resolve(f"https://docs.example{url}#x", base, "https://docs.example") == f"{url}#x"


@pytest.mark.parametrize(
    ("anchor", "fragment"),
    [
        ("café", "caf%C3%A9"),
        ("100%", "100%25"),
        ("a b", "a%20b"),
        ('say "hi"', "say%20%22hi%22"),
        ("🎉", "%F0%9F%8E%89"),
    ],
)
def test_a_fragment_is_encoded_as_a_browser_does(anchor: str, fragment: str) -> None:
    assert join_fragment("/kit/docs/api/", anchor) == f"/kit/docs/api/#{fragment}"


def test_an_empty_anchor_adds_no_fragment() -> None:
    assert join_fragment("/a", "") == "/a"


@pytest.mark.parametrize(
    ("file", "bare", "url"),
    [
        ("index.html", True, "/kit/"),
        ("docs/index.html", True, "/kit/docs"),
        ("docs/index.html", False, "/kit/docs/"),
        ("docs/intro.html", True, "/kit/docs/intro"),
        ("docs/intro.html", False, "/kit/docs/intro.html"),
        ("日本/index.html", False, "/kit/%E6%97%A5%E6%9C%AC/"),
    ],
)
def test_a_file_is_served_at_its_url(file: str, bare: bool, url: str) -> None:
    assert file_to_url(file, "/kit/", bare=bare) == url


@pytest.mark.parametrize(("given_base", "base"), [("", "/"), ("/", "/"), ("kit", "/kit/"), ("/a/b", "/a/b/")])
def test_a_base_path_has_a_slash_at_both_ends(given_base: str, base: str) -> None:
    assert normalise_base_url(given_base) == base


def test_a_url_outside_the_base_path_has_no_file() -> None:
    assert candidate_files("/other/docs/", "/kit/") == ()
    assert candidate_files("/kitten", "/kit/") == ()
    assert candidate_files("/kit", "/kit/") == ("index.html",)


@pytest.mark.parametrize(
    ("href", "goal"),
    [
        ("#part", "/kit/docs/intro#part"),
        ("", "/kit/docs/intro"),
        ("other", "/kit/docs/other"),
        ("./other#x", "/kit/docs/other#x"),
        ("../blog/", "/kit/blog/"),
        ("..", "/kit/"),
        ("../../../../up", "/up"),
        ("/kit/docs/a%20b", "/kit/docs/a%20b"),
        ("?tab=npm", "/kit/docs/intro?tab=npm"),
        ("https://docs.example/kit/docs/x#y", "/kit/docs/x#y"),
        ("http://docs.example/kit/", "/kit/"),
        ("https://docs.example", "/"),
        ("//docs.example/kit/", "/kit/"),
        ("https://elsewhere.example/kit/", None),
        ("//cdn.example/x.js", None),
        ("https://docs.example.evil/", None),
        ("mailto:a@b.example", None),
        ("javascript:void(0)", None),
        ("http://[broken", None),
    ],
)
def test_a_link_is_resolved_from_the_page_it_stands_on(href: str, goal: str | None) -> None:
    assert resolve(href, "/kit/docs/intro", "https://docs.example") == goal


def test_links_resolve_when_the_site_does_not_say_where_it_lives() -> None:
    assert resolve("other#x", "/docs/intro", "") == "/docs/other#x"
    assert resolve("https://docs.example/docs/", "/docs/intro", "") is None


@given(st.text(max_size=40))
def test_no_href_breaks_resolving(href: str) -> None:
    url = resolve(href, "/kit/docs/intro", "https://docs.example")
    if url is not None:
        assert url.startswith("/")
        assert lookup_key(url).startswith("/")


@pytest.mark.parametrize(
    "url", ["/docs/caf%C3%A9", "/docs/café/", "/docs/café.html", "/docs/café/index.html", "/docs/café?x=1#y"]
)
def test_spellings_of_one_page_have_one_lookup_key(url: str) -> None:
    assert lookup_key(url) == "/docs/café"


def test_a_path_is_encoded_once() -> None:
    assert encode_path("/a b/%/ü") == "/a%20b/%25/%C3%BC"


MALFORMED = [
    "http://[::1/x",
    "//[x",
    "http://\u2100.com/",
    "http://a:99999/",
    "http://a:port/",
    "http://a b/",
    "http://a^b",
]
NOWHERE = [*MALFORMED, "", "#install", "?x=1", "\0", "\t", " ", "/docs/\0install", "/docs/install\n", "//", "http://"]
NASTY = st.text(
    st.sampled_from("ahtps:/[]@?#%\\.09\0\t\n \u2100\uff0e\ud800\udcffé🎉&;=+~*") | st.characters(), max_size=60
)


@pytest.mark.parametrize("url", MALFORMED)
def test_an_invalid_url_has_no_parts(url: str) -> None:
    assert parse_url(url) is None
    assert (decoded_path(url), origin_of(url)) == ("", "")
    assert join_url("https://docs.example/kit/", url) is None
    assert join_url(url, "/kit/") is None
    assert resolve(url, "/kit/docs/intro", "https://docs.example") is None
    assert candidate_files(url, "/kit/") == ()


@pytest.mark.parametrize("url", NOWHERE)
def test_a_url_that_names_no_page_has_an_empty_lookup_key(url: str) -> None:
    assert lookup_key(url) == ""


def test_the_home_page_is_named_by_its_path_or_its_host() -> None:
    assert {lookup_key(url) for url in ("/", "/index.html", "https://docs.example", "//docs.example", "/?x#y")} == {"/"}


@given(NASTY, NASTY)
def test_no_url_raises_an_exception(url: str, other: str) -> None:
    parts = parse_url(url)
    assert parts is None or parts.port is None or parts.port < 65536
    assert parts is not None or decoded_path(url) == lookup_key(url) == origin_of(url) == ""
    joined = join_url(url, other)
    assert joined is None or parse_url(joined) is not None
    goal = resolve(url, "/kit/docs/intro", "https://docs.example")
    assert goal is None or goal.startswith("/")
    assert all(not file.startswith("/") for file in candidate_files(url, "/") if "//" not in url)
    for text in (join_fragment("/a", url), encode_path(url), split_fragment(url)[1]):
        text.encode()  # nothing that UTF-8, and so the index, cannot hold


def test_a_lone_surrogate_is_encoded_as_in_a_browser() -> None:
    assert encode_path("/\ud800") == "/%EF%BF%BD"
    assert join_fragment("/a", "\udcff") == "/a#%EF%BF%BD"
    assert split_fragment("/a#\ud800") == ("/a", "\ufffd")


@given(FILE, BASE, st.booleans())
def test_the_url_of_a_file_is_one_of_its_site_and_lies_below_its_base(file: str, base: str, bare: bool) -> None:
    url = file_to_url(file, base, bare=bare)
    assert is_site_url(url)
    assert is_base_url(base)
    assert lies_below(url, base)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "kit",
        "//evil.example",
        "/\\evil.example",
        "javascript:alert(1)",
        "https://evil.example/",
        "/kit/../admin",
        "/..",
        "/kit/%2E./admin",
        "/kit/a b",
        "/kit/a\n",
        "/kit/a#b",
        '/kit/"',
        "/kit/<",
        "/kit/é",
        "/kit/\0",
        "/" + "x" * 70_000,
    ],
)
def test_a_url_of_another_site_or_without_encoding_is_not_a_site_url(url: str) -> None:
    assert not is_site_url(url)


@pytest.mark.parametrize(
    "url", ["/", "/kit", "/a/..b/c..", "/a/...", "/.well-known/x", "/caf%C3%A9?x=1", "/a//b", "/@(x)"]
)
def test_paths_from_the_root_are_urls_of_a_site(url: str) -> None:
    assert is_site_url(url)


@pytest.mark.parametrize(
    "base", ["", "kit", "/kit", "//", "//evil/", "/\\evil/", "/kit/../", "/k\nit/", "javascript:/"]
)
def test_a_base_path_needs_slashes_at_both_ends_and_stays_on_its_site(base: str) -> None:
    assert not is_base_url(base)


def test_a_namesake_of_the_base_does_not_lie_below_it() -> None:
    assert [lies_below(url, "/kit/") for url in ("/kit", "/kit/a", "/kitten", "/")] == [True, True, False, False]


@pytest.mark.parametrize(
    ("url", "holds"),
    [
        ("https://docs.example", True),
        ("http://localhost:3000", True),
        ("http://[::1]:8000", True),
        ("https://bücher.example", True),
        ("https://docs.example/", False),
        ("https://", False),
        ("ftp://docs.example", False),
        ("javascript://x", False),
        ("https://a@b.example", False),
        ("https://a.example\n", False),
        ("https://℀.example", False),
    ],
)
def test_an_origin_is_a_scheme_of_the_web_and_a_host(url: str, holds: bool) -> None:
    assert is_origin(url) == holds
