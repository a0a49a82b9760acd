"""Compute word statistics for answering in the browser: exact codes, lengths and document frequencies."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pincite_core.index.write import ChunkTerms
from pincite_core.types import Chunk
from pincite_indexer.browser_bundle.postings import packed_postings

__all__ = ("LanguageTerms", "exact_file", "language_terms", "whole_length")

_COLUMNS = ("body", "headings", "page", "links", "code")


@dataclass(frozen=True, slots=True)
class LanguageTerms:
    """Term statistics of a locale in all its versions.

    Attributes:
        parts: Number of parts.
        average: Average number of terms in a part.
        found: For each term, the number of parts with it in any column, and in each column of the index.
    """

    parts: int
    average: float
    found: Mapping[str, Sequence[int]]


def language_terms(rows: Iterable[ChunkTerms]) -> LanguageTerms:
    """Return the term statistics of a locale's parts."""
    parts = total = 0
    counted: tuple[Counter[str], ...] = tuple(Counter() for _ in ("anywhere", *_COLUMNS))
    for row in rows:
        columns = [set(text.split()) for text in row[1:]]
        parts, total = parts + 1, total + whole_length(row)
        counted[0].update(set().union(*columns))
        for counter, terms in zip(counted[1:], columns, strict=True):
            counter.update(terms)
    found = {term: tuple(counter[term] for counter in counted) for term in counted[0]}
    return LanguageTerms(parts, total / parts if total else 1.0, found)


def exact_file(
    found: Sequence[tuple[Chunk, ChunkTerms]],
    known: Sequence[str],
    language: LanguageTerms,
) -> dict[str, object]:
    """Return a scope's word statistics for answering, as JSON-compatible values.

    Args:
        found: The scope's parts with their terms.
        known: The terms of its vocabulary, in order.
        language: Term statistics of the locale in all versions.
    """
    codes = packed_postings(words.code.split() for _, words in found)
    names = sorted(codes)
    content: dict[str, object] = {
        "lengths": [whole_length(words) for _, words in found],
        "codes": names,
        "postings": [codes[name] for name in names],
    }
    if language.parts != len(found):  # otherwise the browser counts them in the scope itself
        content["found"] = [[language.found[term][at] for term in known] for at in range(len(_COLUMNS))]
        content["found_codes"] = [[language.found[name][at] for name in names] for at in (0, len(_COLUMNS))]
    return content


def whole_length(row: ChunkTerms) -> int:
    """Return the number of a part's terms in all columns."""
    return sum(len(text.split()) for text in row[1:])
