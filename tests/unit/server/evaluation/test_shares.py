import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite_server.evaluation.shares import Agreement

GRADES = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=30)


def test_kappa_is_one_for_the_same_grades_and_none_where_chance_cannot_be_told() -> None:
    assert Agreement(((0, 0), (2, 2), (3, 3))).kappa == 1
    assert Agreement(((2, 2), (2, 2))).kappa is None
    assert Agreement(()).kappa is None


def test_kappa_is_zero_when_one_grader_gives_everything_the_same_grade() -> None:
    assert Agreement(((0, 2), (1, 2), (3, 2))).kappa == pytest.approx(0)


def test_kappa_weighs_a_far_grade_by_the_square_of_its_distance() -> None:
    near, far = ((0, 0), (1, 1), (2, 2), (3, 2)), ((0, 0), (1, 1), (2, 2), (3, 0))
    assert Agreement(near).kappa == pytest.approx(1 - 4 * 1 / 32)
    assert Agreement(far).kappa == pytest.approx(1 - 4 * 9 / 40)


@given(GRADES)
def test_kappa_does_not_depend_on_who_is_first_and_is_never_above_one(pairs: list[tuple[int, int]]) -> None:
    kappa = Agreement(tuple(pairs)).kappa
    assert kappa == Agreement(tuple((b, a) for a, b in pairs)).kappa
    assert kappa is None or kappa <= 1


def test_grades_on_the_same_side_of_useful_agree_in_that() -> None:
    agreement = Agreement(((3, 2), (2, 2), (1, 0), (2, 1)))
    assert (agreement.same.hits, agreement.same_use.hits, agreement.same.total) == (1, 3, 4)
