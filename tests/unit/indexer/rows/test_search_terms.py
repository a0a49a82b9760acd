"""Compounds of the docs are found by their parts, as the words that the same language writes alone tell them."""

from pathlib import Path

from tests.unit.indexer.builds import Builds, guide, section

from pincite_core.embedders import FakeEmbedder
from pincite_core.search.query import parse_query
from pincite_core.search.query_expansion import split_compounds
from pincite_core.search.ranking import search
from pincite_core.search.terms import content_terms, terms
from pincite_indexer.rows.search_terms import Compounds

TEXT = "Eine Datenbank hat eine Verbindung. Sicherungskopien und Datenbankverbindungen der Kopie."


def test_a_compound_is_found_by_each_of_its_parts_in_any_form() -> None:
    found = Compounds([TEXT], "de").terms("Sicherungskopien, Datenbankverbindungen")
    assert set(content_terms("Verbindung Datenbank Kopie Sicherungen", "de")) <= set(found)


def test_words_that_are_no_compounds_add_nothing() -> None:
    assert Compounds([TEXT], "de").terms("Eine Verbindung der Datenbank") == []


def test_what_stands_in_code_or_is_cut_off_at_a_hyphen_is_no_word_of_the_site() -> None:
    texts = ["`meter` ```\npara\n``` Para- und Meterware", "Die Anzeige hat Parameter."]
    assert Compounds(texts, "de").terms("Parameter") == []


def test_names_of_code_are_cut_at_their_capitals_alone() -> None:
    assert Compounds(["Daten", "Bank"], "de").terms("DatenBank datenBank") == []
    assert Compounds(["Daten", "Bank"], "de").terms("Datenbank") == [*terms("daten", "de"), *terms("bank", "de")]


def test_other_languages_have_none() -> None:
    assert Compounds(["data base", "database"], "en").terms("database") == []


def test_a_page_is_found_by_a_part_of_its_compounds(tmp_path: Path) -> None:
    told = section("kopien", "Sicherungskopien", "Jede Nacht entstehen Sicherungskopien der Lampe.")
    pages = {"docs/a.html": guide("Lampen", told, doc_id="a", locale="de")}
    index = Builds(tmp_path).add(pages)
    found = index.document_frequencies(content_terms("Kopie", "de"))
    assert list(found.values()) == [1]


def test_a_compound_that_the_docs_never_write_is_asked_for_by_its_parts(tmp_path: Path) -> None:
    lines = ("Die Verbindung der Datenbank bricht ab.", "Ein Docht brennt.", "Das Glas beschlägt.", "Der Haken hält.")
    told = [section(f"s{number}", f"Teil {number}", line) for number, line in enumerate(lines)]
    index = Builds(tmp_path).add({"docs/a.html": guide("Lampen", *told, doc_id="a", locale="de")})
    asked = parse_query("Datenbankverbindung Dochtschere", "de")
    assert split_compounds(index, asked, [1]).terms == ("datenbank", "verbind", "dochtsch")
    alone = parse_query("Datenbankverbindung", "de")
    result = search(index, FakeEmbedder().encode([alone.text])[0], alone, [1], 4)
    assert result.query.terms == ("datenbank", "verbind")
    best = index.match_terms(result.query.terms, [1], 1)[0]
    assert index.target(index.chunk(best.row_id).target_id).anchor == "s0"


def test_an_arabic_word_that_the_docs_never_write_with_a_preposition_is_asked_for_without(tmp_path: Path) -> None:
    told = section("a", "المجلدات", "يحفظ البرنامج كل مجلد في القرص، وتحليل السجلات بسرعة.")
    index = Builds(tmp_path).add({"docs/a.html": guide("دليل", told, doc_id="a", locale="ar")})
    (folder,), (analysis,) = content_terms("مجلد", "ar"), content_terms("تحليل", "ar")
    assert split_compounds(index, parse_query("لمجلد لتحليل بسرعة", "ar"), [1]).terms[:2] == (folder, analysis)
    unheard = parse_query("لشبكة", "ar")
    assert split_compounds(index, unheard, [1]) == unheard
