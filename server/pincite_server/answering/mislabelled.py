"""Docs in a language that they do not say: German pages with the `lang="en"` of a template, a site in two languages.

Then a question in that language is at home, whatever the docs call themselves.
"""

from collections.abc import Sequence

from pincite_core.index.read import Index
from pincite_core.search.languages import is_paired, small_words
from pincite_core.search.terms import STOP_WORDS, terms

__all__ = ("docs_speak",)

_COMMON = 0.01  # share of the chunks that a small word is in where docs are in its language
_MOST_KNOWN = 0.5


def docs_speak(index: Index, scope_ids: Sequence[int], query: str, spoken: str) -> bool:
    """Whether some scopes have most of a question's small words, or most pairs of its characters.

    Args:
        index: The docs.
        scope_ids: Those of their scopes that are searched.
        query: The question.
        spoken: The language that it is in.
    """
    docs = index.language_of(scope_ids)
    found = set(terms(query, docs))
    if is_paired(spoken):
        asked, least = {term for term in found if not term.isascii()}, 1
    else:
        small = {term for word in small_words(spoken) - STOP_WORDS for term in terms(word, docs)}
        asked, least = found & small, max(1, round(_COMMON * index.chunk_count))
    known = index.document_frequencies(asked, scope_ids)
    return bool(asked) and sum(count >= least for count in known.values()) > _MOST_KNOWN * len(asked)
