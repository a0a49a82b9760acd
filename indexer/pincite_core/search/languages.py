"""What search knows of a language: its stems, its small words, and what its readers leave out when they type.

A language is named by the primary part of a BCP 47 tag. One that is not known here is not stemmed and has no small
words; nothing of another language is put in its place.
"""

import json
import re
import unicodedata
from functools import cache, lru_cache
from importlib.resources import files
from threading import Lock

from Stemmer import Stemmer

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
"""Languages whose stemmer knows nothing of Latin letters; those words of theirs, mostly names of code, are English."""

_SPACELESS = frozenset("zh ja th lo km my".split())
_SHORTEST_ENGLISH = 4  # letters; a shorter word has no ending to lose

_LATIN = re.compile("[a-zA-Z\u00c0-\u024f\u1e00-\u1eff]")
_FOLDS_MARKS = re.compile("[a-z\u00c0-\u024f\u0370-\u03ff\u1e00-\u1fff]")  # where a mark makes no other letter
_OTHER_LETTERS = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ё": "е", "ґ": "г"}
)
_VOWEL_SIGNS = re.compile("[\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670]")  # nobody types them
_KEYBOARDS = {
    "ar": str.maketrans("أإآى", "اااي"),
    "fa": str.maketrans("يك", "یک"),
    "ur": str.maketrans("يك", "یک"),
    "ru": str.maketrans("ё", "е"),
}
_DOTS = str.maketrans({"İ": "i", "I": "ı"})

_VERBAL_NOUN = re.compile(r"(?<=...)m[ae][ks]?$")  # Turkish, which Snowball leaves: büyütmek, büyütme, büyütmesi
_CONJUNCTION = re.compile("[وف](?=....)")  # and, so: written with the word that follows, and begins many a word
_ARTICLE = "ال"
_WITH_ARTICLE = re.compile(f"[وف]?(?:[بك]?{_ARTICLE}|لل)...")
_PLURAL = re.compile("...+ات$")  # of nouns alone, and left on by Snowball where no article stands before it
_PREPOSITION = re.compile("ب...")  # in, by: written with the word that follows, and begins many a word
_PREPOSITIONS = re.compile("[بكل]...")  # in, as, to
_BEFORE_ARTICLE = re.compile("^[وف](?=(?:[بك]?ال|لل)...)")  # where it surely is one, which Snowball leaves: والحزم

_stemming = Lock()  # a stemmer holds the word that it works on


@lru_cache(maxsize=256)
def primary(tag: str) -> str:
    """Return the language of a BCP 47 tag as the tables name it: `pt-BR` is `pt`; an empty tag is English."""
    language = tag.replace("_", "-").partition("-")[0].lower()
    return _SAME.get(language, language)


def names_nouns(language: str) -> bool:
    """Whether a language writes all its nouns with capitals, so that these name nothing."""
    return language in {"de", "lb"}


def is_paired(language: str) -> bool:
    """Whether words of a language are looked for by pairs of characters, since blanks do not part them from others."""
    return language in _SPACELESS or language == "ko"


def lowered(word: str, language: str) -> str:
    """Return a word without its capitals, its vowel signs, and letters that its readers' keyboards lack."""
    if word.isascii() and (language not in {"tr", "az"} or word.isupper()):  # API is no Turkish word
        return word.lower()
    if language in {"tr", "az"}:
        word = word.translate(_DOTS)
    return _VOWEL_SIGNS.sub("", word.casefold().translate(_KEYBOARDS.get(language, {})))


def stem(word: str, language: str) -> str:
    """Return the stem of a lower-case word, by its script's language: Latin letters in Russian text are English."""
    spoken = "en" if language in _OTHER_SCRIPTS and word.isascii() else language
    if spoken == "en":
        return _stemmed(word, "en") if _is_english(word) else word
    if language in _OTHER_SCRIPTS and _LATIN.search(word):
        return word
    if spoken not in _ALGORITHMS:
        return _stemmed(word, "en") if is_paired(language) and _is_english(word) else word
    return word if any(map(str.isdigit, word)) else _stemmed(word, spoken)  # a vowel sign is not alphabetic to Python


def folded(word: str) -> str:
    """Return a word as who leaves out its marks types it: Latin and Greek letters without accents."""
    if word.isascii() or not _FOLDS_MARKS.search(word):
        return word
    bare = "".join(sign for sign in unicodedata.normalize("NFD", word) if not unicodedata.combining(sign))
    return unicodedata.normalize("NFC", bare.translate(_OTHER_LETTERS))


def without_conjunction(word: str, language: str) -> str:
    """Return a lower-case Arabic word without a conjunction that it may begin with; any other as it is."""
    return word[1:] if language == "ar" and _CONJUNCTION.match(word) else word


def with_article(word: str, language: str) -> str:
    """Return a lower-case Arabic word with an article where it begins with a letter that may be a preposition.

    Snowball takes that letter off otherwise, `رنامج` for `برنامج`, and leaves it where an article stands before it.
    """
    return (
        f"{_ARTICLE}{word}" if language == "ar" and _PREPOSITION.match(word) and not _WITH_ARTICLE.match(word) else word
    )


def without_preposition(term: str, language: str) -> tuple[str, ...]:
    """Return the stems that an Arabic word may have without a preposition that it begins with; none for any other."""
    if language != "ar" or not _PREPOSITIONS.match(term):
        return ()
    rest = term[1:]
    return rest, stem(rest, language), stem(f"{_ARTICLE}{rest}", language)


@cache
def small_words(language: str) -> frozenset[str]:
    """Return the words that say nothing of a question's subject, as they are written, with and without marks."""
    if language in _SPACELESS:
        return frozenset()
    words = f"{_table('stop_words').get(language, '')} {_table('asking_words').get(language, '')}".split()
    return frozenset({*words, *map(folded, words)})


def asking_words(language: str) -> list[str]:
    """Return the words of asking of a language that puts no blanks between words; none of one that does."""
    return _table("asking_words").get(language, "").split() if language in _SPACELESS else []


@cache
def asking_phrases(language: str) -> re.Pattern[str] | None:
    """Return what finds the words of asking where no blanks part words; None for a language that has blanks."""
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
    return Stemmer(_ALGORITHMS[language], 0)  # its own cache would be a second one


@lru_cache(maxsize=16384)
def _stemmed(word: str, language: str) -> str:
    read = _as_noun(_BEFORE_ARTICLE.sub("", word)) if language == "ar" else word
    with _stemming:
        found = str(_stemmer(language).stemWord(read))
    return _VERBAL_NOUN.sub("", found) if language == "tr" else found


def _as_noun(word: str) -> str:
    """Return an Arabic plural with an article, by which Snowball knows a noun: `بيانات` is found as `البيانات` is."""
    return f"{_ARTICLE}{word}" if _PLURAL.match(word) and not _WITH_ARTICLE.match(word) else word
