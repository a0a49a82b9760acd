"""Language data for search: stemmers, stop words, and normalisation of marks that readers do not type.

Functions take the primary part of a BCP 47 tag. Words of an unknown language are not stemmed and have no stop words;
no other language's rules replace them.
"""

import json
import re
import unicodedata
from functools import cache, lru_cache
from importlib.resources import files
from threading import Lock

from Stemmer import Stemmer

from pincite_core.rules import SPELLING

__all__ = (
    "asking_phrases",
    "asking_words",
    "folded",
    "is_paired",
    "lowered",
    "names_nouns",
    "primary",
    "small_words",
    "stem",
    "with_article",
    "without_conjunction",
    "without_preposition",
)

_SAME = {"nb": "no", "nn": "no", "iw": "he", "in": "id", "yue": "zh", "cmn": "zh", "": "en"}
_ALGORITHMS = {
    "ar": "arabic",
    "ca": "catalan",
    "cs": "czech",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "english",
    "es": "spanish",
    "et": "estonian",
    "eu": "basque",
    "fa": "persian",
    "fi": "finnish",
    "fr": "french",
    "ga": "irish",
    "hi": "hindi",
    "hu": "hungarian",
    "hy": "armenian",
    "id": "indonesian",
    "it": "italian",
    "lt": "lithuanian",
    "ne": "nepali",
    "nl": "dutch",
    "no": "norwegian",
    "pl": "polish",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sr": "serbian",
    "sv": "swedish",
    "ta": "tamil",
    "tr": "turkish",
    "yi": "yiddish",
}
_OTHER_SCRIPTS = frozenset("ar el fa hi hy ne ru ta yi".split())
"""Languages whose stemmer ignores Latin letters; the English stemmer handles Latin words in their texts."""

_SPACELESS = frozenset("zh ja th lo km my".split())
_SHORTEST_ENGLISH = 4  # letters; a shorter word has no suffix to strip

_LATIN = re.compile("[a-zA-Z\u00c0-\u024f\u1e00-\u1eff]")
_FOLDS_MARKS = re.compile("[a-z\u00c0-\u024f\u0370-\u03ff\u1e00-\u1fff]")  # scripts where a mark keeps the letter
_OTHER_LETTERS = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ё": "е", "ґ": "г"}
)
_VOWEL_SIGNS = re.compile("[\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670]")  # readers do not type them
_KEYBOARDS = {
    "ar": str.maketrans("أإآى", "اااي"),
    "fa": str.maketrans("يك", "یک"),
    "ur": str.maketrans("يك", "یک"),
    "ru": str.maketrans("ё", "е"),
}
_DOTS = str.maketrans({"İ": "i", "I": "ı"})

_VERBAL_NOUN = re.compile(r"(?<=...)m[ae][ks]?$")  # Turkish suffix that Snowball keeps: büyütmek, büyütme, büyütmesi
_CONJUNCTION = re.compile("[وف](?=....)")  # "and", "so": prefixes of the next word; many words start with these letters
_ARTICLE = "ال"
_WITH_ARTICLE = re.compile(f"[وف]?(?:[بك]?{_ARTICLE}|لل)...")
_PLURAL = re.compile("...+ات$")  # suffix of nouns only; Snowball keeps it if the word has no article
_PREPOSITION = re.compile("ب...")  # "in", "by": a prefix of the next word; many words start with this letter
_BEFORE_ARTICLE = re.compile("^[وف](?=(?:[بك]?ال|لل)...)")  # a certain conjunction that Snowball keeps: والحزم

_stemmer_lock = Lock()  # a stemmer is not thread-safe: it stores the current word


@lru_cache(maxsize=256)
def primary(tag: str) -> str:
    """Return the primary language of a BCP 47 tag as used in the tables: `pt-BR` is `pt`; an empty tag is `en`."""
    language = tag.replace("_", "-").partition("-")[0].lower()
    return _SAME.get(language, language)


def names_nouns(language: str) -> bool:
    """Return whether a language capitalises all nouns, so that a capital does not mark a name."""
    return language in {"de", "lb"}


def is_paired(language: str) -> bool:
    """Return whether a language is indexed by character bigrams because spaces do not delimit its words."""
    return language in _SPACELESS or language == "ko"


def lowered(word: str, language: str) -> str:
    """Return a word in lower case, without vowel signs, and with letters missing on keyboards replaced."""
    if word.isascii() and (language not in {"tr", "az"} or word.isupper()):  # API is not a Turkish word
        return word.lower()
    if language in {"tr", "az"}:
        word = word.translate(_DOTS)
    return _VOWEL_SIGNS.sub("", word.casefold().translate(_KEYBOARDS.get(language, {})))


def stem(word: str, language: str) -> str:
    """Return the stem of a lower-case word; a Latin word in a Russian text gets its English stem."""
    stemmed_as = "en" if language in _OTHER_SCRIPTS and word.isascii() else language
    if stemmed_as == "en":
        return _stemmed(word, "en") if _is_english(word) else word
    if language in _OTHER_SCRIPTS and _LATIN.search(word):
        return word
    if stemmed_as not in _ALGORITHMS:
        return _stemmed(word, "en") if is_paired(language) and _is_english(word) else word
    return word if any(map(str.isdigit, word)) else _stemmed(word, stemmed_as)  # not isalpha(): it rejects vowel signs


def folded(word: str) -> str:
    """Return a word without the accents of its Latin and Greek letters, as many readers type it."""
    if word.isascii() or not _FOLDS_MARKS.search(word):
        return word
    bare = "".join(sign for sign in unicodedata.normalize("NFD", word) if not unicodedata.combining(sign))
    return unicodedata.normalize("NFC", bare.translate(_OTHER_LETTERS))


def without_conjunction(word: str, language: str) -> str:
    """Strip a possible conjunction prefix from a lower-case Arabic word; return other words unchanged."""
    return word[1:] if language == "ar" and _CONJUNCTION.match(word) else word


def with_article(word: str, language: str) -> str:
    """Add an article to a lower-case Arabic word whose first letter may be a preposition.

    Without an article, Snowball strips this letter: `رنامج` for `برنامج`.
    """
    return (
        f"{_ARTICLE}{word}" if language == "ar" and _PREPOSITION.match(word) and not _WITH_ARTICLE.match(word) else word
    )


def without_preposition(term: str, language: str) -> tuple[str, ...]:
    """Return the possible stems of an Arabic word without its preposition prefix; empty for other words."""
    if language != "ar" or not SPELLING.arabic_preposition.match(term):
        return ()
    rest = term[1:]
    return rest, stem(rest, language), stem(f"{_ARTICLE}{rest}", language)


@cache
def small_words(language: str) -> frozenset[str]:
    """Return the stop words of a language, including question words, with and without accents."""
    if language in _SPACELESS:
        return frozenset()
    words = f"{_table('stop_words').get(language, '')} {_table('asking_words').get(language, '')}".split()
    return frozenset({*words, *map(folded, words)})


def asking_words(language: str) -> list[str]:
    """Return the question words of a language without spaces between words; empty for other languages."""
    return _table("asking_words").get(language, "").split() if language in _SPACELESS else []


@cache
def asking_phrases(language: str) -> re.Pattern[str] | None:
    """Return a pattern of the question words of a language without spaces; None for other languages."""
    phrases = asking_words(language)
    return re.compile("|".join(sorted(map(re.escape, phrases), key=len, reverse=True))) if phrases else None


@cache
def _table(name: str) -> dict[str, str]:
    text = files("pincite_core.search").joinpath(f"{name}.json").read_text(encoding="utf-8")
    table: dict[str, str] = json.loads(text)
    return table


def _is_english(word: str) -> bool:
    return word.isascii() and word.isalpha() and len(word) >= _SHORTEST_ENGLISH


@cache
def _stemmer(language: str) -> Stemmer:
    return Stemmer(_ALGORITHMS[language], 0)  # no cache: `_stemmed` already caches


@lru_cache(maxsize=16384)
def _stemmed(word: str, language: str) -> str:
    read = _as_noun(_BEFORE_ARTICLE.sub("", word)) if language == "ar" else word
    with _stemmer_lock:
        found = str(_stemmer(language).stemWord(read))
    return _VERBAL_NOUN.sub("", found) if language == "tr" else found


def _as_noun(word: str) -> str:
    """Add an article to an Arabic plural, because Snowball then treats it as a noun: `بيانات` matches `البيانات`."""
    return f"{_ARTICLE}{word}" if _PLURAL.match(word) and not _WITH_ARTICLE.match(word) else word
