"""The requests of one reply: each is recorded, and together they stay within the budget of one answer."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from typing import Any

import pytest

from pincite_server.llm.llm_settings import LlmSettings
from pincite_server.llm.messages import LlmError, Message, Usage
from pincite_server.llm.reply_model import ReplyModel

SHORT: tuple[Message, ...] = ({"role": "user", "content": "a port"},)
LONG: tuple[Message, ...] = ({"role": "user", "content": "port " * 200},)


class Model:
    """Writes one text with a usage of its own, or fails."""

    def __init__(self, text: str | None = "Hello.", **settings: Any) -> None:
        self.settings = LlmSettings(base_url="http://localhost/v1", model="small", **settings)
        self.evidence_tokens = self.settings.evidence_tokens
        self.text = text
        self.counted: list[str] = []

    def count(self, name: str, amount: int) -> None:
        self.counted += [name] * amount

    async def write(
        self, messages: Sequence[Message], on_usage: Callable[[Usage], None], **options: Any
    ) -> AsyncGenerator[str]:
        if self.text is None:
            raise LlmError("timeout", "It took too long.")
        yield self.text
        on_usage(Usage(100, 20))


def asked(model: Any) -> ReplyModel:
    return ReplyModel(model)


def test_each_request_is_recorded_with_its_purpose_and_tokens():
    reply = asked(Model())
    assert asyncio.run(reply.complete("plan", SHORT)) == "Hello."
    (request,) = reply.requests
    assert (request.purpose, request.tokens_read, request.tokens_written, request.failure) == ("plan", 100, 20, None)
    assert request.seconds >= 0


def test_a_request_that_fails_is_recorded_with_why():
    reply = asked(Model(None))
    with pytest.raises(LlmError):
        asyncio.run(reply.complete("write", SHORT))
    assert [(one.purpose, one.failure) for one in reply.requests] == [("write", "timeout")]


def test_all_requests_of_an_answer_share_its_budget():
    model = Model(answer_tokens=250)
    reply = asked(model)
    asyncio.run(reply.complete("plan", SHORT))
    assert reply.affords(SHORT)
    assert not reply.affords(LONG)
    with pytest.raises(LlmError, match="token budget of one answer") as caught:
        asyncio.run(reply.complete("write", LONG))
    assert caught.value.failure == "budget"
    assert model.counted == ["llm_over_budget"]
    assert len(reply.requests) == 1


def test_zero_is_no_limit():
    assert asked(Model(answer_tokens=0)).affords(LONG)


def test_what_the_model_reads_only_ever_shrinks():
    model = Model(evidence_tokens=6000)
    reply = asked(model)
    reply.narrow(3000)
    reply.narrow(4000)
    assert (reply.evidence_tokens, model.evidence_tokens) == (3000, 3000)
