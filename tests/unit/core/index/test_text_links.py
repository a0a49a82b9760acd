"""Links in the texts of units: read back with the view applied, and without URLs that are not on the web."""

from pathlib import Path

import apsw
import msgspec
import pytest
from tests.factories import build_index

from pincite_core.errors import IndexCorruptError
from pincite_core.index.read import Index
from pincite_core.types import TextLink

PAGES = {
    "/cache": "# Cache\nKeeps results.\n## Size {#size}\nHow much it keeps.",
    "/guide": "# Guide\nSee the cache size.\n\n[size](/cache#size)",
}


def links_of(index: Index) -> list[TextLink]:
    return [link for unit in index.units() for link in unit.links]


def stored(index: Index, links: object) -> Index:
    """Return the index with links that another builder wrote for its last unit."""
    with apsw.Connection(str(index.file)) as connection:
        sql = "UPDATE units SET links = ? WHERE unit_id = (SELECT max(unit_id) FROM units)"
        connection.execute(sql, (msgspec.json.encode(links).decode(),))
    return Index.open(index.file)


def test_a_link_leads_from_its_words_to_its_target(tmp_path: Path) -> None:
    index = build_index(tmp_path, PAGES)
    size = index.target_at("/cache#size")
    assert size is not None
    assert links_of(index) == [TextLink(14, 18, size.target_id)]


def test_a_link_to_a_gone_target_leads_to_its_stand_in_and_one_to_a_hidden_page_is_dropped(tmp_path: Path) -> None:
    index = build_index(tmp_path, PAGES)
    page, size = index.target_at("/cache"), index.target_at("/cache#size")
    assert page is not None
    assert size is not None
    assert [link.to for link in links_of(index.without([], [size.target_id]))] == [page.target_id]
    assert links_of(index.without([page.page_id], [])) == []


@pytest.mark.parametrize(
    "url", ["javascript:alert(1)", "data:text/html,x", "/inside", "//host", "https://", "https://[::1", "mailto:a@b.c"]
)
def test_a_url_that_is_not_on_the_web_is_no_link(tmp_path: Path, url: str) -> None:
    index = stored(build_index(tmp_path, PAGES), [[0, 3, url], [4, 6, "https://a.example/"]])
    assert links_of(index) == [TextLink(4, 6, "https://a.example/")]


def test_a_url_cannot_end_its_link_in_markdown(tmp_path: Path) -> None:
    (link,) = links_of(stored(build_index(tmp_path, PAGES), [[0, 3, "https://a.example/x\n) [y](https://b.example"]]))
    assert isinstance(link.to, str)
    assert not set('\n <>"') & set(link.to)


@pytest.mark.parametrize("links", ["x", 5, {}, [[0, 1]], [["0", 1, "https://a.example/"]], [[-1, 1, 1]]])
def test_links_of_another_shape_are_damage(tmp_path: Path, links: object) -> None:
    with pytest.raises(IndexCorruptError):
        stored(build_index(tmp_path, PAGES), links)
