"""Encode the units of a scope, so that a browser can choose and show passages without sentence splitting.

A row is `[gap, length, facts, place, more]`. `gap` and `length` count UTF-16 units: between the previous unit and this
one, and in this one. `facts` is a bit field. `place` is the number of the unit's target, 0 for the section itself.
`more` holds values that only some units have. Trailing zeros and empty values are left out.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

from pincite_core.quoting.quantities import Quantity, unsupported_numbers
from pincite_core.quoting.table_rows import cells_of
from pincite_core.types import Chunk, Unit, UnitKind, UnitRole

__all__ = ("FLAGS", "KINDS", "QUANTITIES", "ROLES", "Row", "Section", "rows_of", "units_between")

KINDS: tuple[UnitKind, ...] = get_args(UnitKind)
ROLES: tuple[UnitRole, ...] = get_args(UnitRole)
QUANTITIES: tuple[Quantity, ...] = get_args(Quantity)
FLAGS = ("leans", "goes_on", "whether", *QUANTITIES, "note", "begins", "warns", "case", "unproved")
"""Names of the bits after the six bits for kind and role, lowest bit first.

Most are a `UnitFact`. `note`: the unit is part of an admonition. `begins`: the unit starts a block. `unproved`: the
unit has a number that its part lacks, which can happen at a cut.
"""

_BITS = 3  # bits of a kind, and bits of a role
Row = list[object]


@dataclass(frozen=True, slots=True)
class Section:
    """Parts of one section, in order, with the data to encode its units.

    Attributes:
        chunks: The parts.
        sentences: The units of each part, by the part's row ID.
        places: The number of each target that contains units.
        language: BCP 47 tag.
    """

    chunks: Sequence[Chunk]
    sentences: Mapping[int, Sequence[Unit]]
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


def _bits(section: Section, chunk: str, unit: Unit, *, begins: bool) -> int:
    own = {
        "note": unit.admonition,
        "begins": begins,
        "unproved": bool(unsupported_numbers(chunk[unit.start : unit.end], chunk, section.language)),
    }
    holds = (own[flag] if flag in own else unit.has(flag) for flag in FLAGS)  # type: ignore[arg-type]
    flags = sum(held << at for at, held in enumerate(holds))
    return KINDS.index(unit.kind) | ROLES.index(unit.role) << _BITS | flags << 2 * _BITS


def _more(unit: Unit) -> dict[str, object]:
    found = {"tab": unit.tab, "first": unit.first_tab, "mark": unit.mark, "labels": list(unit.labels)}
    return {name: value for name, value in found.items() if value}


def _cells(chunk: str, unit: Unit) -> dict[str, object]:
    """Return the lengths of each cell's column name and text for a table row; empty for other units."""
    if unit.kind != "row":
        return {}
    cells = cells_of(chunk[unit.start : unit.end], unit.cells)
    return {"cells": [units_between(part, 0, len(part)) for cell in cells for part in cell]}


def _trimmed(row: Row) -> Row:
    while not row[-1]:
        row.pop()
    return row


def units_between(text: str, start: int, end: int) -> int:
    """Return the number of UTF-16 units between two positions of a text, as JavaScript counts them."""
    return end - start if text.isascii() or end < start else len(text[start:end].encode("utf-16-le")) // 2
