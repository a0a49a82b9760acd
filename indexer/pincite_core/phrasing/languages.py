"""Which table a text is read by: that of its page's language, or, of a question, of the language it is asked in."""

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib import resources

from pincite_core.phrasing.table import Table, read_table
from pincite_core.search.language_detection import foreign_language
from pincite_core.search.languages import primary, small_words
from pincite_core.search.terms import STOP_WORDS

__all__ = ("LANGUAGES", "asked_in", "chinese_of", "phrasing", "small_words_by_language", "tables", "writes_traditional")

LANGUAGES = (
    *("en", "vi", "zh", "zh-Hant", "de", "fr", "es", "pt", "ja", "ko", "ru", "fa"),
    *("it", "nl", "pl", "tr", "ar", "id", "th", "hi"),
)
"""Those of the interface, which have whole tables, and others of whose questions the most telling is known."""

_SILENT = Table()
_TRADITIONAL = frozenset({"hant", "tw", "hk", "mo"})  # scripts and regions of Chinese
_BY_WORDS = ("en", "vi", "de", "fr", "es", "pt", "it", "nl", "pl", "tr", "id")
_SIBLINGS = frozenset({"es", "pt"})  # which a few words do not tell apart
_WORD = re.compile(r"[^\W\d_]+")
_SURE = 2  # small words more than the page's language has in a question
_MOST_WORDS = 60  # of a question that are looked at
_REMEMBERED = 256  # questions, each of which is looked at by several stages


@cache
def phrasing(language: str) -> Table:
    """Return the table of a language by its BCP 47 tag; one in which nothing is found when there is none."""
    name = _name(language)
    return _read(name) if name in LANGUAGES else _SILENT


def tables() -> Iterator[Table]:
    """Yield all tables, for what is looked for in a text of whatever language."""
    return (_read(name) for name in LANGUAGES)


@lru_cache(_REMEMBERED)
def asked_in(question: str, locale: str) -> str:
    """Return the language whose table a question is read by, as a tag of `LANGUAGES` or the page's.

    A question is in the page's language unless it is surely in another. One too brief for that ("Warum?", "und für
    Blogs?") tells its language by its small words: two more of them than the page's language has, or half of all its
    words. It is read by one table then, and no others'.

    Args:
        question: The question as asked.
        locale: BCP 47 tag of the pages that are asked.
    """
    here = _name(locale)
    surely = foreign_language(question, locale)
    if surely is not None and not {surely, here} <= _SIBLINGS:
        return chinese_of(question) if surely == "zh" else surely
    words = [word.casefold() for word in _WORD.findall(question)[:_MOST_WORDS]]
    known = Counter(language for word in words for language in _small_words().get(word, ()))
    best = max(_BY_WORDS, key=lambda language: known[language])
    more = known[best] - known[here]
    return best if more > 0 and (more >= _SURE or 2 * more >= len(words)) and best != here else here


def chinese_of(text: str) -> str:
    """Return the Chinese that a text is in: Big5 holds traditional characters, GB 2312 simplified ones."""
    traditional = sum(_encodes(sign, "big5") and not _encodes(sign, "gb2312") for sign in text)
    simplified = sum(_encodes(sign, "gb2312") and not _encodes(sign, "big5") for sign in text)
    return "zh-Hant" if traditional > simplified else "zh"


def writes_traditional(tag: str) -> bool:
    """Whether a BCP 47 tag of Chinese names a script or region of traditional characters."""
    subtags = tag.lower().replace("_", "-").split("-")
    return "hans" not in subtags and not _TRADITIONAL.isdisjoint(subtags)


def _encodes(sign: str, encoding: str) -> bool:
    try:
        return bool(sign.encode(encoding))
    except UnicodeEncodeError:
        return False


def _name(tag: str) -> str:
    language = primary(tag)
    return "zh-Hant" if language == "zh" and writes_traditional(tag) else language


@cache
def _read(name: str) -> Table:
    return read_table(resources.files("pincite_core.phrasing").joinpath(f"{name}.json").read_bytes())


def small_words_by_language() -> dict[str, frozenset[str]]:
    """Return the small words by which questions in Latin letters tell their language."""
    return {language: STOP_WORDS if language == "en" else small_words(language) for language in _BY_WORDS}


@cache
def _small_words() -> dict[str, tuple[str, ...]]:
    """Return the languages of each small word."""
    found: dict[str, tuple[str, ...]] = {}
    for language, words in small_words_by_language().items():
        for word in words:
            found[word] = (*found.get(word, ()), language)
    return found
