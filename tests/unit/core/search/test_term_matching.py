"""A pair of signs is a part of many Thai words: evidence counts what stands in a text as long as a word is."""

import pytest

from pincite_core.search.term_matching import drop_chance_bigrams, matched_terms
from pincite_core.search.terms import content_terms, terms

ASKED = content_terms("การสำรองข้อมูล redis", "th")


def held(text: str, asked: list[str] = ASKED, language: str = "th") -> set[str]:
    return set(drop_chance_bigrams(set(asked) & set(terms(text, language)), asked, text, language))


def test_a_word_that_a_text_holds_counts() -> None:
    assert {"ข้อ", "อมู", "มูล"} <= held("ข้อมูลที่สำคัญ")


def test_pairs_of_a_word_that_stand_apart_do_not() -> None:
    text = "ข้อสอบ และ มูลค่า"
    assert {"ข้อ", "มูล"} <= set(ASKED) & set(terms(text, "th"))
    assert held(text) == set()


def test_words_in_other_letters_count_as_they_are() -> None:
    assert held("Redis เร็ว") == {"redi"}


def test_a_question_shorter_than_a_word_is_held_where_all_of_it_is() -> None:
    short = content_terms("แมว", "th")
    assert held("แมวดำ", short) == set(short)


@pytest.mark.parametrize("language", ["zh", "ja", "ko", "en"])
def test_elsewhere_what_is_held_stays_as_it_is(language: str) -> None:
    assert drop_chance_bigrams({"数据", "备份"}, ["数据", "据备", "备份"], "备份和数据", language) == {"数据", "备份"}


def test_terms_match_the_start_and_the_end_of_a_compound() -> None:
    asked = frozenset({"verbind", "datenbank", "kopi", "bank"})
    assert matched_terms("Die Datenbankverbindungen", asked, "de") == {"verbind", "datenbank"}
    assert matched_terms("The databases", frozenset({"data", "databas"}), "en") == {"databas"}
