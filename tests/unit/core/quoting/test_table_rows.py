"""Rows cut back into their cells."""

from pincite_core.quoting.table_rows import cells_of

FIRST = "Name: `size`; Type: number; Default: 5; Description: How much; note: it is a hint"
SECOND = "Name: `path`; Type: string; Default: a; b; Description: Where"


def test_a_column_is_what_other_rows_begin_a_cell_with() -> None:
    assert cells_of(FIRST, f"{FIRST}\n\n{SECOND}") == [
        ("Name", "`size`"),
        ("Type", "number"),
        ("Default", "5"),
        ("Description", "How much; note: it is a hint"),
    ]


def test_a_cell_may_hold_what_joins_cells() -> None:
    assert ("Default", "a; b") in cells_of(SECOND, f"{FIRST}\n\n{SECOND}")


def test_the_only_row_of_a_table_is_read_as_it_looks() -> None:
    assert cells_of(FIRST.partition("; note")[0], FIRST.partition("; note")[0])[0] == ("Name", "`size`")


def test_a_row_without_columns_is_its_cells() -> None:
    assert cells_of("port; 8080", "port; 8080\n\nhost; localhost") == [("", "port"), ("", "8080")]
