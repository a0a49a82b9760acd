"""Tables of docs pages are those of the code."""

import pytest
from tests.docs_tables import DOCS, PAGES, renewed


@pytest.mark.parametrize("page", PAGES)
def test_the_tables_of_a_page_are_those_of_the_code(page: str) -> None:
    text = (DOCS / page).read_text(encoding="utf-8")
    assert text == renewed(page, text), "run python -m tests.docs_tables"
