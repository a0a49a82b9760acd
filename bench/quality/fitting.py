"""Measure the weights of the grounding validator on data that they were not fitted on.

    python -m bench.quality.fitting DATA/eval/grounding.jsonl

Fits the weights of all signals (a logistic regression in which every signal can only count against an answer) on some
data sets. For every data set it prints the share of unsupported answers that pass if 5 % of the supported answers are
refused. The weights are fitted on one data set, on all others, and on one half of the rows for the other half. Then it
prints the same for the shipped weights.
"""

import sys
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

import numpy as np
import numpy.typing as npt
from bench.quality.pairs import LabelledPair, read_pairs
from bench.quality.tables import print_table

from pincite_server.grounding.passage_words import PassageWords, sentences_of
from pincite_server.grounding.stems import all_stems
from pincite_server.grounding.verdict import SUPPORT_WEIGHTS, judge_sentence, judge_support, unworded_share

FALSE_NEGATIVES = 0.05
_NOT_FOR_VALIDATORS = "SQuAD"
_STEPS, _RATE, _SHRINKAGE = 4000, 0.5, 0.002

Matrix = npt.NDArray[np.float64]
Rows = npt.NDArray[np.bool_]


def main() -> None:
    pairs = [pair for pair in read_pairs(Path(sys.argv[1])) if pair.data_set != _NOT_FOR_VALIDATORS]
    signals = np.array([_signals(pair) for pair in pairs])
    grounded = np.array([pair.grounded for pair in pairs])
    sets = {name: np.array([pair.data_set == name for pair in pairs]) for name in {pair.data_set for pair in pairs}}
    seen = np.array([pair.seen for pair in pairs])

    def scores(rows: Rows) -> Matrix:
        return -signals @ _fit(signals[rows], grounded[rows])

    table: dict[str, Matrix] = {}
    for size in range(1, len(sets) + 1):
        for names in combinations(sorted(sets), size):
            table[f"fitted on {', '.join(names)}"] = scores(np.any([sets[name] for name in names], axis=0))
    table["fitted on the other half"] = np.where(seen, scores(~seen), scores(seen))
    table["as shipped"] = np.array([judge_support(pair.passage, pair.question, pair.answer).score for pair in pairs])
    cells = {
        what: [f"{_let_through(found[sets[name]], grounded[sets[name]]):.2f}" for name in sorted(sets)]
        for what, found in table.items()
    }
    print_table(f"let through at {FALSE_NEGATIVES:.0%} FN", sorted(sets), cells)


def _signals(pair: LabelledPair) -> Sequence[float]:
    """Return the maximum of each signal over an answer's sentences, and its share of keywords in another form."""
    passage, asked = PassageWords.of(pair.passage), frozenset(all_stems(pair.question))
    judged = [judge_sentence(sentence, passage, asked).signals for sentence in sentences_of(pair.answer)]
    found = [max((float(getattr(one, name)) for one in judged), default=0.0) for name in SUPPORT_WEIGHTS]
    return [*found, unworded_share(pair.answer, pair.passage) if any(found) else 0.0]


def _fit(signals: Matrix, grounded: Rows) -> Matrix:
    """Return weights of at least 0 by projected gradient descent; both classes have the same total weight."""
    weights, bias = np.ones(signals.shape[1]), 1.0
    mass = np.where(grounded, 0.5 / grounded.sum(), 0.5 / (~grounded).sum())
    for _ in range(_STEPS):
        error = mass * (grounded - 1 / (1 + np.exp(signals @ weights - bias)))
        weights = np.maximum(0.0, weights - _RATE * (signals.T @ error + _SHRINKAGE * weights))
        bias += _RATE * float(error.sum())
    return weights


def _let_through(scores: Matrix, grounded: Rows) -> float:
    supported = np.sort(scores[grounded])
    return float((scores[~grounded] >= supported[int(FALSE_NEGATIVES * len(supported))]).mean())


if __name__ == "__main__":
    main()
