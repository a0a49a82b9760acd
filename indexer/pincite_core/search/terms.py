"""Words for full-text search, cut alike when the index is written and when a question is asked.

Natural words are case-folded, so that `µs` is one word with the micro sign and with the letter, and stemmed;
identifiers, flags and symbols (`MyClass.doSomething`, `--no-cache`, `C++`) are kept whole as well as in parts; runs of
Chinese, Japanese and Korean characters become overlapping pairs, which finds any substring of two characters or more
without a segmenter that could differ between the two sides.
"""

import re
from functools import cache, lru_cache

import snowballstemmer

__all__ = ("STOP_WORDS", "content_terms", "exact_codes", "terms")

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af\uff66-\uff9f"
_CJK_RUN = re.compile(f"[{_CJK}]+")
_WORD = re.compile(rf"[^\W_{_CJK}]+")
_CASE_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_CODE = re.compile(
    r"(?<![\w-])--?[A-Za-z][\w-]*"  # flags
    r"|(?<!\w)[A-Za-z]\w*(?:\+\+|\#)"  # C++, C#
    r"|(?<![\w$])@?[A-Za-z_$][\w$]*(?:(?:\.|/|::|->|@|-)[A-Za-z0-9_$][\w$]*)+"  # dotted, slashed, dashed names
    r"|(?<!\w)(?:[A-Za-z$_]\w*_\w*|[a-z]+[A-Z]\w*|[A-Z]+[a-z]+[A-Z]\w*)"  # snake_case, camelCase, PascalCase
    r"|/[A-Za-z][\w/-]+",  # paths
    re.ASCII,
)

STOP_WORDS = frozenset(
    "a an and any are as at be been but by can could did do does doing for from get gets got had has have how i if in "
    "into is it its let like make may me might my need no not of on once one or our out should so some such than that "
    "the their them then there these they this those to too us use used using via want was way we were what when where "
    "which while who why will with within without would you your".split()
)
"""Words that say nothing of a question's subject; dropped from queries, never from the index."""

_stemmer = snowballstemmer.stemmer("english")


def _stem(word: str) -> str:
    return str(_stemmer.stemWord(word)) if word.isascii() and word.isalpha() and len(word) > 3 else word


@lru_cache(maxsize=65536)
def _terms_of(word: str) -> tuple[str, ...]:
    """Return the terms of one word: the whole, and its parts where it has several."""
    parts = _CASE_PART.findall(word)
    return (_stem(word.casefold()), *(_stem(part.lower()) for part in parts if len(parts) > 1))


def terms(text: str) -> list[str]:
    """Return the search terms of `text`, in order, with repeats: stems, identifiers' parts, and CJK pairs."""
    found = [term for word in _WORD.findall(text) for term in _terms_of(word)]
    for match in _CJK_RUN.finditer("" if text.isascii() else text):
        run = match.group()
        found.extend(run[i : i + 2] for i in range(max(1, len(run) - 1)))
    return found


def content_terms(text: str) -> list[str]:
    """Return the terms of a question without stop words; all of them when nothing else is left."""
    found = terms(text)
    return [term for term in found if term not in _stop_terms()] or found


def exact_codes(text: str) -> list[str]:
    """Return the exact codes of `text` in lower case: flags, dotted names, snake_case, camelCase, C++ and the like."""
    return [match.group().lower() for match in _CODE.finditer(text)]


@cache
def _stop_terms() -> frozenset[str]:
    return frozenset(map(_stem, STOP_WORDS))
