"""Words of other languages: cut alike on both sides, found however their readers type them."""

import json
from importlib.resources import files

import pytest
from Stemmer import Stemmer

from pincite_core.search.languages import folded, lowered, primary, small_words, stem
from pincite_core.search.query import parse_query
from pincite_core.search.terms import content_terms, terms

LANGUAGES = ("de", "es", "fr", "it", "nl", "pl", "pt", "ru", "tr", "ar", "fa", "hi", "id", "sv", "da", "no", "fi", "hu")


@pytest.mark.parametrize(
    ("language", "written", "asked"),
    [
        ("de", "Die Verbindungen werden geöffnet.", "Verbindung"),
        ("fr", "Les utilisateurs sont désactivés.", "désactiver un utilisateur"),
        ("es", "La configuración de los archivos", "configurar archivo"),
        ("ru", "Настройки пользователей", "настройка пользователя"),
        ("tr", "Sunucuları yeniden başlatın", "sunucular"),
        ("ar", "إعداد الخوادم والمستخدمين في الخادم", "الخادم"),
        ("tr", "Tabloyu büyütmek için", "büyütme"),
        ("tr", "Eşleştirmesi", "eşleştirmek"),
        ("ar", "وخادم", "خادم"),
        ("ar", "الواجهة", "واجهة"),
        ("ar", "فتحديث", "تحديث"),
        ("pt-BR", "As configurações do servidor", "configuração de servidores"),
    ],
)
def test_a_word_is_found_in_another_form(language: str, written: str, asked: str) -> None:
    wanted = content_terms(asked, language)
    assert wanted
    assert set(wanted) <= set(terms(written, language))


@pytest.mark.parametrize(
    ("language", "written", "asked"),
    [
        ("es", "configuración", "configuracion"),
        ("fr", "exécuter", "executer"),
        ("vi", "cấu hình", "cau hinh"),
        ("cs", "připojení", "pripojeni"),
        ("pl", "połączenie", "polaczenie"),
        ("ru", "приём", "прием"),
        ("el", "ρύθμιση", "ρυθμιση"),
        ("ar", "مُسْتَخْدِم", "مستخدم"),
        ("ar", "إعداد", "اعداد"),
        ("ar", "على مستوى", "مستوي"),
        ("fa", "كاربر", "کاربر"),
        ("tr", "İSTANBUL", "istanbul"),
    ],
)
def test_who_leaves_out_marks_finds_the_word(language: str, written: str, asked: str) -> None:
    assert set(content_terms(asked, language)) <= set(terms(written, language))


def test_who_types_the_marks_asks_for_the_word_alone() -> None:
    assert content_terms("cấu hình", "vi") == ["cấu", "hình"]


@pytest.mark.parametrize(
    ("language", "written", "asked"),
    [
        ("th", "การตั้งค่าเซิร์ฟเวอร์สำหรับผู้ใช้", "ตั้งค่าเซิร์ฟเวอร์อย่างไร"),
        ("lo", "ການຕັ້ງຄ່າເຊີບເວີ", "ຕັ້ງຄ່າເຊີບເວີແນວໃດ"),
        ("km", "ការកំណត់រចនាសម្ព័ន្ធម៉ាស៊ីនមេ", "រចនាសម្ព័ន្ធ"),
        ("my", "ဆာဗာကို ပြင်ဆင်ခြင်း", "ပြင်ဆင်"),
        ("zh", "配置数据库连接", "如何配置数据库？"),
        ("ja", "データベースの設定", "データベースの設定方法は何ですか？"),
        ("ko", "데이터베이스를 설정하는 방법", "데이터베이스 설정"),
    ],
)
def test_a_run_without_blanks_is_found_by_its_parts(language: str, written: str, asked: str) -> None:
    wanted, held = set(content_terms(asked, language)), set(terms(written, language))
    assert len(wanted & held) * 3 >= len(wanted) * 2


def test_a_vowel_sign_stays_with_its_consonant() -> None:
    assert terms("ที่", "th") == ["ที่"]
    assert terms("करना", "hi") == [Stemmer("hindi").stemWord("करना")]


def test_where_a_particle_meets_a_word_nothing_is_asked_for() -> None:
    assert content_terms("資料の場所を開く", "ja") == ["資料", "場所", "開く", "開"]
    assert content_terms("のを", "ja") == ["のを"]


def test_what_a_name_says_twice_is_counted_twice() -> None:
    assert terms("FooFoo") == ["foofoo", "foo", "foo"]


def test_names_of_code_are_english_in_every_script() -> None:
    assert {"myclassnam", "class", "name"} <= set(terms("المستخدم MyClassName", "ar"))
    assert terms("caching", "ja") == terms("cached", "ja") == ["cach"]
    assert terms("ＡＰＩ", "ja") == ["api"]
    assert terms("ｶﾞｲﾄﾞ", "ja") == ["ガイ", "イド"]


def test_an_acronym_in_turkish_keeps_its_i() -> None:
    assert terms("API", "tr") == terms("api", "tr")
    assert lowered("Isı", "tr") == "ısı"


def test_a_language_that_is_not_known_is_left_as_it_is() -> None:
    assert terms("connections", "xx") == ["connections"]
    assert content_terms("the connections", "xx") == ["the", "connections"]


def test_small_words_and_words_of_asking_are_dropped_from_a_question() -> None:
    assert content_terms("Wie lange gilt die Verbindung?", "de") == ["lang", "gilt", "verbind"]
    assert content_terms("Comment est-ce que je peux installer ?", "fr") == ["install"]
    assert content_terms("什么是缓存？", "zh") == content_terms("是缓存", "zh")


def test_a_question_of_asking_alone_keeps_its_words() -> None:
    assert content_terms("为什么？", "zh")
    assert content_terms("wie", "de") == ["wie"]


def test_tags_are_read_by_their_first_part() -> None:
    assert [primary(tag) for tag in ("pt-BR", "zh_Hant", "nb", "yue", "", "DE")] == ["pt", "zh", "no", "zh", "en", "de"]


def test_nouns_with_capitals_name_nothing_in_german() -> None:
    assert parse_query("wie lange gilt ein alter Schlüssel noch in einem großen Netz", "de").names == ()
    assert parse_query("wo steht mapStateToProps bei uns", "de").names == ("mapstatetoprops",)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_list_of_small_words_is_whole(language: str) -> None:
    assert len(small_words(language)) > 15
    assert all(word == word.strip() and folded(word) in small_words(language) for word in small_words(language))


def test_every_language_with_asking_words_is_spelled_in_its_own_letters() -> None:
    text = files("pincite_core.search").joinpath("asking_words.json").read_text(encoding="utf-8")
    assert all(words == words.strip() and "  " not in words for words in json.loads(text).values())


def test_english_is_cut_as_ever() -> None:
    assert terms("Caching MyClass's naïve values") == ["cach", "myclass", "my", "class", "s", "naïve", "naiv", "valu"]
    assert stem("the", "en") == "the"
