"""What is said of the confidence is computed from answers that anybody can read again, and its weights are theirs."""

from dataclasses import astuple

import pytest
from bench.confidence import (
    ANSWERS,
    VERDICTS,
    Shown,
    area_under_curve,
    fit,
    fit_verdicts,
    left_out,
    read_shown,
    read_verdicts,
)

from pincite_core.quoting.likelihood import LIKELIHOOD_BIAS, LIKELIHOOD_WEIGHTS, AnswerSignals
from pincite_server.answering.corpus.likelihood import VERDICT_WEIGHTS


def shown(number: int, site: str, answer: int, nearest: float) -> Shown:
    pair = number // 2  # a useful one and one that is not, alike in all else
    varied = AnswerSignals(pair % 3 / 10, nearest, z_score=pair % 5, code=pair % 2, shown=pair % 7)
    return Shown(f"{site}-{number}", site, "answerable", answer, fitted=True, signals=varied)


def test_the_area_is_the_share_of_pairs_in_the_right_order() -> None:
    assert area_under_curve([0.9, 0.5, 0.5, 0.1], [True, True, False, False]) == pytest.approx(3.5 / 4)


def test_the_weights_are_what_the_answers_give() -> None:
    weights, bias = fit([one for one in read_shown(ANSWERS) if one.fitted])
    assert weights.tolist() == pytest.approx(astuple(LIKELIHOOD_WEIGHTS), rel=0.02)
    assert bias == pytest.approx(LIKELIHOOD_BIAS, abs=0.05)


def test_the_weights_of_verdicts_are_what_the_judged_answers_give() -> None:
    verdicts = read_verdicts(VERDICTS)
    judged = [one for one in read_shown(ANSWERS) if one.fitted and one.id in verdicts]
    assert fit_verdicts(judged, verdicts) == pytest.approx(VERDICT_WEIGHTS, abs=0.01)


def test_every_verdict_is_about_an_answer_that_was_read() -> None:
    assert read_verdicts(VERDICTS).keys() <= {one.id for one in read_shown(ANSWERS)}


def test_a_site_is_asked_weights_that_were_fitted_without_it() -> None:
    agreed = [shown(number, "a", 3 * (number % 2), 0.5 + number % 2 / 2) for number in range(40)]
    turned = [shown(number, "b", 3 * (number % 2), 1.0 - number % 2 / 2) for number in range(40)]
    said = left_out([*agreed, *turned])
    useful = [one.useful for one in agreed]
    assert area_under_curve(said[:40], useful) < 0.5  # by what the other site says, which is the opposite
    assert area_under_curve(said[40:], useful) < 0.5


def test_no_answer_is_both_fitted_on_and_reported() -> None:
    answers = read_shown(ANSWERS)
    assert len({one.id for one in answers}) == len(answers)
    fitted, reported = ({one.site for one in answers if one.fitted is was} for was in (True, False))
    assert not fitted & reported
    assert {one.answer for one in answers} == {0, 1, 2, 3}
