import asyncio

from tests.state_server import StateServer

from pincite_server.state.link import StateLink
from pincite_server.state.once import Once


def test_a_key_repeated_within_ten_minutes_is_not_the_first():
    now = [0.0]
    once = Once("vote", clock=lambda: now[0])

    async def scenario() -> list[bool]:
        found = [await once.is_first(key) for key in ("a", "a", "b")]
        now[0] = 601.0
        return [*found, await once.is_first("a")]

    assert asyncio.run(scenario()) == [True, False, True, True]


def test_two_processes_count_a_key_once_and_separately_during_an_outage(state: StateServer):
    async def scenario() -> list[bool]:
        links = [StateLink(state.url), StateLink(state.url)]
        here, there = (Once("vote", link) for link in links)
        found = [await here.is_first("a"), await there.is_first("a")]
        state.kill()
        found += [await here.is_first("b"), await there.is_first("b"), await there.is_first("b")]
        for link in links:
            await link.close()
        return found

    assert asyncio.run(scenario()) == [True, False, True, True, False]
