import asyncio
import datetime

from tests.state_server import StateServer

from pincite_server.llm.daily_budget import DailyBudget
from pincite_server.state.link import StateLink

DAY = datetime.date(2026, 1, 1)


def budget(
    calls: int, tokens: int, link: StateLink | None = None, day: list[datetime.date] | None = None
) -> DailyBudget:
    days = day or [DAY]
    return DailyBudget(calls, tokens, link, lambda: days[0])


async def opened(link: StateLink) -> None:
    await link.open()
    while link.problem is not None:
        await asyncio.sleep(0.02)


def test_without_a_shared_state_it_is_the_budget_of_the_process():
    async def scenario() -> None:
        alone = budget(2, 0)
        assert [await alone.take_call() for _ in range(3)] == [True, True, False]
        assert alone.is_spent

    asyncio.run(scenario())


def test_a_budget_of_requests_is_renewed_at_midnight():
    async def scenario() -> None:
        day = [DAY]
        alone = budget(2, 0, day=day)
        assert await alone.take_call()
        assert not alone.is_spent
        assert await alone.take_call()
        assert alone.is_spent
        day[0] = DAY + datetime.timedelta(days=1)
        assert not alone.is_spent

    asyncio.run(scenario())


def test_a_budget_of_tokens_counts_prompts_and_completions():
    async def scenario() -> None:
        alone = budget(0, 100)
        await alone.take_tokens(99)
        assert not alone.is_spent
        await alone.take_tokens(1)
        assert alone.is_spent

    asyncio.run(scenario())


def test_a_budget_without_limits_is_never_spent():
    async def scenario() -> None:
        alone = budget(0, 0)
        for _ in range(10_000):
            assert await alone.take_call()
        await alone.take_tokens(10**9)
        assert not alone.is_spent

    asyncio.run(scenario())


def test_sidecars_that_share_a_budget_send_its_last_request_once(state: StateServer):
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


def test_tokens_of_one_sidecar_spend_the_budget_of_another_until_the_next_day(state: StateServer):
    async def scenario() -> None:
        link, day = StateLink(state.url), [DAY]
        here, there = budget(0, 100, link), budget(0, 100, link, day)
        await here.take_tokens(100)
        assert not await there.take_call()
        day[0] = DAY + datetime.timedelta(days=1)
        assert await there.take_call()
        await link.close()

    asyncio.run(scenario())


def test_usage_during_an_outage_is_reported_afterwards(state: StateServer):
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
