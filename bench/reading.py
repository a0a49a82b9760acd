"""Report readers' grades of answers by a language model that plans its searches and reads whole sections.

    python -m bench.reading

Reads `bench/questions/reading.jsonl`: people's questions about four sites on which nothing was tuned. A capable reader
acted as the model; the file has this reader's queries and sections. Other readers graded three answers to each
question blind: quoted, written from five fragments (the version before), and written from whole sections. Prints shares
with 95 % intervals, context recall, and the tokens of each request.
"""

import statistics
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Literal

import msgspec
from bench.quality.tables import print_table, share_cell

from pincite_server.evaluation.shares import Share
from pincite_server.llm.messages import Purpose

__all__ = ("VARIANTS", "ReadRow", "read_rows")

_FILE = Path(__file__).parent / "questions" / "reading.jsonl"
VARIANTS = ("quoted", "fragments", "sections")
_HONEST = frozenset({"refused", "honest", "useful"})
"""Good results for a question without an answer in the docs; `useful`: the grader found that the docs do answer."""

Grade = Literal["0", "1", "2", "3", "refused", "honest", "shown", "useful", "wrong"]


class ReadRow(msgspec.Struct, frozen=True):
    """A question and its results.

    Attributes:
        kind: Whether the docs answer it: `answerable`, `near_miss` (same product) or `off_topic`.
        source: Where somebody asked the question; "" for off-topic questions.
        gold: The places that answer the question.
        recalled: Whether a place of `gold` was read; None if `gold` is empty.
        requests: The purpose of each request, with its tokens read and written, at four characters a token.
        grades: The grade of each answer variant: 0 to 3 (near misses: a word), or `refused`; empty without grades.
    """

    id: str
    site: str
    kind: Literal["answerable", "near_miss", "off_topic"]
    question: str
    source: str
    gold: tuple[str, ...]
    queries: tuple[str, ...]
    recalled: bool | None
    requests: tuple[tuple[Purpose, int, int], ...]
    grades: dict[str, Grade]


def read_rows() -> list[ReadRow]:
    """Return all questions."""
    return [msgspec.json.decode(line, type=ReadRow) for line in _FILE.read_bytes().splitlines()]


def main() -> None:
    rows = read_rows()
    answerable = [row for row in rows if row.kind == "answerable"]
    near = [row for row in rows if row.kind == "near_miss"]
    print_table("that the docs answer", VARIANTS, _graded(answerable))
    for site in dict.fromkeys(row.site for row in answerable):
        print_table(f"  {site}", VARIANTS, _graded([row for row in answerable if row.site == site]))
    print_table(
        "near misses",
        VARIANTS,
        {
            "handled honestly": _cells(near, lambda grade: grade in _HONEST),
            "wrong": _cells(near, lambda grade: grade == "wrong"),
        },
    )
    off_topic = [row for row in rows if row.kind == "off_topic"]
    recalled = Share.of(row.recalled for row in answerable if row.recalled is not None)
    planned = Share.of([purpose for purpose, _, _ in row.requests] == ["plan"] for row in off_topic)
    print_table(
        "of the last variant",
        ["share"],
        {
            "context recall": [share_cell(recalled)],
            "off-topic, refused after the plan": [share_cell(planned)],
        },
    )
    _print_tokens([row for row in rows if row.kind != "off_topic"])


def _graded(rows: Sequence[ReadRow]) -> dict[str, list[str]]:
    return {
        "useful (2 or 3)": _cells(rows, lambda grade: grade in {"2", "3"}),
        "good (3)": _cells(rows, lambda grade: grade == "3"),
        "wrong (0)": _cells(rows, lambda grade: grade == "0"),
        "refused": _cells(rows, lambda grade: grade == "refused"),
    }


def _cells(rows: Sequence[ReadRow], counts: Callable[[Grade], bool]) -> list[str]:
    return [share_cell(Share.of(counts(row.grades[variant]) for row in rows if row.grades)) for variant in VARIANTS]


def _print_tokens(rows: Sequence[ReadRow]) -> None:
    read = sorted(sum(one[1] for one in row.requests) for row in rows)
    written = [sum(one[2] for one in row.requests) for row in rows]
    most = max(len(row.requests) for row in rows)
    p95 = read[int(0.95 * len(read))]
    print(
        f"\ntokens a question: {statistics.median(read):,.0f} read (p95 {p95:,}), "
        f"{statistics.median(written):,.0f} written; at most {most} requests"
    )
    total = sum(tokens for row in rows for _, *both in row.requests for tokens in both)
    for purpose in ("plan", "write", "verify"):
        _print_purpose(purpose, [one for row in rows for one in row.requests if one[0] == purpose], total)


def _print_purpose(purpose: str, requests: Iterable[tuple[Purpose, int, int]], total: int) -> None:
    found = list(requests)
    share = sum(read + written for _, read, written in found) / total
    read, written = statistics.median(one[1] for one in found), statistics.median(one[2] for one in found)
    print(
        f"  {purpose:7} {len(found):4} requests, {read:,.0f} read and {written:,.0f} written, {share:.0%} of all tokens"
    )


if __name__ == "__main__":
    main()
