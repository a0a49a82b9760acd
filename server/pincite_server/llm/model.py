"""The configured language model: the client with its budget, circuit breaker and counters."""

import logging
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

from pincite_core.units import estimate_tokens
from pincite_server.llm.circuit_breaker import CircuitBreaker
from pincite_server.llm.daily_budget import DailyBudget
from pincite_server.llm.llm_settings import LlmSettings
from pincite_server.llm.messages import LlmError, Message, Piece, Usage

if TYPE_CHECKING:
    from pincite_server.llm.client import ChatClient

__all__ = ("LanguageModel",)

logger = logging.getLogger("pincite")

_CUT_OFF = frozenset({None, "length", "content_filter"})
_LONGEST = 20_000  # characters; many times an answer's length, to stop an endpoint that never ends


class LanguageModel:
    """Sends requests within the budget and the circuit breaker, and counts them. Use it from one event loop.

    `count` is called with the name and the amount of each counter (`llm_calls`, `llm_failures`, ...). `evidence_tokens`
    limits the docs text in a prompt: the operator's setting, or less once the model has refused a prompt as too long.
    """

    def __init__(
        self,
        settings: LlmSettings,
        count: Callable[[str, int], None] = lambda _name, _amount: None,
        breaker: CircuitBreaker | None = None,
        budget: DailyBudget | None = None,
    ) -> None:
        self.settings = settings
        self.count = count
        self.breaker = breaker or CircuitBreaker()
        self.budget = budget or DailyBudget(settings.daily_calls, settings.daily_tokens)
        self.evidence_tokens = settings.evidence_tokens
        self._client: ChatClient | None = None

    async def aclose(self) -> None:
        """Close the connections; the next request opens new ones."""
        client, self._client = self._client, None
        if client is not None:
            await client.aclose()

    async def write(
        self, messages: Sequence[Message], on_usage: Callable[[Usage], None] = lambda _usage: None, **options: Any
    ) -> AsyncGenerator[str]:
        """Yield the model's text as it comes; closing the generator ends the request.

        `on_usage` is called once with the request's tokens, if the endpoint sent anything. `options` are fields of this
        request that override the operator's.

        Raises:
            LlmError: The budget is spent, the circuit breaker is open, or the request failed. Some text may have been
                yielded before.
        """
        if not self.budget.is_spent and not self.breaker.allows():
            self.count("llm_left_alone", 1)
            raise LlmError("resting", "The language model failed several times and is not asked for a while.")
        if not await self.budget.take_call():
            self.count("llm_over_budget", 1)
            raise LlmError("budget", "Today's budget for the language model is spent.")
        self.count("llm_calls", 1)
        written: list[str] = []
        last: Piece | None = None
        try:
            async with aclosing(self._stream(messages, options)) as pieces:
                async for last in pieces:
                    if last.text:
                        self.breaker.succeeded()
                        written.append(last.text)
                        yield last.text
            _require_whole("".join(written), last)
        except LlmError as error:
            self.count("llm_failures", 1)
            if not written and error.failure != "too_long":  # neither says that the endpoint is down
                self.breaker.failed(for_good=error.failure == "refused")
            logger.warning("The language model failed: %s", error)
            raise
        finally:
            if last is not None:
                usage = last.usage or Usage()
                read = usage.prompt_tokens or sum(estimate_tokens(message["content"]) for message in messages)
                wrote = usage.completion_tokens or estimate_tokens("".join(written))
                on_usage(Usage(read, wrote))
                self.count("llm_tokens_read", read)
                self.count("llm_tokens_written", wrote)
                await self.budget.take_tokens(read + wrote)

    async def _stream(self, messages: Sequence[Message], options: dict[str, Any]) -> AsyncGenerator[Piece]:
        """Yield pieces, each with the latest finish reason and token usage."""
        from pincite_server.llm.client import ChatClient  # most sidecars never need this HTTP client

        self._client = self._client or ChatClient(self.settings)
        length, ended, usage = 0, None, None
        async with aclosing(self._client.stream(messages, **options)) as pieces:
            async for piece in pieces:
                length += len(piece.text)
                ended, usage = ended or piece.finish_reason, piece.usage or usage
                yield Piece(piece.text, ended, usage)
                if length > _LONGEST:
                    return


def _require_whole(written: str, last: Piece | None) -> None:
    """Raise LlmError if the text is empty, was cut off by a limit, or if the stream ended too early."""
    if last is None or not written.strip():
        raise LlmError("empty", "The model wrote nothing.")
    if last.finish_reason in _CUT_OFF:
        reason = last.finish_reason or "the stream broke off"
        raise LlmError("truncated", f"The model's text is incomplete ({reason}).")
