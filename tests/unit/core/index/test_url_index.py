"""Pages are found by every spelling of their URLs, and by no other."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pincite_core.errors import IndexCorruptError
from pincite_core.index import url_index
from pincite_core.index.url_index import UrlIndex
from pincite_core.urls import lookup_key

URLS = st.lists(st.text("ab/.%2é", max_size=6).map("/".__add__), max_size=12)


class Pages:
    """Rows of pages as an index has them, of which few are given at a time."""

    name = "pages"

    def __init__(self, urls: list[str], at_once: int = 5) -> None:
        self._rows = list(enumerate(urls, start=1))
        self._at_once = at_once

    def rows(self, sql: str, values: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        assert sql == url_index._PAGES
        return [row for row in self._rows if row[0] > values[0]][: self._at_once]

    def retire(self) -> None: ...

    def corrupt(self, why: str) -> IndexCorruptError:
        return IndexCorruptError(why)


@given(URLS, st.text("ab/.%2é", max_size=6))
def test_pages_are_found_by_their_key_the_earlier_first(urls: list[str], other: str) -> None:
    keys = UrlIndex(Pages(urls))
    expected: dict[str, list[int]] = {}
    for page_id, url in enumerate(urls, start=1):
        expected.setdefault(lookup_key(url), []).append(page_id)
    for key in {*expected, lookup_key(other), ""} - {""}:
        assert keys.page_ids(key) == expected.get(key, [])
    assert keys.page_ids("") == []
