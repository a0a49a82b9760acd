"""Measure how often a follow-up finds its page, with the question before it and alone.

    python -m bench.follow_ups SITE=INDEX ...

Asks the questions of `bench/questions/follow_ups.jsonl` about the given sites. Also counts how many of all standalone
questions in `bench/questions` would be treated as follow-ups.
"""

import sys
from pathlib import Path

import msgspec
from bench.quality.graded import read_graded
from bench.quality.tables import print_table, share_cell
from bench.quality.written import QUESTIONS

from pincite_core.urls import split_fragment
from pincite_server.answerer import Answerer
from pincite_server.answering.pipeline import search_hits
from pincite_server.evaluation.questions import read_questions
from pincite_server.evaluation.shares import Share
from pincite_server.question.follow_ups import expand_follow_up, is_follow_up
from pincite_server.question.question import Turn


class FollowUp(msgspec.Struct, frozen=True):
    """A follow-up, the question before it, and the pages that answer it, by the ends of their paths."""

    site: str
    before: str
    asked: str
    pages: tuple[str, ...]


def main() -> None:
    lines = (QUESTIONS / "follow_ups.jsonl").read_bytes().splitlines()
    rows = [msgspec.json.decode(line, type=FollowUp) for line in lines]
    for site, place in (argument.split("=", 1) for argument in sys.argv[1:]):
        answerer = Answerer.open(Path(place))
        about = [row for row in rows if row.site == site]
        read = [expand_follow_up(row.asked, [Turn(row.before, "")], answerer.index) for row in about]
        asked = {
            "asked alone": [row.asked for row in about],
            "read together": [whole or row.asked for whole, row in zip(read, about, strict=True)],
        }
        cells = {
            f"right page among {k}": [
                share_cell(Share.of(_finds(answerer, row, text, k) for row, text in zip(about, texts, strict=True)))
                for texts in asked.values()
            ]
            for k in (1, 5)
        }
        print_table(site, list(asked), cells)
    alone = _standalone()
    print(f"\nstandalone questions taken for follow-ups: {share_cell(Share.of(map(is_follow_up, alone)))}")


def _finds(answerer: Answerer, row: FollowUp, text: str, k: int) -> bool:
    hits = search_hits(answerer, text)
    found = list(dict.fromkeys(split_fragment(hit.url)[0].rstrip("/") for hit in hits))[:k]
    return any(url.endswith(page.rstrip("/")) for url in found for page in row.pages)


def _standalone() -> list[str]:
    graded = (row.question for file in (QUESTIONS / "graded").glob("*.jsonl") for row in read_graded(file.stem))
    written = (row.question for file in QUESTIONS.glob("*.yml") for row in read_questions(file))
    return [text for text in (*graded, *written) if text]


if __name__ == "__main__":
    main()
