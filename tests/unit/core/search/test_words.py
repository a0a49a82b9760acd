"""How rare a word is, and what a misspelled one stands for, is told by the pages in the language searched."""

from pathlib import Path

import pytest
from tests.factories import PageSource, build_index, make_scope

from pincite_core.embedders import FakeEmbedder
from pincite_core.index.read import Index
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
    assert (one.signals, one.rarity) == (other.signals, other.rarity)


def test_versions_of_a_language_are_counted_together(beside_french: Index) -> None:
    counted = [beside_french.document_frequencies(["knife"], [scope_id]) for scope_id in (ENGLISH, OLD, FRENCH)]
    assert counted == [{"knife": 2}, {"knife": 2}, {"knife": 1}]
    assert [beside_french.chunks_counted([scope_id]) for scope_id in (ENGLISH, OLD, FRENCH)] == [5, 5, 6]


def test_who_names_no_scope_asks_of_all(beside_french: Index) -> None:
    assert beside_french.document_frequencies(["knife", "never"]) == {"knife": 3}
    assert beside_french.chunks_counted([ENGLISH, FRENCH]) == beside_french.chunk_count == 11


def test_a_word_is_not_spelled_as_another_language_writes_it(alone: Index, beside_french: Index) -> None:
    assert beside_french.spelled("lantrene", [FRENCH]) == "lantern"
    for index in (alone, beside_french):
        assert index.spelled("hoooks", [ENGLISH]) == "hoooks"
        assert index.spelled("knifee", [ENGLISH]) == "knife"


def test_scopes_that_the_index_does_not_have_hold_nothing(beside_french: Index) -> None:
    assert beside_french.document_frequencies(["knife"], [99]) == {}
    assert beside_french.chunks_counted([99]) == 0
    assert not len(beside_french.score_terms(["knife"], [99]).row_ids)
