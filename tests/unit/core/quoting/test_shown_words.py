"""A unit's words as its page shows them."""

from pincite_core.quoting.shown_words import shown_words

ROWS = "Name: `size`; Type: number; Description: How much\n\nName: `path`; Type: string; Description: Where"


def test_prose_loses_its_marks_of_code() -> None:
    assert shown_words("Set `size` to 5.", "prose", "Set `size` to 5.") == "Set size to 5."


def test_code_loses_its_fences_and_keeps_what_is_in_it() -> None:
    code = "```sh\necho `date`\n```"
    assert shown_words(code, "code", code) == "echo `date`"


def test_a_part_of_a_longer_listing_is_its_lines() -> None:
    code = "````md …\n```\nnested\n```\n````"
    assert shown_words(code, "code", code) == "```\nnested\n```"


def test_a_row_is_its_cells_without_the_names_of_their_columns() -> None:
    assert shown_words(ROWS.partition("\n\n")[0], "row", ROWS) == "size\tnumber\tHow much"
