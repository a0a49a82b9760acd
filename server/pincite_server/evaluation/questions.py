"""Reads the questions of an evaluation, with their expected places or passages, from a YAML file."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec
import yaml

from pincite_core.errors import InputError

__all__ = ("EvalQuestion", "read_questions")

_SHAPE = "Give a list of rows, each with a question and either expect, refuse or passage."


@dataclass(frozen=True, slots=True)
class EvalQuestion:
    """A question of an evaluation.

    Attributes:
        line: The first line of the row in its file.
        expect: Places that answer it: stable IDs, or URLs with or without a fragment. Any of them is right. Empty if
            the question must be refused, or has a `passage`.
        version: None for the default, as for `locale`.
        passage: A passage to ask of alone, like a selection; None to ask the docs.
        answerable: Whether the passage answers the question.
    """

    line: int
    question: str
    expect: tuple[str, ...]
    version: str | None = None
    locale: str | None = None
    passage: str | None = None
    answerable: bool = False

    @property
    def must_refuse(self) -> bool:
        """Whether the docs, or the passage, do not hold the answer."""
        return not self.expect and not self.answerable


class _Row(msgspec.Struct, forbid_unknown_fields=True):
    question: str
    expect: str | list[str] = []
    refuse: bool = False
    version: str | None = None
    locale: str | None = None
    passage: str | None = None
    answerable: bool | None = None


def read_questions(file: Path) -> tuple[EvalQuestion, ...]:
    """Read a file of questions.

    Raises:
        InputError: The file is missing or invalid YAML, or a row is invalid; the message names the line.
    """
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        message = f"{file} cannot be read as UTF-8 text ({error}). Name a YAML file of questions."
        raise InputError(message) from error
    questions = tuple(_question(file, line, row) for line, row in _rows(file, text))
    if not questions:
        message = f"{file} has no questions. {_SHAPE}"
        raise InputError(message)
    return questions


def _rows(file: Path, text: str) -> Iterator[tuple[int, object]]:
    """Yield each row with its line. Scalars stay text, because YAML would read the version 3.10 as the number 3.1."""
    loader = yaml.BaseLoader(text)
    try:
        root = loader.get_single_node()
        if root is not None and not isinstance(root, yaml.SequenceNode):
            message = f"{file} is no list of questions. {_SHAPE}"
            raise InputError(message)
        for node in root.value if root else ():
            yield node.start_mark.line + 1, loader.construct_object(node, deep=True)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        message = f"{file}, line {line}: this is no YAML ({error.problem}). Correct the line."
        raise InputError(message) from error
    finally:
        loader.dispose()


def _question(file: Path, line: int, content: object) -> EvalQuestion:
    try:
        row = msgspec.convert(content, _Row, strict=False)
    except msgspec.ValidationError as error:
        message = (
            f"{file}, line {line}: {error}. A row has question, expect, refuse or passage, and perhaps version, locale."
        )
        raise InputError(message) from error
    places = [row.expect] if isinstance(row.expect, str) else row.expect
    expect = tuple(place.strip() for place in places if place.strip())
    if not row.question.strip():
        message = f"{file}, line {line}: the question is empty. Write one, or remove the row."
        raise InputError(message)
    with_passage = row.passage is not None or row.answerable is not None
    if with_passage and (not (row.passage or "").strip() or row.answerable is None or row.expect or row.refuse):
        message = f"{file}, line {line}: with a passage give answerable: true or false, and neither expect nor refuse."
        raise InputError(message)
    if row.passage is None and row.refuse == bool(expect):
        message = f"{file}, line {line}: give either expect (a stable ID or URL, or a list of them) or refuse: true."
        raise InputError(message)
    scope = row.version or None, row.locale or None
    return EvalQuestion(line, row.question.strip(), expect, *scope, row.passage, row.answerable is True)
