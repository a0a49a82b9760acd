"""What becomes of every way in which a language model's endpoint can fail, against a real server."""

import asyncio
import logging
import socket
from collections import Counter
from contextlib import aclosing

import pytest
from tests.integration.scripted_llm import DONE, KEY, Pause, Raw, ScriptedModel, Status, event
from tests.patience import PATIENCE

from pincite_server.llm.messages import LlmError
from pincite_server.llm.model import LanguageModel

ASKED = ({"role": "user", "content": "What about my secret project?"},)


def ask(endpoint: ScriptedModel, **settings: object) -> tuple[str, str | None, Counter[str]]:
    """Return the text that came, the failure it ended with, and what was counted."""
    counts: Counter[str] = Counter()

    async def scenario() -> tuple[str, str | None, Counter[str]]:
        model = LanguageModel(endpoint.settings(**settings), lambda name, amount: counts.update({name: amount}))
        text = ""
        try:
            async for piece in model.write(ASKED):
                text += piece
        except LlmError as error:
            return text, error.failure, counts
        finally:
            await model.aclose()
        return text, None, counts

    return asyncio.run(asyncio.wait_for(scenario(), 20))


def test_text_comes_in_pieces_and_the_request_is_what_every_endpoint_understands(endpoint: ScriptedModel):
    endpoint.says("Hello there, reader.", DONE)
    assert ask(endpoint)[:2] == ("Hello there, reader.", None)
    assert endpoint.requests[0] == {
        "model": "scripted",
        "messages": [{"role": "user", "content": "What about my secret project?"}],
        "stream": True,
        "max_tokens": 800,
        "temperature": 0,
    }
    assert endpoint.headers[0]["authorization"] == f"Bearer {KEY}"


def test_the_operators_options_take_the_place_of_the_defaults(endpoint: ScriptedModel):
    endpoint.says("Hello.", DONE)
    ask(endpoint, options={"max_completion_tokens": 80}, api_key="")
    assert "max_tokens" not in endpoint.requests[0]
    assert endpoint.requests[0]["max_completion_tokens"] == 80
    assert "authorization" not in endpoint.headers[0]


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 529])
def test_what_may_pass_is_tried_again(endpoint: ScriptedModel, status: int):
    endpoint.says(Status(status))
    endpoint.says(Status(status, headers={"retry-after": "0"}))
    endpoint.says("Hello.", DONE)
    text, failure, counts = ask(endpoint)
    assert (text, failure, len(endpoint.requests)) == ("Hello.", None, 3)
    assert counts["llm_calls"] == 1


@pytest.mark.parametrize(("status", "failure"), [(429, "rate_limited"), (500, "failed"), (503, "failed")])
def test_what_does_not_pass_is_given_up_after_the_retries(endpoint: ScriptedModel, status: int, failure: str):
    endpoint.says(Status(status, headers={"retry-after": "0"}))
    assert ask(endpoint, retries=1)[:2] == ("", failure)
    assert len(endpoint.requests) == 2


def test_an_endpoint_that_asks_for_more_patience_than_a_reader_has_is_not_waited_for(endpoint: ScriptedModel):
    endpoint.says(Status(429, headers={"retry-after": "60"}))
    assert ask(endpoint)[1] == "rate_limited"
    assert len(endpoint.requests) == 1


@pytest.mark.parametrize("status", [400, 401, 403, 404, 422, 301])
def test_what_only_the_operator_can_mend_is_not_tried_again(endpoint: ScriptedModel, status: int):
    endpoint.says(Status(status))
    assert ask(endpoint)[1] == "refused"
    assert len(endpoint.requests) == 1


@pytest.mark.parametrize(
    ("status", "variable"), [(401, "PINCITE_LLM_API_KEY"), (404, "PINCITE_LLM_MODEL"), (400, "PINCITE_LLM_OPTIONS")]
)
def test_the_log_tells_the_operator_what_to_mend_without_the_key_or_the_question(
    endpoint: ScriptedModel,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
    status: int,
    variable: str,
):
    monkeypatch.setattr(logging.getLogger("pincite"), "propagate", True)
    body = f'{{"error": {{"message": "bad key {KEY} for secret project", "code": "invalid_api_key"}}}}'
    endpoint.says(Status(status, body))
    with caplog.at_level(logging.DEBUG):
        ask(endpoint)
    assert variable in caplog.text
    assert f"HTTP {status}, invalid_api_key" in caplog.text
    assert KEY not in caplog.text
    assert "secret project" not in caplog.text


def test_a_refused_connection_is_unreachable():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        endpoint = ScriptedModel()
        endpoint.base_url = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
        assert ask(endpoint, retries=1)[:2] == ("", "unreachable")


def test_a_first_token_that_does_not_come_is_a_timeout(endpoint: ScriptedModel):
    pause = Pause()
    endpoint.says(pause, "Late.", DONE)
    assert ask(endpoint, first_token_seconds=0.3)[:2] == ("", "timeout")
    assert pause.abandoned.wait(PATIENCE), "the request was not ended"


def test_a_token_that_does_not_come_in_the_middle_is_a_timeout(endpoint: ScriptedModel):
    endpoint.says("Hello ", Pause(), "there.", DONE)
    assert ask(endpoint, first_token_seconds=0.3)[:2] == ("Hello ", "timeout")


def test_an_answer_that_takes_too_long_in_all_is_a_timeout(endpoint: ScriptedModel):
    endpoint.says("Hello ", Pause(), DONE)
    assert ask(endpoint, first_token_seconds=10, total_seconds=0.3)[:2] == ("Hello ", "timeout")


@pytest.mark.parametrize(
    ("step", "failure"),
    [
        (Raw(b"data: {not json\n\n"), "malformed"),
        (Raw(b'data: {"choices": 5}\n\n'), "malformed"),
        (Raw(b"data: \xff\xfe\n\n"), "malformed"),
        (Raw(b"<html>Sign in</html>", "text/html"), "malformed"),
        (Raw(b'{"choices": []}', "application/json"), "malformed"),
        (Raw(b'data: {"error": {"message": "overloaded", "type": "server_error"}}\n\n'), "truncated"),
        (Raw(event(finish="stop")), "empty"),
        (Raw(b"data: [DONE]\n\n"), "empty"),
        (Raw(event(" \n ", finish="stop")), "empty"),
        (Raw(b": only a comment\n\n"), "empty"),
        (Raw(b""), "empty"),
        (Raw(event("Half an ans")), "truncated"),
        (Raw(event("Half an ans"), drop=True), "truncated"),
        (Raw(event("Half an ans", finish="length")), "truncated"),
        (Raw(event("Half an ans", finish="content_filter")), "truncated"),
    ],
)
def test_a_stream_that_is_none_or_not_whole_is_told_apart(endpoint: ScriptedModel, step: Raw, failure: str):
    endpoint.says(step)
    assert ask(endpoint)[1] == failure


@pytest.mark.parametrize(
    "data",
    [
        event("Hello.") + b"data: [DONE]\n\n",
        event("Hello.", finish="stop"),
        event("Hello.", finish="end_turn"),
        b'data: {"choices": [{"delta": {"role": "assistant", "content": null}}]}\r\n\r\n' + event("Hello.", "stop"),
        b'data: {"choices": [{"delta": {"reasoning_content": "hm"}}]}\n\n' + event("Hello.", "stop"),
        event("Hello.", "stop") + b'data: {"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 3}}\n\n',
        event("Hello.", "stop") + b'data: {"choices": [], "usage": {"prompt_tokens": null}}\n\ndata: [DONE]\n\n',
    ],
)
def test_the_habits_of_several_servers_are_understood(endpoint: ScriptedModel, data: bytes):
    endpoint.says(Raw(data))
    assert ask(endpoint)[:2] == ("Hello.", None)


def test_tokens_are_the_endpoints_own_count_where_it_gives_one(endpoint: ScriptedModel):
    endpoint.says("Hello.", Raw(b'data: {"usage": {"prompt_tokens": 700, "completion_tokens": 30}}\n\n'), DONE)
    counts = ask(endpoint)[2]
    assert (counts["llm_tokens_read"], counts["llm_tokens_written"]) == (700, 30)


def test_an_endpoint_that_never_stops_is_stopped(endpoint: ScriptedModel):
    endpoint.says(Raw(event("word " * 5000)), Pause())
    text, failure, _ = ask(endpoint)
    assert (len(text), failure) == (25_000, "truncated")


def test_closing_the_stream_ends_the_request(endpoint: ScriptedModel):
    pause = Pause()
    endpoint.says("Hello ", pause)

    async def scenario() -> None:
        model = LanguageModel(endpoint.settings())
        async with aclosing(model.write(ASKED)) as pieces:
            await anext(pieces)
        await model.aclose()

    asyncio.run(asyncio.wait_for(scenario(), 10))
    assert pause.abandoned.wait(PATIENCE)


async def whole(model: LanguageModel) -> str:
    async with aclosing(model.write(ASKED)) as pieces:
        return "".join([piece async for piece in pieces])


def test_after_three_failures_the_endpoint_is_left_alone(endpoint: ScriptedModel):
    endpoint.says(Status(500))

    async def scenario() -> list[str]:
        model = LanguageModel(endpoint.settings(retries=0))
        failures = []
        for _ in range(5):
            with pytest.raises(LlmError) as caught:
                await whole(model)
            failures.append(caught.value.failure)
        await model.aclose()
        return failures

    assert asyncio.run(scenario()) == ["failed", "failed", "failed", "resting", "resting"]
    assert len(endpoint.requests) == 3


def test_a_spent_budget_is_told_without_asking(endpoint: ScriptedModel):
    endpoint.says("Hello.", DONE)

    async def scenario() -> str:
        model = LanguageModel(endpoint.settings(daily_calls=1))
        await whole(model)
        with pytest.raises(LlmError) as caught:
            await whole(model)
        await model.aclose()
        return caught.value.failure

    assert asyncio.run(scenario()) == "budget"
    assert len(endpoint.requests) == 1


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (400, '{"error": {"type": "invalid_request_error", "code": "context_length_exceeded"}}'),
        (400, '{"error": {"code": 400, "type": "exceed_context_size_error", "n_ctx": 4096}}'),
        (400, '{"object": "error", "message": "This model\'s maximum context length is 4096 tokens.", "code": 400}'),
        (400, '{"error": {"message": "prompt is too long: 210000 tokens > 200000 maximum"}}'),
        (422, '{"error": {"message": "Input is too long for the requested model."}}'),
        (413, "Payload Too Large"),
    ],
    ids=["OpenAI", "llama.cpp", "vLLM", "Anthropic", "Bedrock", "a proxy"],
)
def test_a_prompt_that_is_too_long_is_told_from_a_refusal_and_does_not_count_against_the_endpoint(
    endpoint: ScriptedModel, status: int, body: str
):
    endpoint.says(Status(status, body))

    async def scenario() -> tuple[str, bool]:
        model = LanguageModel(endpoint.settings(retries=0))
        with pytest.raises(LlmError) as caught:
            await whole(model)
        await model.aclose()
        return caught.value.failure, model.breaker.is_open

    assert asyncio.run(scenario()) == ("too_long", False)


def test_a_request_may_name_another_model_and_fewer_tokens(endpoint: ScriptedModel):
    endpoint.says("Hello.", DONE)

    async def scenario() -> None:
        model = LanguageModel(endpoint.settings())
        async with aclosing(model.write(ASKED, model="tiny", max_tokens=150)) as pieces:
            assert [piece async for piece in pieces] == ["Hello."]
        await model.aclose()

    asyncio.run(scenario())
    assert (endpoint.requests[0]["model"], endpoint.requests[0]["max_tokens"]) == ("tiny", 150)
