"""The language model for a single reply, with a record of its requests and a token budget."""

import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from typing import Any

from pincite_core.units import estimate_tokens
from pincite_server.llm.llm_settings import LlmSettings
from pincite_server.llm.messages import LlmError, LlmRequest, Message, Purpose, Usage
from pincite_server.llm.model import LanguageModel

__all__ = ("ReplyModel",)


class ReplyModel:
    """Sends the requests of one reply to the language model, which all replies share."""

    def __init__(self, model: LanguageModel) -> None:
        self._model = model
        self.requests: list[LlmRequest] = []  # in the order in which they ended

    @property
    def settings(self) -> LlmSettings:
        """The operator's settings."""
        return self._model.settings

    @property
    def evidence_tokens(self) -> int:
        """The limit of docs text in a prompt, in estimated tokens."""
        return self._model.evidence_tokens

    def narrow(self, evidence_tokens: int) -> None:
        """Lower the limit of docs text for all later prompts, after the model has refused a longer prompt."""
        self._model.evidence_tokens = min(self._model.evidence_tokens, evidence_tokens)

    def count(self, name: str, amount: int = 1) -> None:
        """Add to a counter of the sidecar."""
        self._model.count(name, amount)

    def affords(self, messages: Sequence[Message]) -> bool:
        """Return whether a prompt fits into the token budget of one answer (`answer_tokens`), by an estimate."""
        limit = self.settings.answer_tokens
        spent = sum(one.tokens_read + one.tokens_written for one in self.requests)
        return not limit or spent + sum(estimate_tokens(message["content"]) for message in messages) <= limit

    async def write(self, purpose: Purpose, messages: Sequence[Message], **options: Any) -> AsyncGenerator[str]:
        """Yield the model's text as it comes; the arguments are those of `LanguageModel.write`.

        Raises:
            LlmError: The budget is spent, or the model failed. Some text may have been yielded before.
        """
        if not self.affords(messages):
            self.count("llm_over_budget")
            raise LlmError("budget", "The token budget of one answer is spent.")
        started, usage, failure = time.perf_counter(), [Usage(0, 0)], None
        try:
            async with aclosing(self._model.write(messages, usage.append, **options)) as pieces:
                async for piece in pieces:
                    yield piece
        except LlmError as error:
            failure = error.failure
            raise
        finally:
            read, written = usage[-1].prompt_tokens or 0, usage[-1].completion_tokens or 0
            self.requests.append(LlmRequest(purpose, read, written, time.perf_counter() - started, failure))

    async def complete(self, purpose: Purpose, messages: Sequence[Message], **options: Any) -> str:
        """Return the model's whole text; the arguments and errors are those of `write`."""
        async with aclosing(self.write(purpose, messages, **options)) as pieces:
            return "".join([piece async for piece in pieces])
