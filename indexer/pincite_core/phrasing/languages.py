"""Selects the phrase table of a text: by the page's language, or by the detected language of a question."""

from collections import Counter
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib import resources

from pincite_core.phrasing.table import Table, read_table
from pincite_core.rules import LANGUAGE
from pincite_core.search.language_detection import foreign_language
from pincite_core.search.languages import primary, small_words
from pincite_core.search.terms import STOP_WORDS

__all__ = (
    "LANGUAGES",
    "asked_in",
    "chinese_of",
    "phrasing",
    "small_words_by_language",
    "table_name",
    "tables",
    "writes_traditional",
)

LANGUAGES = (
    *("en", "vi", "zh", "zh-Hant", "de", "fr", "es", "pt", "ja", "ko", "ru", "fa"),
    *("it", "nl", "pl", "tr", "ar", "id", "th", "hi"),
)
"""The languages with tables. Interface languages have whole tables; the others have the most important phrases."""

_SILENT = Table()
_BY_WORDS = ("en", "vi", "de", "fr", "es", "pt", "it", "nl", "pl", "tr", "id")
_REMEMBERED = 256  # cached questions; several stages check each question


@cache
def phrasing(language: str) -> Table:
    """Return the phrase table of a BCP 47 tag; an empty table, which matches nothing, for an unknown language."""
    name = table_name(language)
    return _read(name) if name in LANGUAGES else _SILENT


def tables() -> Iterator[Table]:
    """Yield all tables, for patterns that apply to a text in any language."""
    return (_read(name) for name in LANGUAGES)


@lru_cache(_REMEMBERED)
def asked_in(question: str, locale: str) -> str:
    """Return the language whose table applies to a question: a tag of `LANGUAGES` or the page's language.

    A question is in the page's language unless `foreign_language` is certain of another language. For a brief question
    ("Warum?", "und für Blogs?"), stop words decide. The question is in another language if it has more stop words of
    that language. The surplus must be two stop words or half of the question's words.

    Args:
        question: The question as asked.
        locale: BCP 47 tag of the pages to search.
    """
    here = table_name(locale)
    surely = foreign_language(question, locale)
    if surely is not None and not {surely, here} <= set(LANGUAGE.siblings):
        return chinese_of(question) if surely == "zh" else surely
    words = [word.casefold() for word in LANGUAGE.word.findall(question)[: LANGUAGE.most_words]]
    known = Counter(language for word in words for language in _small_words().get(word, ()))
    best = max(_BY_WORDS, key=lambda language: known[language])
    more = known[best] - known[here]
    return best if more > 0 and (more >= LANGUAGE.sure or 2 * more >= len(words)) and best != here else here


def chinese_of(text: str) -> str:
    """Return `zh-Hant` if more characters are only in Big5 (traditional) than only in GB 2312 (simplified), or `zh`."""
    traditional = sum(_encodes(sign, "big5") and not _encodes(sign, "gb2312") for sign in text)
    simplified = sum(_encodes(sign, "gb2312") and not _encodes(sign, "big5") for sign in text)
    return "zh-Hant" if traditional > simplified else "zh"


def writes_traditional(tag: str) -> bool:
    """Return whether a BCP 47 tag of Chinese names a script or region with traditional characters."""
    subtags = tag.lower().replace("_", "-").split("-")
    return "hans" not in subtags and not set(LANGUAGE.traditional).isdisjoint(subtags)


def _encodes(sign: str, encoding: str) -> bool:
    try:
        return bool(sign.encode(encoding))
    except UnicodeEncodeError:
        return False


def table_name(tag: str) -> str:
    """Return the name of the table for a BCP 47 tag: the primary language, or `zh-Hant`."""
    language = primary(tag)
    return "zh-Hant" if language == "zh" and writes_traditional(tag) else language


@cache
def _read(name: str) -> Table:
    return read_table(resources.files("pincite_core.phrasing").joinpath(f"{name}.json").read_bytes())


def small_words_by_language() -> dict[str, frozenset[str]]:
    """Return the stop words by language, for detecting the language of questions in Latin letters."""
    return {language: STOP_WORDS if language == "en" else small_words(language) for language in _BY_WORDS}


@cache
def _small_words() -> dict[str, tuple[str, ...]]:
    """Return the languages of each stop word."""
    found: dict[str, tuple[str, ...]] = {}
    for language, words in small_words_by_language().items():
        for word in words:
            found[word] = (*found.get(word, ()), language)
    return found
