import asyncio
from functools import partial
from uuid import UUID

import pytest
from tests.state_server import StateServer
from tests.unit.server.http.records import ANSWERED, OPENING, REFUSED

from pincite_server.answering.outcome import Outcome
from pincite_server.answering.reply_broadcast import MakeReply, Publish, ReplyBroadcast, StartEvent
from pincite_server.http.replying import shared_replies
from pincite_server.http.replying.shared_replies import SharedReplies
from pincite_server.http.transport.problems import Problem
from pincite_server.state.link import StateLink

MESSAGE = UUID(int=1)


class Work:
    """Counts how often it is begun; opens at once and goes on when told to."""

    def __init__(self, last: Outcome = ANSWERED, error: Exception | None = None) -> None:
        self.begun = 0
        self.may_finish = asyncio.Event()
        self.last, self.error = last, error

    async def __call__(self, publish: Publish) -> Outcome:
        self.begun += 1
        if self.last is ANSWERED:
            publish(StartEvent(OPENING))
        await self.may_finish.wait()
        if self.error:
            raise self.error
        return self.last


async def replied(replies: SharedReplies, fingerprint: bytes, make: MakeReply) -> Outcome:
    return await ReplyBroadcast(partial(replies.once, MESSAGE, fingerprint, make)).outcome()


def test_alone_every_question_is_answered():
    async def scenario() -> None:
        work, alone = Work(), SharedReplies()
        work.may_finish.set()
        assert await replied(alone, b"q", work) is ANSWERED
        assert await replied(alone, b"q", work) is ANSWERED
        assert work.begun == 2

    asyncio.run(scenario())


@pytest.mark.parametrize("outcome", [ANSWERED, REFUSED], ids=["answer", "refusal"])
def test_what_one_process_answers_another_hands_out_while_it_comes_about_and_later(
    state: StateServer, outcome: Outcome
):
    async def scenario() -> None:
        links = [StateLink(state.url), StateLink(state.url)]
        here, there = map(SharedReplies, links)
        work = Work(outcome)
        first = asyncio.create_task(replied(here, b"q", work))
        while not work.begun:
            await asyncio.sleep(0.01)
        second = asyncio.create_task(replied(there, b"q", work))
        await asyncio.sleep(0.1)
        work.may_finish.set()
        assert await first is outcome
        for found in (await second, await replied(there, b"q", work)):
            assert isinstance(found, Outcome)
            assert (found.reply, found.pieces) == (outcome.reply, outcome.pieces)
        assert work.begun == 1
        for link in links:
            await link.close()

    asyncio.run(scenario())


def test_another_question_under_the_same_id_is_refused_by_every_process(state: StateServer):
    async def scenario() -> None:
        link, work = StateLink(state.url), Work()
        work.may_finish.set()
        await replied(SharedReplies(link), b"q", work)
        with pytest.raises(Problem) as raised:
            await replied(SharedReplies(link), b"other", work)
        assert raised.value.code == "message_id_conflict"
        await link.close()

    asyncio.run(scenario())


def test_what_failed_is_answered_by_the_next_at_once(state: StateServer):
    async def scenario() -> None:
        link, failing, working = StateLink(state.url), Work(error=ValueError("broken")), Work()
        failing.may_finish.set()
        working.may_finish.set()
        with pytest.raises(ValueError, match="broken"):
            await replied(SharedReplies(link), b"q", failing)
        assert isinstance(await replied(SharedReplies(link), b"q", working), Outcome)
        assert working.begun == 1
        await link.close()

    asyncio.run(scenario())


def test_the_claim_of_a_process_that_was_killed_ends_and_that_of_a_slow_one_does_not(
    state: StateServer, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(shared_replies, "_CLAIM_MS", 400)
    monkeypatch.setattr(shared_replies, "_RENEWAL_SECONDS", 0.1)

    async def scenario() -> None:
        killed, alive = StateLink(state.url), StateLink(state.url)
        slow, next_one = Work(), Work()
        next_one.may_finish.set()
        first = asyncio.create_task(replied(SharedReplies(killed), b"q", slow))
        while not slow.begun:
            await asyncio.sleep(0.01)
        second = asyncio.create_task(replied(SharedReplies(alive), b"q", next_one))
        await asyncio.sleep(1)
        assert not next_one.begun
        killed.problem = "killed"  # it renews nothing any more
        assert isinstance(await second, Outcome)
        assert next_one.begun == 1
        slow.may_finish.set()
        await first
        for link in (killed, alive):
            await link.close()

    asyncio.run(scenario())


def test_without_the_state_every_process_answers(state: StateServer):
    async def scenario() -> None:
        link, work = StateLink(state.url), Work()
        work.may_finish.set()
        state.kill()
        assert await replied(SharedReplies(link), b"q", work) is ANSWERED
        assert await replied(SharedReplies(link), b"q", work) is ANSWERED
        await link.close()

    asyncio.run(scenario())


def test_what_another_version_wrote_otherwise_is_answered_anew(state: StateServer):
    async def scenario() -> None:
        link, work = StateLink(state.url), Work()
        work.may_finish.set()
        state.run("SET", f"pincite:reply:{MESSAGE}", "{}")
        assert await replied(SharedReplies(link), b"q", work) is ANSWERED
        await link.close()

    asyncio.run(scenario())
