"""Which table a text is read by: that of its page's language, or, of a question, of the language it is asked in."""

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from importlib import resources

from pincite_core.search.languages import primary, small_words
from pincite_core.search.terms import STOP_WORDS
from pincite_server.phrasing.table import Table, read_table

__all__ = ("LANGUAGES", "asked_in", "phrasing", "tables")

LANGUAGES = (
    *("en", "vi", "zh", "zh-Hant", "de", "fr", "es", "pt", "ja", "ko", "ru", "fa"),
    *("it", "nl", "pl", "tr", "ar", "id", "th", "hi"),
)
"""Those of the interface, which have whole tables, and others of whose questions the most telling is known."""

_SILENT = Table()
_TRADITIONAL_TAGS = re.compile(r"zh-(?:.*-)?(?:hant|tw|hk|mo)\b|yue", re.IGNORECASE)
_SCRIPTS = (
    ("ja", re.compile(r"[\u3040-\u30ff]")),
    ("ko", re.compile(r"[\uac00-\ud7af]")),
    ("zh", re.compile(r"[\u3400-\u9fff]")),
    ("th", re.compile(r"[\u0e00-\u0e4e]")),
    ("hi", re.compile(r"[\u0900-\u0963]")),
    ("ru", re.compile(r"[\u0400-\u04ff]")),
    ("ar", re.compile(r"[\u0600-\u06ff]")),
    ("vi", re.compile(r"[ăđơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ]", re.IGNORECASE)),
)
_SAME_SCRIPT = {"zh": {"ja", "zh-Hant"}, "ru": {"uk", "bg", "sr", "be", "mk"}, "ar": {"fa", "ur"}, "hi": {"ne", "mr"}}
_PERSIAN = re.compile("[پچژگکی]")
_TRADITIONAL = re.compile("[這個們為麼說時會對來開關設檔幾嗎應該無與從後還過發將請問際頁網變數預啟動]")
_SIMPLIFIED = re.compile("[这个们为么说时会对来开关设档几吗应该无与从后还过发将请问际页网变数预启动]")
_BY_WORDS = ("en", "vi", "de", "fr", "es", "pt", "it", "nl", "pl", "tr", "id")
_WORD = re.compile(r"[^\W\d_]+")
_SURE = 2  # small words more than the page's language has in a question
_MOST_WORDS = 60  # of a question that are looked at


@cache
def phrasing(language: str) -> Table:
    """Return the table of a language by its BCP 47 tag; one in which nothing is found when there is none."""
    name = _name(language)
    return _read(name) if name in LANGUAGES else _SILENT


def tables() -> Iterator[Table]:
    """Yield all tables, for what is looked for in a text of whatever language."""
    return (_read(name) for name in LANGUAGES)


def asked_in(question: str, locale: str) -> str:
    """Return the language whose table a question is read by, as a tag of `LANGUAGES` or the page's.

    A question is in the page's language unless its script or its small words say otherwise: two more of them belong to
    another language, or half of all its words. So an English question on a French site is read as English alone.

    Args:
        question: The question as asked.
        locale: BCP 47 tag of the pages that are asked.
    """
    here = _name(locale)
    for name, letters in _SCRIPTS:
        if letters.search(question):
            return here if here == name or here in _SAME_SCRIPT.get(name, ()) else _written(name, question)
    words = [word.casefold() for word in _WORD.findall(question)[:_MOST_WORDS]]
    known = Counter(language for word in words for language in _small_words().get(word, ()))
    best = max(_BY_WORDS, key=lambda language: known[language])
    more = known[best] - known[here]
    return best if more > 0 and (more >= _SURE or 2 * more >= len(words)) and best != here else here


def _written(name: str, question: str) -> str:
    """Return the language of a script, as a question writes it."""
    if name == "ar" and _PERSIAN.search(question):
        return "fa"
    if name == "zh" and _TRADITIONAL.search(question) and not _SIMPLIFIED.search(question):
        return "zh-Hant"
    return name


def _name(tag: str) -> str:
    return "zh-Hant" if _TRADITIONAL_TAGS.match(tag.replace("_", "-")) else primary(tag)


@cache
def _read(name: str) -> Table:
    return read_table(resources.files("pincite_server.phrasing").joinpath(f"{name}.json").read_bytes())


@cache
def _small_words() -> dict[str, tuple[str, ...]]:
    """Return the languages of each small word."""
    found: dict[str, tuple[str, ...]] = {}
    for language in _BY_WORDS:
        for word in STOP_WORDS if language == "en" else small_words(language):
            found[word] = (*found.get(word, ()), language)
    return found
