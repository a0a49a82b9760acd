import asyncio

from tests.state_server import StateServer

from pincite_server.http.admission.limits import WINDOW_SECONDS, Limit
from pincite_server.http.admission.shared_limit import SharedLimit
from pincite_server.state.link import StateLink

SECRET = b"a secret of this test"


def limit(most: int, link: StateLink | None = None) -> SharedLimit:
    return SharedLimit(Limit(most), "reader", link, SECRET)


def test_alone_it_is_the_limit_of_the_process():
    async def scenario() -> list[bool]:
        alone = limit(2)
        return [(await alone.take("a")).allowed for _ in range(3)]

    assert asyncio.run(scenario()) == [True, True, False]


def test_three_processes_let_in_as_many_as_one_however_they_race(state: StateServer):
    async def scenario() -> None:
        links = [StateLink(state.url) for _ in range(3)]
        limits = [limit(50, link) for link in links]
        standings = await asyncio.gather(*(limits[number % 3].take("a") for number in range(150)))
        allowed = [one for one in standings if one.allowed]
        assert sorted(one.remaining for one in allowed) == list(range(50))
        refused = next(one for one in standings if not one.allowed)
        assert (refused.most, refused.remaining) == (50, 0)
        assert 1 <= refused.reset <= WINDOW_SECONDS
        assert (await limits[0].take("b")).allowed
        for link in links:
            await link.close()

    asyncio.run(scenario())


def test_who_asked_much_cannot_begin_anew_when_the_state_goes_away(state: StateServer):
    async def scenario() -> list[bool]:
        link = StateLink(state.url)
        shared = limit(2, link)
        found = [(await shared.take("a")).allowed for _ in range(2)]
        state.kill()
        found += [(await shared.take("a")).allowed, (await shared.take("b")).allowed]
        await link.close()
        return found

    assert asyncio.run(scenario()) == [True, True, False, True]


def test_the_store_cannot_tell_who_asked_and_forgets_it_after_a_minute(state: StateServer):
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


def test_a_key_without_an_end_gets_one_so_that_nobody_is_kept_out_for_good(state: StateServer):
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
