"""Build the `units` files of a scope: the rows of units as a browser reads them, and facts of each section.

The files are split like the `texts` files, so that one number finds a part's text and its units. A section is in the
file of its first part. docs/index-format.md describes the fields.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TypeVar, get_args

import msgspec

from pincite_core.citation import cite, module_of
from pincite_core.index.write import IndexContent
from pincite_core.quoting.quantities import unsupported_numbers
from pincite_core.quoting.unit_facts import lists_reading
from pincite_core.quoting.unit_text import cells_of, row_text
from pincite_core.rules import RENDERING
from pincite_core.types import SECTION_KINDS, Chunk, Page, Scope, Target, Unit, UnitFact, UnitKind, UnitRole
from pincite_core.urls import join_fragment

__all__ = ("UNIT_NAMES", "units_files")

_KINDS: tuple[UnitKind, ...] = get_args(UnitKind)
_ROLES: tuple[UnitRole, ...] = get_args(UnitRole)
_FACTS: tuple[UnitFact, ...] = get_args(UnitFact)
_BITS = 3  # bits of a kind, and bits of a role
UNIT_NAMES: Mapping[str, Sequence[str]] = {
    "kinds": _KINDS,
    "roles": _ROLES,
    "flags": (*_FACTS, "admonition", "begins", "unproved"),
}
"""Names of the values in a row's bits, lowest first: three bits for the kind, three for the role, one for each flag.

`begins`: the unit starts a block. `unproved`: it has a number that its part lacks, which can happen at a cut.
"""

_Facts = dict[str, object]
_DERIVED = frozenset(
    "n used stable_id title heading_path section page url anchor chunk_id source_type excerpt verified".split()
)
"""Fields of a citation that a browser derives from other facts, to keep the files small. All others are written."""
_Row = TypeVar("_Row")


def units_files(content: IndexContent, scope: Scope, firsts: Sequence[int]) -> list[dict[str, object]]:
    """Return the files of a scope.

    Args:
        content: All rows of the index.
        scope: The scope.
        firsts: The number of the first part in each file of texts.
    """
    rows = _ScopeRows(content, scope)
    parts: list[list[list[object]]] = []
    sections: list[tuple[int, _Facts]] = []  # each with the number of its first part
    for target_id, chunks in rows.sections.items():
        units = [unit for chunk in chunks for unit in rows.units[chunk.chunk_id]]
        places = [one for one in dict.fromkeys(unit.target_id for unit in units) if one != target_id]
        of_units = (link.to for unit in units for link in unit.links if isinstance(link.to, int))
        goals = list(dict.fromkeys((*(link.to_target_id for link in rows.links[target_id]), *of_units)))
        sections.append((len(parts), rows.facts(target_id, places, goals)))
        block = 0
        for chunk in chunks:
            parts.append(list(_unit_rows(chunk, rows.units[chunk.chunk_id], block, [target_id, *places], goals, scope)))
            block = rows.units[chunk.chunk_id][-1].block if rows.units[chunk.chunk_id] else block
    return [
        {"parts": parts[first:end], "sections": [facts for part, facts in sections if first <= part < end]}
        for first, end in pairwise([*firsts, len(parts)])
    ]


def _unit_rows(
    chunk: Chunk, units: Sequence[Unit], block: int, places: Sequence[int], goals: Sequence[int], scope: Scope
) -> Iterator[list[object]]:
    """Yield the rows of a part; `block` is the last block of the part before."""
    end = 0
    for unit in units:
        text = chunk.text[unit.start : unit.end]
        flags = {
            "admonition": unit.admonition,
            "begins": unit.block != block,
            "unproved": bool(unsupported_numbers(text, chunk.text, scope.locale)),
        }
        bits = unit.facts | sum(holds << at for at, holds in enumerate(flags.values(), start=len(_FACTS)))
        row: list[object] = [
            _utf16(chunk.text[end : unit.start]),
            _utf16(text),
            _KINDS.index(unit.kind) | _ROLES.index(unit.role) << _BITS | bits << 2 * _BITS,
            places.index(unit.target_id),
            unit.passage,
            _rest(unit, text, goals),
        ]
        while not row[-1]:
            row.pop()
        yield row
        block, end = unit.block, unit.end


def _rest(unit: Unit, text: str, goals: Sequence[int]) -> _Facts:
    """Return the values that only some units have."""
    links = [link for link in unit.links if isinstance(link.to, int)]
    found = {
        "tab": unit.tab,
        "first": unit.first_tab,
        "mark": unit.mark,
        "labels": unit.labels,
        "cells": list(_cells(unit, text)) if unit.kind == "row" else [],
        "tabs": unit.tab_passages,
        "links": [
            (_utf16(text[: one.start]), _utf16(text[: one.end]), goals.index(one.to))
            for one in links
            if isinstance(one.to, int)
        ],
    }
    return {name: value for name, value in found.items() if value}


def _cells(unit: Unit, text: str) -> Iterator[tuple[int, int, int, int]]:
    """Yield the start and end of each cell's column name, equal if there is none, and of its text."""
    start = 0
    for column, cell in cells_of(text, unit.cells):
        begin = start + len(row_text([(column, "")]))
        end = begin + len(cell)
        yield _utf16(text[:start]), _utf16(text[: start + len(column)]), _utf16(text[:begin]), _utf16(text[:end])
        start = end + len(RENDERING.cell_joint)


def _utf16(text: str) -> int:
    """Return the number of UTF-16 units of a text, as JavaScript counts them."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le")) // 2


class _ScopeRows:
    """Rows of a scope, indexed by their lookup keys."""

    def __init__(self, content: IndexContent, scope: Scope) -> None:
        self.scope = scope
        self.pages = {page.page_id: page for page in content.pages}
        self.targets = {target.target_id: target for target in content.targets}
        own = [chunk for chunk in content.chunks if chunk.scope_id == scope.scope_id]
        self.sections = _grouped(own, lambda chunk: chunk.target_id)
        self.numbers = {target_id: number for number, target_id in enumerate(self.sections)}
        self.page_numbers = {page_id: at for at, page_id in enumerate(dict.fromkeys(chunk.page_id for chunk in own))}
        self.units = _grouped(
            (one for one in content.units if one.scope_id == scope.scope_id), lambda one: one.chunk_id
        )
        self.links = _grouped(content.links, lambda link: link.from_target_id)
        begins = (target for target in content.targets if target.kind in SECTION_KINDS)
        self.beside = _grouped(begins, lambda target: target.page_id)
        self.below = _grouped((self.targets[one] for one in self.numbers), lambda target: target.parent_id or 0)

    def facts(self, target_id: int, places: Sequence[int], goals: Sequence[int]) -> _Facts:
        """Return the facts of a section, without empty and false values.

        Args:
            target_id: The section.
            places: The other targets that contain its units.
            goals: The targets that it links to.
        """
        target = self.targets[target_id]
        page = self.pages[target.page_id]
        found = {
            "id": target.stable_id,
            "fragment": _fragment(target.anchor),
            "chunk": self.sections[target_id][0].chunk_id,
            "module": module_of(page),
            "cited": _cited(page, target),
            "untranslated": not page.translated,
            "reading": lists_reading(target.title, self.scope.locale),
            "around": [self.numbers[one.target_id] for one in self._around(target) if one.target_id in self.numbers],
            "links": list(map(self._goal, goals)),
            "places": [self._place(page, self.targets[one], target) for one in places],
        }
        return {name: value for name, value in found.items() if value}

    def _place(self, page: Page, target: Target, section: Target) -> _Facts:
        """Return the record of a target in a section; `path` is left out if it is the section's path plus the title."""
        path = target.heading_path
        found = {
            "id": target.stable_id,
            "anchor": target.anchor,
            "fragment": _fragment(target.anchor),
            "title": target.title,
            "path": () if path == (*section.heading_path, target.title) else path,
            "other": target.kind == "other",
            "cited": _cited(page, target),
        }
        return {name: value for name, value in found.items() if value}

    def _around(self, target: Target) -> Iterator[Target]:
        """Yield a section's parent, its children and its neighbours."""
        beside = self.beside[target.page_id]
        at = next((at for at, one in enumerate(beside) if one.target_id == target.target_id), None)
        next_to = beside[max(0, at - 1) : at + 2] if at is not None else []
        for one in beside:
            is_kin = one.target_id == target.parent_id or one.parent_id == target.target_id
            if one.target_id != target.target_id and (is_kin or one in next_to):
                yield one

    def _goal(self, target_id: int) -> list[object]:
        """Return a target's URL and its place in the scope: a page number, or the numbers of it and its children."""
        target = self.targets[target_id]
        page = self.pages[target.page_id]
        url = join_fragment(page.url, target.anchor)
        if page.page_id not in self.page_numbers:
            return [url]
        if target.kind == "page":
            return [url, self.page_numbers[page.page_id]]
        below = self.below[target_id] if target.kind in SECTION_KINDS else []
        reached = [self.numbers.get(target_id, -1), *(self.numbers[one.target_id] for one in below)]
        return [url] if reached == [-1] else [url, reached]


def _fragment(anchor: str) -> str:
    """Return an anchor as a URL's fragment if it must be encoded there, else ""."""
    encoded = join_fragment("", anchor).removeprefix("#")
    return "" if encoded == anchor else encoded


def _cited(page: Page, target: Target) -> _Facts:
    fields: _Facts = msgspec.to_builtins(cite(page, target))
    return {name: value for name, value in fields.items() if name not in _DERIVED}


def _grouped(rows: Iterable[_Row], key: Callable[[_Row], int]) -> defaultdict[int, list[_Row]]:
    found: defaultdict[int, list[_Row]] = defaultdict(list)
    for row in rows:
        found[key(row)].append(row)
    return found
