"""Query parsing: splits a question into the terms, codes and names that the rankers use."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice

from pincite_core.rules import QUERY
from pincite_core.search.languages import asking_phrases, names_nouns, primary, small_words
from pincite_core.search.terms import content_terms, exact_codes, terms

__all__ = ("Query", "parse_query")


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
        return tuple(code for code in self.codes if QUERY.digit.search(code))


def parse_query(text: str, language: str = "en", reader_language: str | None = None) -> Query:
    """Parse a question; remove tracker prefixes, stack frames and code fence markers.

    Args:
        text: The question.
        language: BCP 47 tag of the docs (`Index.language_of`).
        reader_language: The question's language if the docs have another one. Its stop words are removed, too.
    """
    plain = QUERY.stack_line.sub("", QUERY.fence.sub(r"\1", text))
    stripped = QUERY.tracker_prefix.sub("", plain).strip() or plain.strip()
    found = (
        _foreign_content_terms(stripped, language, reader_language)
        if reader_language
        else content_terms(stripped, language)
    )
    words = dict.fromkeys(islice(dict.fromkeys(found), QUERY.terms))
    names = [name for name in dict.fromkeys(_names(stripped, primary(reader_language or language))) if name in words]
    codes = islice(dict.fromkeys(exact_codes(stripped)), QUERY.codes)
    return Query(stripped, tuple(words), tuple(codes), tuple(names), language)


def _foreign_content_terms(text: str, language: str, reader_language: str) -> list[str]:
    """Return the content terms of a question in another language than the docs, or all if only stop words exist."""
    asking = asking_phrases(reader_language)
    found = content_terms(asking.sub(" ", text) if asking else text, language)
    small = _small_terms(reader_language, language)
    return [term for term in found if term not in small] or found


@cache
def _small_terms(reader_language: str, language: str) -> frozenset[str]:
    return frozenset(term for word in small_words(reader_language) for term in terms(word, language))


def _names(text: str, language: str) -> Iterator[str]:
    """Yield the terms of words that look like names: capitalised within a sentence, or with digits."""
    words = list(QUERY.name.finditer(text))
    is_title = names_nouns(language) or _is_title([found.group() for found in words[1:]])
    for found in words:
        word = found.group()
        starts_sentence = (
            text[: found.start()].rstrip().endswith(tuple(QUERY.sentence_ends)) or not text[: found.start()].strip()
        )
        if _is_capitalised(word) and (starts_sentence or is_title):
            continue
        if (word != word.lower() and len(word) > 1) or QUERY.digit.search(word):
            yield from terms(word, language)[:1]


def _is_title(words: list[str]) -> bool:
    long_words = [word for word in words if len(word) >= QUERY.telling_length]
    return sum(map(_is_capitalised, long_words)) * QUERY.capitals_of_a_title >= max(len(long_words), 1)


def _is_capitalised(word: str) -> bool:
    return word[0].isupper() and word[1:].islower()
