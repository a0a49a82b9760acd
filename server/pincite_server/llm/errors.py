"""Why a language model gave no answer, or not a whole one."""

from typing import Literal

__all__ = ("LlmError", "LlmFailure")

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
