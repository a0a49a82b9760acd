"""Words for full-text search: both sides must cut alike, and code must stay findable."""

import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from Stemmer import Stemmer

from pincite_core.search.terms import content_terms, exact_codes, terms

CJK = st.text(st.characters(min_codepoint=0x4E00, max_codepoint=0x9FFF), min_size=2, max_size=12)
SOUND_MARKS = "\u3099\u309a"  # make one sign with the one before, of which there is no part
KANA = st.text(
    st.characters(min_codepoint=0x3041, max_codepoint=0x30FF, exclude_characters=SOUND_MARKS), min_size=2, max_size=12
)
HANGUL = st.text(st.characters(min_codepoint=0xAC00, max_codepoint=0xD7A3), min_size=2, max_size=12)


@pytest.mark.parametrize(
    ("text", "token"),
    [
        ("Call MyClass.doSomething now", "myclass.dosomething"),
        ("pass --no-cache to it", "--no-cache"),
        ("the -v flag", "-v"),
        ("written in C++", "c++"),
        ("written in C#, too", "c#"),
        ("set max_old_space_size", "max_old_space_size"),
        ("use std::vector here", "std::vector"),
        ("import @scope/name", "@scope/name"),
        ("GET /api/chat", "/api/chat"),
        ("call $request->getBody", "$request->getbody"),
        ("useState is a hook", "usestate"),
        ("JSON_VALUE", "json_value"),
    ],
)
def test_code_is_kept_whole_as_an_exact_token(text: str, token: str) -> None:
    assert token in exact_codes(text)


@pytest.mark.parametrize("text", ["a plain sentence", "well (or not)", "The End", "5 + 5", "a - b"])
def test_ordinary_words_are_no_code(text: str) -> None:
    assert exact_codes(text) == []


def test_an_identifier_is_found_by_its_parts_too() -> None:
    assert {*terms("myclassname"), "my", "class", "name"} <= set(terms("MyClassName"))
    assert {"snake", "case"} <= set(terms("snake_case"))
    assert {"http", "server"} <= set(terms("HTTPServer"))


def test_forms_of_a_word_share_a_term() -> None:
    assert terms("caching") == terms("cached") == terms("Caches")


@given(st.one_of(CJK, KANA, HANGUL), st.data())
def test_any_part_of_a_cjk_run_is_found(run: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(run) - 2))
    end = data.draw(st.integers(start + 2, len(run)))
    assert set(terms(run[start:end])) <= set(terms(f"before {run} after"))


def test_cjk_beside_latin_keeps_both() -> None:
    assert {"redux", "状态", "态管", "管理"} <= set(terms("Redux状态管理"))


def test_a_japanese_word_of_one_kanji_is_found_whatever_follows_it() -> None:
    for written in ("方法を使う", "使った方法", "データ等の型を使い分ける"):
        assert "使" in terms(written, "ja")
    assert "国" in content_terms("どの国が使いますか", "ja")
    assert not {"方", "法"} & set(terms("方法を使う", "ja"))
    assert "使" not in terms("方法を使う", "zh")
    assert terms("水", "ja") == ["水"]


def test_an_arabic_word_is_found_behind_a_conjunction_with_its_article() -> None:
    for written in ("والحزم", "فالحزم", "وبالحزم", "وللحزم"):
        assert content_terms(written, "ar") == content_terms("الحزم", "ar") or "حزم" in terms(written, "ar")
    assert content_terms("والحزم", "ar") == content_terms("الحزم", "ar")
    assert content_terms("والد", "ar") != content_terms("الد", "ar")


@pytest.mark.parametrize("noun", ["بيانات", "نطاقات", "سجلات", "برنامج", "بريد"])
def test_an_arabic_noun_is_found_with_its_article_and_without(noun: str) -> None:
    assert set(content_terms(f"ال{noun}", "ar")) <= set(terms(noun, "ar"))


def test_a_single_cjk_character_is_a_term() -> None:
    assert terms("水") == ["水"]


@given(st.text(max_size=60))
def test_no_term_holds_a_blank(text: str) -> None:
    assert all(term and not any(character.isspace() for character in term) for term in terms(text))
    assert all(token and " " not in token for token in exact_codes(text))


@given(st.text(max_size=40), st.text(max_size=40))
def test_a_sentence_has_the_terms_of_its_halves(one: str, other: str) -> None:
    assert terms(f"{one}\n{other}").count("cache") == terms(one).count("cache") + terms(other).count("cache")
    assert sorted(terms(f"{one}\n{other}")) == sorted(terms(one) + terms(other))


def test_stop_words_are_dropped_from_a_question() -> None:
    assert content_terms("How do I use the cache?") == ["cach"]


def test_a_question_of_stop_words_alone_keeps_them() -> None:
    assert content_terms("how to do it") == terms("how to do it")


def test_a_name_is_taken_whole_and_never_from_its_middle() -> None:
    assert exact_codes("URLSearchParams, fooBar, 3_482_363, 2xFast") == ["urlsearchparams", "foobar"]


@pytest.mark.parametrize("text", ["x" * 200_000, "X" * 200_000, "xY_" * 70_000, "a-" * 100_000, "$" * 200_000])
def test_data_without_a_blank_is_cut_into_tokens_in_linear_time(text: str) -> None:
    assert len(exact_codes(text)) <= 1  # quadratic time would be an hour


def test_threads_that_cut_words_at_the_same_time_get_what_one_alone_gets():
    words = ["".join(letters) + "ational" for letters in product("bcdfghlmnprst", "aeiou", "bcdfghlmnprst")]
    alone = Stemmer("english")
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as pool:
            found = list(pool.map(terms, words))
    finally:
        sys.setswitchinterval(usual)
    assert found == [[alone.stemWord(word)] for word in words]


def test_raised_and_lowered_digits_are_found_as_people_type_them() -> None:
    assert terms("10⁶") == terms("10^6")
    assert terms("CO₂") == terms("CO2")
    assert terms("Daten\u00adsicherung", "de") == terms("Datensicherung", "de")
