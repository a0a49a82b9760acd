"""What is sent to the endpoint, and what can go wrong with it."""

from typing import Literal, TypedDict

import msgspec

__all__ = ("LlmError", "LlmFailure", "Message", "Piece", "Usage")


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
    "failed",  # a 5xx
    "malformed",  # no event stream, or no JSON in it
    "empty",
    "truncated",  # it began, and did not end properly
]


class LlmError(Exception):
    """The endpoint did not answer as it should. The message is for the operator's log: no key, no question."""

    def __init__(self, failure: LlmFailure, message: str) -> None:
        super().__init__(message)
        self.failure: LlmFailure = failure
