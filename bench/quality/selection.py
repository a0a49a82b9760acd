"""Test extractive answers from a passage: answerable questions need an answer, and others need the fallback."""

import re
from collections.abc import Sequence

from bench.quality.pairs import LabelledPair
from bench.quality.tables import print_table, share_cell

from pincite_server.answerer import Answerer
from pincite_server.answering.pipeline import prepare_selection
from pincite_server.cli.eval_output import share_record
from pincite_server.evaluation.shares import Share
from pincite_server.question.question import Question, Selection
from pincite_server.question.resolve import resolve

__all__ = ("report_selection",)

_DATA_SET = "SQuAD"
_MARKER = re.compile(r"\s*\[1\]\s*$")
_ESCAPE = re.compile(r"\\(?=[^\w\s])")


def report_selection(answerer: Answerer, pairs: Sequence[LabelledPair]) -> dict[str, object]:
    """Ask each question about its passage, print the results, and return the shares for JSON.

    In an unsupported pair, the passage does not answer the question, and its `answer` only looks like an answer. The
    report has two halves: the pairs on which the threshold was chosen, and the other pairs.
    """
    asked = [(pair, _sentences(answerer, pair)) for pair in pairs if pair.data_set == _DATA_SET]
    halves = {
        "all": asked,
        "not looked at": [one for one in asked if not one[0].seen],
        "chosen on": [one for one in asked if one[0].seen],
    }
    shares = {name: _shares(rows) for name, rows in halves.items()}
    cells = {name: [share_cell(shares[half][name]) for half in halves] for name in shares["all"]}
    print_table("answers from a selection: SQuAD", list(halves), cells)
    records = {half: {name: share_record(share) for name, share in found.items()} for half, found in shares.items()}
    return {**records.pop("all"), **records}


def _shares(asked: Sequence[tuple[LabelledPair, list[str]]]) -> dict[str, Share]:
    answerable = [(pair, found) for pair, found in asked if pair.grounded]
    answered = [(pair, found) for pair, found in answerable if found]
    lured = [(pair, found) for pair, found in asked if found and not pair.grounded]
    return {
        "answerable, answered": Share.of(bool(found) for _, found in answerable),
        "answered, with the gold span": Share.of(_holds(found, pair.answer) for pair, found in answered),
        "answerable, gold span shown": Share.of(_holds(found, pair.answer) for pair, found in answerable),
        "unanswerable, fallen back": Share.of(not found for pair, found in asked if not pair.grounded),
        "answered wrongly, with the lure": Share.of(_holds(found, pair.answer) for pair, found in lured),
        "sentences verbatim": Share.of(text in pair.passage for pair, found in asked for text in found),
    }


def _sentences(answerer: Answerer, pair: LabelledPair) -> list[str]:
    """Return the sentences of an answer as a reader sees them; none for a refusal."""
    question = Question(pair.question, mode="selection", selection=Selection(pair.passage))
    pieces = prepare_selection(resolve(answerer, question)).outcome.pieces
    return [_ESCAPE.sub("", _MARKER.sub("", piece)).strip() for piece in pieces]


def _holds(sentences: Sequence[str], span: str) -> bool:
    return " ".join(span.split()).lower() in " ".join(" ".join(sentences).split()).lower()
