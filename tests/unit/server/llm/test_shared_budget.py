import asyncio
import datetime

from tests.state_server import StateServer

from pincite_server.llm.circuit_breaker import DailyBudget
from pincite_server.llm.shared_budget import SharedBudget
from pincite_server.state.link import StateLink

DAY = datetime.date(2026, 1, 1)


def budget(
    calls: int, tokens: int, link: StateLink | None = None, day: list[datetime.date] | None = None
) -> SharedBudget:
    days = day or [DAY]
    return SharedBudget(DailyBudget(calls, tokens, lambda: days[0]), link)


async def opened(link: StateLink) -> None:
    await link.open()
    while link.problem is not None:
        await asyncio.sleep(0.02)


def test_alone_it_is_the_budget_of_the_process():
    async def scenario() -> None:
        alone = budget(2, 0)
        assert [await alone.take_call() for _ in range(3)] == [True, True, False]
        assert alone.is_spent

    asyncio.run(scenario())


def test_the_last_request_of_the_day_is_taken_once_by_all_together(state: StateServer):
    async def scenario() -> None:
        links = [StateLink(state.url) for _ in range(3)]
        budgets = [budget(40, 0, link) for link in links]
        taken = await asyncio.gather(*(budgets[number % 3].take_call() for number in range(120)))
        assert taken.count(True) == 40
        restarted = budget(40, 0, links[0])
        assert not await restarted.take_call()
        assert restarted.is_spent
        for link in links:
            await link.close()

    asyncio.run(scenario())


def test_tokens_of_one_process_spend_the_budget_of_another_and_the_next_day_has_its_own(state: StateServer):
    async def scenario() -> None:
        link, day = StateLink(state.url), [DAY]
        here, there = budget(0, 100, link), budget(0, 100, link, day)
        await here.take_tokens(100)
        assert not await there.take_call()
        day[0] = DAY + datetime.timedelta(days=1)
        assert await there.take_call()
        await link.close()

    asyncio.run(scenario())


def test_what_was_used_while_nothing_was_shared_is_told_afterwards(state: StateServer):
    async def scenario() -> None:
        link = StateLink(state.url)
        here = budget(3, 0, link)
        assert await here.take_call()
        state.kill()
        assert await here.take_call()
        await here.take_tokens(70)
        state.start()
        await opened(link)
        assert await here.take_call()  # the store began empty: it knows of this one and of what it was told
        assert "$1\r\n2" in state.run("HGET", f"pincite:budget:{DAY}", "calls")
        assert "$2\r\n70" in state.run("HGET", f"pincite:budget:{DAY}", "tokens")
        assert not await here.take_call()  # which is less than this process itself has used
        await link.close()

    asyncio.run(scenario())
