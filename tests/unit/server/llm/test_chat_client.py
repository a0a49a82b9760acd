"""The endpoint of a language model when it does what no real server does on demand."""

import asyncio
from collections.abc import AsyncIterator

import httpx
import pytest
import respx

from pincite_server.llm import client as chat
from pincite_server.llm.client import ChatClient
from pincite_server.llm.llm_settings import LlmSettings
from pincite_server.llm.messages import LlmError

URL = "https://api.example.com/v1/chat/completions"
STREAM = {"content-type": "text/event-stream"}


def chunk(text: str) -> bytes:
    return b'data: {"choices": [{"delta": {"content": "%s"}}]}\n\n' % text.encode()


HELLO = chunk("Hel") + chunk("lo.") + b"data: [DONE]\n\n"


@pytest.fixture(autouse=True)
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The pauses before requests are repeated, which are not waited for."""
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    monkeypatch.setattr(chat.asyncio, "sleep", sleep)
    return waited


def ask(retries: int = 2) -> str:
    settings = LlmSettings(base_url="https://api.example.com/v1/", model="m", api_key="k", retries=retries)

    async def asked() -> str:
        client = ChatClient(settings)
        try:
            return "".join([piece.text async for piece in client.stream([{"role": "user", "content": "Hi?"}])])
        finally:
            await client.aclose()

    return asyncio.run(asked())


def refused(retries: int = 2) -> LlmError:
    with pytest.raises(LlmError) as raised:
        ask(retries)
    return raised.value


@pytest.mark.parametrize(
    "error",
    [
        httpx.ConnectTimeout("slow"),
        httpx.ReadTimeout("slow"),
        httpx.PoolTimeout("full"),
        httpx.ConnectError("refused"),
        httpx.ReadError("reset"),
        httpx.RemoteProtocolError("hung up"),
    ],
)
def test_a_connection_that_fails_before_the_first_token_is_tried_again(
    respx_mock: respx.MockRouter, error: Exception
) -> None:
    respx_mock.post(URL).mock(side_effect=[error, error, httpx.Response(200, headers=STREAM, content=HELLO)])
    assert ask() == "Hello."


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (httpx.ConnectTimeout("slow"), "timeout"),
        (httpx.ReadTimeout("slow"), "timeout"),
        (httpx.ConnectError("refused"), "unreachable"),
        (httpx.ReadError("reset"), "unreachable"),
    ],
)
def test_after_the_retries_the_kind_of_failure_is_told(
    respx_mock: respx.MockRouter, error: Exception, code: str, pauses: list[float]
) -> None:
    respx_mock.post(URL).mock(side_effect=error)
    assert refused(retries=2).failure == code
    assert respx_mock.calls.call_count == 3
    assert len(pauses) == 2
    assert pauses[0] < pauses[1] * 2


def test_a_stream_that_is_reset_in_the_middle_is_not_tried_again(respx_mock: respx.MockRouter) -> None:
    class Reset(httpx.AsyncByteStream):
        async def __aiter__(self) -> AsyncIterator[bytes]:
            yield chunk("Hel")
            raise httpx.ReadError("reset")

    respx_mock.post(URL).respond(headers=STREAM, stream=Reset())
    assert refused().failure == "truncated"
    assert respx_mock.calls.call_count == 1


@pytest.mark.parametrize(
    "body",
    [
        b"data: {\n\n",
        b"data: []\n\n",
        b'data: "text"\n\n',
        b'data: {"choices": {"delta": 1}}\n\n',
        b'data: {"choices": [{"delta": "text"}]}\n\n',
        b'data: {"choices": [null]}\n\n',
    ],
)
def test_an_event_that_is_no_chunk_is_malformed(respx_mock: respx.MockRouter, body: bytes) -> None:
    respx_mock.post(URL).respond(headers=STREAM, content=chunk("Hel") + body)
    assert refused().failure == "malformed"


@pytest.mark.parametrize("content_type", ["application/json", "text/html", "", "text/plain; charset=utf-8"])
def test_a_reply_that_is_no_stream_is_malformed(respx_mock: respx.MockRouter, content_type: str) -> None:
    respx_mock.post(URL).respond(headers={"content-type": content_type}, content=b'{"choices": []}')
    assert refused().failure == "malformed"


def test_events_without_text_bring_none(respx_mock: respx.MockRouter) -> None:
    body = b'data: {}\n\n: ping\n\ndata: {"choices": []}\n\ndata: {"choices": [{"delta": {"content": 7}}]}\n\n'
    respx_mock.post(URL).respond(headers=STREAM, content=body + HELLO)
    assert ask() == "Hello."


@pytest.mark.parametrize("asked_for", ["soon", "-1", "Wed, 21 Oct 2026 07:28:00 GMT", "\u00b2", "1.2.3"])
def test_a_retry_after_that_is_no_number_of_seconds_is_passed_over(
    respx_mock: respx.MockRouter, asked_for: str, pauses: list[float]
) -> None:
    busy = httpx.Response(429, headers=[(b"retry-after", asked_for.encode("latin-1"))])
    respx_mock.post(URL).mock(side_effect=[busy, httpx.Response(200, headers=STREAM, content=HELLO)])
    assert ask() == "Hello."
    assert 0 < pauses[0] <= 0.4


def test_a_retry_after_is_heeded(respx_mock: respx.MockRouter, pauses: list[float]) -> None:
    busy = httpx.Response(503, headers={"retry-after": "1.5"})
    respx_mock.post(URL).mock(side_effect=[busy, httpx.Response(200, headers=STREAM, content=HELLO)])
    assert ask() == "Hello."
    assert pauses == [1.5]


@pytest.mark.parametrize(
    "body", [b"", b"\xff", b"[]", b'{"error": "text"}', b'{"error": {"code": ["a"]}}', b"x" * 20_000]
)
def test_an_error_whose_body_says_nothing_is_told_by_its_status(respx_mock: respx.MockRouter, body: bytes) -> None:
    respx_mock.post(URL).respond(401, content=body)
    error = refused()
    assert error.failure == "refused"
    assert "(HTTP 401)" in str(error)


@pytest.mark.parametrize("status", [204, 304, 307])
def test_a_status_between_success_and_failure_is_a_refusal(respx_mock: respx.MockRouter, status: int) -> None:
    respx_mock.post(URL).respond(status, headers={"location": "https://elsewhere.example.com/"})
    assert refused().failure == "refused"
    assert respx_mock.calls.call_count == 1
