"""A reader's question, cut into what the rankers understand."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice

from pincite_core.search.languages import asking_phrases, names_nouns, primary, small_words
from pincite_core.search.terms import content_terms, exact_codes, terms

__all__ = ("MOST_CODES", "MOST_TERMS", "QUERY_PATTERNS", "Query", "parse_query")

# What trackers put in front of a title: "[Bug]:", "[jest-mock] [v29]", "feat(cli):", "Docs:".
_TRACKER_PREFIX = re.compile(
    r"^\s*(?:\[[^\]\n]{1,40}\]\s*:?\s*)+"
    r"|^\s*(?:bug|feature|feature request|question|docs?|documentation|feat|fix|chore|help|rfc)(?:\([^)]*\))?\s*:\s+",
    re.IGNORECASE,
)
_FENCE = re.compile(r"```[^\n]*\n(.*?)(?:```|$)", re.DOTALL)
_DIGIT = re.compile(r"\d")
_NAME = re.compile(r"[^\W\d_][\w+#]*(?:[.-]\w+)*")
_SENTENCE_ENDS = (".", "?", "!", ":")
_TELLING_LENGTH = 4  # letters; shorter words are capitalised in titles by taste
_CAPITALS_OF_A_TITLE = 2  # one word in two: a title, or German, whose capitals name nothing
_STACK_LINE = re.compile(r"^[^\S\n]+at [^\n]*:\d+:\d+\)?[^\S\n]*$", re.MULTILINE)
MOST_TERMS, MOST_CODES = 128, 64
"""Distinct ones that are looked up; what an encoder reads of a text in English holds about 100 terms."""

QUERY_PATTERNS = {"tracker_prefix": _TRACKER_PREFIX, "fence": _FENCE, "stack_line": _STACK_LINE}
"""What is cut off or out of a question."""


@dataclass(frozen=True, slots=True)
class Query:
    """`text` is what is embedded; `terms` (stemmed, distinct, in order) and `codes` (exact) are matched.

    `names` are those of the terms that name a thing: `Redux`, `mapStateToProps`, `AMQP`. Of a long text these are the
    first 128 terms and the first 64 codes: each one is looked up. `language` is that of the docs that are asked,
    by which words are cut.
    """

    text: str
    terms: tuple[str, ...]
    codes: tuple[str, ...]
    names: tuple[str, ...] = ()
    language: str = "en"

    @property
    def codes_with_digits(self) -> tuple[str, ...]:
        """The codes that name one thing: error codes, issue numbers, versions (`HQ-1202`, `ERR_2`, `v1.4`)."""
        return tuple(code for code in self.codes if _DIGIT.search(code))


def parse_query(text: str, language: str = "en", spoken: str | None = None) -> Query:
    """Return the query without tracker prefixes, stack frames and the marks of code fences.

    Args:
        text: The question.
        language: BCP 47 tag of the docs that are asked (`Index.language_of`).
        spoken: The language of the question where that is another: its small words are left out as well.
    """
    plain = _STACK_LINE.sub("", _FENCE.sub(r"\1", text))
    stripped = _TRACKER_PREFIX.sub("", plain).strip() or plain.strip()
    found = _telling_terms(stripped, language, spoken) if spoken else content_terms(stripped, language)
    words = dict.fromkeys(islice(dict.fromkeys(found), MOST_TERMS))
    names = [name for name in dict.fromkeys(_names(stripped, primary(spoken or language))) if name in words]
    codes = islice(dict.fromkeys(exact_codes(stripped)), MOST_CODES)
    return Query(stripped, tuple(words), tuple(codes), tuple(names), language)


def _telling_terms(text: str, language: str, spoken: str) -> list[str]:
    """Return the terms of a question in another language than the docs'; all when it has small words alone."""
    asking = asking_phrases(spoken)
    found = content_terms(asking.sub(" ", text) if asking else text, language)
    small = _small_terms(spoken, language)
    return [term for term in found if term not in small] or found


@cache
def _small_terms(spoken: str, language: str) -> frozenset[str]:
    return frozenset(term for word in small_words(spoken) for term in terms(word, language))


def _names(text: str, language: str) -> Iterator[str]:
    """Yield the terms of words that are spelled as names: with a capital inside a sentence, or with digits."""
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
