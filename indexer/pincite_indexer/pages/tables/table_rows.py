"""Read the rows of a table: which of them name columns or other rows, and the names of the cells of the others.

A row that names the following rows ("Network" above the options of the network) is repeated in front of each of them.
"""

from collections.abc import Iterator

from pincite_core.quoting.unit_text import Cell
from pincite_indexer.pages.tables.column_headers import header_name
from pincite_indexer.pages.tables.table_grid import MAX_COLUMNS, GridCell, Group, OpenTable, Row, span_of
from pincite_indexer.pages.tables.table_shape import is_bold

__all__ = ("close_row", "left_over")

_MAX_REPEATED = 80  # characters; a longer cell is not repeated in other rows
_MAX_GROUPS = 4  # levels of titles; more are a list, not titles
_SENTENCE_END = (".", "!", "?", ";", ",", "。")


def close_row(table: OpenTable) -> list[Row]:
    """Close the open row; return it, or nothing if it names columns or other rows."""
    table.fill_row()
    table.in_row = False
    rows = list(_rows_of_data(table))
    if len(table.cells) > 1:  # a single cell may span more columns than there are
        table.columns = max(table.columns, table.at)
    return rows


def _rows_of_data(table: OpenTable) -> Iterator[Row]:
    """Read a row's cells; yield the row, unless it names columns or other rows."""
    filled = [cell for cell in table.cells if cell.text]
    _mark_headers(table, filled)
    has_data = any(not cell.is_header for cell in filled)
    for cell in table.cells:
        cell.is_clean = cell.is_clean and not has_data
    names_columns = not has_data and any(cell.names_column for cell in filled)
    group = _group_of(table, filled, names_columns)
    if group is None or not filled[0].is_header:
        _note_headers(table, names_columns)
    if group is not None:
        yield from _open_group(table, group, filled[0])
    elif names_columns:
        table.held.append(Row([("", cell.text) for cell in filled if cell.row == table.row]))
    elif filled:
        yield _row_of_data(table, filled)


def _open_group(table: OpenTable, group: Group, title: GridCell) -> Iterator[Row]:
    """Add a group to those of the following rows; yield titles that cannot be repeated in front of rows."""
    title.opens_group = True
    if table.groups_used:
        table.groups = [one for one in table.groups if one.from_head]
    table.groups_used = False
    if not group.text:  # too long
        table.groups.clear()
        yield Row([("", title.text)])
        return
    table.groups.append(group)
    table.held.append(Row([("", title.text)]))
    if len(table.groups) > _MAX_GROUPS:
        outermost = [("", table.groups.pop(0).text)]
        table.held = [row for row in table.held if row.cells != outermost]
        yield Row(outermost)


def _mark_headers(table: OpenTable, filled: list[GridCell]) -> None:
    """Correct which cells are headers, where the tags do not tell."""
    in_head = table.in_head and any(cell.is_header for cell in filled)
    if in_head or table.row < table.unmarked_headers or _is_bold_header_row(table, filled):
        for cell in table.cells:
            cell.is_header = True
    elif table.only_headers and table.row > 0 and not table.in_head:
        for cell in table.cells:
            cell.is_header = cell.column == 0


def _is_bold_header_row(table: OpenTable, filled: list[GridCell]) -> bool:
    """Return whether a row below the header row goes on with it.

    All its cells are bold, none below them is, and the first column is empty, because its name is in the row above.
    """
    own = [cell for cell in filled if cell.row == table.row]
    if not table.held or table.data_rows or not own or own[0].column == 0:
        return False
    following = None if table.row_element is None else table.row_element.getnext()
    if len(own) < 2 or following is None or not all(is_bold(cell.element) for cell in own):
        return False
    return not any(is_bold(cell) for cell in following)


def _note_headers(table: OpenTable, names_columns: bool) -> None:
    """Add the headers that end in this row, and end the blocks of headers of all other columns."""
    for cell in table.cells:
        if not cell.is_header and names_columns:
            continue  # an empty corner
        if cell.bottom <= table.row + 1 and cell.names_column:
            table.headers.add(cell.in_grid(), _end_of_column_group(table, cell))
        elif not cell.is_header or not cell.names_column:
            table.headers.end_block(cell.column, cell.width)


def _end_of_column_group(table: OpenTable, cell: GridCell) -> int:
    """Return the column after the column group of a header with this scope; 0 if there is none."""
    if cell.scope != "colgroup":
        return 0
    end = 0
    for group in table.element.iterchildren("colgroup"):
        columns = [span_of(column, "span") or 1 for column in group.iterchildren("col")]
        end += sum(columns) if columns else span_of(group, "span") or 1
        if cell.column < end:
            return min(max(end, cell.column + cell.width), MAX_COLUMNS)
    return 0


def _group_of(table: OpenTable, filled: list[GridCell], names_columns: bool) -> Group | None:
    """Return the group that a row opens: a single cell that names the following rows; None for other rows."""
    if len(filled) != 1 or filled[0].row < table.row:
        return None
    cell = filled[0]
    is_wide = cell.width == table.at and cell.width >= max(2, table.columns)
    if cell.is_header and cell.scope == "rowgroup":
        is_group = True
    elif cell.is_header and names_columns:
        is_group = is_wide or (cell.column == 0 and table.columns > 1 and table.row > 0 and not table.in_head)
    elif is_wide:
        is_group = _names_rows_below(table, cell)
    else:
        is_group = cell.column == 0 and table.at > 1 and _is_bold_alone(table, cell)
    if not is_group:
        return None
    text = cell.text if len(cell.text) <= _MAX_REPEATED else ""
    return Group(text, from_head=table.in_head, own_section=cell.scope == "rowgroup")


def _names_rows_below(table: OpenTable, cell: GridCell) -> bool:
    """Return whether a data cell as wide as the table is a title: it is bold, or such a row follows the header row."""
    is_last = table.row_element is None or table.row_element.getnext() is None
    if is_last or len(cell.text) > _MAX_REPEATED:
        return False
    if is_bold(cell.element):
        return True
    if table.data_rows == 0 and table.held:
        table.has_data_groups = not cell.text.endswith(_SENTENCE_END)
    return table.has_data_groups and not cell.text.endswith(_SENTENCE_END)


def _is_bold_alone(table: OpenTable, cell: GridCell) -> bool:
    """Return whether a first cell without other values is bold, and the first cells of other rows are not."""
    if table.has_bold_rows or not is_bold(cell.element):
        return False
    following = None if table.row_element is None else table.row_element.getnext()
    return following is not None and len(following) > 1 and not is_bold(following[0])


def _row_of_data(table: OpenTable, filled: list[GridCell]) -> Row:
    table.header_texts.update(text for row in table.held for _, text in row.cells)
    table.held.clear()
    table.data_rows += 1
    table.groups_used = True
    if len(filled[0].element) and is_bold(filled[0].element):
        table.has_bold_rows = True
    groups, cells = _named_cells(table, _row_header_first(filled))
    table.groups.extend(
        Group(cell.text, from_head=False, own_section=True) for cell in filled if _names_later_rows(table, cell)
    )
    texts = {text for _, text in cells}
    front = [("", text) for text in dict.fromkeys(groups) if text and text not in texts]
    return Row([*front, *cells], len(front))


def _names_later_rows(table: OpenTable, cell: GridCell) -> bool:
    return cell.scope == "rowgroup" and cell.bottom == table.row + 1 and len(cell.text) <= _MAX_REPEATED


def _row_header_first(filled: list[GridCell]) -> list[GridCell]:
    headers = [cell for cell in filled if cell.is_header and not cell.names_column]
    if len(headers) != 1 or headers[0] is filled[0]:
        return filled
    return [*headers, *(cell for cell in filled if cell is not headers[0])]


def _named_cells(table: OpenTable, filled: list[GridCell]) -> tuple[list[str], list[Cell]]:
    """Return the names of the row's groups, and its cells with the names of their columns."""
    groups = [group.text for group in table.groups]
    cells: list[Cell] = []
    for cell in filled:
        if cell.row < table.row and len(cell.text) > _MAX_REPEATED:
            continue
        explicit = cell.element.get("headers") if table.named else None
        if explicit and cell.row == table.row:
            name, groups = _explicit_names(table, cell, explicit, groups)
        elif cell.column == 0 and cell.width > 1 and cell.width >= table.columns:
            name = ""
        else:
            name = table.headers.name(cell.column, cell.width)
        is_name = name != cell.text and (cell.width == 1 or len(name) <= _MAX_REPEATED)
        cells.append((name if is_name else "", cell.text))
    return groups, cells


def _explicit_names(table: OpenTable, cell: GridCell, headers: str, groups: list[str]) -> tuple[str, list[str]]:
    """Return the column name by a cell's `headers`, and the row's groups with those that are named there."""
    found = [table.named[name] for name in headers.split() if name in table.named]
    above = [one for one in found if one.bottom <= table.row]
    own = [one.in_grid() for one in above if not one.opens_group]
    return header_name(own), [*groups, *(one.text for one in above if one.opens_group)]


def left_over(table: OpenTable) -> list[Row]:
    """Return the header rows without rows of data, unless their texts named earlier rows."""
    return [row for row in table.held if not {text for _, text in row.cells} <= table.header_texts]
