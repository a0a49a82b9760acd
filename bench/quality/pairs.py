"""Answers to a question about a passage, labelled by people as supported by it or not: `grounding.jsonl`."""

from dataclasses import dataclass
from pathlib import Path

import msgspec

__all__ = ("LabelledPair", "read_pairs")


@dataclass(frozen=True, slots=True)
class LabelledPair:
    """An answer and whether its passage supports it. `data_set` is the first word of where it is from."""

    data_set: str
    passage: str
    question: str
    answer: str
    grounded: bool


class _Row(msgspec.Struct):
    source: str
    passage: str
    question: str
    answer: str
    grounded: bool


def read_pairs(file: Path) -> list[LabelledPair]:
    """Return every pair of a file."""
    rows = (msgspec.json.decode(line, type=_Row) for line in file.read_bytes().splitlines() if line.strip())
    return [
        LabelledPair(row.source.split()[0].split("2.0")[0], row.passage, row.question, row.answer, row.grounded)
        for row in rows
    ]
