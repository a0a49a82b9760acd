"""Query parsing: splits a question into the terms, codes and names that the rankers use."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice

from pincite_core.search.languages import asking_phrases, names_nouns, primary, small_words
from pincite_core.search.terms import content_terms, exact_codes, terms

__all__ = ("MOST_CODES", "MOST_TERMS", "QUERY_PATTERNS", "Query", "parse_query")

# Prefixes of issue titles: "[Bug]:", "[jest-mock] [v29]", "feat(cli):", "Docs:".
_TRACKER_PREFIX = re.compile(
    r"^\s*(?:\[[^\]\n]{1,40}\]\s*:?\s*)+"
    r"|^\s*(?:bug|feature|feature request|question|docs?|documentation|feat|fix|chore|help|rfc)(?:\([^)]*\))?\s*:\s+",
    re.IGNORECASE,
)
_FENCE = re.compile(r"```[^\n]*\n(.*?)(?:```|$)", re.DOTALL)
_DIGIT = re.compile(r"\d")
_NAME = re.compile(r"[^\W\d_][\w+#]*(?:[.-]\w+)*")
_SENTENCE_ENDS = (".", "?", "!", ":")
_TELLING_LENGTH = 4  # letters; titles differ in whether they capitalise shorter words
_CAPITALS_OF_A_TITLE = 2  # if one word in two is capitalised, the text is a title, and capitals mark no names
_STACK_LINE = re.compile(r"^[^\S\n]+at [^\n]*:\d+:\d+\)?[^\S\n]*$", re.MULTILINE)
MOST_TERMS, MOST_CODES = 128, 64
"""The maximum numbers of distinct terms and codes to look up. An encoder reads about 100 terms of an English text."""

QUERY_PATTERNS = {"tracker_prefix": _TRACKER_PREFIX, "fence": _FENCE, "stack_line": _STACK_LINE}
"""The patterns of text that is removed from a question."""


@dataclass(frozen=True, slots=True)
class Query:
    """A parsed query.

    Attributes:
        text: The cleaned question, which is embedded.
        terms: Stemmed distinct terms in order, at most 128, because each term costs a lookup.
        codes: Exact codes in lower case, at most 64.
        names: The terms that are names: `Redux`, `mapStateToProps`, `AMQP`.
        language: BCP 47 tag of the docs, which selects the tokenisation.
    """

    text: str
    terms: tuple[str, ...]
    codes: tuple[str, ...]
    names: tuple[str, ...] = ()
    language: str = "en"

    @property
    def codes_with_digits(self) -> tuple[str, ...]:
        """The codes that contain a digit: error codes, issue numbers, versions (`HQ-1202`, `ERR_2`, `v1.4`)."""
        return tuple(code for code in self.codes if _DIGIT.search(code))


def parse_query(text: str, language: str = "en", spoken: str | None = None) -> Query:
    """Parse a question; remove tracker prefixes, stack frames and code fence markers.

    Args:
        text: The question.
        language: BCP 47 tag of the docs (`Index.language_of`).
        spoken: The language of the question if it differs from the docs' language. Its stop words are removed too.
    """
    plain = _STACK_LINE.sub("", _FENCE.sub(r"\1", text))
    stripped = _TRACKER_PREFIX.sub("", plain).strip() or plain.strip()
    found = _telling_terms(stripped, language, spoken) if spoken else content_terms(stripped, language)
    words = dict.fromkeys(islice(dict.fromkeys(found), MOST_TERMS))
    names = [name for name in dict.fromkeys(_names(stripped, primary(spoken or language))) if name in words]
    codes = islice(dict.fromkeys(exact_codes(stripped)), MOST_CODES)
    return Query(stripped, tuple(words), tuple(codes), tuple(names), language)


def _telling_terms(text: str, language: str, spoken: str) -> list[str]:
    """Return the content terms of a question in another language than the docs, or all if only stop words exist."""
    asking = asking_phrases(spoken)
    found = content_terms(asking.sub(" ", text) if asking else text, language)
    small = _small_terms(spoken, language)
    return [term for term in found if term not in small] or found


@cache
def _small_terms(spoken: str, language: str) -> frozenset[str]:
    return frozenset(term for word in small_words(spoken) for term in terms(word, language))


def _names(text: str, language: str) -> Iterator[str]:
    """Yield the terms of words that look like names: capitalised within a sentence, or with digits."""
    words = list(_NAME.finditer(text))
    is_title = names_nouns(language) or _is_title([found.group() for found in words[1:]])
    for found in words:
        word = found.group()
        begins = text[: found.start()].rstrip().endswith(_SENTENCE_ENDS) or not text[: found.start()].strip()
        if _is_capitalised(word) and (begins or is_title):
            continue
        if (word != word.lower() and len(word) > 1) or _DIGIT.search(word):
            yield from terms(word, language)[:1]


def _is_title(words: list[str]) -> bool:
    telling = [word for word in words if len(word) >= _TELLING_LENGTH]
    return sum(map(_is_capitalised, telling)) * _CAPITALS_OF_A_TITLE >= max(len(telling), 1)


def _is_capitalised(word: str) -> bool:
    return word[0].isupper() and word[1:].islower()
