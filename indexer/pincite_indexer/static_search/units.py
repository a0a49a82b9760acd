"""What each unit of a scope is, so that a browser can choose and show passages without reading sentences itself.

A row is `[gap, length, facts, place, more]`: characters (UTF-16 units) between the unit before it and this one, and in
it; a number of bits; the place that holds it, 0 for its section's own; and what only some units have. What is 0 or
empty at a row's end is left out.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

from pincite_core.quoting.quantities import Quantity, unsupported_numbers
from pincite_core.quoting.table_rows import cells_of
from pincite_core.types import Chunk, Sentence, UnitKind, UnitRole

__all__ = ("FLAGS", "KINDS", "ROLES", "Row", "Section", "rows_of", "units_between")

KINDS: tuple[UnitKind, ...] = get_args(UnitKind)
ROLES: tuple[UnitRole, ...] = get_args(UnitRole)
QUANTITIES: tuple[Quantity, ...] = get_args(Quantity)
FLAGS = ("leans", "goes_on", "whether", *QUANTITIES, "note", "begins", "warns", "case", "unproved")
"""The bits after six for kind and role, the lowest first.

Most are a `UnitFact`. `note`: it stands in an admonition; `begins`: a block begins with it; `unproved`: it has a number
that its part has not, as may be where it is cut.
"""

_BITS = 3  # of a kind, and of a role
Row = list[object]


@dataclass(frozen=True, slots=True)
class Section:
    """Parts of one section, in order, and what else its units are read by.

    Attributes:
        chunks: Its parts.
        sentences: The units of each part, by its row id.
        places: The number of each target that its units stand in.
        language: BCP 47 tag.
    """

    chunks: Sequence[Chunk]
    sentences: Mapping[int, Sequence[Sentence]]
    places: Mapping[int, int]
    language: str


def rows_of(section: Section) -> list[list[Row]]:
    """Return the rows of each part."""
    found: list[list[Row]] = []
    block = 0
    for chunk in section.chunks:
        rows: list[Row] = []
        last = 0
        for unit in section.sentences.get(chunk.chunk_id, ()):
            begins = unit.block != block
            gap, length = (
                units_between(chunk.text, last, unit.start),
                units_between(chunk.text, unit.start, unit.end),
            )
            bits = _bits(section, chunk.text, unit, begins=begins)
            more = _more(unit) | _cells(chunk.text, unit)
            rows.append(_trimmed([gap, length, bits, section.places.get(unit.target_id, 0), more]))
            block, last = unit.block, unit.end
        found.append(rows)
    return found


def _bits(section: Section, chunk: str, unit: Sentence, *, begins: bool) -> int:
    own = {
        "note": unit.admonition,
        "begins": begins,
        "unproved": bool(unsupported_numbers(chunk[unit.start : unit.end], chunk, section.language)),
    }
    holds = (own[flag] if flag in own else unit.has(flag) for flag in FLAGS)  # type: ignore[arg-type]
    flags = sum(held << at for at, held in enumerate(holds))
    return KINDS.index(unit.kind) | ROLES.index(unit.role) << _BITS | flags << 2 * _BITS


def _more(unit: Sentence) -> dict[str, object]:
    found = {"tab": unit.tab, "first": unit.first_tab, "mark": unit.mark, "labels": list(unit.labels)}
    return {name: value for name, value in found.items() if value}


def _cells(chunk: str, unit: Sentence) -> dict[str, object]:
    """Return of a row how long each cell's column and text are, one after another."""
    if unit.kind != "row":
        return {}
    cells = cells_of(chunk[unit.start : unit.end], unit.cells)
    return {"cells": [units_between(part, 0, len(part)) for cell in cells for part in cell]}


def _trimmed(row: Row) -> Row:
    while not row[-1]:
        row.pop()
    return row


def units_between(text: str, start: int, end: int) -> int:
    """Return how many UTF-16 units there are between two places of a text, as JavaScript counts."""
    return end - start if text.isascii() or end < start else len(text[start:end].encode("utf-16-le")) // 2
