"""Measure the confidence of quoted answers, on the answers that its weights were fitted on and on other answers.

    python -m bench.confidence [--fit]

Reads `bench/questions/confidence.jsonl`: a reader's grade of each answer, and the signals of the answer. Prints the
area under the curve, and the useful share by colour and by tenth. --fit fits the weights again on the answers that
they were fitted on. For each site it uses weights that were fitted without this site.

`bench/questions/verdicts.jsonl` has a model's verdicts on the passages of some of these answers. The model got the
prompt of `PINCITE_LLM_ROLE=judge`. The bench prints the same figures for the confidence that the verdicts give.
"""

import argparse
from collections.abc import Iterable, Sequence
from dataclasses import asdict, fields
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt
from bench.quality.tables import share_cell

from pincite_core.quoting.likelihood import AnswerSignals, answer_likelihood
from pincite_server.answering.corpus.likelihood import VERDICT_WEIGHTS, judged_likelihood
from pincite_server.answering.generation import PassageVerdict
from pincite_server.evaluation.shares import Share

__all__ = ("Shown", "area_under_curve", "fit", "fit_verdicts", "left_out", "read_shown", "read_verdicts")

ANSWERS = Path(__file__).parent / "questions" / "confidence.jsonl"
VERDICTS = ANSWERS.with_name("verdicts.jsonl")
NAMES = tuple(field.name for field in fields(AnswerSignals))
_COLOURS = {"red": (0.0, 0.4), "orange": (0.4, 0.7), "green": (0.7, 1.01)}
_SHRINKAGE = 3.0  # of weights in standard deviations; a factor of ten changes the area by .002
_STEPS = 12  # of Newton's method; the last steps change nothing

Vector = npt.NDArray[np.float64]
Verdicts = dict[str, tuple[PassageVerdict, ...]]
"""By an answer's id: the model's verdict on each shown passage, in order."""


class Shown(msgspec.Struct, frozen=True):
    """An answer as shown: the reader's grade (0 to 3), and the signals of the answer."""

    id: str
    site: str
    kind: str
    answer: int
    fitted: bool
    signals: AnswerSignals

    @property
    def useful(self) -> bool:
        """Return whether the reader found a main part of the answer in it."""
        return self.answer >= 2


class _Judged(msgspec.Struct, frozen=True):
    id: str
    verdicts: tuple[PassageVerdict, ...]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fit", action="store_true", help="fit the weights anew as well")
    fits = parser.parse_args().fit
    answers = read_shown(ANSWERS)
    fitted, others = ([one for one in answers if one.fitted is was] for was in (True, False))
    _report("fitted on", fitted, _said(fitted))
    _report("not fitted on", others, _said(others))
    from_trackers = [one for one in others if "-w" not in one.id]
    _report("of these, from trackers", from_trackers, _said(from_trackers))
    _report_verdicts(fitted, others, fits=fits)
    if fits:
        _report("fitted anew, each site left out", fitted, left_out(fitted))
        weights, bias = fit(fitted)
        print({name: round(float(weight), 2) for name, weight in zip(NAMES, weights, strict=True)}, round(bias, 2))


def read_shown(file: Path) -> list[Shown]:
    """Read the answers of a file, one in each line."""
    return [msgspec.json.decode(line, type=Shown) for line in _lines(file)]


def read_verdicts(file: Path) -> Verdicts:
    """Read the verdicts of a file, one answer in each line."""
    return {one.id: one.verdicts for one in (msgspec.json.decode(line, type=_Judged) for line in _lines(file))}


def area_under_curve(scores: Sequence[float], useful: Sequence[bool]) -> float:
    """Return how often a useful answer has a higher score than an answer that is not useful. Ties count one half."""
    found, told = np.asarray(scores, dtype=float), np.asarray(useful, dtype=bool)
    good, bad = found[told][:, None], found[~told]
    return float((good > bad).mean() + 0.5 * (good == bad).mean())


def fit(answers: Sequence[Shown]) -> tuple[Vector, float]:
    """Return the signals' weights, in the order of `NAMES`, and the bias of an L2-regularised logistic regression."""
    signals = _matrix(answers)
    means, deviations = signals.mean(axis=0), signals.std(axis=0)
    deviations[deviations == 0] = 1.0  # a signal that no answer was recorded with gets the weight 0
    rows = np.column_stack(((signals - means) / deviations, np.ones(len(answers))))
    weights = _logistic(rows, answers, [*np.ones(len(NAMES)), 0.0])
    scaled = weights[:-1] / deviations
    return scaled, float(weights[-1] - scaled @ means)


def fit_verdicts(answers: Sequence[Shown], verdicts: Verdicts) -> dict[str, float]:
    """Return the weights of the signals' log odds and of each best verdict, in the form of `VERDICT_WEIGHTS`."""
    said = np.array(_said(answers))
    best = np.array(
        [[judged in verdicts[one.id] for judged in ("yes", "partly", "no")] for one in answers], dtype=float
    )
    best *= np.cumsum(best, axis=1) == 1  # keep only the first best verdict
    rows = np.column_stack((np.log(said / (1.0 - said)), best))
    return dict(zip(VERDICT_WEIGHTS, _logistic(rows, answers, np.ones(4) / _SHRINKAGE).tolist(), strict=True))


def _logistic(rows: Vector, answers: Sequence[Shown], shrunk: npt.ArrayLike) -> Vector:
    """Return the weights of a logistic regression for useful answers; `shrunk` scales the shrinkage of each weight."""
    useful = np.array([one.useful for one in answers], dtype=float)
    penalty = _SHRINKAGE * np.diag(shrunk)
    weights = np.zeros(rows.shape[1])
    for _ in range(_STEPS):
        said = 1.0 / (1.0 + np.exp(-rows @ weights))
        curvature = rows.T @ (rows * (said * (1.0 - said))[:, None]) + penalty
        weights -= np.linalg.solve(curvature, rows.T @ (said - useful) + penalty @ weights)
    return weights


def left_out(answers: Sequence[Shown]) -> list[float]:
    """Return each answer's predicted confidence, by weights that were fitted without its site."""
    said = np.zeros(len(answers))
    sites = np.array([one.site for one in answers])
    for site in np.unique(sites):
        weights, bias = fit([one for one in answers if one.site != site])
        own = [one for one in answers if one.site == site]
        said[sites == site] = 1.0 / (1.0 + np.exp(-(_matrix(own) @ weights + bias)))
    return said.tolist()


def _lines(file: Path) -> list[bytes]:
    return file.read_bytes().splitlines()


def _matrix(answers: Iterable[Shown]) -> Vector:
    return np.array([list(asdict(one.signals).values()) for one in answers])


def _said(answers: Iterable[Shown]) -> list[float]:
    return [answer_likelihood(one.signals) for one in answers]


def _report_verdicts(fitted: Sequence[Shown], others: Sequence[Shown], *, fits: bool) -> None:
    """Report the confidence after a model's verdicts; a declined answer would have been shown in red."""
    verdicts = read_verdicts(VERDICTS)
    for title, answers in (("judged by a model, fitted on", fitted), ("judged by a model, not fitted on", others)):
        judged = [one for one in answers if one.id in verdicts]
        said = [judged_likelihood(answer_likelihood(one.signals), verdicts[one.id]) for one in judged]
        _report(title, judged, said)
        alone = area_under_curve(_said(judged), [one.useful for one in judged])
        declined = [one for one in judged if set(verdicts[one.id]) == {"no"}]
        near = sum(one.kind != "answerable" for one in declined)
        print(f"  without the verdicts the area is {alone:.3f}")
        print(f"  declined: {len(declined)}, near misses {near}, useful {sum(one.useful for one in declined)}")
        if fits and judged[0].fitted:
            print({name: round(weight, 2) for name, weight in fit_verdicts(judged, verdicts).items()})


def _report(title: str, answers: Sequence[Shown], said: Sequence[float]) -> None:
    answerable = [number for number, one in enumerate(answers) if one.kind == "answerable"]
    areas = [
        area_under_curve([said[number] for number in rows], [answers[number].useful for number in rows])
        for rows in (range(len(answers)), answerable)
    ]
    said = [round(score, 2) for score in said]  # as readers see it
    print(f"\n{title}: {len(answers)} answers, area {areas[0]:.3f}, without near misses {areas[1]:.3f}")
    for colour, (low, high) in _COLOURS.items():
        print(f"  {colour:<7} {_share_within(answers, said, low, high)}")
    for tenth in np.arange(10) / 10:
        print(f"  {tenth:.1f} to {tenth + 0.1:.1f}  {_share_within(answers, said, tenth, tenth + 0.1)}")


def _share_within(answers: Sequence[Shown], said: Sequence[float], low: float, high: float) -> str:
    within = [one.useful for one, score in zip(answers, said, strict=True) if low <= score < high]
    return share_cell(Share(sum(within), len(within)))


if __name__ == "__main__":
    main()
