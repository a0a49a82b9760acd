"""The pictured answers are chosen by nobody, and the page shows each with its question and its plan."""

from pathlib import Path

from bench import written_screens
from bench.written_screens import SITES, chosen_rows, page_of

PAGE = Path(written_screens.__file__).parents[1] / "docs" / "written-answers.md"


def test_each_site_is_pictured_once() -> None:
    assert [row.site for row in chosen_rows()] == list(SITES)


def test_the_page_is_what_the_command_writes_and_its_pictures_are_there() -> None:
    text = page_of(chosen_rows(), "images/written")
    assert PAGE.read_text(encoding="utf-8") == text
    names = [name for name in text.replace("(", ")").split(")") if name.endswith(".webp")]
    assert len(names) == 2 * len(SITES)
    assert all((PAGE.parent / name).is_file() for name in names)
