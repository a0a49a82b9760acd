"""A table's row as a reader would say it: *name* (type, default): description, in place of `Name: ...; Type: ...`."""

import re

__all__ = ("Cell", "cells_of")

Cell = tuple[str, str]
"""A cell's column and its text; the column is empty where the table names none."""

_JOINT = "; "
_HEADER = re.compile(r"([^\W\d][^`:;]{0,39}): ")
_SURE = re.compile(r"[A-Z][\w/()-]*(?: [\w/()-]+){0,2}", re.ASCII)


def cells_of(row: str, chunk_text: str) -> list[Cell]:
    """Return a row's cells, in order.

    A cell may hold what joins cells itself, so that only what several rows of the chunk begin a cell with is a column;
    the only row of a table is read as it looks.

    Args:
        row: The row's text, `Header: value; Header: value`.
        chunk_text: The text that it stands in, a block each paragraph.
    """
    rows = [block for block in chunk_text.split("\n\n") if block != row and _JOINT in block]
    cells: list[Cell] = []
    for part in row.split(_JOINT):
        match = _HEADER.match(part)
        header = match.group(1) if match else ""
        if header and _is_column(header, rows):
            cells.append((header, part[len(header) + 2 :]))
        elif cells and cells[-1][0]:
            cells[-1] = (cells[-1][0], f"{cells[-1][1]}{_JOINT}{part}")
        else:
            cells.append(("", part))
    return cells


def _is_column(header: str, rows: list[str]) -> bool:
    if not rows:
        return bool(_SURE.fullmatch(header))
    return any(row.startswith(f"{header}: ") or f"{_JOINT}{header}: " in row for row in rows)
