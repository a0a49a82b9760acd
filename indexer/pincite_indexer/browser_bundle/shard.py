"""Build the search files of one scope: its sections, its vocabulary, postings and texts."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TypeVar

from pincite_core.index.write import ChunkTerms, IndexContent
from pincite_core.types import Chunk, Page, Scope, Target
from pincite_indexer.browser_bundle.postings import packed_postings
from pincite_indexer.browser_bundle.vocabulary import Vocabulary, vocabulary_of, vocabulary_text
from pincite_indexer.rows.assemble import Rows

__all__ = ("COLUMNS", "ScopeParts", "SearchRows", "Shard", "firsts_of", "grouped_by_size", "shard_of")

COLUMNS = ("body", "headings", "links", "page")
"""Columns of a term: a part's text, a section's headings, texts of links to it, its page's title."""

_POSTINGS_PART = 96_000  # characters, about a quarter when compressed: one round trip on a phone
_TEXTS_PART = 48_000  # characters: the texts of a few pages, for the passages below the first results
_Row = TypeVar("_Row")


SearchRows = IndexContent | Rows
"""Source of the rows; both types have scopes, pages, targets and chunks."""


@dataclass(frozen=True, slots=True)
class ScopeParts:
    """Parts of a scope with their terms, in order, and grouped by section, and by page and section."""

    scope: Scope
    found: list[tuple[Chunk, ChunkTerms]]
    sections: list[list[tuple[Chunk, ChunkTerms]]]
    paged: list[list[list[tuple[Chunk, ChunkTerms]]]]

    @classmethod
    def of(cls, rows: SearchRows, terms: Sequence[ChunkTerms], scope: Scope) -> "ScopeParts | None":
        """Return the parts of one scope; None for a scope without text.

        Args:
            rows: The rows of the index.
            terms: The search terms of each chunk, in the order of `rows.chunks`.
            scope: The scope.
        """
        found = [pair for pair in zip(rows.chunks, terms, strict=True) if pair[0].scope_id == scope.scope_id]
        sections = [list(parts) for _, parts in groupby(found, key=lambda row: row[0].target_id)]
        paged = [list(of_page) for _, of_page in groupby(sections, key=lambda parts: parts[0][0].page_id)]
        return cls(scope, found, sections, paged) if found else None

    def columns(self) -> dict[str, list[list[str]]]:
        """Return the terms of each place by column; places are parts, sections, sections and pages."""
        return {
            "body": [words.body.split() for _, words in self.found],
            "headings": [parts[0][1].headings.split() for parts in self.sections],
            "links": [parts[0][1].links.split() for parts in self.sections],
            "page": [of_page[0][0][1].page.split() for of_page in self.paged],
        }


@dataclass(frozen=True, slots=True)
class Shard:
    """Files of a scope as JSON-compatible values; `spelled` is its vocabulary, sorted."""

    scope: Scope
    spelled: Vocabulary
    words: Mapping[str, object]
    postings: tuple[object, ...]
    texts: tuple[Sequence[str], ...]


def shard_of(rows: SearchRows, parts: ScopeParts) -> Shard:
    """Return the files of one scope."""
    scope, found, paged = parts.scope, parts.found, parts.paged
    pages = {page.page_id: page for page in rows.pages if page.scope_id == scope.scope_id}
    targets = {target.target_id: target for target in rows.targets if target.page_id in pages}
    columns = {name: packed_postings(places) for name, places in parts.columns().items()}
    known = sorted(set().union(*columns.values()))
    spelled = vocabulary_of(_texts(found, targets, pages), known, scope.locale)
    postings = list(
        grouped_by_size([[columns[name].get(term, []) for name in COLUMNS] for term in known], _POSTINGS_PART, _weight)
    )
    texts = list(grouped_by_size([chunk.text for chunk, _ in found], _TEXTS_PART, len))
    words = {
        "pages": [_page(pages[of_page[0][0][0].page_id], of_page, targets) for of_page in paged],
        "vocabulary": vocabulary_text(spelled),
        "postings": firsts_of(postings),
        "texts": firsts_of(texts),
    }
    return Shard(scope, spelled, words, tuple(postings), tuple(texts))


def _page(
    page: Page, sections: Sequence[Sequence[tuple[Chunk, ChunkTerms]]], targets: Mapping[int, Target]
) -> list[object]:
    """Return [URL, title, kind, sections]; a section is [anchor, heading path below the page, length of each part].

    The entry of an API member ends with an additional 1.
    """
    described = []
    for parts in sections:
        target = targets[parts[0][0].target_id]
        lengths = [len(words.body.split()) for _, words in parts]
        described.append([target.anchor, list(target.heading_path[1:]), lengths, *[1] * (target.kind == "member")])
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


def grouped_by_size(rows: Sequence[_Row], size: int, weight: Callable[[_Row], int]) -> Iterator[list[_Row]]:
    """Yield the rows in order, in groups of about `size`."""
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


def firsts_of(parts: Iterable[Sequence[object]]) -> list[int]:
    """Return the number of the first row of each part."""
    firsts, at = [], 0
    for part in parts:
        firsts.append(at)
        at += len(part)
    return firsts
