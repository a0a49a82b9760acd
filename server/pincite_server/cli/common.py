"""Options and JSON lines that several commands share."""

from collections.abc import Iterator
from typing import IO, TypeVar

import click
import msgspec

from pincite_core.errors import InputError

__all__ = ("JSON", "QUOTED", "read_rows", "write_row")

JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
QUOTED = click.option("--quoted", is_flag=True, help="Quote the docs even if a language model is configured.")

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
