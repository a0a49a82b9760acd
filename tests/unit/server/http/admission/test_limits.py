import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite_server.http.admission.limits import WINDOW_SECONDS, Limit


class Clock:
    """A clock that goes only where it is put."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_so_many_are_let_in_by_each_key_and_more_when_the_minute_is_over(clock: Clock):
    limit = Limit(2, clock)
    assert [limit.take("a").allowed for _ in range(3)] == [True, True, False]
    assert limit.take("b").allowed
    clock.now += WINDOW_SECONDS - 0.5
    assert not limit.take("a").allowed
    clock.now += 1
    assert limit.take("a").allowed


def test_who_waits_as_long_as_told_is_let_in(clock: Clock):
    limit = Limit(1, clock)
    limit.take("a")
    clock.now += 17.3
    told = limit.take("a")
    assert not told.allowed
    clock.now += told.reset
    assert limit.take("a").allowed


@given(st.lists(st.floats(-1e9, 1e9), min_size=1, max_size=30))
def test_whatever_the_clock_does_nobody_is_told_to_wait_longer_than_the_window_or_not_at_all(jumps: list[float]):
    clock = Clock()
    limit = Limit(1, clock)
    for jump in jumps:
        clock.now += jump
        standing = limit.take("a")
        assert 1 <= standing.reset <= WINDOW_SECONDS
        assert 1 <= int(standing.headers["RateLimit-Reset"]) <= WINDOW_SECONDS
        assert standing.remaining == 0


def test_a_clock_that_is_put_back_keeps_nobody_out(clock: Clock):
    limit = Limit(1, clock)
    limit.take("a")
    clock.now -= 3600
    assert limit.take("a").allowed


def test_where_one_stands_is_told(clock: Clock):
    limit = Limit(3, clock)
    limit.take("a")
    clock.now += 10
    assert limit.take("a").headers == {
        "RateLimit-Policy": "3; w=60",
        "RateLimit-Limit": "3",
        "RateLimit-Remaining": "1",
        "RateLimit-Reset": "50",
    }


def test_who_does_not_come_back_is_forgotten(clock: Clock):
    limit = Limit(1, clock)
    for number in range(1000):
        limit.take(str(number))
    clock.now += WINDOW_SECONDS + 1
    limit.take("a")
    assert len(limit) == 1


def test_no_more_keys_are_known_than_there_is_memory_for_and_the_oldest_goes(clock: Clock):
    limit = Limit(1, clock, most_keys=2)
    assert [limit.take(key).allowed for key in ("first", "second", "third", "third", "second")] == [
        True,
        True,
        True,
        False,
        False,
    ]
    assert len(limit) == 2
    assert limit.take("first").allowed
