"""Idf and spelling corrections depend only on the pages in the searched languages."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.factories import PageSource, build_index, make_scope

from pincite_core.embedders import FakeEmbedder
from pincite_core.index.read import Index
from pincite_core.search.lexical_index import nearest_spelling
from pincite_core.search.query import parse_query
from pincite_core.search.ranking import SearchResult, search

ENGLISH, OLD, FRENCH = 1, 2, 3
SCOPES = (
    make_scope(ENGLISH, version="2", is_last=True),
    make_scope(OLD, version="1", is_last=False),
    make_scope(FRENCH, version="2", locale="fr"),
)
PAGES = {
    "/wick": "# Wick\nTrim the wick of a lantern with a knife.\n## Snapshot {#snapshot}\nA snapshot of the flame.",
    "/glass": "# Glass\nWipe the glass of the lantern with a cloth.",
    "/hook": "# Hook\nA hook holds the lamp over the table.",
    "/old/wick": PageSource("# Wick\nThe wick is cut with the old knife.", OLD),
}
FRENCH_PAGES = {
    f"/fr/{number}": PageSource(f"# Page {number}\nLa lantern {word} snapshots une table du port.", FRENCH)
    for number, word in enumerate(("knife", "wick", "glass", "lamp", "lanterne", "hooks"))
}


@pytest.fixture
def alone(tmp_path: Path) -> Index:
    return build_index(tmp_path / "alone", PAGES, scopes=SCOPES[:2])


@pytest.fixture
def beside_french(tmp_path: Path) -> Index:
    return build_index(tmp_path / "both", PAGES | FRENCH_PAGES, scopes=SCOPES)


def found(index: Index, question: str, scope_ids: list[int]) -> SearchResult:
    return search(index, FakeEmbedder().encode([question])[0], parse_query(question), scope_ids, 10)


@pytest.mark.parametrize("question", ["trim the lantern", "wick knife", "a lantren and its snapsoht", "port of a hook"])
def test_pages_in_another_language_change_nothing(alone: Index, beside_french: Index, question: str) -> None:
    one, other = (found(index, question, [ENGLISH]) for index in (alone, beside_french))
    assert [section.score for section in one.sections] == [section.score for section in other.sections]
    assert (one.signals, one.idf) == (other.signals, other.idf)


def test_versions_of_a_language_are_counted_together(beside_french: Index) -> None:
    counted = [beside_french.document_frequencies(["knife"], [scope_id]) for scope_id in (ENGLISH, OLD, FRENCH)]
    assert counted == [{"knife": 2}, {"knife": 2}, {"knife": 1}]
    assert [beside_french.corpus_size([scope_id]) for scope_id in (ENGLISH, OLD, FRENCH)] == [5, 5, 6]


def test_who_names_no_scope_asks_of_all(beside_french: Index) -> None:
    assert beside_french.document_frequencies(["knife", "never"]) == {"knife": 3}
    assert beside_french.corpus_size([ENGLISH, FRENCH]) == beside_french.chunk_count == 11


def test_a_word_is_not_spelled_as_another_language_writes_it(alone: Index, beside_french: Index) -> None:
    assert beside_french.correct_spelling("lantrene", [FRENCH]) == "lantern"
    for index in (alone, beside_french):
        assert index.correct_spelling("hoooks", [ENGLISH]) == "hoooks"
        assert index.correct_spelling("knifee", [ENGLISH]) == "knife"


def test_scopes_that_the_index_does_not_have_hold_nothing(beside_french: Index) -> None:
    assert beside_french.document_frequencies(["knife"], [99]) == {}
    assert beside_french.corpus_size([99]) == 0
    assert not len(beside_french.score_terms(["knife"], [99]).row_ids)


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
