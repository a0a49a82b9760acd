"""Rows that were asked for before are read once."""

from pincite_core.index.row_cache import RowCache

THERE = {1: "one", 2: "two", 3: "three"}


class Reader:
    """Rows 1 to 3, and what was asked of them."""

    def __init__(self) -> None:
        self.asked: list[list[int]] = []

    def __call__(self, row_ids: list[int]) -> dict[int, str]:
        self.asked.append(row_ids)
        return {row_id: THERE[row_id] for row_id in row_ids if row_id in THERE}


def test_a_row_is_read_once() -> None:
    read = Reader()
    kept = RowCache[str](most=10)
    assert kept.of([2], read) == {2: "two"}
    assert list(kept.of([3, 2, 1, 2], read).items()) == [(1, "one"), (2, "two"), (3, "three")]
    assert kept.of(iter([1, 2, 3]), read) == THERE
    assert read.asked == [[2], [1, 3]]


def test_a_row_that_is_not_there_is_left_out() -> None:
    assert RowCache[str](most=10).of([4, 1], Reader()) == {1: "one"}


def test_when_there_are_too_many_all_are_given_and_forgotten() -> None:
    read = Reader()
    kept = RowCache[str](most=2)
    assert kept.of([1, 2], read) == kept.of([2, 1], read) == {1: "one", 2: "two"}
    assert kept.of([1, 2, 3], read) == THERE
    assert kept.of([1], read) == {1: "one"}
    assert read.asked == [[1, 2], [3], [1]]
