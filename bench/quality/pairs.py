"""Read answers about a passage that people labelled as supported or unsupported: `grounding.jsonl`."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

import msgspec

__all__ = ("LabelledPair", "read_pairs")


@dataclass(frozen=True, slots=True)
class LabelledPair:
    """An answer and whether its passage supports it. `data_set` is the first word of the pair's source.

    `seen` marks the half of the pairs, by a hash of their ids, on which thresholds for extractive answers were chosen.
    """

    data_set: str
    passage: str
    question: str
    answer: str
    grounded: bool
    seen: bool = False


class _Row(msgspec.Struct):
    id: str
    source: str
    passage: str
    question: str
    answer: str
    grounded: bool


def read_pairs(file: Path) -> list[LabelledPair]:
    """Return every pair of a file."""
    rows = (msgspec.json.decode(line, type=_Row) for line in file.read_bytes().splitlines() if line.strip())
    return [
        LabelledPair(_data_set(row), row.passage, row.question, row.answer, row.grounded, _is_seen(row)) for row in rows
    ]


def _data_set(row: _Row) -> str:
    return row.source.split()[0].split("2.0")[0]


def _is_seen(row: _Row) -> bool:
    return int(hashlib.md5(row.id.encode(), usedforsecurity=False).hexdigest(), 16) % 2 == 0
