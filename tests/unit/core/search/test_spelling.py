"""A misspelled word is read as the site's own word that is nearest, and nothing else is touched."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite_core.search.spelling import nearest_spelling

KNOWN = {"receiv": 4, "configur": 90, "configuration": 2, "snapshot": 30, "shard": 7, "share": 9, "worker": 12}


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("reciev", "receiv"),  # two letters swapped
        ("snapsot", "snapshot"),  # one left out
        ("wworker", "worker"),  # one doubled
        ("configuraton", "configuration"),
        ("confgiuratoin", "configuration"),  # two mistakes in a long word
        ("sharr", "share"),  # of two that are as near, what occurs more
    ],
)
def test_a_misspelled_word_is_read_as_the_nearest_one(written: str, meant: str) -> None:
    assert nearest_spelling(written, KNOWN) == meant


@pytest.mark.parametrize("term", ["worker", "work", "kubernet", "xorker", "работа", "wörker", "v1alpha", "wokrre"])
def test_what_is_known_short_far_or_no_latin_word_stays_as_it_is(term: str) -> None:
    assert nearest_spelling(term, KNOWN) == term


@given(st.text("abcdefgh", min_size=5, max_size=12), st.data())
def test_one_wrong_letter_never_hides_a_word_of_the_site(word: str, data: st.DataObject) -> None:
    place = data.draw(st.integers(1, len(word) - 1))
    written = word[:place] + data.draw(st.sampled_from("xyz")) + word[place + 1 :]
    assert nearest_spelling(written, {word: 1}) == word


@given(st.text(max_size=12), st.dictionaries(st.text(max_size=8), st.integers(1, 9), max_size=8))
def test_the_result_is_the_term_or_a_known_one(term: str, known: dict[str, int]) -> None:
    assert nearest_spelling(term, known) in {term, *known}
