"""Measure the selection-mode validator on labelled pairs: false negatives against false positives.

A false negative is a supported answer that is refused. A false positive is an unsupported answer that is accepted. The
report has the shipped rule and its curve: the false positives for each threshold that refuses a given share of the
supported answers.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from bench.quality.pairs import LabelledPair
from bench.quality.remembering import RememberingEncoder
from bench.quality.tables import print_table, share_cell

from pincite_core.embedders import Embedder
from pincite_server.cli.eval_output import share_record
from pincite_server.evaluation.shares import Share
from pincite_server.grounding.keyword_overlap import KEYWORD_OVERLAP_THRESHOLD, SIMILARITY_THRESHOLD
from pincite_server.grounding.verdict import Grounding, validate_grounding
from pincite_server.policy import GroundingMode

__all__ = ("report_grounding",)

MODES: tuple[GroundingMode, ...] = ("default", "adr-003")
FALSE_NEGATIVES = (0.01, 0.02, 0.05, 0.10, 0.20, 0.30)  # points of the curve
_NOT_FOR_VALIDATORS = "SQuAD"  # the passage does contain its unsupported answers; the set is for extractive answers


@dataclass(frozen=True, slots=True)
class _Judged:
    data_set: str
    grounded: bool
    accepted: bool
    score: float


def report_grounding(embedder: Embedder, pairs: Sequence[LabelledPair]) -> dict[str, object]:
    """Print the rule's mistakes and its curve, for each data set and mode, and return them for JSON."""
    encode = RememberingEncoder(embedder)
    used = [pair for pair in pairs if pair.data_set != _NOT_FOR_VALIDATORS]
    judged = {mode: [_judge(pair, encode, mode) for pair in used] for mode in MODES}
    record: dict[str, object] = {}
    for data_set in dict.fromkeys(pair.data_set for pair in used):
        parts = {mode: [item for item in rows if item.data_set == data_set] for mode, rows in judged.items()}
        rules = {mode: {**_mistakes(rows), **_curve(rows)} for mode, rows in parts.items()}
        names = list(rules[MODES[0]])
        cells = {name: [share_cell(rules[mode][name]) for mode in MODES] for name in names}
        print_table(f"grounding: {data_set}", list(MODES), cells)
        record[data_set] = {
            mode: {name: share_record(share) for name, share in shares.items()} for mode, shares in rules.items()
        }
    return record


def _judge(pair: LabelledPair, encode: RememberingEncoder, mode: GroundingMode) -> _Judged:
    verdict = validate_grounding(pair.passage, pair.question, pair.answer, encode, mode=mode)
    score = verdict.score if mode == "default" else _adr_score(verdict)
    return _Judged(pair.data_set, pair.grounded, verdict.grounded, score)


def _adr_score(verdict: Grounding) -> float:
    """Return how far both thresholds could be raised together before the rule refuses; 1 is the rule itself."""
    return max(verdict.similarity / SIMILARITY_THRESHOLD, verdict.keyword_overlap / KEYWORD_OVERLAP_THRESHOLD)


def _mistakes(rows: Sequence[_Judged]) -> dict[str, Share]:
    return {
        "false negatives": Share.of(not row.accepted for row in rows if row.grounded),
        "false positives": Share.of(row.accepted for row in rows if not row.grounded),
    }


def _curve(rows: Sequence[_Judged]) -> dict[str, Share]:
    """Return the false positives at the threshold that refuses at most the given share of supported answers."""
    supported = sorted(row.score for row in rows if row.grounded)
    points = {}
    for share in FALSE_NEGATIVES:
        threshold = supported[int(share * len(supported))]
        accepted = Share.of(row.score >= threshold for row in rows if not row.grounded)
        points[f"false positives at {share:.0%} FN"] = accepted
    return points
