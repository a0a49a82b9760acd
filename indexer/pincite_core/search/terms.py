"""Tokenisation for full-text search, the same for indexing and for queries.

Natural words are case-folded and stemmed by the language of the text (`languages`). Case folding maps the micro sign in
`µs` to the Greek letter. Identifiers, flags and symbols (`MyClass.doSomething`, `--no-cache`, `C++`) are kept whole and
in parts.

Scripts without spaces between words (Chinese, Japanese, Thai, Lao, Khmer, Burmese) become overlapping character
bigrams. So does Hangul, because Korean words end in particles. Bigrams match any substring of at least two characters
and need no segmenter, whose output could differ between indexing and queries. In Japanese, a single Chinese character
among kana is also a term, because an ending or a particle beside the character changes all bigrams with it.
"""

import re
import unicodedata
from collections.abc import Iterable
from functools import cache, lru_cache

from pincite_core.search.languages import (
    asking_phrases,
    folded,
    lowered,
    primary,
    small_words,
    stem,
    with_article,
    without_conjunction,
)

__all__ = (
    "CODE_PATTERN",
    "STOP_WORDS",
    "content_terms",
    "exact_codes",
    "runs_of_signs",
    "spellings",
    "stop_terms",
    "terms",
    "words_in_pairs",
)

_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
_PAIRED = (
    f"{_HAN}\u3040-\u30ff\uac00-\ud7af\uff66-\uff9f"  # kana and Hangul
    "\u0e00-\u0e4e\u0e80-\u0ece\u1000-\u103f\u1780-\u17d3"  # Thai, Lao, Burmese and Khmer without their digits
)
_RUN = re.compile(f"[{_PAIRED}]+")
_MARKS = "".join(
    chr(code) for code in (*range(0x300, 0x1100), *range(0x1780, 0x1800)) if unicodedata.category(chr(code))[0] == "M"
)
_WORD = re.compile(rf"[^\W_{_PAIRED}]+(?:[{_MARKS}]+[^\W_{_PAIRED}]*)*")  # \w does not match vowel signs
_SIGN = re.compile(f".[{_MARKS}]*")
_RUN_OR_WORD = re.compile(f"{_RUN.pattern}|{_WORD.pattern}")
_WORD_SIGNS = 4  # signs of a piece of a run: two Chinese words, or one Thai word
_HIRAGANA = re.compile("[\u3040-\u309f]+")  # particles and endings; content words use other characters
_AT_PARTICLE = re.compile("[をのがはにでとへも].|.[をのがはにでとへも]")  # bigrams across the boundary of two words
_LONE_KANJI = re.compile(f"(?<![{_HAN}ァ-ヺー-ヿ])[{_HAN}](?![{_HAN}ァ-ヺー-ヿ])")  # 使 in 使う and in 使った
_WIDE = re.compile("[\uff01-\uff9f]+")  # full-width Latin letters and half-width katakana
_RAISED = re.compile("(?<=[0-9])(?=[\u2070-\u207b\u00b9\u00b2\u00b3])")  # 10⁶ has two terms, as 10^6
_SMALL = re.compile("[\u2070-\u209c\u00b9\u00b2\u00b3]+")  # superscripts and subscripts: CO₂ is CO2
_CASE_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
CODE_PATTERN = re.compile(
    r"(?<![\w-])--?[A-Za-z][\w-]*"  # flags
    r"|(?<!\w)[A-Za-z]\w*(?:\+\+|\#)"  # C++, C#
    r"|(?<![\w$])@?[A-Za-z_$][\w$]*(?:(?:\.|/|::|->|@|-)[A-Za-z0-9_$][\w$]*)+"  # dotted, slashed, dashed names
    r"|(?<!\w)(?:[A-Za-z$_]\w*_\w*|[a-z]+[A-Z]\w*|[A-Z]+[a-z]+[A-Z]\w*)"  # snake_case, camelCase, PascalCase
    r"|/[A-Za-z][\w/-]+",  # paths
    re.ASCII,
)
"""The pattern of exact codes, which are matched literally."""

STOP_WORDS = frozenset(
    "a an and any are as at be been but by can could did do does doing for from get gets got had has have how i if in "
    "into is it its let like make may me might my need no not of on once one or our out should so some such than that "
    "the their them then there these they this those to too us use used using via want was way we were what when where "
    "which while who why will with within without would you your".split()
)
"""English stop words, which are removed from queries but not from the index."""


def terms(text: str, language: str = "en") -> list[str]:
    """Return the index terms of a text, in order, with repeats: stems, parts of identifiers, and character bigrams.

    A word with accents also yields the term without accents. An Arabic word also yields two more terms: without a
    conjunction prefix, and with a first letter that the stemmer would strip as a preposition.

    Args:
        text: A text of the docs.
        language: BCP 47 tag.
    """
    return _cut(text, primary(language), found_by=True)


def spellings(texts: Iterable[str], language: str = "en") -> set[tuple[str, str]]:
    """Return pairs of a spelling in lower case, with or without accents, and its term, for all words of some texts.

    Args:
        texts: Texts of the docs.
        language: BCP 47 tag.
    """
    primary_tag = primary(language)
    words = {word for text in texts for word in _WORD.findall(_plain(text))}
    return {pair for word in words for pair in _spelled(word, primary_tag)}


def content_terms(text: str, language: str = "en") -> list[str]:
    """Return the terms of a question without stop words; all terms if the question has only stop words.

    Args:
        text: The question.
        language: BCP 47 tag of the docs, which selects the tokenisation.
    """
    primary_tag = primary(language)
    asking = asking_phrases(primary_tag)
    found = _cut(asking.sub(" ", text) if asking else text, primary_tag) or _cut(text, primary_tag)
    return [
        term for term in found if term not in _stop_terms(primary_tag) and not _is_particle(term, primary_tag)
    ] or found


def words_in_pairs(text: str) -> list[str]:
    """Split a text into words; split runs of scripts without spaces into pieces of four signs."""
    found: list[str] = []
    for match in _RUN_OR_WORD.finditer(text):
        signs = _SIGN.findall(match.group()) if _RUN.match(match.group()) else []
        found.extend("".join(signs[at : at + _WORD_SIGNS]) for at in range(0, len(signs), _WORD_SIGNS))
        found.extend([] if signs else [match.group()])
    return found


def runs_of_signs(text: str) -> list[list[str]]:
    """Return the runs of a text that become bigrams, each as a list of signs: letters with their combining marks."""
    return [_SIGN.findall(run) for run in _RUN.findall(unicodedata.normalize("NFC", text))]


def stop_terms(language: str = "en") -> frozenset[str]:
    """Return the terms of a language's stop words; empty if the language has no stop word list."""
    return _stop_terms(primary(language))


def exact_codes(text: str) -> list[str]:
    """Return the exact codes of `text` in lower case: flags, dotted names, snake_case, camelCase, C++ and the like."""
    return [match.group().lower() for match in CODE_PATTERN.finditer(text)]


def _cut(text: str, language: str, *, found_by: bool = False) -> list[str]:
    text = _plain(text)
    of_word = _spellings_of if found_by else _terms_of
    found = [term for word in _WORD.findall(text) for term in of_word(word, language)]
    for match in _RUN.finditer("" if text.isascii() else text):
        signs = _SIGN.findall(match.group())
        found.extend("".join(signs[i : i + 2]) for i in range(max(1, len(signs) - 1)))
        found.extend(_LONE_KANJI.findall(match.group()) if language == "ja" and len(signs) > 1 else ())
    return found


def _plain(text: str) -> str:
    """Return a text in NFC, with full-width, half-width, raised and lowered characters normalised by NFKC."""
    if text.isascii():
        return text
    text = _SMALL.sub(lambda small: unicodedata.normalize("NFKC", small.group()), _RAISED.sub("^", text))
    text = text.replace("\u00ad", "")
    return _WIDE.sub(lambda wide: unicodedata.normalize("NFKC", wide.group()), unicodedata.normalize("NFC", text))


def _spelled(word: str, language: str) -> tuple[tuple[str, str], ...]:
    """Return (spelling, term) pairs for a word, for its parts if it has several, and for the word without accents."""
    terms_of = _terms_of(word, language)
    parts = _CASE_PART.findall(word) if word.isascii() else ()
    as_written = (word, *(part for part in parts if len(parts) > 1))
    pairs = [(part.lower(), term) for part, term in zip(as_written, terms_of, strict=True)]
    return (*pairs, (folded(word.lower()), terms_of[0]))


@lru_cache(maxsize=16384)
def _terms_of(word: str, language: str) -> tuple[str, ...]:
    """Return the terms of a word: the whole word, and its parts if it has several."""
    parts = _CASE_PART.findall(word) if word.isascii() else ()
    whole = stem(lowered(word, language), language)
    return (whole, *(stem(part.lower(), language) for part in parts if len(parts) > 1))


@lru_cache(maxsize=16384)
def _spellings_of(word: str, language: str) -> tuple[str, ...]:
    """Return the terms of a word and of its other readings: without accents or an Arabic prefix."""
    found, lower = _terms_of(word, language), lowered(word, language)
    readings = (folded(lower), without_conjunction(lower, language), with_article(lower, language))
    others = dict.fromkeys(stem(reading, language) for reading in readings)
    return (*found, *(other for other in others if other not in found))


def _is_particle(term: str, language: str) -> bool:
    return language == "ja" and (_HIRAGANA.fullmatch(term) or _AT_PARTICLE.fullmatch(term)) is not None


@cache
def _stop_terms(language: str) -> frozenset[str]:
    words = STOP_WORDS if language == "en" else small_words(language)
    return frozenset(term for word in words for term in terms(word, language))
