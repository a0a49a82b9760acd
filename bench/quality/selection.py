"""Extractive answers from a passage: is an answerable question answered, and does an unanswerable one fall back?"""

import re
from collections.abc import Sequence

from bench.quality.pairs import LabelledPair
from bench.quality.tables import print_table, share_cell

from pincite_server.answering.pipeline import answer_selection
from pincite_server.cli.evaluation_record import share_record
from pincite_server.engine import Engine
from pincite_server.evaluation.shares import Share
from pincite_server.model import Answer, Question, Selection

__all__ = ("report_selection",)

_DATA_SET = "SQuAD"
_MARKER = re.compile(r"\s*\[1\]\s*$")
_ESCAPE = re.compile(r"\\(?=[^\w\s])")


def report_selection(engine: Engine, pairs: Sequence[LabelledPair]) -> dict[str, object]:
    """Ask every question of its passage, print what became of it, and return the shares for JSON.

    A pair labelled unsupported is a question that its passage does not answer; its `answer` is a span that only looks
    like one.
    """
    used = [pair for pair in pairs if pair.data_set == _DATA_SET]
    sentences = [(pair, _sentences(engine, pair)) for pair in used]
    answerable = [(pair, found) for pair, found in sentences if pair.grounded]
    answered = [(pair, found) for pair, found in answerable if found]
    lured = [(pair, found) for pair, found in sentences if found and not pair.grounded]
    shares = {
        "answerable, answered": Share.of(bool(found) for _, found in answerable),
        "answered, with the gold span": Share.of(_holds(found, pair.answer) for pair, found in answered),
        "answerable, gold span shown": Share.of(_holds(found, pair.answer) for pair, found in answerable),
        "unanswerable, fallen back": Share.of(not found for pair, found in sentences if not pair.grounded),
        "answered wrongly, with the lure": Share.of(_holds(found, pair.answer) for pair, found in lured),
        "sentences verbatim": Share.of(text in pair.passage for pair, found in sentences for text in found),
    }
    print_table(
        "answers from a selection: SQuAD", ["extractive"], {name: [share_cell(s)] for name, s in shares.items()}
    )
    return {name: share_record(share) for name, share in shares.items()}


def _sentences(engine: Engine, pair: LabelledPair) -> list[str]:
    """Return the sentences of an answer as a reader sees them; none for a refusal."""
    question = Question(pair.question, mode="selection", selection=Selection(pair.passage))
    reply = answer_selection(engine, question)
    if not isinstance(reply, Answer):
        return []
    return [_ESCAPE.sub("", _MARKER.sub("", delta)).strip() for delta in reply.deltas]


def _holds(sentences: Sequence[str], span: str) -> bool:
    return " ".join(span.split()).lower() in " ".join(" ".join(sentences).split()).lower()
