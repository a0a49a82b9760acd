"""Writes the first screens of answers to a file for grading, and reads them back with people's grades."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from pincite_core.errors import InputError
from pincite_server.answering.section_reading import read_section
from pincite_server.evaluation.evaluate import Evaluation
from pincite_server.evaluation.judge import JudgedQuestion, expected_places
from pincite_server.indexes.registry import IndexSet

__all__ = ("Screen", "read_sheet", "require_new", "screen_of", "write_sheet")

_REFERENCE = 6000  # characters of docs beside a screen, some 1,500 tokens: about as long as its excerpts


class Screen(Struct, frozen=True):
    """The text that a reader saw for a question, and the docs' text at the expected places.

    `grade` is a person's grade, 0 to 3; None if there is none yet. Unknown fields are ignored.
    """

    question: str
    shown: str
    reference: str = ""
    grade: Annotated[int, Meta(ge=0, le=3)] | None = None


def screen_of(indexes: IndexSet, row: JudgedQuestion) -> Screen | None:
    """Return the first screen of a question that the docs answer; None if it was or should have been refused."""
    if row.refused or not row.question.expect:
        return None
    return Screen(row.question.question, row.text, _reference(indexes, row))


def require_new(file: Path) -> None:
    """Check that a new sheet can be written, before the questions are asked.

    Raises:
        InputError: The file exists already, perhaps with people's grades, or its folder does not exist.
    """
    if file.exists() or not file.parent.is_dir():
        why = "is there already" if file.exists() else "is in no folder that is there"
        message = f"{file} {why}. Name a new file for the sheet."
        raise InputError(message)


def write_sheet(file: Path, indexes: IndexSet, evaluation: Evaluation) -> None:
    """Write a JSON line for each answer to grade.

    Raises:
        InputError: The file cannot be written.
    """
    screens = (screen for row in evaluation.rows if (screen := screen_of(indexes, row)))
    try:
        file.write_bytes(b"".join(msgspec.json.encode(screen) + b"\n" for screen in screens))
    except OSError as error:
        message = f"{file} cannot be written ({error.strerror}). Name a file in a folder that is there."
        raise InputError(message) from error


def read_sheet(file: Path) -> tuple[Screen, ...]:
    """Return the screens of a sheet that have a grade.

    Raises:
        InputError: The file is missing, a line is invalid, or no line has a grade.
    """
    try:
        lines = file.read_bytes().splitlines()
    except OSError as error:
        message = f"{file} cannot be read ({error.strerror}). Name a sheet of graded answers."
        raise InputError(message) from error
    screens = tuple(screen for screen in _rows(file, lines) if screen.grade is not None)
    if not screens:
        message = f"{file} holds no grades. Write a grade from 0 to 3 as `grade` into its lines."
        raise InputError(message)
    return screens


def _rows(file: Path, lines: Iterable[bytes]) -> Iterator[Screen]:
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            yield msgspec.json.decode(line, type=Screen)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            message = f"{file}, line {number}: {error}. A line has question, shown, and a grade from 0 to 3."
            raise InputError(message) from error


def _reference(indexes: IndexSet, row: JudgedQuestion) -> str:
    """Return the docs' text at the expected sections, or at the expected pages, within the length limit."""
    answerer = indexes.choose(row.question.locale).answerer
    index, expected = answerer.index, expected_places(answerer, row.question)
    if expected.sections:
        targets = [index.target(section) for section in sorted(expected.sections)]
    else:
        targets = [index.targets_of_page(page)[0] for page in sorted(expected.pages)]
    room = _REFERENCE // max(1, len(targets))
    texts = ((target, read_section(index, target, room).text) for target in targets)
    return "\n\n".join(f"# {' › '.join(target.heading_path)}\n\n{text}" for target, text in texts)
