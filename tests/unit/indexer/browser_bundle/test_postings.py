"""Postings are read back as they were."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from pincite_indexer.browser_bundle.postings import MOST_TIMES, packed_postings

PLACES = st.lists(st.lists(st.sampled_from("abc"), max_size=12), max_size=20)


@given(PLACES)
def test_each_term_has_its_places_and_how_often_it_stands_there(places: list[list[str]]) -> None:
    unpacked: dict[str, dict[int, int]] = {}
    for term, packed in packed_postings(places).items():
        place = 0
        for number in packed:
            place += number // MOST_TIMES if number >= 0 else 0
            unpacked.setdefault(term, {})[place] = number % MOST_TIMES + 1 if number >= 0 else -number
    expected: dict[str, dict[int, int]] = {}
    for number, terms in enumerate(places):
        for term, times in Counter(terms).items():
            expected.setdefault(term, {})[number] = times
    assert unpacked == expected
