"""Reads logs of questions and votes for a report."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from pincite_core.errors import InputError
from pincite_server.observe.question_log import LoggedQuestion, LoggedVote

__all__ = ("Logged", "read_log")


@dataclass(frozen=True, slots=True)
class Logged:
    """The rows of some logs, in order. `unreadable` counts invalid lines, such as one cut off by a killed process."""

    questions: list[LoggedQuestion] = field(default_factory=list)
    votes: list[LoggedVote] = field(default_factory=list)
    unreadable: int = 0


def read_log(files: Sequence[Path]) -> Logged:
    """Return the questions and votes of some logs.

    Raises:
        InputError: A file cannot be read.
    """
    questions: list[LoggedQuestion] = []
    votes: list[LoggedVote] = []
    unreadable = 0
    for line in (line for file in files for line in _lines(file)):
        try:
            row = _row(line)
        except msgspec.MsgspecError:
            unreadable += 1
            continue
        if isinstance(row, LoggedVote):
            votes.append(row)
        else:
            questions.append(row)
    return Logged(questions, votes, unreadable)


def _lines(file: Path) -> list[bytes]:
    try:
        return list(filter(None, file.read_bytes().splitlines()))
    except OSError as error:
        message = f"{file} cannot be read ({error.strerror}). Name a file that `pincite serve --log-questions` wrote."
        raise InputError(message) from error


def _row(line: bytes) -> LoggedQuestion | LoggedVote:
    """Return the row of a log line; only votes have the field `vote`."""
    fields = msgspec.json.decode(line, type=dict[str, object])
    return msgspec.convert(fields, LoggedVote) if "vote" in fields else msgspec.convert(fields, LoggedQuestion)
