"""Cross-validate the evidence rule: fit it on some sites and report it on the others.

The shipped rule was fitted on the sites with judgements and the example site. This module fits its weights and its zero
point again, once on these sites and once on the sites of `bench/questions`. It tests each fit on the questions of the
other sites. The weights are a logistic regression with balanced classes. Each site's signals are counted from their
medians over the bundled foreign questions, as in the shipped rule. The zero point lies between the foreign questions
and the site's own questions. It is as near to the own questions as possible while at most one in twenty of the fold's
answerable questions is refused.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt
from bench.quality.judgements import SiteQuestions
from bench.quality.tables import print_table, share_cell

from pincite_core.index.read import Index
from pincite_core.index.write import IndexContent
from pincite_core.search.evidence import DEFAULT_CALIBRATION, EvidenceSignals
from pincite_core.search.query import parse_query
from pincite_core.search.ranking import search
from pincite_indexer.calibration import foreign_questions, own_questions
from pincite_server.answerer import Answerer
from pincite_server.cli.eval_output import share_record
from pincite_server.evaluation.shares import Share
from pincite_server.question.scope import choose_scope

__all__ = ("report_folds",)

ANSWERABLE = "answerable"
FALSE_REFUSALS = 0.05
FOREIGN_BELOW, OWN_ABOVE, SHIPPED_WAY = 0.90, 0.95, 0.4  # as in the calibration
WAYS = tuple(step / 10 for step in range(11))
_STEPS, _RATE, _SHRINKAGE = 4000, 5.0, 0.0005
_SIGNALS = tuple(field.name for field in fields(EvidenceSignals))

Matrix = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SiteSignals:
    """Signals, one row for each question: `asked` by kind, and the `foreign` and `own` questions of the calibration."""

    asked: dict[str, Matrix]
    foreign: Matrix
    own: Matrix

    def logits(self, kind: str, rule: "Rule") -> Matrix:
        """Return the log odds of the questions of a kind, counted from the site's own zero point."""
        below = np.quantile(self.foreign @ rule.weights, FOREIGN_BELOW)
        above = np.quantile(self.own @ rule.weights, 1 - OWN_ABOVE)
        zero = min(above, below + rule.way * (above - below))
        logits: Matrix = self.asked[kind] @ rule.weights - zero
        return logits


@dataclass(frozen=True, slots=True)
class Rule:
    """One weight for each signal, and the zero point's position from foreign (0) to the site's own questions (1)."""

    weights: Matrix
    way: float


def report_folds(
    answerers: Mapping[str, Answerer], folds: Mapping[str, Mapping[str, SiteQuestions]]
) -> dict[str, dict[str, object]]:
    """Print the refused shares of each fold's sites, by the rule fitted on the other fold and by the shipped rule.

    Args:
        answerers: Every site's index.
        folds: Two sets of sites, by name, with their questions.
    """
    read = {name: [_read(answerers[site], sites[site]) for site in sites] for name, sites in folds.items()}
    shipped = Rule(np.array([getattr(DEFAULT_CALIBRATION, name) for name in _SIGNALS]), SHIPPED_WAY)
    record: dict[str, dict[str, object]] = {}
    for name, sites in read.items():
        others = [site for other, rows in read.items() if other != name for site in rows]
        rules = {"as shipped": shipped, "fitted on the others": _fit(others)}
        kinds = dict.fromkeys(kind for site in sites for kind in site.asked)
        found = {kind: [_refused(sites, kind, rule) for rule in rules.values()] for kind in kinds}
        print_table(
            f"refused: {name}", list(rules), {kind: [share_cell(cell) for cell in row] for kind, row in found.items()}
        )
        print(f"  fitted: way {rules['fitted on the others'].way}, " + _told(rules["fitted on the others"].weights))
        record[name] = {kind: [share_record(cell) for cell in row] for kind, row in found.items()}
    return record


def _told(weights: Matrix) -> str:
    return ", ".join(f"{name} {weight:.1f}" for name, weight in zip(_SIGNALS, weights, strict=True))


def _refused(sites: Sequence[SiteSignals], kind: str, rule: Rule) -> Share:
    return Share.of(bool(logit < 0) for site in sites if kind in site.asked for logit in site.logits(kind, rule))


def _read(answerer: Answerer, questions: SiteQuestions) -> SiteSignals:
    scope_ids = choose_scope(answerer.index)[0].scope_ids
    asked: dict[str, list[str]] = {ANSWERABLE: [item.question for item in questions.answerable]}
    for kind, text in questions.foreign:
        asked.setdefault(kind, []).append(text)
    return SiteSignals(
        {kind: _signals(answerer, texts, scope_ids) for kind, texts in asked.items()},
        _signals(answerer, foreign_questions()[::2], scope_ids),
        _signals(answerer, own_questions(_content(answerer.index), scope_ids), scope_ids),
    )


def _signals(answerer: Answerer, questions: Sequence[str], scope_ids: Sequence[int]) -> Matrix:
    asked = ((query, answerer.encode(query.text)) for query in map(parse_query, questions))
    found = (
        search(answerer.index, encoded.vector, query, scope_ids, 1, query_tokens=encoded.tokens).signals
        for query, encoded in asked
    )
    return np.array([[getattr(signals, name) for name in _SIGNALS] for signals in found]).reshape(-1, len(_SIGNALS))


def _content(index: Index) -> IndexContent:
    """Return the rows of an index from which the site's own questions are made."""
    targets = index.targets()
    return IndexContent(
        info=index.info,
        scopes=list(index.scopes),
        pages=index.pages(),
        targets=targets,
        chunks=index.chunks(),
        units=index.units(),
        vectors=np.zeros((0, index.info.dimension), dtype=np.int8),
        text_hashes=[],
        terms=[],
        links=index.links_to(target.target_id for target in targets),
    )


def _fit(sites: Sequence[SiteSignals]) -> Rule:
    weights = _weights(sites)
    within = [way for way in WAYS if (_refused(sites, ANSWERABLE, Rule(weights, way)).value or 0) <= FALSE_REFUSALS]
    return Rule(weights, max(within, default=0.0))


def _weights(sites: Sequence[SiteSignals]) -> Matrix:
    """Return logistic weights by gradient descent; every site, and both classes in each site, have equal weight."""
    rows, known, mass = [], [], []
    for site in sites:
        others = np.concatenate([matrix for kind, matrix in site.asked.items() if kind != ANSWERABLE])
        for matrix, answerable in ((site.asked[ANSWERABLE], 1.0), (others, 0.0)):
            rows.append(matrix - np.median(site.foreign, axis=0))
            known.append(np.full(len(matrix), answerable))
            mass.append(np.full(len(matrix), 0.5 / len(matrix) / len(sites)))
    signals, answers, counted = np.concatenate(rows), np.concatenate(known), np.concatenate(mass)
    weights, bias = np.ones(signals.shape[1]), 0.0
    for _ in range(_STEPS):
        error = counted * (answers - 1 / (1 + np.exp(-(signals @ weights + bias))))
        weights = weights + _RATE * (signals.T @ error - _SHRINKAGE * weights)
        bias += _RATE * float(error.sum())
    return weights
