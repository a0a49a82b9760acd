"""A compound is made of words that the site writes alone, or is parted at an ending that no simple word has inside."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite_core.search.compounds import compound_parts, is_compounding, known_parts, possible_parts
from pincite_core.search.languages import stem

GERMAN = frozenset("daten bank datenbank verbindung fehler sprache sprach bild galerie web seite seit".split())


@pytest.mark.parametrize(
    ("language", "word", "known", "parts"),
    [
        ("de", "fehlerseite", GERMAN, ["fehler", "seite"]),
        ("de", "datenbankverbindung", GERMAN, ["datenbank", "daten", "bank", "verbindung"]),
        ("de", "verbindungsfehler", GERMAN, ["verbindung", "fehler"]),
        ("de", "bildergalerie", GERMAN, ["bild", "galerie"]),
        ("de", "sprachseiten", GERMAN, ["sprach", "seiten"]),
        ("de", "webseite", GERMAN, ["web", "seite"]),
        ("de", "sicherungskopie", set(), ["sicherung", "kopie"]),
        ("de", "konfigurationsdatei", set(), ["konfiguration", "datei"]),
        ("nl", "beveiligingskopie", set(), ["beveiliging", "kopie"]),
        ("nl", "bestandsnaam", {"bestand", "naam"}, ["bestand", "naam"]),
        ("sv", "säkerhetskopia", set(), ["säkerhet", "kopia"]),
        ("sv", "skrivarinställning", {"skrivar", "inställning"}, ["skrivar", "inställning"]),
        ("da", "sikkerhedskopi", set(), ["sikkerhed", "kopi"]),
        ("no", "sikkerhetskopi", set(), ["sikkerhet", "kopi"]),
        ("fi", "verkkoyhteys", {"verkko", "yhteys"}, ["verkko", "yhteys"]),
    ],
)
def test_a_compound_is_cut_into_its_parts(language: str, word: str, known: set[str], parts: list[str]) -> None:
    assert list(compound_parts(word, language, known)) == parts


@pytest.mark.parametrize("word", ["verbindung", "verbindungen", "bilder", "ordnungs", "daten2bank", "bank"])
def test_a_word_that_is_none_stays_whole(word: str) -> None:
    assert compound_parts(word, "de", GERMAN) == ()


@pytest.mark.parametrize("language", ["en", "fr", "ru", "tr", "ja"])
def test_other_languages_are_not_cut(language: str) -> None:
    assert not is_compounding(language)
    assert compound_parts("datenbankverbindung", language, GERMAN) == ()
    assert list(possible_parts("datenbankverbindung", language)) == []


@given(st.text("abens", min_size=1, max_size=45), st.sets(st.text("abens", min_size=3, max_size=6)))
def test_the_parts_are_known_and_stand_in_the_word_in_order(word: str, known: set[str]) -> None:
    parts, at = known_parts(word, "de", known), 0
    assert len(parts) != 1
    for part in parts:
        assert part in known or stem(part, "de") in known
        assert part in set(possible_parts(word, "de"))
        assert (at := word.find(part, at) + len(part)) >= len(part)
