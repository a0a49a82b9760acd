"""The sets of written answers, and what the gate makes of them."""

from typing import cast

import pytest
from bench.quality.remembering import RememberingEncoder
from bench.written.answers import HELD_OUT, KINDS, SEEN, WrittenAnswer, read_answers
from bench.written.replay import ReplayedUnit, default_encoder, is_broken, replay

from pincite_core.embedders import Embedder

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]  # all answers are replayed once, beside all other tests

ANSWERS = [row for site in (*SEEN, *HELD_OUT) for row in read_answers(site)]


@pytest.fixture(scope="module")
def encoder() -> Embedder:
    """Falsified copies of an answer cite what the answer cites."""
    return cast(Embedder, RememberingEncoder(default_encoder()))


@pytest.fixture(scope="module")
def replayed(encoder: Embedder) -> dict[str, list[ReplayedUnit]]:
    return {row.id: replay(row, row.answer, encoder) for row in ANSWERS}


@pytest.mark.parametrize("row", ANSWERS, ids=lambda row: row.id)
def test_every_falsification_changes_the_answer_and_cites_excerpts_that_are_there(row: WrittenAnswer):
    assert {one.kind for one in row.falsified} <= set(KINDS)
    for one in row.falsified:
        assert row.with_falsified(one) != row.answer
    assert len({excerpt.n for excerpt in row.excerpts}) == len(row.excerpts)


def test_a_falsification_that_fits_nowhere_is_an_error():
    row = ANSWERS[0]
    changed = row.falsified[0].__class__("name", "no such words", "others")
    with pytest.raises(ValueError, match="does not stand in the answer once"):
        row.with_falsified(changed)


def test_true_sentences_are_shown_and_few_of_them_doubtful(replayed: dict[str, list[ReplayedUnit]]):
    units = [unit for row in ANSWERS for unit in replayed[row.id]]
    assert sum(unit.outcome == "dropped" for unit in units) <= 0.02 * len(units)
    assert sum(unit.outcome == "doubtful" for unit in units) <= 0.15 * len(units)


def test_no_answer_is_broken(replayed: dict[str, list[ReplayedUnit]]):
    assert not [answer for answer, units in replayed.items() if is_broken(units)]


@pytest.mark.parametrize(("kind", "share"), [("name", 0.85), ("marker", 0.85), ("invented", 0.7), ("negation", 0.5)])
def test_falsified_sentences_are_dropped_mended_or_marked(
    replayed: dict[str, list[ReplayedUnit]], encoder: Embedder, kind: str, share: float
):
    caught: list[bool] = []
    for row in ANSWERS:
        written = {unit.written for unit in replayed[row.id]}
        for one in (one for one in row.falsified if one.kind == kind):
            changed = next(
                unit for unit in replay(row, row.with_falsified(one), encoder) if unit.written not in written
            )
            caught.append(changed.outcome != "verified")
    assert sum(caught) >= share * len(caught)
