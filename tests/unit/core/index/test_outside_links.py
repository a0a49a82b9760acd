"""Links to other sites: written as facts of `meta`, read back for their sections, and none of what leads nowhere."""

import json
from pathlib import Path

import pytest
from tests.factories import build_index

from pincite_core.index.outside_links import StoredLink, outside_facts, read_outside
from pincite_core.index.schema import MOST_TEXT, OUTSIDE_LINKS

PAGES = {"/guide": "# Guide\nSee the manual.\n## Install {#install}\nGet it from the registry."}
LINKS = [StoredLink(0, "https://a.example/", "manual", 0), StoredLink(1, "https://b.example/", "registry", 0)]


def test_links_are_read_back_with_their_sections(tmp_path: Path) -> None:
    index = build_index(tmp_path, PAGES, meta=outside_facts({"/guide": LINKS}))
    page, section = index.targets_of_page(1)
    assert [(link.from_target_id, link.url, link.text) for link in index.outside_links(1)] == [
        (page.target_id, "https://a.example/", "manual"),
        (section.target_id, "https://b.example/", "registry"),
    ]


def test_an_index_without_them_has_none(tmp_path: Path) -> None:
    assert build_index(tmp_path, PAGES).outside_links(1) == []


def test_what_the_view_hides_has_no_links(tmp_path: Path) -> None:
    index = build_index(tmp_path, PAGES, meta=outside_facts({"/guide": LINKS}))
    page, section = index.targets_of_page(1)
    assert index.without([1], []).outside_links(1) == []
    gone = index.without([], [section.target_id])
    assert [link.from_target_id for link in gone.outside_links(1)] == [page.target_id] * 2


@pytest.mark.parametrize(
    "url", ["javascript:alert(1)", "data:text/html,x", "/inside", "//host", "https://", "https://[::1", "mailto:a@b.c"]
)
def test_what_is_no_address_of_the_web_is_no_link(url: str) -> None:
    assert read_outside([[0, url, "words", 0]]) == ()


@pytest.mark.parametrize(
    "stored", [None, [], {}, "x", 5, [[0, "https://a.example/"]], [["0", "https://a.example/", "a", 0]]]
)
def test_facts_of_another_shape_are_none(stored: object) -> None:
    assert read_outside(stored) == ()


def test_an_address_cannot_leave_its_place_in_markdown() -> None:
    (link,) = read_outside([[0, "https://a.example/x\n) [y](https://b.example", "words", 0]])
    assert not set('\n <>"') & set(link.url)


def test_a_page_of_thousands_keeps_the_first_and_fits_into_a_value() -> None:
    many = [StoredLink(0, f"https://a.example/{number:0>900}", str(number), 0) for number in range(3000)]
    facts = outside_facts({"/guide": many, "/data": [StoredLink(0, "https://a.example/" + "x" * 3000, "x", 0)]})
    assert set(facts) == {f"{OUTSIDE_LINKS}/guide"}
    assert len(json.dumps(facts[f"{OUTSIDE_LINKS}/guide"])) <= MOST_TEXT
