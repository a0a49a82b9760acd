"""A reader's question, cut into what the rankers understand."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pincite_core.search.terms import content_terms, exact_codes, terms

__all__ = ("Query", "parse_query")

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
_STACK_LINE = re.compile(r"^\s+at .*\(?.*:\d+:\d+\)?\s*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Query:
    """`text` is what is embedded; `terms` (stemmed, distinct, in order) and `codes` (exact) are matched.

    `names` are those of the terms that name a thing: `Redux`, `mapStateToProps`, `AMQP`.
    """

    text: str
    terms: tuple[str, ...]
    codes: tuple[str, ...]
    names: tuple[str, ...] = ()

    @property
    def codes_with_digits(self) -> tuple[str, ...]:
        """The codes that name one thing: error codes, issue numbers, versions (`HQ-1202`, `ERR_2`, `v1.4`)."""
        return tuple(code for code in self.codes if _DIGIT.search(code))


def parse_query(text: str) -> Query:
    """Return the query without tracker prefixes, stack frames and the marks of code fences."""
    plain = _STACK_LINE.sub("", _FENCE.sub(r"\1", text))
    stripped = _TRACKER_PREFIX.sub("", plain).strip() or plain.strip()
    words = dict.fromkeys(content_terms(stripped))
    names = [name for name in dict.fromkeys(_names(stripped)) if name in words]
    return Query(stripped, tuple(words), tuple(dict.fromkeys(exact_codes(stripped))), tuple(names))


def _names(text: str) -> Iterator[str]:
    """Yield the terms of words that are spelled as names: with a capital inside a sentence, or with digits."""
    words = list(_NAME.finditer(text))
    is_title = _is_title([found.group() for found in words[1:]])
    for found in words:
        word = found.group()
        begins = text[: found.start()].rstrip().endswith(_SENTENCE_ENDS) or not text[: found.start()].strip()
        if _is_capitalised(word) and (begins or is_title):
            continue
        if (word != word.lower() and len(word) > 1) or _DIGIT.search(word):
            yield from terms(word)[:1]


def _is_title(words: list[str]) -> bool:
    telling = [word for word in words if len(word) >= _TELLING_LENGTH]
    return sum(map(_is_capitalised, telling)) * _CAPITALS_OF_A_TITLE >= max(len(telling), 1)


def _is_capitalised(word: str) -> bool:
    return word[0].isupper() and word[1:].islower()
