"""Parse the chunks of a section into paragraphs, items, rows, code, labels and tabs, each with its citable units.

The indexer writes the marks that this module parses (`pincite_indexer.pages.chunking`). `section_markdown` renders the
pieces.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from pincite_core.index.read import Index
from pincite_core.types import Chunk, Unit, UnitKind
from pincite_server.answering.corpus.compose import Statement

__all__ = ("Piece", "PieceKind", "pieces_of")

PieceKind = Literal["label", "tab"] | UnitKind

_JOINT = "\n\n"
_QUOTE = "> "
_TAB = "==="


@dataclass(frozen=True, slots=True)
class Piece:
    """One block of a section.

    Attributes:
        kind: The kind of its units, or `label` or `tab` for a line without units.
        text: The text of the chunk without leading marks. For a tab: its label, or "" at the end of a group of tabs.
        mark: The bullet or number of an item with its indent; "" for further paragraphs of the item.
        note: Whether the piece is in an admonition.
        units: The citable units in the piece, in order.
    """

    kind: PieceKind
    text: str
    mark: str = ""
    note: bool = False
    units: tuple[Statement, ...] = ()


def pieces_of(index: Index, chunks: Sequence[Chunk]) -> list[Piece]:
    """Return the pieces of some chunks of one section, in order, without units beyond the end of a cut text."""
    by_chunk: dict[int, list[Unit]] = {chunk.chunk_id: [] for chunk in chunks}
    for unit in index.units_of_chunks(by_chunk):
        by_chunk[unit.chunk_id].append(unit)
    return [piece for chunk in chunks for piece in _Reader(chunk, by_chunk[chunk.chunk_id]).pieces()]


@dataclass(slots=True)
class _Reader:
    """Parses one chunk. A piece starts after an empty line and contains all units up to the next empty line."""

    chunk: Chunk
    rows: Sequence[Unit]
    mark: str = ""  # of the open piece
    units: list[Statement] = field(default_factory=list)  # of the open piece

    def pieces(self) -> Iterator[Piece]:
        text, cursor = self.chunk.text, 0
        for unit in self.rows:
            if unit.end > len(text):  # the text was cut inside this unit
                yield from self._close()
                return
            *lines, mark = text[cursor : unit.start].split(_JOINT)
            if lines or not cursor:
                yield from self._close()
                yield from filter(None, map(_line, lines))
                self.mark = mark
            self.units.append(self._unit(unit))
            cursor = unit.end
        yield from self._close()
        yield from filter(None, map(_line, text[cursor:].split(_JOINT)))

    def _close(self) -> Iterator[Piece]:
        if self.units:
            first, last = self.units[0], self.units[-1]
            note = self.mark.startswith(_QUOTE)
            text = self.chunk.text[first.start : last.start + len(last.text)]
            yield Piece(first.kind, text, self.mark.removeprefix(_QUOTE), note, tuple(self.units))
        self.units = []

    def _unit(self, unit: Unit) -> Statement:
        text = self.chunk.text[unit.start : unit.end]
        return Statement(text, unit.kind, unit.target_id, self.chunk, unit.start, unit)


def _line(line: str) -> Piece | None:
    """Parse a line that is no unit: a tab or a label; None for a blank line."""
    if line.startswith(_TAB):
        return Piece("tab", line.removeprefix(_TAB).strip())
    if text := line.removeprefix(_QUOTE).strip():
        return Piece("label", text, note=line.startswith(_QUOTE))
    return None
