"""Reads and writes JSON lines in order; each line is written as soon as it is ready."""

from collections.abc import Iterator
from typing import IO, TypeVar

import msgspec

from pincite_core.errors import InputError

__all__ = ("read_rows", "write_row")

RowType = TypeVar("RowType")


def read_rows(stream: IO[bytes], row_type: type[RowType]) -> Iterator[RowType]:
    """Yield the rows of a stream; blank lines are skipped.

    Raises:
        InputError: A line is invalid JSON or lacks a field; the message has the line's number.
    """
    for number, line in enumerate(stream, start=1):
        if not line.strip():
            continue
        try:
            yield msgspec.json.decode(line, type=row_type)
        except msgspec.MsgspecError as error:
            message = f"Line {number} of standard input cannot be used: {error}. Give one JSON object a line."
            raise InputError(message) from error


def write_row(stream: IO[bytes], row: object) -> None:
    """Write one JSON line and flush it, so that the reading program need not wait."""
    stream.write(msgspec.json.encode(row) + b"\n")
    stream.flush()
