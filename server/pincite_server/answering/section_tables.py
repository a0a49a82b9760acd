"""Build Markdown tables from the table rows of an index."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from pincite_core.quoting.table_rows import Cell, cells_of
from pincite_server.answering.section_pieces import Piece

__all__ = ("table_texts",)


def table_texts(rows: Sequence[Piece]) -> Iterator[tuple[str, Sequence[Piece]]]:
    """Yield Markdown with the rows that it contains, in order: a table, or a single row whose columns are unknown.

    Args:
        rows: Consecutive rows of one table or several tables.
    """
    table = _Table()
    for row in rows:
        cells = cells_of(row.text, row.units[0].unit.cells if row.units else ())
        told = _has_columns(cells)
        if table.rows and not (told and table.continues_with(cells)):
            yield table.markdown(), table.rows
            table = _Table()
        if told:
            table.add(row, cells)
        else:
            yield row.text, [row]
    if table.rows:
        yield table.markdown(), table.rows


def _has_columns(cells: Sequence[Cell]) -> bool:
    """Return whether each cell has a column of its own; only the first column may lack a name."""
    names = [name for name, _ in cells]
    return any(names) and all(names[1:]) and len(set(names)) == len(names)


@dataclass(slots=True)
class _Table:
    """The table parsed so far. A row of the index omits empty cells."""

    columns: list[str] = field(default_factory=list)
    cells: list[dict[str, str]] = field(default_factory=list)
    rows: list[Piece] = field(default_factory=list)

    def continues_with(self, cells: Sequence[Cell]) -> bool:
        return any(name in self.columns for name, _ in cells if name)

    def add(self, row: Piece, cells: Sequence[Cell]) -> None:
        self.rows.append(row)
        self.cells.append(dict(cells))
        at = 0
        for name, _ in cells:
            if name not in self.columns:
                self.columns.insert(at, name)
            at = self.columns.index(name) + 1

    def markdown(self) -> str:
        body = [[cells.get(name, "") for name in self.columns] for cells in self.cells]
        return "\n".join(map(_line, [self.columns, ["---"] * len(self.columns), *body]))


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"
