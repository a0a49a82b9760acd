"""What is sent to the endpoint, and what can go wrong with it."""

from dataclasses import dataclass
from typing import Literal, TypedDict

import msgspec

__all__ = ("LlmError", "LlmFailure", "LlmRequest", "Message", "Piece", "Purpose", "Usage")


class Message(TypedDict):
    """One message of a request."""

    role: Literal["system", "user"]
    content: str


class Usage(msgspec.Struct, frozen=True):
    """Tokens as the endpoint counted them."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class Piece(msgspec.Struct, frozen=True):
    """What one event brought: text (often "", as while a model reasons), why it ended, what was used."""

    text: str = ""
    finish_reason: str | None = None
    usage: Usage | None = None


LlmFailure = Literal[
    "budget",  # the day's requests or tokens are spent
    "resting",  # it failed just now, and is not asked again yet
    "unreachable",
    "timeout",
    "rate_limited",
    "refused",  # the key, the address, the model or the request: only the operator can mend it
    "too_long",  # the prompt has more tokens than the model reads
    "failed",  # a 5xx
    "malformed",  # no event stream, or no JSON in it
    "empty",
    "truncated",  # it began, and did not end properly
]


Purpose = Literal["plan", "write", "verify", "translate", "judge"]


@dataclass(frozen=True, slots=True)
class LlmRequest:
    """One request of a reply: what it was for, its tokens, its seconds, and how it failed (None: it did not)."""

    purpose: Purpose
    tokens_read: int
    tokens_written: int
    seconds: float
    failure: LlmFailure | None = None


class LlmError(Exception):
    """The endpoint did not answer as it should. The message is for the operator's log: no key, no question."""

    def __init__(self, failure: LlmFailure, message: str) -> None:
        super().__init__(message)
        self.failure: LlmFailure = failure
