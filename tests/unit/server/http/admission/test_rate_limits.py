import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.state_server import StateServer

from pincite_server.http.admission.rate_limits import WINDOW_SECONDS, RateLimit
from pincite_server.state.link import StateLink


class Clock:
    """A clock that only the test moves."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_each_key_has_its_limit_in_each_minute(clock: Clock):
    limit = RateLimit(2, clock=clock)
    assert [limit.take_locally("a").allowed for _ in range(3)] == [True, True, False]
    assert limit.take_locally("b").allowed
    clock.now += WINDOW_SECONDS - 0.5
    assert not limit.take_locally("a").allowed
    clock.now += 1
    assert limit.take_locally("a").allowed


def test_a_request_after_the_reset_is_allowed(clock: Clock):
    limit = RateLimit(1, clock=clock)
    limit.take_locally("a")
    clock.now += 17.3
    told = limit.take_locally("a")
    assert not told.allowed
    clock.now += told.reset
    assert limit.take_locally("a").allowed


@given(st.lists(st.floats(-1e9, 1e9), min_size=1, max_size=30))
def test_the_reset_is_between_one_second_and_the_window_for_any_clock(jumps: list[float]):
    clock = Clock()
    limit = RateLimit(1, clock=clock)
    for jump in jumps:
        clock.now += jump
        quota = limit.take_locally("a")
        assert 1 <= quota.reset <= WINDOW_SECONDS
        assert 1 <= int(quota.headers["RateLimit-Reset"]) <= WINDOW_SECONDS
        assert quota.remaining == 0


def test_a_clock_that_is_set_back_locks_nobody_out(clock: Clock):
    limit = RateLimit(1, clock=clock)
    limit.take_locally("a")
    clock.now -= 3600
    assert limit.take_locally("a").allowed


def test_the_headers_state_the_quota(clock: Clock):
    limit = RateLimit(3, clock=clock)
    limit.take_locally("a")
    clock.now += 10
    assert limit.take_locally("a").headers == {
        "RateLimit-Policy": "3; w=60",
        "RateLimit-Limit": "3",
        "RateLimit-Remaining": "1",
        "RateLimit-Reset": "50",
    }


def test_ended_windows_are_dropped(clock: Clock):
    limit = RateLimit(1, clock=clock)
    for number in range(1000):
        limit.take_locally(str(number))
    clock.now += WINDOW_SECONDS + 1
    limit.take_locally("a")
    assert len(limit) == 1


def test_beyond_the_largest_number_of_keys_the_oldest_is_dropped(clock: Clock):
    limit = RateLimit(1, clock=clock, most_keys=2)
    assert [limit.take_locally(key).allowed for key in ("first", "second", "third", "third", "second")] == [
        True,
        True,
        True,
        False,
        False,
    ]
    assert len(limit) == 2
    assert limit.take_locally("first").allowed


# -- counted together -------------------------------------------------------------------------------------------------

SECRET = b"a secret of this test"


def limit(most: int, link: StateLink | None = None) -> RateLimit:
    return RateLimit(most, "reader", link, SECRET)


def test_without_shared_state_the_limit_is_local():
    async def scenario() -> list[bool]:
        alone = limit(2)
        return [(await alone.take("a")).allowed for _ in range(3)]

    assert asyncio.run(scenario()) == [True, True, False]


def test_three_processes_together_allow_as_many_as_one(state: StateServer):
    async def scenario() -> None:
        links = [StateLink(state.url) for _ in range(3)]
        limits = [limit(50, link) for link in links]
        quotas = await asyncio.gather(*(limits[number % 3].take("a") for number in range(150)))
        allowed = [one for one in quotas if one.allowed]
        assert sorted(one.remaining for one in allowed) == list(range(50))
        refused = next(one for one in quotas if not one.allowed)
        assert (refused.most, refused.remaining) == (50, 0)
        assert 1 <= refused.reset <= WINDOW_SECONDS
        assert (await limits[0].take("b")).allowed
        for link in links:
            await link.close()

    asyncio.run(scenario())


def test_an_outage_of_the_shared_state_gives_no_new_quota(state: StateServer):
    async def scenario() -> list[bool]:
        link = StateLink(state.url)
        shared = limit(2, link)
        found = [(await shared.take("a")).allowed for _ in range(2)]
        state.kill()
        found += [(await shared.take("a")).allowed, (await shared.take("b")).allowed]
        await link.close()
        return found

    assert asyncio.run(scenario()) == [True, True, False, True]


def test_stored_keys_identify_nobody_and_expire_after_a_minute(state: StateServer):
    async def scenario() -> None:
        link = StateLink(state.url)
        await limit(2, link).take("203.0.113.7")
        keys = state.run("KEYS", "*")
        assert "pincite:limit:reader:" in keys
        assert "203.0.113.7" not in keys
        left = await link.client.ttl((await link.client.keys())[0])
        assert 0 < left <= WINDOW_SECONDS
        await link.close()

    asyncio.run(scenario())


def test_a_stored_key_without_expiry_gets_one(state: StateServer):
    async def scenario() -> None:
        link = StateLink(state.url)
        shared = limit(1, link)
        await shared.take("a")
        (key,) = await link.client.keys()
        await link.client.persist(key)
        assert not (await shared.take("a")).allowed
        assert await link.client.ttl(key) > 0
        await link.close()

    asyncio.run(scenario())
