"""The types of requests to the endpoint, of its replies and of its errors."""

from dataclasses import dataclass
from typing import Literal, TypedDict

import msgspec

__all__ = ("LlmError", "LlmFailure", "LlmRequest", "Message", "Piece", "Purpose", "Usage")


class Message(TypedDict):
    """One message of a prompt."""

    role: Literal["system", "user"]
    content: str


class Usage(msgspec.Struct, frozen=True):
    """Token counts that the endpoint reports."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class Piece(msgspec.Struct, frozen=True):
    """One event of the stream: its text (often "" while a model reasons), finish reason and token usage."""

    text: str = ""
    finish_reason: str | None = None
    usage: Usage | None = None


LlmFailure = Literal[
    "budget",  # the day's requests or tokens are spent
    "resting",  # the circuit breaker is open
    "unreachable",
    "timeout",
    "rate_limited",
    "refused",  # the key, the address, the model or the request is wrong: only the operator can correct it
    "too_long",  # the prompt has more tokens than the model reads
    "failed",  # a 5xx
    "malformed",  # no event stream, or invalid JSON in it
    "empty",
    "truncated",  # the stream ended before the answer was complete
]


Purpose = Literal["plan", "write", "verify", "translate", "judge"]


@dataclass(frozen=True, slots=True)
class LlmRequest:
    """One request of a reply: its purpose, tokens and seconds, and its failure if it failed."""

    purpose: Purpose
    tokens_read: int
    tokens_written: int
    seconds: float
    failure: LlmFailure | None = None


class LlmError(Exception):
    """A failed request to the endpoint. The message is for the operator's log and contains no key and no question."""

    def __init__(self, failure: LlmFailure, message: str) -> None:
        super().__init__(message)
        self.failure: LlmFailure = failure
