import itertools
from collections.abc import Iterator

import pytest

from pincite_core.budget import Budget, check_budget, outside_python
from pincite_core.errors import WorkLimitError


def wall() -> float:
    """Let so much time pass on the wall that the processor's has to be looked at."""
    return next(_LONG)


_LONG = itertools.count(0.0, 1e6)


def seconds(*each: float) -> Iterator[float]:
    yield from each


def test_a_task_within_its_budget_reports_the_time_it_used():
    clock = seconds(100.0, 100.5, 101.0, 101.5)
    budget = Budget(2.0, lambda: next(clock), wall)
    assert budget.run(lambda: check_budget() or "done") == "done"  # type: ignore[func-returns-value]
    assert budget.used == 1.5


def test_a_task_over_its_budget_ends_at_the_next_check():
    clock = seconds(100.0, 100.0, 101.9, 102.0, 102.5)
    reached: list[int] = []

    def loop() -> None:
        for number in range(5):
            check_budget()
            reached.append(number)

    budget = Budget(2.0, lambda: next(clock), wall)
    with pytest.raises(WorkLimitError, match="Ask in fewer words"):
        budget.run(loop)
    assert reached == [0]
    assert budget.used == 2.5


def test_a_stopped_task_ends_at_the_next_check():
    budget = Budget(60.0)

    def left_alone() -> None:
        budget.stop()
        check_budget()

    with pytest.raises(WorkLimitError):
        budget.run(left_alone)


@pytest.mark.parametrize("left", [0.0, -1.0])
def test_a_task_without_time_does_not_start(left: float):
    begun: list[bool] = []
    with pytest.raises(WorkLimitError):
        Budget(left).run(lambda: begun.append(True))
    assert not begun


def test_only_tasks_with_a_budget_are_limited():
    budget = Budget(60.0)
    budget.stop()
    with pytest.raises(WorkLimitError):
        budget.run(check_budget)
    check_budget()


class Turns:
    """Notes who takes and gives the turn."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def take(self) -> None:
        self.seen.append("take")

    def give(self) -> None:
        self.seen.append("give")


def test_a_task_holds_the_turn_until_its_end_even_if_it_fails():
    turns = Turns()
    with pytest.raises(ZeroDivisionError):
        Budget(60.0, turn=turns).run(lambda: 1 / 0)
    assert turns.seen == ["take", "give"]


def test_native_code_releases_the_turn():
    turns = Turns()

    def work() -> None:
        with outside_python():
            assert turns.seen == ["take", "give"]
        turns.seen.append("goes on")

    Budget(60.0, turn=turns).run(work)
    assert turns.seen == ["take", "give", "take", "goes on", "give"]


def test_only_long_tasks_yield_the_turn():
    turns, clock = Turns(), seconds(0.0, 0.0, 0.0, 0.02, 0.03, 0.03, 0.04)
    Budget(60.0, wall=lambda: next(clock), turn=turns).run(lambda: [check_budget() for _ in range(3)] and None)
    assert turns.seen == ["take", "give", "take", "give"]


def test_without_a_budget_there_is_no_turn_to_wait_for():
    with outside_python():
        check_budget()
