"""Which of several sites a request is for."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.factories import PageSource, make_answerer

from pincite_core.deployed.build_facts import BuildFacts
from pincite_core.errors import InputError
from pincite_server.federation.choose_site import (
    SITE_KEY,
    SiteNames,
    SiteRouter,
    parse_groups,
    parse_rate_limits,
    parse_sites,
)
from pincite_server.indexes.live_indexes import LiveIndexes
from pincite_server.indexes.registry import IndexSet, ServedIndex


def live(folder: Path, base_url: str, pages: Sequence[str], build_id: str, site_url: str = "") -> LiveIndexes:
    sources = {f"{base_url}{page}": PageSource(f"# {page}\nText of {page}.") for page in pages}
    answerer = make_answerer(folder, sources, base_url=base_url, site_url=site_url)
    answerer = replace(answerer, build=BuildFacts(build_id=build_id))
    return LiveIndexes(IndexSet([ServedIndex(answerer, {})]))


@pytest.fixture(scope="module")
def router(tmp_path_factory: pytest.TempPathFactory) -> SiteRouter:
    folder = tmp_path_factory.mktemp("sites")
    return SiteRouter(
        {
            "home": live(folder / "home", "/", ["about", "kit"], "b-home", "https://docs.example.com"),
            "lantern": live(folder / "lantern", "/lantern/", ["install"], "b-lantern", "https://docs.example.com"),
            "harbor": live(folder / "harbor", "/", ["about", "queue"], "b-harbor", "https://harbor.example.com"),
            "awaited": LiveIndexes(None),
        }
    )


@pytest.mark.parametrize(
    ("page_url", "build_id", "origin", "expected"),
    [
        ("/about", None, "", "home"),
        ("/queue", None, "", "harbor"),
        ("/lantern/install", None, "", "lantern"),
        ("/lantern/install.html#top", None, "https://docs.example.com", "lantern"),
        ("/lantern/search", None, "", "lantern"),
        ("/lantern", None, "", "lantern"),
        ("/about", None, "https://harbor.example.com", "harbor"),
        ("https://harbor.example.com/about", None, "", "harbor"),
        ("/about", None, "https://elsewhere.example.com", "home"),
        ("/about", "b-harbor", "", "harbor"),
        ("/about", "b-unknown", "", "home"),
        ("/nowhere", None, "https://harbor.example.com", "harbor"),
        ("/nowhere", None, "", "home"),
        (None, None, "", "home"),
        (None, None, "https://harbor.example.com", "harbor"),
        ("http://[", None, "", "home"),
    ],
)
def test_a_page_is_of_the_site_that_made_it(
    router: SiteRouter, page_url: str | None, build_id: str | None, origin: str, expected: str
):
    assert router.site_of(page_url, build_id, origin) == expected


@pytest.mark.parametrize(
    ("page_url", "build_id", "origin", "expected"),
    [
        ("/about", None, "", "home"),
        ("/lantern/install", None, "", "lantern"),
        ("/lantern/search", None, "", "lantern"),
        ("/nowhere", None, "https://docs.example.com", "home"),
        ("/nowhere", "b-lantern", "", "lantern"),
        (None, None, "https://docs.example.com", "home"),
        ("/nowhere", None, "", None),
        (None, None, "", None),
        ("/about", None, "https://harbor.example.com", None),
        ("https://harbor.example.com/about", None, "", None),
        ("/about", None, "https://elsewhere.example.com", "home"),
        ("/queue", None, "", None),
    ],
)
def test_a_page_s_own_site_is_told_only_where_that_is_sure_and_it_is_among_those_asked(
    router: SiteRouter, page_url: str | None, build_id: str | None, origin: str, expected: str | None
):
    assert router.home_of(page_url, build_id, origin, ("home", "lantern", "awaited")) == expected


def asked(path: str) -> tuple[str, bytes, str | None]:
    seen: list[Any] = []

    async def app(scope: Any, _: Any, __: Any) -> None:
        seen.append((scope["path"], scope["raw_path"], scope.get(SITE_KEY)))

    scope: Any = {"type": "http", "path": path, "raw_path": path.encode()}
    nothing: Any = None
    asyncio.run(SiteNames(app, ["lantern"])(scope, nothing, nothing))
    (found,) = seen
    return found  # type: ignore[no-any-return]


def test_a_name_in_the_path_is_taken_out_and_kept():
    assert asked("/sites/lantern/api/chat") == ("/api/chat", b"/api/chat", "lantern")
    assert asked("/sites/lantern/") == ("/", b"/", "lantern")


@pytest.mark.parametrize("path", ["/api/chat", "/sites/other/api/chat", "/sites/lantern", "/sites//api", "/"])
def test_any_other_path_stays_as_it_is(path: str):
    assert asked(path) == (path, path.encode(), None)


def test_sites_are_named_and_may_be_anywhere():
    places = {"a": "/srv/a", "b-2": "https://b.example.com/?x=y", "c": "postgresql://db/docs/c?sslmode=require"}
    assert parse_sites([f"{name}={place}" for name, place in places.items()]) == places


@pytest.mark.parametrize("assignment", ["", "lantern", "lantern=", "=x", "Lantern=x", "a b=x", "../up=x", "a/b=x"])
def test_what_names_no_site_is_refused(assignment: str):
    with pytest.raises(InputError, match=r"names no site\. Write NAME=INDEX"):
        parse_sites([assignment])


def test_two_sites_of_one_name_are_refused():
    with pytest.raises(InputError, match="two sites of the name 'a'"):
        parse_sites(["a=x", "a=y"])


def test_groups_have_a_name_and_their_sites_once_each():
    assert parse_groups(["all=a,b,a", "few=c,b"], ["a", "b", "c"]) == {"all": ("a", "b"), "few": ("c", "b")}


@pytest.mark.parametrize(
    ("assignment", "said"),
    [
        ("", "names no group"),
        ("=a,b", "names no group"),
        ("a b=a,b", "names no group"),
        ("a=a,b", "name that is taken"),
        ("all=a,x", "names 'x', which is no site. Choose among those of --site-index: a, b"),
        ("all", "fewer than two"),
        ("all=a", "fewer than two"),
        ("all=a,,a", "fewer than two"),
    ],
)
def test_what_is_no_group_is_refused(assignment: str, said: str):
    with pytest.raises(InputError, match=said):
        parse_groups([assignment], ["a", "b"])


def test_rate_limits_are_whole_numbers_of_sites_and_groups():
    assert parse_rate_limits(["a=5", "all=0"], ["a", "b", "all"]) == {"a": 5, "all": 0}


@pytest.mark.parametrize("assignment", ["c=5", "=5", "a", "a=", "a=-1", "a=1.5", "a=\u0665", "a=5 "])
def test_what_is_no_rate_limit_is_refused(assignment: str):
    with pytest.raises(InputError, match="--site-rate-limit"):
        parse_rate_limits([assignment], ["a", "b"])
