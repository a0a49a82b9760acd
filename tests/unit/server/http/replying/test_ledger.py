import asyncio
from collections.abc import Awaitable, Callable
from uuid import UUID, uuid4

import pytest
from tests.unit.server.http.records import ANSWERED, OPENING, REFUSED

from pincite_server.answering.outcome import Outcome
from pincite_server.answering.reply_broadcast import EndEvent, Publish, ReplyBroadcast, StartEvent, TextEvent
from pincite_server.http.replying.ledger import AnswerLedger
from pincite_server.http.transport.problems import Problem

MESSAGE = UUID(int=1)
STARTED = StartEvent(OPENING)


class Work:
    """Counts how often it is begun, finished and cancelled; opens at once and finishes when told to."""

    def __init__(self, error: Exception | None = None) -> None:
        self.begun = self.finished = self.cancelled = 0
        self.may_finish = asyncio.Event()
        self.error = error

    def __call__(self) -> ReplyBroadcast:
        self.begun += 1
        return ReplyBroadcast(self.make)

    async def make(self, publish: Publish) -> Outcome:
        publish(STARTED)
        try:
            await self.may_finish.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        if self.error:
            raise self.error
        publish(TextEvent("text"))
        self.finished += 1
        return ANSWERED


def run(scenario: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(asyncio.wait_for(scenario(), 10))


async def settled() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


def test_the_same_id_is_answered_once():
    async def scenario() -> None:
        ledger, work = AnswerLedger(), Work()
        work.may_finish.set()
        assert await ledger.once(MESSAGE, b"q", work).outcome() is ANSWERED
        assert await ledger.once(MESSAGE, b"q", work).outcome() is ANSWERED
        assert work.begun == 1

    run(scenario)


def test_a_duplicate_follows_the_first_from_its_beginning_while_that_is_still_being_written():
    async def scenario() -> None:
        ledger, work = AnswerLedger(), Work()
        first = asyncio.create_task(ledger.once(MESSAGE, b"q", work).outcome())
        await settled()
        first_event, events = await ledger.once(MESSAGE, b"q", work).opened()
        assert first_event is STARTED
        assert not first.done()
        work.may_finish.set()
        assert [event async for event in events] == [STARTED, TextEvent("text"), EndEvent(ANSWERED)]
        assert await first is ANSWERED
        assert work.begun == 1

    run(scenario)


def test_another_question_under_the_same_id_is_a_conflict_even_while_the_first_is_under_way():
    async def scenario() -> None:
        ledger, work = AnswerLedger(), Work()
        first = asyncio.create_task(ledger.once(MESSAGE, b"q", work).outcome())
        await settled()
        with pytest.raises(Problem) as caught:
            ledger.once(MESSAGE, b"other", work)
        assert caught.value.status_code == 409
        work.may_finish.set()
        assert await first is ANSWERED

    run(scenario)


def test_work_that_nobody_follows_any_more_is_cancelled_and_can_be_asked_for_again():
    async def scenario() -> None:
        ledger, work = AnswerLedger(), Work()
        waiting = asyncio.create_task(ledger.once(MESSAGE, b"q", work).outcome())
        await settled()
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        assert len(ledger) == 0
        await settled()
        assert work.cancelled == 1
        work.may_finish.set()
        assert await ledger.once(MESSAGE, b"q", work).outcome() is ANSWERED

    run(scenario)


def test_a_reader_who_leaves_a_stream_in_the_middle_stops_the_work():
    async def scenario() -> None:
        ledger, work = AnswerLedger(), Work()
        _, events = await ledger.once(MESSAGE, b"q", work).opened()
        await anext(events)
        await events.aclose()
        await settled()
        assert (work.cancelled, len(ledger)) == (1, 0)

    run(scenario)


def test_a_reader_who_leaves_with_the_whole_reply_stops_nothing():
    async def refusal(publish: Publish) -> Outcome:
        publish(EndEvent(REFUSED))
        await asyncio.sleep(0)
        return REFUSED

    async def scenario() -> None:
        ledger, begun = AnswerLedger(), []

        def begin() -> ReplyBroadcast:
            begun.append(True)
            return ReplyBroadcast(refusal)

        first, events = await ledger.once(MESSAGE, b"q", begin).opened()
        await events.aclose()
        assert first == EndEvent(REFUSED)
        assert await ledger.once(MESSAGE, b"q", begin).outcome() is REFUSED
        assert len(begun) == 1

    run(scenario)


def test_work_goes_on_while_one_of_two_still_follows():
    async def scenario() -> None:
        ledger, work = AnswerLedger(), Work()
        leaving, staying = (asyncio.create_task(ledger.once(MESSAGE, b"q", work).outcome()) for _ in range(2))
        await settled()
        leaving.cancel()
        await settled()
        work.may_finish.set()
        assert await staying is ANSWERED
        assert work.cancelled == 0

    run(scenario)


def test_a_failure_reaches_all_who_follow_and_is_not_remembered():
    async def scenario() -> None:
        ledger, failing, working = AnswerLedger(), Work(ValueError("broken")), Work()
        both = [asyncio.create_task(ledger.once(MESSAGE, b"q", failing).outcome()) for _ in range(2)]
        await settled()
        failing.may_finish.set()
        assert [str(error) for error in await asyncio.gather(*both, return_exceptions=True)] == ["broken"] * 2
        working.may_finish.set()
        assert await ledger.once(MESSAGE, b"q", working).outcome() is ANSWERED

    run(scenario)


def test_an_answer_is_forgotten_after_ten_minutes():
    async def scenario() -> None:
        now = [0.0]
        ledger, work = AnswerLedger(clock=lambda: now[0]), Work()
        work.may_finish.set()
        await ledger.once(MESSAGE, b"q", work).outcome()
        now[0] = 599.0
        await ledger.once(MESSAGE, b"q", work).outcome()
        assert work.begun == 1
        now[0] = 601.0
        await ledger.once(MESSAGE, b"q", work).outcome()
        assert work.begun == 2

    run(scenario)


def test_the_oldest_answers_make_room_for_new_ones():
    async def scenario() -> None:
        ledger, work = AnswerLedger(capacity=3), Work()
        work.may_finish.set()
        ids = [uuid4() for _ in range(5)]
        for message_id in ids:
            await ledger.once(message_id, b"q", work).outcome()
        assert len(ledger) == 3
        await ledger.once(ids[-1], b"q", work).outcome()
        assert work.begun == 5
        await ledger.once(ids[0], b"q", work).outcome()
        assert work.begun == 6

    run(scenario)
