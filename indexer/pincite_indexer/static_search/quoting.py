"""Build the `units` files of a scope: the units of each part, and facts of each section for passages and citations.

The files are split like the `texts` files, so that one number finds a part's text and its units. A section is in the
file of its first part.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

import msgspec

from pincite_core.citation import cite, module_of
from pincite_core.index.write import IndexContent
from pincite_core.quoting.prompt_injection import addressed_from, addresses_assistant
from pincite_core.quoting.unit_roles import lists_reading
from pincite_core.types import SECTION_KINDS, Chunk, Link, Page, Scope, Target
from pincite_core.urls import join_fragment
from pincite_indexer.static_search.units import Row, Section, rows_of, units_between

__all__ = ("QuotingReader",)

Facts = dict[str, object]
_DERIVED = frozenset(
    "n used stable_id title heading_path section page url anchor chunk_id source_type excerpt verified".split()
)
"""Fields of a citation that a browser derives from other facts, to keep the files small. All others are written."""
_Row = TypeVar("_Row")


@dataclass(slots=True)
class QuotingReader:
    """Reader that builds the files of an index's scopes, one scope after another."""

    content: IndexContent

    def files(self, scope: Scope, firsts: Sequence[int]) -> list[dict[str, object]]:
        """Return the files of a scope.

        Args:
            scope: The scope.
            firsts: The number of the first part in each file of texts.
        """
        read = _ScopeRows(self.content, scope)
        parts: list[list[Row]] = []
        sections: list[tuple[int, Facts]] = []  # each with the number of its first part
        for target_id in read.sections:
            section = read.section(target_id)
            sections.append((len(parts), read.facts(target_id, section)))
            parts.extend(rows_of(section))
        return [
            {"parts": parts[first:end], "sections": [facts for part, facts in sections if first <= part < end]}
            for first, end in pairwise([*firsts, len(parts)])
        ]


class _ScopeRows:
    """Rows of a scope, indexed by their lookup keys."""

    def __init__(self, content: IndexContent, scope: Scope) -> None:
        self.scope = scope
        self.pages: Mapping[int, Page] = {page.page_id: page for page in content.pages}
        self.targets: Mapping[int, Target] = {target.target_id: target for target in content.targets}
        own = [chunk for chunk in content.chunks if chunk.scope_id == scope.scope_id]
        self.sections: Mapping[int, list[Chunk]] = _grouped(own, lambda chunk: chunk.target_id)
        self.numbers = {target_id: number for number, target_id in enumerate(self.sections)}
        pages = dict.fromkeys(chunk.page_id for chunk in own)
        self.page_numbers = {page_id: number for number, page_id in enumerate(pages)}
        self.sentences = _grouped(
            (one for one in content.sentences if one.scope_id == scope.scope_id), lambda one: one.chunk_id
        )
        self.links = _grouped(content.links, lambda link: link.from_target_id)
        begins = (target for target in content.targets if target.kind in SECTION_KINDS)
        self.beside = _grouped(begins, lambda target: target.page_id)
        self.below = _grouped((self.targets[one] for one in self.numbers), lambda target: target.parent_id or 0)

    def section(self, target_id: int) -> Section:
        """Return the chunks, sentences and places of a section."""
        chunks = self.sections[target_id]
        held = {sentence.target_id: None for chunk in chunks for sentence in self.sentences[chunk.chunk_id]}
        places = {other: number for number, other in enumerate((one for one in held if one != target_id), start=1)}
        return Section(chunks, self.sentences, places, self.scope.locale)

    def facts(self, target_id: int, section: Section) -> Facts:
        """Return the facts of a section, without empty and false values."""
        target = self.targets[target_id]
        page = self.pages[target.page_id]
        found = {
            "id": target.stable_id,
            "chunk": section.chunks[0].chunk_id,
            "module": module_of(page),
            "cited": _cited(page, target),
            "untranslated": not page.translated,
            "landing": msgspec.to_builtins(target.landing),
            "reading": lists_reading(target.title, self.scope.locale),
            "heard": self._heard(target, page, section.chunks),
            "around": [self.numbers[one.target_id] for one in self._around(target) if one.target_id in self.numbers],
            "links": [self._link(link) for link in self.links[target_id]],
            "places": [self._place(page, self.targets[one], target) for one in section.places],
        }
        return {name: value for name, value in found.items() if value}

    def _place(self, page: Page, target: Target, section: Target) -> Facts:
        """Return a place inside a section; `path` only if it differs from the section's path plus the place's title."""
        path = target.heading_path
        found = {
            "id": target.stable_id,
            "anchor": target.anchor,
            "title": target.title,
            "path": () if path == (*section.heading_path, target.title) else path,
            "landing": msgspec.to_builtins(target.landing),
            "other": target.kind == "other",
            "addressed": any(map(addresses_assistant, path)),
            "cited": _cited(page, target),
        }
        return {name: value for name, value in found.items() if value}

    def _heard(self, target: Target, page: Page, chunks: Iterable[Chunk]) -> list[int]:
        """Return the place from which an assistant may not read a section's text; empty if it may read all of it.

        The place is the number of preceding parts, and of UTF-16 units in the next part.
        """
        if any(map(addresses_assistant, (*page.breadcrumbs, *target.heading_path))):
            return [0, 0]
        for number, chunk in enumerate(chunks):
            end = addressed_from(chunk.text)
            if end is not None:
                return [number, units_between(chunk.text, 0, len(chunk.text[:end].rstrip()))]
        return []

    def _around(self, target: Target) -> Iterator[Target]:
        """Yield a section's parent, its children and its neighbours."""
        beside = self.beside[target.page_id]
        at = next((at for at, one in enumerate(beside) if one.target_id == target.target_id), None)
        next_to = beside[max(0, at - 1) : at + 2] if at is not None else []
        for one in beside:
            is_kin = one.target_id == target.parent_id or one.parent_id == target.target_id
            if one.target_id != target.target_id and (is_kin or one in next_to):
                yield one

    def _link(self, link: Link) -> list[object]:
        """Return a link's text, its URL, and its target in the scope: a page number, or the numbers of sections.

        The sections are the target and its children.
        """
        target = self.targets[link.to_target_id]
        page = self.pages[target.page_id]
        row: list[object] = [link.text, join_fragment(page.url, target.anchor)]
        if page.page_id not in self.page_numbers:
            return row
        if target.kind == "page":
            return [*row, self.page_numbers[page.page_id]]
        below = (
            [self.numbers[one.target_id] for one in self.below[target.target_id]]
            if target.kind in SECTION_KINDS
            else []
        )
        reached = [self.numbers.get(target.target_id, -1), *below]
        return row if reached == [-1] else [*row, reached]


def _cited(page: Page, target: Target) -> Facts:
    fields: Facts = msgspec.to_builtins(cite(page, target))
    return {name: value for name, value in fields.items() if name not in _DERIVED}


def _grouped(rows: Iterable[_Row], key: Callable[[_Row], int]) -> defaultdict[int, list[_Row]]:
    found: defaultdict[int, list[_Row]] = defaultdict(list)
    for row in rows:
        found[key(row)].append(row)
    return found
