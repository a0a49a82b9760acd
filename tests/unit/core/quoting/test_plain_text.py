"""A unit's words as its page shows them."""

from pincite_core.quoting.plain_text import plain_text
from pincite_core.types import Unit, UnitKind


def unit(kind: UnitKind, cells: tuple[int, ...] = ()) -> Unit:
    return Unit(1, 1, 1, 1, 0, 1, kind, 0, cells=cells)


def test_prose_loses_its_marks_of_code() -> None:
    assert plain_text("Set `size` to 5.", unit("prose")) == "Set size to 5."


def test_code_loses_its_fences_and_keeps_what_is_in_it() -> None:
    assert plain_text("```sh\necho `date`\n```", unit("code")) == "echo `date`"


def test_a_part_of_a_longer_listing_is_its_lines() -> None:
    assert plain_text("````md …\n```\nnested\n```\n````", unit("code")) == "```\nnested\n```"


def test_a_row_is_its_cells_without_the_names_of_their_columns() -> None:
    row = "Name: `size`; Type: number; How much"
    assert plain_text(row, unit("row", (4, 6, 4, 6, 0, 8))) == "size\tnumber\tHow much"
