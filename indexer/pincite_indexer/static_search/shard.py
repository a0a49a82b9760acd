"""One scope as the browser gets it: its sections, its vocabulary, postings in parts, texts in parts."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TypeVar

from pincite_core.index.write import ChunkTerms, IndexContent
from pincite_core.types import Chunk, Page, Scope, Target
from pincite_indexer.rows.assemble import Rows
from pincite_indexer.static_search.postings import packed_postings
from pincite_indexer.static_search.vocabulary import vocabulary_of, vocabulary_text

__all__ = ("COLUMNS", "SearchRows", "Shard", "shard_of")

COLUMNS = ("body", "headings", "links", "page")
"""Where a term may stand: in a part's text, a section's headings or what links to it say, its page's title."""

_POSTINGS_PART = 96_000  # characters, about a quarter of it when compressed: a round trip's worth on a phone
_TEXTS_PART = 48_000  # characters: the texts of a handful of pages, for the passages under the first results
_Row = TypeVar("_Row")


SearchRows = IndexContent | Rows
"""What is read of either: scopes, pages, targets and chunks."""


@dataclass(frozen=True, slots=True)
class Shard:
    """The files of a scope, each as JSON can hold it."""

    scope: Scope
    words: Mapping[str, object]
    postings: tuple[object, ...]
    texts: tuple[object, ...]


def shard_of(rows: SearchRows, terms: Sequence[ChunkTerms], scope: Scope) -> Shard | None:
    """Return the files of one scope; None for one without text.

    Args:
        rows: The rows of the index.
        terms: What each chunk is found by, in the order of `rows.chunks`.
        scope: The scope.
    """
    found = [
        (chunk, words) for chunk, words in zip(rows.chunks, terms, strict=True) if chunk.scope_id == scope.scope_id
    ]
    if not found:
        return None
    pages = {page.page_id: page for page in rows.pages if page.scope_id == scope.scope_id}
    targets = {target.target_id: target for target in rows.targets if target.page_id in pages}
    sections = [list(parts) for _, parts in groupby(found, key=lambda row: row[0].target_id)]
    paged = [list(of_page) for _, of_page in groupby(sections, key=lambda parts: parts[0][0].page_id)]
    columns = {
        "body": packed_postings(words.body.split() for _, words in found),
        "headings": packed_postings(parts[0][1].headings.split() for parts in sections),
        "links": packed_postings(parts[0][1].links.split() for parts in sections),
        "page": packed_postings(of_page[0][0][1].page.split() for of_page in paged),
    }
    known = sorted(set().union(*columns.values()))
    spelled = vocabulary_of(_texts(found, targets, pages), known, scope.locale)
    postings = list(
        _cut([[columns[name].get(term, []) for name in COLUMNS] for term in known], _POSTINGS_PART, _weight)
    )
    texts = list(_cut([chunk.text for chunk, _ in found], _TEXTS_PART, len))
    words = {
        "pages": [_page(pages[of_page[0][0][0].page_id], of_page, targets) for of_page in paged],
        "vocabulary": vocabulary_text(spelled),
        "postings": _firsts(postings),
        "texts": _firsts(texts),
    }
    return Shard(scope, words, tuple(postings), tuple(texts))


def _page(
    page: Page, sections: Sequence[Sequence[tuple[Chunk, ChunkTerms]]], targets: Mapping[int, Target]
) -> list[object]:
    """Return [URL, title, kind, [anchor, heading path below the page's title, length of each part] a section]."""
    described = []
    for parts in sections:
        target = targets[parts[0][0].target_id]
        lengths = [len(words.body.split()) for _, words in parts]
        described.append([target.anchor, list(target.heading_path[1:]), lengths])
    return [page.url, page.title, page.source_type, described]


def _texts(
    found: Sequence[tuple[Chunk, ChunkTerms]], targets: Mapping[int, Target], pages: Mapping[int, Page]
) -> Iterator[str]:
    for chunk, _ in found:
        yield chunk.text
    for target_id in {chunk.target_id for chunk, _ in found}:
        yield from targets[target_id].heading_path
    for page_id in {chunk.page_id for chunk, _ in found}:
        yield pages[page_id].title


def _weight(posting: list[list[int]]) -> int:
    return sum(len(column) for column in posting) * 4 + len(posting)


def _cut(rows: Sequence[_Row], size: int, weight: Callable[[_Row], int]) -> Iterator[list[_Row]]:
    """Yield rows in order, in parts of about a size."""
    part: list[_Row] = []
    held = 0
    for row in rows:
        part.append(row)
        held += weight(row)
        if held >= size:
            yield part
            part, held = [], 0
    if part:
        yield part


def _firsts(parts: Sequence[Sequence[object]]) -> list[int]:
    """Return the number of the first row of each part."""
    firsts, at = [], 0
    for part in parts:
        firsts.append(at)
        at += len(part)
    return firsts
