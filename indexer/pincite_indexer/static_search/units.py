"""What each unit of a scope is, so that a browser can choose and show passages without reading sentences itself.

A row is `[gap, length, facts, place, more]`: characters (UTF-16 units) between the unit before it and this one, and in
it; a number of bits; the place that holds it, 0 for its section's own; and what only some units have. What is 0 or
empty at a row's end is left out.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import get_args

from pincite_core.quoting.layout import Layout, continues_code, layouts
from pincite_core.quoting.quantities import Quantity, has_quantity, unsupported_numbers
from pincite_core.quoting.stances import Stance, leans_back, says_whether, stance_of, warns
from pincite_core.quoting.table_rows import cells_of
from pincite_core.types import Chunk, Sentence, UnitKind

__all__ = ("FLAGS", "KINDS", "STANCES", "Row", "Section", "UnitReader", "units_between")

KINDS: tuple[UnitKind, ...] = get_args(UnitKind)
STANCES: tuple[Stance, ...] = get_args(Stance)
QUANTITIES: tuple[Quantity, ...] = get_args(Quantity)
FLAGS = ("leans", "goes_on", "whether", *QUANTITIES, "note", "begins", "warns", "case", "unproved")
"""The bits after six for kind and stance, the lowest first.

`begins`: a block begins with it; `warns`: so does an admonition that tells of a danger; `case`: a row about a case in
plain words; `unproved`: it has a number that its part has not, as may be where it is cut.
"""

_BITS = 3  # of a kind, and of a stance
Row = list[object]


@dataclass(frozen=True, slots=True)
class Section:
    """Parts of one section, in order, and what else its units are read by.

    Attributes:
        chunks: Its parts.
        sentences: The units of each part, by its row id.
        linked: What its links say.
        places: The number of each target that its units stand in.
        language: BCP 47 tag.
    """

    chunks: Sequence[Chunk]
    sentences: Mapping[int, Sequence[Sentence]]
    linked: frozenset[str]
    places: Mapping[int, int]
    language: str


@dataclass(slots=True)
class UnitReader:
    """Reads units; what a text is by itself is remembered, since a site's versions say nearly the same."""

    _known: dict[tuple[str, UnitKind, str], int] = field(default_factory=dict)

    def parts(self, section: Section) -> list[list[Row]]:
        """Return the rows of each part."""
        chunks = {chunk.chunk_id: chunk for chunk in section.chunks}
        found: dict[int, list[Row]] = {chunk_id: [] for chunk_id in chunks}
        block, last = 0, 0
        for sentence, layout in layouts(section.chunks, section.sentences):
            text, rows = chunks[sentence.chunk_id].text, found[sentence.chunk_id]
            last = last if rows else 0
            begins = layout.block != block
            gap, length = units_between(text, last, sentence.start), units_between(text, sentence.start, sentence.end)
            bits = self._bits(section, text, sentence, layout, begins=begins)
            more = _more(layout, begins=begins) | _cells(text, sentence)
            rows.append(_trimmed([gap, length, bits, section.places.get(sentence.target_id, 0), more]))
            block, last = layout.block, sentence.end
        return list(found.values())

    def _bits(self, section: Section, chunk: str, sentence: Sentence, layout: Layout, *, begins: bool) -> int:
        text = chunk[sentence.start : sentence.end]
        bits = self._told(text, sentence.kind, section.language)
        if _bare(text) in section.linked:
            bits = _with_stance(bits, "refers")
        flags = {
            "note": layout.note,
            "begins": begins,
            "warns": begins and layout.note and warns(layout.labels, text, section.language),
            "unproved": bool(unsupported_numbers(text, chunk, section.language)),
        }
        return bits | _flagged(flags)

    def _told(self, text: str, kind: UnitKind, language: str) -> int:
        """Return what the words of a unit tell, whatever stands around it."""
        key = text, kind, language
        if key not in self._known:
            self._known[key] = _read(text, kind, language)
        return self._known[key]


def _read(text: str, kind: UnitKind, language: str) -> int:
    stance = stance_of(text, kind, language)
    flags: dict[str, bool] = {
        "leans": kind == "prose" and (stance == "fragment" or leans_back(text, language)),
        "goes_on": kind == "code" and continues_code(text),
        "whether": says_whether(text, language),
        "case": kind == "row" and "`" not in text.partition(";")[0],
    }
    flags |= {quantity: has_quantity(text, quantity, language) for quantity in QUANTITIES}
    return KINDS.index(kind) | STANCES.index(stance) << _BITS | _flagged(flags)


def _flagged(flags: Mapping[str, bool]) -> int:
    return sum(holds << (2 * _BITS + FLAGS.index(name)) for name, holds in flags.items())


def _with_stance(bits: int, stance: Stance) -> int:
    lowest = (1 << _BITS) - 1
    return bits & ~(lowest << _BITS) | STANCES.index(stance) << _BITS


def _bare(text: str) -> str:
    return text.replace("`", "").rstrip(".")


def _more(layout: Layout, *, begins: bool) -> dict[str, object]:
    found: dict[str, object] = {"tab": layout.tab, "first": layout.first_tab}
    if begins:
        found |= {"mark": layout.mark, "labels": list(layout.labels)}
    return {name: value for name, value in found.items() if value}


def _cells(chunk: str, sentence: Sentence) -> dict[str, object]:
    """Return of a row how long each cell's column and text are, one after another."""
    if sentence.kind != "row":
        return {}
    cells = cells_of(chunk[sentence.start : sentence.end], chunk)
    return {"cells": [units_between(part, 0, len(part)) for cell in cells for part in cell]}


def _trimmed(row: Row) -> Row:
    while not row[-1]:
        row.pop()
    return row


def units_between(text: str, start: int, end: int) -> int:
    """Return how many UTF-16 units there are between two places of a text, as JavaScript counts."""
    return end - start if text.isascii() or end < start else len(text[start:end].encode("utf-16-le")) // 2
