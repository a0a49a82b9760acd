import asyncio
from collections.abc import Awaitable, Callable
from uuid import UUID, uuid4

import pytest
from tests.unit.server.http.records import ANSWER

from pincite_server.http.idempotency import Answered, AnswerLedger
from pincite_server.http.problems import Problem

MESSAGE = UUID(int=1)
ANSWERED = Answered(ANSWER, "index-1", None)


class Work:
    """Counts how often it is begun, finished and cancelled; finishes when told to."""

    def __init__(self, error: Exception | None = None) -> None:
        self.begun = self.finished = self.cancelled = 0
        self.may_finish = asyncio.Event()
        self.error = error

    async def __call__(self) -> Answered:
        self.begun += 1
        try:
            await self.may_finish.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        self.finished += 1
        if self.error:
            raise self.error
        return ANSWERED


def run(scenario: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(asyncio.wait_for(scenario(), 10))


def test_the_same_id_is_answered_once():
    async def scenario() -> None:
        ledger, work = AnswerLedger(), Work()
        work.may_finish.set()
        first = await ledger.once(MESSAGE, b"q", work)
        second = await ledger.once(MESSAGE, b"q", work)
        assert first is second
        assert work.begun == 1

    run(scenario)


def test_a_concurrent_duplicate_waits_for_the_first():
    async def scenario() -> None:
        ledger, work = AnswerLedger(), Work()
        both = [asyncio.create_task(ledger.once(MESSAGE, b"q", work)) for _ in range(2)]
        await asyncio.sleep(0.01)
        assert not any(task.done() for task in both)
        work.may_finish.set()
        assert await asyncio.gather(*both) == [ANSWERED, ANSWERED]
        assert work.begun == 1

    run(scenario)


def test_another_question_under_the_same_id_is_a_conflict_even_while_the_first_is_under_way():
    async def scenario() -> None:
        ledger, work = AnswerLedger(), Work()
        first = asyncio.create_task(ledger.once(MESSAGE, b"q", work))
        await asyncio.sleep(0)
        with pytest.raises(Problem) as caught:
            await ledger.once(MESSAGE, b"other", work)
        assert caught.value.status_code == 409
        work.may_finish.set()
        assert await first is ANSWERED

    run(scenario)


def test_work_that_nobody_waits_for_any_more_is_cancelled_and_can_be_asked_for_again():
    async def scenario() -> None:
        ledger, work = AnswerLedger(), Work()
        waiting = asyncio.create_task(ledger.once(MESSAGE, b"q", work))
        await asyncio.sleep(0.01)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        await asyncio.sleep(0)
        assert (work.cancelled, len(ledger)) == (1, 0)
        work.may_finish.set()
        assert await ledger.once(MESSAGE, b"q", work) is ANSWERED

    run(scenario)


def test_work_goes_on_while_one_of_two_still_waits():
    async def scenario() -> None:
        ledger, work = AnswerLedger(), Work()
        leaving, staying = (asyncio.create_task(ledger.once(MESSAGE, b"q", work)) for _ in range(2))
        await asyncio.sleep(0.01)
        leaving.cancel()
        await asyncio.sleep(0.01)
        work.may_finish.set()
        assert await staying is ANSWERED
        assert work.cancelled == 0

    run(scenario)


def test_a_failure_reaches_all_who_wait_and_is_not_remembered():
    async def scenario() -> None:
        ledger, failing, working = AnswerLedger(), Work(ValueError("broken")), Work()
        both = [asyncio.create_task(ledger.once(MESSAGE, b"q", failing)) for _ in range(2)]
        await asyncio.sleep(0)
        failing.may_finish.set()
        assert [str(error) for error in await asyncio.gather(*both, return_exceptions=True)] == ["broken"] * 2
        working.may_finish.set()
        assert await ledger.once(MESSAGE, b"q", working) is ANSWERED

    run(scenario)


def test_an_answer_is_forgotten_after_ten_minutes():
    async def scenario() -> None:
        now = [0.0]
        ledger, work = AnswerLedger(clock=lambda: now[0]), Work()
        work.may_finish.set()
        await ledger.once(MESSAGE, b"q", work)
        now[0] = 599.0
        await ledger.once(MESSAGE, b"q", work)
        assert work.begun == 1
        now[0] = 601.0
        await ledger.once(MESSAGE, b"q", work)
        assert work.begun == 2

    run(scenario)


def test_the_oldest_answers_make_room_for_new_ones():
    async def scenario() -> None:
        ledger, work = AnswerLedger(capacity=3), Work()
        work.may_finish.set()
        ids = [uuid4() for _ in range(5)]
        for message_id in ids:
            await ledger.once(message_id, b"q", work)
        assert len(ledger) == 3
        await ledger.once(ids[-1], b"q", work)
        assert work.begun == 5
        await ledger.once(ids[0], b"q", work)
        assert work.begun == 6

    run(scenario)
