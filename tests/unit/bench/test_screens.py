"""The pictured questions are chosen by nobody, and the page shows what was asked as it was typed."""

from pathlib import Path

import pytest
from bench import screens
from bench.quality.written import QUESTIONS
from bench.screens import SITES, Screen, ScreenQuestion, choose, page_of, read_questions

FILES = sorted((QUESTIONS / "tracker").glob("*.jsonl"))
PAGE = Path(screens.__file__).parents[1] / "docs" / "first-screens.md"


def asked(number: int, question: str = "Why?") -> ScreenQuestion:
    return ScreenQuestion(f"pip-{number:03}", question, "https://example.org/1", "answerable", "mypy")


def test_the_choice_depends_on_nothing_but_the_ids() -> None:
    rows = [asked(number) for number in range(1, 40)]
    chosen = [row.id for row in choose(rows, 3)]
    assert [row.id for row in choose(reversed(rows), 3)] == chosen == ["pip-018", "pip-007", "pip-017"]
    assert len(choose(rows[:2], 3)) == 2


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_question_from_a_tracker_names_where_it_was_asked(file: Path) -> None:
    rows = read_questions(file)
    assert len({row.id for row in rows}) == len(rows) == len({row.question for row in rows}) >= 20
    assert all(row.site == file.stem and row.question and row.source.startswith("https://") for row in rows)
    assert {row.kind for row in rows} == {"answerable", "near_miss"}


def test_the_page_shows_the_chosen_questions_and_their_pictures() -> None:
    pictured = [file for file in FILES if file.stem in SITES]
    rows = [row for file in pictured for row in read_questions(file) if row.kind == "answerable"]
    text = PAGE.read_text(encoding="utf-8")
    pictures = [f"images/screens/{row.id}.webp" for row in choose(rows, 20)]
    assert [name for name in text.replace("(", ")").split(")") if name.endswith(".webp")] == pictures
    assert all((PAGE.parent / name).is_file() for name in pictures)
    assert all(f"({row.source})" in text for row in choose(rows, 20))


def test_a_question_stands_on_the_page_as_it_was_typed_and_a_refusal_is_counted(tmp_path: Path) -> None:
    typed = asked(1, "**Why** is `a|b` <i>?")
    shown = [Screen(typed, tmp_path / "a.webp", "answer"), Screen(asked(2), tmp_path / "b.webp", "refusal")]
    text = page_of(shown, 7, tmp_path)
    assert "1 were answered, 1 refused." in " ".join(text.split())
    assert r"\*\*Why\*\* is \`a\|b\` \<i\>?" in text
    assert "| ![The chat's answer](a.webp) | ![The chat's refusal](b.webp) |" in text
