"""Streams a request to an OpenAI-compatible endpoint (`POST {base}/chat/completions`).

It uses httpx with httpx-sse instead of the `openai` package. That package takes 1.5 s and 31 MB to load and brings a
second HTTP client, for a single request whose retries and timeouts are set here.
"""

import asyncio
import random
import re
from collections.abc import AsyncGenerator, Awaitable, Sequence
from typing import Any, TypeVar

import httpx
import msgspec
from httpx_sse import EventSource, SSEError

from pincite_server.llm.llm_settings import LLM_PREFIX, LlmSettings
from pincite_server.llm.messages import LlmError, LlmFailure, Message, Piece, Usage

__all__ = ("ChatClient",)

_RETRIED = frozenset({408, 429, 500, 502, 503, 504, 529})
_FIRST_PAUSE = 0.4  # seconds; doubled each time, with jitter so that many sidecars do not retry together
_LONGEST_PAUSE = 3.0  # if the endpoint asks for a longer pause, the reader gets quotes instead of waiting
_ERROR_BYTES = 8192  # of an error's body, enough to find its code
_NAME = re.compile(r"[\w.-]{1,64}")
_TOO_LONG_STATUS = frozenset({400, 422})
# OpenAI's code and llama.cpp's type, then the messages of vLLM, Anthropic, Mistral and others.
_TOO_LONG = re.compile(
    r"context_length|exceed_context|context (?:length|size|window)"
    r"|(?:prompt|input|request)[^.]{0,40} too (?:long|large)|too many tokens|maximum (?:prompt|input) length",
    re.IGNORECASE,
)

T = TypeVar("T")

_DONE = Piece(finish_reason="stop")


class _Delta(msgspec.Struct):
    content: Any = None


class _Choice(msgspec.Struct):
    delta: _Delta | None = None
    finish_reason: str | None = None


class _Event(msgspec.Struct):
    choices: list[_Choice] | None = None
    usage: Usage | None = None
    error: Any = None


class ChatClient:
    """Client of the endpoint. Use and close it in one event loop."""

    def __init__(self, settings: LlmSettings) -> None:
        headers = {"Accept": "text/event-stream", "Accept-Encoding": "identity"}  # compression would delay tokens
        if settings.api_key:
            headers["Authorization"] = f"Bearer {settings.api_key}"
        timeout = httpx.Timeout(settings.total_seconds, connect=settings.connect_seconds)
        self._http = httpx.AsyncClient(headers=headers, timeout=timeout)
        self._settings = settings
        self._url = settings.base_url.rstrip("/") + "/chat/completions"

    async def aclose(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def stream(self, messages: Sequence[Message], **options: Any) -> AsyncGenerator[Piece]:
        """Yield pieces as the endpoint sends them; closing the generator ends the request.

        `options` are fields of this request that override the operator's.

        Raises:
            LlmError: The endpoint sent an error or an invalid reply, or did not answer in time.
        """
        clock = asyncio.get_running_loop().time
        end = clock() + self._settings.total_seconds
        deadline = min(end, clock() + self._settings.first_token_seconds)
        body = {**self._settings.options, "model": self._settings.model, **options, "stream": True}
        response = await _until(deadline, self._open({**body, "messages": list(messages)}))
        try:
            events = EventSource(response).aiter_sse()
            while (event := await _until(deadline, anext(events, None))) is not None:
                piece = _piece(event.data)
                yield piece
                if piece is _DONE:
                    return
                deadline = min(end, clock() + self._settings.first_token_seconds)
        except SSEError as error:
            message = "The endpoint does not stream (it sent no text/event-stream). Is it an OpenAI-compatible API?"
            raise LlmError("malformed", message) from error
        except httpx.HTTPError as error:
            message = f"The connection was lost during the reply ({type(error).__name__})."
            raise LlmError("truncated", message) from error
        finally:
            await response.aclose()

    async def _open(self, body: dict[str, Any]) -> httpx.Response:
        """Return the response once its status is 200; retry after temporary errors."""
        for attempt in range(self._settings.retries + 1):
            last = attempt == self._settings.retries
            try:
                response = await self._http.send(self._http.build_request("POST", self._url, json=body), stream=True)
            except httpx.TransportError as error:
                if last:
                    failure: LlmFailure = "timeout" if isinstance(error, httpx.TimeoutException) else "unreachable"
                    message = f"The endpoint cannot be reached ({type(error).__name__}). Check {LLM_PREFIX}BASE_URL."
                    raise LlmError(failure, message) from error
                await asyncio.sleep(_pause(attempt))
                continue
            if response.status_code == httpx.codes.OK:
                return response
            wait = _pause(attempt, response)
            if last or response.status_code not in _RETRIED or wait > _LONGEST_PAUSE:
                raise await _refusal(response)
            await response.aclose()
            await asyncio.sleep(wait)
        raise AssertionError  # the last attempt returns or raises


async def _until(deadline: float, work: Awaitable[T]) -> T:
    """Return the result of `work`; raise LlmError if it is not ready by `deadline`, in the event loop's seconds."""
    try:
        async with asyncio.timeout_at(deadline):
            return await work
    except TimeoutError as error:
        limits = f"{LLM_PREFIX}FIRST_TOKEN_SECONDS and {LLM_PREFIX}TOTAL_SECONDS"
        raise LlmError("timeout", f"The endpoint did not answer in time; {limits} set the limits.") from error


def _pause(attempt: int, response: httpx.Response | None = None) -> float:
    """Return the seconds to wait: the value of `Retry-After`, otherwise a delay that grows with each attempt."""
    requested = response.headers.get("retry-after", "") if response is not None else ""
    if requested.replace(".", "", 1).isdecimal():
        return float(requested)
    return _FIRST_PAUSE * 2.0**attempt * random.uniform(0.5, 1.0)


def _piece(data: str) -> Piece:
    if data == "[DONE]":
        return _DONE
    try:
        event = msgspec.json.decode(data, type=_Event)
    except (msgspec.MsgspecError, UnicodeEncodeError) as error:
        message = "The endpoint sent an event that is no chat completion chunk. Is it an OpenAI-compatible API?"
        raise LlmError("malformed", message) from error
    if event.error is not None:
        message = f"The endpoint reported an error in its stream{_codes(event.error)}."
        raise LlmError("truncated", message)
    choice = event.choices[0] if event.choices else _Choice()
    content = choice.delta.content if choice.delta else None
    return Piece(content if isinstance(content, str) else "", choice.finish_reason, event.usage)


async def _refusal(response: httpx.Response) -> LlmError:
    """Return the error for a status other than 200; the endpoint's own message is not repeated."""
    status = response.status_code
    error = await _error_of(response)
    codes = _codes(error)
    too_long = status in _TOO_LONG_STATUS and _TOO_LONG.search(str(error))
    if too_long or status == httpx.codes.REQUEST_ENTITY_TOO_LARGE:
        return LlmError("too_long", f"The prompt is longer than the model reads (HTTP {status}{codes}).")
    if status in {401, 403}:
        return LlmError("refused", f"The endpoint refuses the key (HTTP {status}{codes}). Check {LLM_PREFIX}API_KEY.")
    if status == httpx.codes.NOT_FOUND:
        names = f"{LLM_PREFIX}BASE_URL and {LLM_PREFIX}MODEL"
        return LlmError("refused", f"The endpoint has no such address or model (HTTP 404{codes}). Check {names}.")
    if status == httpx.codes.TOO_MANY_REQUESTS:
        return LlmError("rate_limited", f"The endpoint's rate limit is reached (HTTP 429{codes}).")
    if status in _RETRIED or status >= httpx.codes.INTERNAL_SERVER_ERROR:
        return LlmError("failed", f"The endpoint failed (HTTP {status}{codes}).")
    return LlmError("refused", f"The endpoint refuses the request (HTTP {status}{codes}). Check {LLM_PREFIX}OPTIONS.")


async def _error_of(response: httpx.Response) -> Any:
    """Return the field `error` of a response's body, or the whole body without one; None if it is no object."""
    body = b""
    try:
        async for part in response.aiter_bytes():
            body += part
            if len(body) > _ERROR_BYTES:
                break
        decoded = msgspec.json.decode(body, type=dict[str, Any])
        return decoded.get("error", decoded)
    except (httpx.HTTPError, msgspec.MsgspecError):
        return None
    finally:
        await response.aclose()


def _codes(error: Any) -> str:
    """Return an error's machine-readable codes, which contain nothing of the prompt."""
    if not isinstance(error, dict):
        return ""
    values = [str(error[key]) for key in ("type", "code", "param") if error.get(key) is not None]
    shown = [value for value in values if _NAME.fullmatch(value)]
    return f", {' '.join(shown)}" if shown else ""
